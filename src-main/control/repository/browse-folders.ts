// The page's own picker: folders and files below its root, for pages that have no native dialogs.

import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { FolderListing } from '../../../src-shared/contract/repository-calls.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { classifyDrop } from './classify-drop.ts';
import { isStorePath } from '../../object-stores/store-path.ts';
import { browseStore } from './store-drop.ts';
import { foldersErrors } from './folder-errors.ts';

/** What the page's own picker may show. */
export interface BrowseDependencies {
  readonly catalog: { readonly backends: readonly BackendDescription[] };
  readonly guard: PathGuard;
  /** Root of the picker; undefined = none. */
  readonly browseRoot: string | undefined;
}

/** Only where the picker may look, and only one level at a time. */
export async function createFolder(
  { browseRoot, guard }: BrowseDependencies,
  parent: string,
  name: string,
): Promise<{ readonly path: string }> {
  if (browseRoot === undefined) throw foldersErrors.noPicker();
  if (name.trim() !== name || !/^[^/\\:*?"<>|\0]{1,255}$/.test(name) || name.startsWith('.')) {
    throw foldersErrors.folderName({ name });
  }
  const folder = path.join(guard.check(parent), name);
  try {
    await mkdir(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    throw foldersErrors.folderTaken({ name, parent });
  }
  return { path: folder };
}

/** One folder, folders first; of a file the folder that it lies in. Throws INVALID_ARG where the page may not look. */
export async function browse(
  { browseRoot, guard, catalog }: BrowseDependencies,
  location: string,
): Promise<FolderListing> {
  if (browseRoot === undefined) throw foldersErrors.noPicker();
  if (isStorePath(location)) return await browseStore(location);
  const asked = guard.check(location === '' ? browseRoot : location);
  const isFile = (await stat(asked)).isFile();
  const folder = isFile ? path.dirname(asked) : asked;
  const entries = await readdir(folder, { withFileTypes: true });
  const file = isFile ? path.basename(asked) : undefined;
  const visible = entries.filter(({ name }) => !name.startsWith('.') || name === file).slice(0, 5000);
  const listed = await Promise.all(
    visible.map(async (entry) => {
      const full = path.join(folder, entry.name);
      const stats = await stat(full).catch(() => undefined);
      const { kind } = await classifyDrop(full, catalog.backends);
      return {
        name: entry.name,
        isFolder: stats?.isDirectory() === true,
        byteSize: stats?.size ?? 0,
        looksLike: kind,
      };
    }),
  );
  const parent = path.resolve(folder) === path.resolve(browseRoot) ? '' : path.dirname(folder);
  listed.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1));
  return { path: folder, parent, entries: listed, ...(file === undefined ? {} : { file }) };
}
