// Which line of which model's own code an error of a request came from: that of the model, or of a step that it called.

import type { CodePlace } from '../../../src-shared/contract/model-view.ts';
import { pythonFailure } from './python-failure.ts';

interface KnownModels {
  names(): readonly string[];
  /** `path`: of the model folder. */
  location(name: string): { readonly path: string };
}

/** undefined when the error has no traceback, or none that leads into a folder of a model. */
export function codePlaceOf(
  models: KnownModels,
  asked: string,
  error: string | undefined,
): (CodePlace & { readonly model: string }) | undefined {
  if (error === undefined || !error.includes('\nAt:\n')) return undefined;
  const names = models.names();
  const first = names.includes(asked) ? [asked] : [];
  for (const model of [...first, ...names]) {
    const place = pythonFailure(error, models.location(model).path)?.place;
    if (place !== undefined) return { model, ...place };
  }
  return undefined;
}
