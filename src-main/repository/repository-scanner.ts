// Reads repositories into a snapshot: which model folders exist now, where, and what each holds. Bounded parallel and
// asynchronous, so ten thousand folders neither block the loop nor exhaust file handles. A folder that cannot be read
// is a problem of that model alone; a repository that cannot be read is reported and counts as empty.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ServerError } from '../../src-shared/errors.ts';
import { toServerError } from '../../src-shared/errors.ts';
import type { ModelFolder } from './model-folder.ts';
import { readModelFolder } from './model-folder.ts';
import { answerWaits } from './answer-waits.ts';
import { eachParallel } from '../base/each-parallel.ts';
import { getLogger } from '../base/log.ts';
import { objectStores } from '../object-stores/shared-stores.ts';
import { isStorePath, joinStorePath } from '../object-stores/store-path.ts';
import { readStoreModelFolder, storeModelFolder } from './store-folder.ts';
import { repositoryErrors } from './repository-errors.ts';
import type { FolderNames } from './repository-roots.ts';
import { isStagingName } from './staging-name.ts';

const log = getLogger('repository');

const PARALLEL_FOLDERS = 24;
const OWN_NAMES: FolderNames = new Map();

/** Where a model folder was found. */
export interface FolderLocation {
  readonly repository: string;
  /** Of the model: that of the folder, unless its repository was registered with another one. */
  readonly name: string;
  /** Absolute path, or path in an object store. */
  readonly path: string;
}

/** A folder that is a model, or the reason why it cannot be read as one. */
export type ScannedFolder =
  | { readonly location: FolderLocation; readonly folder: ModelFolder }
  | { readonly location: FolderLocation; readonly error: string };

/** All model folders of all repositories at one time. */
export interface RepositorySnapshot {
  /** Model name -> the folders of that name, in order of the repositories; more than one is a duplicate. */
  readonly models: ReadonlyMap<string, readonly ScannedFolder[]>;
  /** Repository -> why it could not be listed. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Throws the start-up errors of a repository path that is missing or no directory. */
export async function checkRepositoryPath(repository: string): Promise<void> {
  await answerWaits.of(repository, () => checkPath(repository));
}

async function checkPath(repository: string): Promise<void> {
  if (isStorePath(repository)) {
    if (await objectStores.isFolder(repository)) return;
    throw repositoryErrors.noFolder({ details: { path: repository } });
  }
  let isDirectory: boolean;
  try {
    isDirectory = (await stat(repository)).isDirectory();
  } catch (thrown) {
    throw repositoryErrors.missing({ path: repository }, { cause: thrown });
  }
  if (!isDirectory) {
    throw repositoryErrors.noFolder({ details: { path: repository } });
  }
}

/** Those that `checkRepositoryPath` refuses, with its error, in the order given. */
export async function unusableRepositories(
  repositories: readonly string[],
): Promise<ReadonlyMap<string, ServerError>> {
  const checks = await Promise.allSettled(repositories.map(checkRepositoryPath));
  return new Map(
    repositories.flatMap((repository, at) => {
      const check = checks[at];
      return check?.status === 'rejected' ? [[repository, toServerError(check.reason)] as const] : [];
    }),
  );
}

/** Of models that were read, those of stores that do not answer now: they are where they were. */
export function knownInStores(
  known: Iterable<{
    readonly repository: string | undefined;
    readonly modelDir: string;
    readonly id: { readonly name: string };
  }>,
  unreadable: ReadonlyMap<string, string>,
): readonly FolderLocation[] {
  return [...known].flatMap(({ repository, modelDir, id: { name } }) =>
    repository !== undefined && unreadable.has(repository) && isStorePath(repository)
      ? [{ repository, name, path: modelDir }]
      : [],
  );
}

/** Names of the model folders in one repository, hidden ones included but not those that are being put together. */
export async function listModelFolders(repository: string): Promise<FolderLocation[]> {
  if (isStorePath(repository)) {
    const names = await objectStores.listFolders(repository);
    return names.map((name) => ({ repository, name, path: joinStorePath(repository, name) }));
  }
  const entries = await readdir(repository, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (isStagingName(entry.name)) return undefined;
      const location = path.resolve(repository, entry.name);
      if (entry.isDirectory()) return { repository, name: entry.name, path: location };
      if (!entry.isSymbolicLink()) return undefined;
      const isFolder = await stat(location).then(
        (stats) => stats.isDirectory(),
        () => false,
      );
      return isFolder ? { repository, name: entry.name, path: location } : undefined;
    }),
  );
  return found.filter((location) => location !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Where model folders of all repositories lie; cheap, reads only the roots. */
export async function locateModels(
  repositories: readonly string[],
  names: FolderNames = OWN_NAMES,
): Promise<{
  readonly locations: readonly FolderLocation[];
  readonly unreadable: ReadonlyMap<string, string>;
}> {
  const locations: FolderLocation[] = [];
  const unreadable = new Map<string, string>();
  const listed = await Promise.allSettled(
    repositories.map((repository) => answerWaits.of(repository, () => listModelFolders(repository))),
  );
  for (const [at, repository] of repositories.entries()) {
    const listing = listed[at];
    const own = names.get(repository);
    if (listing?.status === 'fulfilled') {
      for (const location of listing.value)
        locations.push({ ...location, name: own?.get(location.name) ?? location.name });
    } else unreadable.set(repository, (listing?.reason as Error).message);
  }
  return { locations, unreadable };
}

/**
 * Folders of the model `name`, one per repository that has it; one that was given this name goes before those that are
 * called so. Names that are no plain folder name find nothing.
 */
export async function locateModel(
  repositories: readonly string[],
  name: string,
  names: FolderNames = OWN_NAMES,
): Promise<FolderLocation[]> {
  const given = repositories.flatMap((repository) =>
    [...(names.get(repository) ?? [])]
      .filter(([, served]) => served === name)
      .map(([folder]) => ({ repository, folder })),
  );
  if (given.length > 0) return await existing(name, given);
  if (
    name === '' ||
    name === '.' ||
    name === '..' ||
    name.includes('/') ||
    name.includes('\\') ||
    name.includes('\0')
  ) {
    return [];
  }
  // A folder that goes by another name is not found under its own.
  const own = repositories.filter((repository) => names.get(repository)?.has(name) !== true);
  return await existing(
    name,
    own.map((repository) => ({ repository, folder: name })),
  );
}

async function existing(
  name: string,
  places: readonly { readonly repository: string; readonly folder: string }[],
): Promise<FolderLocation[]> {
  const found: FolderLocation[] = [];
  for (const { repository, folder } of places) {
    const inStore = isStorePath(repository);
    const location = inStore ? joinStorePath(repository, folder) : path.resolve(repository, folder);
    const isFolder = inStore
      ? await isStoreFolder(location, repository, name)
      : await isLocalFolder(location);
    if (isFolder) found.push({ repository, name, path: location });
  }
  return found;
}

async function isLocalFolder(location: string): Promise<boolean> {
  return await stat(location).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** A store that does not answer has nothing, so that models of other repositories can be loaded meanwhile. */
async function isStoreFolder(location: string, repository: string, name: string): Promise<boolean> {
  try {
    return await objectStores.isFolder(location);
  } catch (thrown) {
    const { message } = toServerError(thrown);
    log.error(`failed to poll model repository '${repository}' for model '${name}': ${message}`);
    return false;
  }
}

/** Reads one model folder. Never rejects: a folder that cannot be read is told by `error`. */
export async function scanFolder(
  location: FolderLocation,
  options: { readonly modelConfigName: string },
): Promise<ScannedFolder> {
  const { repository, name } = location;
  const inStore = isStorePath(location.path);
  const read = inStore ? readStoreModelFolder : readModelFolder;
  try {
    const isRenamed = path.basename(location.path) !== name;
    return { location, folder: await read(repository, name, location.path, { ...options, isRenamed }) };
  } catch (thrown) {
    const reason = (thrown as Error).message;
    return { location, error: inStore ? reason : `${location.path} cannot be read: ${reason}` };
  }
}

/** Reads all model folders of all repositories. */
export async function scanRepositories(
  repositories: readonly string[],
  options: {
    readonly modelConfigName: string;
    readonly names?: FolderNames;
    readonly signal?: AbortSignal;
  },
): Promise<RepositorySnapshot> {
  const local = repositories.filter((repository) => !isStorePath(repository));
  const { locations, unreadable } = await locateModels(local, options.names);
  const scanned = new Array<ScannedFolder>(locations.length);
  await eachParallel(locations, PARALLEL_FOLDERS, async (location, at) => {
    options.signal?.throwIfAborted();
    scanned[at] = await scanFolder(location, options);
  });
  const problems = new Map(unreadable);
  const stores = repositories.filter(isStorePath);
  const found = await Promise.all(stores.map((store) => scanStore(store, options, problems)));
  scanned.push(...found.flat());
  return { models: Map.groupBy(scanned, ({ location }) => location.name), unreadable: problems };
}

/** All of a repository in a store, from one listing. */
async function scanStore(
  repository: string,
  options: {
    readonly modelConfigName: string;
    readonly names?: FolderNames;
    readonly signal?: AbortSignal;
  },
  unreadable: Map<string, string>,
): Promise<readonly ScannedFolder[]> {
  try {
    const listed = await answerWaits.of(repository, () => objectStores.folder(repository, options.signal));
    listed.requireNames({ isDeep: false });
    const served = options.names?.get(repository);
    return [...listed.folders].map(([own, folder]) => {
      const name = served?.get(own) ?? own;
      const location = { repository, name, path: folder.path };
      try {
        const isRenamed = name !== own;
        return { location, folder: storeModelFolder(repository, name, folder, { ...options, isRenamed }) };
      } catch (thrown) {
        return { location, error: (thrown as Error).message };
      }
    });
  } catch (thrown) {
    options.signal?.throwIfAborted();
    unreadable.set(repository, (thrown as Error).message);
    return [];
  }
}
