// What lies in one model folder of an object store, as `readFolderFacts` tells it of a folder on a disk. It costs one
// listing and the text of the configuration.

import type { DirectoryEntry } from '../../../src-shared/config/backend-completion.ts';
import { folderToInspect } from '../../../src-shared/config/backend-completion.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { MAX_EDITED_BYTES } from '../../../src-shared/contract/config-calls.ts';
import { objectStores } from '../../object-stores/shared-stores.ts';
import { isStorePath, joinStorePath } from '../../object-stores/store-path.ts';
import type { StoreFolder } from '../../object-stores/store-tree.ts';
import type { FolderFacts } from './folder-facts.ts';
import { emptyFolderFacts, hashOf, readFolderFacts } from './folder-facts.ts';

const READ_ONLY =
  'it is in an object store, which is only read here; copy the model to a local repository first';

/** Of a folder, wherever it is. Never throws; what cannot be read is said in `error`. */
export async function readFacts(location: string): Promise<FolderFacts> {
  return await (isStorePath(location) ? readStoreFacts(location) : readFolderFacts(location));
}

async function readStoreFacts(location: string): Promise<FolderFacts> {
  const empty = emptyFolderFacts(location);
  try {
    const folder = await objectStores.folder(location);
    folder.requireNames();
    return {
      ...empty,
      ...(await readConfig(folder)),
      readOnlyReason: READ_ONLY,
      versions: versionsOf(folder),
      files: filesOf(folder),
      inspectedEntries: inspectedEntries(folder),
    };
  } catch (thrown) {
    return { ...emptyFolderFacts(location, (thrown as Error).message), readOnlyReason: READ_ONLY };
  }
}

async function readConfig(
  folder: StoreFolder,
): Promise<Pick<FolderFacts, 'configText' | 'configHash' | 'configRefusal'>> {
  const file = folder.files.get(CONFIG_FILE);
  if (file === undefined) return { configText: undefined, configHash: undefined, configRefusal: undefined };
  if (file.byteSize > MAX_EDITED_BYTES) {
    const configHash = hashOf(`${file.byteSize} ${file.modifiedAtMs}`);
    return { configText: undefined, configHash, configRefusal: 'large' };
  }
  const text = await objectStores.readText(joinStorePath(folder.path, CONFIG_FILE), MAX_EDITED_BYTES);
  const isText = !text.includes('\u0000') && !text.includes('\uFFFD');
  return {
    configText: isText ? text : undefined,
    configHash: hashOf(text),
    configRefusal: isText ? undefined : 'binary',
  };
}

function filesOf(folder: StoreFolder): FolderFacts['files'] {
  return [...folder.allFiles()]
    .map(([path, { byteSize, modifiedAtMs }]) => ({ path, byteSize, modifiedAtMs }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function versionsOf(folder: StoreFolder): FolderFacts['versions'] {
  return [...folder.folders]
    .filter(([name]) => /^[1-9]\d*$/.test(name))
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([version, child]) => {
      const files = [...child.allFiles()];
      return {
        version,
        byteSize: files.reduce((total, [, { byteSize }]) => total + byteSize, 0),
        fileCount: files.length,
        modifiedAtMs: child.newest(),
      };
    });
}

function inspectedEntries(folder: StoreFolder): readonly DirectoryEntry[] {
  const inspected = folderToInspect([...folder.folders.keys()].sort());
  const inside = inspected === undefined ? undefined : folder.folders.get(inspected);
  if (inside === undefined) return [];
  const names = [...new Set([...inside.folders.keys(), ...inside.files.keys()])].sort();
  return names.map((name) => ({ name, isDirectory: inside.folders.has(name) }));
}
