// Folders of models that something is to be written into, or that a program of this machine is to read.

import { isStorePath } from '../../object-stores/store-path.ts';
import type { FolderLocation } from '../../repository/repository-scanner.ts';
import { filesErrors } from './file-errors.ts';

/** The folder on this machine. INVALID_ARG when it is in an object store, which is only read. */
export function localFolder({ path: folder }: FolderLocation): string {
  if (isStorePath(folder)) throw filesErrors.inStore({ path: folder });
  return folder;
}
