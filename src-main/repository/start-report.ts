// What came of the start set.

import type { ServerError } from '../../src-shared/errors.ts';
import { loadErrors } from './load-errors.ts';
import { loadCallError } from './load-waves.ts';
import type { ModelId } from './model-identity.ts';
import { modelKey } from './model-identity.ts';
import type { TransactionResult } from './repository-transactions.ts';

/** What became of the models that were to be loaded at the start. */
export interface StartReport {
  /** Models of the start set that could not be read or loaded. */
  readonly failed: ReadonlyMap<string, ServerError>;
  /** What the start ends with in place of the general text. */
  readonly loadError?: ServerError | undefined;
}

/** `named`: models that were asked for by name; what failed of those is told as a load call tells it. */
export function reportOf(
  { failures, pollErrors }: TransactionResult,
  named: readonly ModelId[] = [],
): StartReport {
  const failed = new Map<string, ServerError>(pollErrors);
  for (const [key, { error }] of failures) failed.set(key, error);
  const texts = named.flatMap((id) => {
    const key = modelKey(id);
    const failure = failures.get(key);
    return failure === undefined || pollErrors.has(key) ? [] : [loadCallError([key, failure]).message];
  });
  return {
    failed,
    loadError: texts.length === 0 ? undefined : loadErrors.startFailed({ reasons: texts.join('') }),
  };
}
