// Where the Python side of hosted models lies: in `resources/python`, beside the program in a build and in the sources
// alike.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { unavailable } from '../../../src-shared/errors.ts';

/** Absolute path of `resources/python`. */
export function pythonFolder(here: string = import.meta.dirname): string {
  for (const up of ['..', '../..', '../../..', '../../../..']) {
    const folder = path.resolve(here, up, 'resources/python');
    if (existsSync(path.join(folder, 'host.py'))) return folder;
  }
  throw unavailable('the Python files of the server (resources/python) are not part of this installation');
}
