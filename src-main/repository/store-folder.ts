// Model folders of repositories in object stores, read from one listing: what `readModelFolder` and the scanner find on a
// disk, found in the keys of objects. Files have the times of their objects, folders have none.

import { CONFIG_FILE, profileEntry, PROFILE_FOLDER } from '../../src-shared/config/config-file.ts';
import { objectStores } from '../object-stores/shared-stores.ts';
import { joinStorePath } from '../object-stores/store-path.ts';
import type { StoreFolder } from '../object-stores/store-tree.ts';
import type { FolderEntry, ModelFolder } from './model-folder.ts';
import { composeModelFolder, inspectedFolder } from './model-folder.ts';

/** Files and folders directly in it, in text order. */
function entriesOf(folder: StoreFolder): FolderEntry[] {
  const folders = [...folder.folders.keys()].map((name) => ({ name, isFolder: true }));
  const files = [...folder.files.keys()].filter((name) => !folder.folders.has(name));
  return [...folders, ...files.map((name) => ({ name, isFolder: false }))].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** Key "" = the folder itself, which has no time; other keys = its immediate children. */
function timesOf(folder: StoreFolder): ReadonlyMap<string, number> {
  const times = new Map([['', 0]]);
  for (const [name, { modifiedAtMs }] of folder.files) times.set(name, modifiedAtMs);
  for (const [name, child] of folder.folders) times.set(name, child.newest());
  return times;
}

/** Of a folder that was listed. Throws for keys that can be no files. */
export function storeModelFolder(
  repository: string,
  name: string,
  folder: StoreFolder,
  { modelConfigName, isRenamed = false }: { readonly modelConfigName: string; readonly isRenamed?: boolean },
): ModelFolder {
  folder.requireNames();
  const entries = entriesOf(folder);
  const first = inspectedFolder(entries);
  const inspected = first === undefined ? undefined : folder.folders.get(first);
  const firstFolder =
    first === undefined || inspected === undefined
      ? undefined
      : { name: first, entries: entriesOf(inspected) };
  const found = { repository, name, isRenamed, path: folder.path, firstFolder, times: timesOf(folder) };
  return composeModelFolder({ ...found, ...chooseConfig(folder, modelConfigName) }, entries, []);
}

function chooseConfig(
  folder: StoreFolder,
  modelConfigName: string,
): Pick<ModelFolder, 'configPath' | 'configEntry'> {
  const alternate = profileEntry(modelConfigName);
  if (modelConfigName !== '' && folder.folders.get(PROFILE_FOLDER)?.files.has(alternate) === true) {
    return { configPath: joinStorePath(folder.path, PROFILE_FOLDER, alternate), configEntry: PROFILE_FOLDER };
  }
  const hasConfig = folder.files.has(CONFIG_FILE) && !folder.folders.has(CONFIG_FILE);
  return {
    configPath: hasConfig ? joinStorePath(folder.path, CONFIG_FILE) : undefined,
    configEntry: CONFIG_FILE,
  };
}

/** Lists a model folder and reads what it holds. */
export async function readStoreModelFolder(
  repository: string,
  name: string,
  location: string,
  options: { readonly modelConfigName: string; readonly isRenamed?: boolean },
): Promise<ModelFolder> {
  return storeModelFolder(repository, name, await objectStores.folder(location), options);
}
