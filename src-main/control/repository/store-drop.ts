// Paths of object stores where the window names folders: what lies there, and whether its models would run code.

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import type { DropItem, FolderListing } from '../../../src-shared/contract/repository-calls.ts';
import { isCodeFile } from '../../inference/code-files.ts';
import { objectStores } from '../../object-stores/shared-stores.ts';
import { isStorePath, joinStorePath } from '../../object-stores/store-path.ts';
import { MAX_CONFIG_BYTES } from '../../repository/model-folder.ts';
import { asksForCode } from './classify-drop.ts';

/** Rejects when the store does not answer, which is how a wrong path is noticed. */
export async function hasStoreCode(root: string, backends: readonly BackendDescription[]): Promise<boolean> {
  const files = [...(await objectStores.folder(root)).allFiles()].map(([name]) => name);
  if (files.some((name) => isCodeFile(name))) return true;
  for (const name of files.filter((file) => file.endsWith(`/${CONFIG_FILE}`))) {
    const text = await objectStores.readText(joinStorePath(root, name), MAX_CONFIG_BYTES);
    if (asksForCode(text, backends)) return true;
  }
  return false;
}

/** The folders at a path. Rejects when the store does not answer. */
export async function browseStore(location: string): Promise<FolderListing> {
  const folders = await objectStores.listFolders(location);
  const above = location.replace(/\/+[^/]*\/*$/, '');
  return {
    path: location,
    parent: isStorePath(`${above}/`) && /\/\/[^/]/.test(above) ? above : '',
    entries: folders.map((name) => ({ name, isFolder: true, byteSize: 0, looksLike: 'folder' })),
  };
}

/** A path of a store is taken for a repository. Never throws; what cannot be read is unknown, with the reason. */
export async function classifyStore(
  location: string,
  backends: readonly BackendDescription[],
): Promise<Omit<DropItem, 'conflict' | 'isTrusted'>> {
  const plain = { path: location, name: '', byteSize: 0, models: [], hasCode: false };
  try {
    const folders = await objectStores.listFolders(location);
    return {
      ...plain,
      kind: 'repository',
      models: folders.map((name) => ({ name, problem: undefined })),
      hasCode: await hasStoreCode(location, backends),
      message: `A repository with ${folders.length} ${folders.length === 1 ? 'folder' : 'folders'}.`,
    };
  } catch (thrown) {
    return { ...plain, kind: 'unknown', message: (thrown as Error).message };
  }
}
