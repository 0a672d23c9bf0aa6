// Which models that are code may load.

import type { Backend } from '../inference/backend.ts';
import type { PolledModel } from './polled-model.ts';
import { loadErrors } from './load-errors.ts';

/** Words of the reason by which the window offers to trust the folder. */
export const UNTRUSTED = 'is in a folder that is not trusted';

/**
 * Files that came with a load call are no code unless the server allows it, whatever their names say; nor are those of a
 * repository that somebody opened without trusting it.
 */
export function requireTrust({ description }: Backend, { id, codeRefusal }: PolledModel): void {
  if (!description.runsCode || codeRefusal === undefined) return;
  if (codeRefusal === 'untrusted') {
    throw loadErrors.untrusted({ model: id.name, why: UNTRUSTED, backend: description.name });
  }
  throw loadErrors.codeCameAlong({ backend: description.name, name: id.name });
}
