// Outputs that the model has by its configuration, that were asked for, and that did not come.

import type { ModelInterface, PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';
import type { PlaygroundResponse } from '../../../../src-shared/contract/playground-answer.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';

/** Nothing where all came. A decoupled model may spread its outputs over responses, so nothing is said of one. */
export function MissingOutputs({
  io,
  asked,
  response,
}: {
  readonly io: ModelInterface | undefined;
  readonly asked: PlaygroundRequest['outputs'];
  readonly response: PlaygroundResponse | undefined;
}) {
  if (io === undefined || io.isDecoupled || response?.error !== undefined) return null;
  const came = new Set(response?.outputs.map(({ name }) => name));
  const missing = (asked.length > 0 ? asked : io.outputs)
    .map(({ name }) => name)
    .filter((name) => !came.has(name));
  if (response === undefined || missing.length === 0) return null;
  return (
    <Banner tone="warn" testId="pg-missing-outputs">
      {t('playground.missingOutputs', { count: missing.length, names: missing.join(', ') })}
    </Banner>
  );
}
