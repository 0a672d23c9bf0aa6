// Which models that are code may load.

import { invalidArg } from '../../src-shared/errors.ts';
import type { Backend } from '../inference/backend.ts';
import type { PolledModel } from './polled-model.ts';

/** Words of the reason by which the window offers to trust the folder. */
export const UNTRUSTED = 'is in a folder that is not trusted';

/**
 * Files that came with a load call are no code unless the server allows it, whatever their names say; nor are those of a
 * repository that somebody opened without trusting it.
 */
export function requireTrust({ description }: Backend, { id, codeRefusal }: PolledModel): void {
  if (!description.runsCode || codeRefusal === '') return;
  if (codeRefusal === 'untrusted') {
    throw invalidArg(
      `model '${id.name}' ${UNTRUSTED}: its backend '${description.name}' would run code that came with it. ` +
        'Trust the folder in the window, if you know where it comes from',
    );
  }
  throw invalidArg(
    `backend '${description.name}' runs code of the model, and the files of '${id.name}' came with the load call; ` +
      `start the server with '--allow-code-override=true' to allow it`,
  );
}
