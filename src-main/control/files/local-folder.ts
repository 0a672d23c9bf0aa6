// Folders of models that something is to be written into, or that a program of this machine is to read.

import { objectStores } from '../../object-stores/shared-stores.ts';
import { isStorePath } from '../../object-stores/store-path.ts';
import type { FolderLocation } from '../../repository/repository-scanner.ts';
import { filesErrors } from './file-errors.ts';

/**
 * The folder on this machine to read from, a copy of it where it is in an object store. Disposing removes the copy.
 * Rejects with the signal's reason.
 */
export async function folderToRead(
  { path: folder }: FolderLocation,
  signal: AbortSignal,
): Promise<{ readonly path: string; [Symbol.asyncDispose](): Promise<void> }> {
  if (!isStorePath(folder)) return { path: folder, [Symbol.asyncDispose]: () => Promise.resolve() };
  const copy = await objectStores.copy(folder, { signal });
  return { path: copy.path, [Symbol.asyncDispose]: () => copy.remove() };
}

/** The folder on this machine. INVALID_ARG when it is in an object store, which is only read. */
export function localFolder({ path: folder }: FolderLocation): string {
  if (isStorePath(folder)) throw filesErrors.inStore({ path: folder });
  return folder;
}
