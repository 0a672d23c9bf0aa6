// Where the Python side of hosted models lies: in `resources/python`, beside the program in a build and in the sources
// alike.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { resourceFolders } from '../../base/resource-folders.ts';
import { pythonHostErrors } from './host-errors.ts';

/** Absolute path of `resources/python`. */
export function pythonFolder(here: string = import.meta.dirname): string {
  for (const folder of resourceFolders('python', here)) {
    if (existsSync(path.join(folder, 'host.py'))) return folder;
  }
  throw pythonHostErrors.withoutFiles();
}
