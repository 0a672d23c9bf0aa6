// What one model folder holds, read from disk: versions, the configuration file in use, the entries of the first
// version folder (they tell the backend of a model without configuration), modification times, and layout mistakes in
// words. Reading never throws for what is inside the folder; only a folder that cannot be listed at all is an error.

import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isThere } from '../base/file-exists.ts';
import { folderToInspect } from '../../src-shared/config/backend-completion.ts';
import { CONFIG_FILE, profileEntry, PROFILE_FOLDER } from '../../src-shared/config/config-file.ts';
import type { ModificationTimes } from './modification-times.ts';
import { readModificationTimes } from './modification-times.ts';

/**
 * Longest configuration, of a file or a load call. Reading one of this size takes a thread about a second, and up to
 * 2 GiB of memory meanwhile.
 */
export const MAX_CONFIG_BYTES = 16 * 1024 * 1024;

/** Children of a model folder that never are versions. */
const RESERVED_FOLDERS: ReadonlySet<string> = new Set(['warmup', 'initial_state', PROFILE_FOLDER]);

/** An entry of the first version folder. A link counts as what it leads to. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A model's folder as the scan found it. */
export interface ModelFolder {
  /** Repository root as configured; undefined where a load call brought all of it. */
  readonly repository: string | undefined;
  /** Of the model. */
  readonly name: string;
  /** Served under another name than its own, which the configuration then takes too. */
  readonly isRenamed: boolean;
  /** Absolute path, or path in an object store. */
  readonly path: string;
  /** Ascending. */
  readonly versions: readonly number[];
  /** Folders that look like versions but are not, with the warning to log. */
  readonly ignoredVersions: readonly { readonly name: string; readonly warning: string }[];
  /** Path of the configuration in use; undefined when there is none. */
  readonly configPath: string | undefined;
  /** Immediate child that holds the configuration: `config.pbtxt` or `configs`. */
  readonly configEntry: string;
  /** First subfolder in text order and what it holds; decides the backend when the configuration does not. */
  readonly firstFolder: { readonly name: string; readonly entries: readonly FolderEntry[] } | undefined;
  readonly times: ModificationTimes;
  /** Layout mistakes a person should know of. They do not stop a load by themselves. */
  readonly problems: readonly string[];
}

function versionWarning(name: string): string | undefined {
  if (name.length > 1 && name.startsWith('0')) {
    return `ignore version directory '${name}' which contains leading zeros in its directory name`;
  }
  if (!/^\d+$/.test(name) || !Number.isSafeInteger(Number(name))) {
    return `ignore version directory '${name}' which fails to convert to integral number`;
  }
  return undefined;
}

async function isFolder(parent: string, entry: Dirent): Promise<boolean> {
  if (entry.isDirectory()) return true;
  if (!entry.isSymbolicLink()) return false;
  try {
    return (await stat(path.join(parent, entry.name))).isDirectory();
  } catch {
    return false;
  }
}

/** Entries of a folder with links followed, in text order. */
export async function listEntries(folder: string): Promise<FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const read = await Promise.all(
    entries.map(async (entry) => ({ name: entry.name, isFolder: await isFolder(folder, entry) })),
  );
  return read.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The version folders of a model as they are now, ascending. Rejects when its folder cannot be read. */
export async function readVersions(location: string): Promise<readonly number[]> {
  const entries = await listEntries(location);
  return sortVersions(entries.filter((entry) => entry.isFolder)).versions;
}

async function chooseConfig(
  folder: string,
  entries: readonly FolderEntry[],
  modelConfigName: string,
): Promise<{ configPath: string | undefined; configEntry: string }> {
  if (modelConfigName !== '' && entries.some((entry) => entry.name === PROFILE_FOLDER && entry.isFolder)) {
    const alternate = path.join(folder, PROFILE_FOLDER, profileEntry(modelConfigName));
    if (await isThere(alternate)) return { configPath: alternate, configEntry: PROFILE_FOLDER };
  }
  const hasConfig = entries.some((entry) => entry.name === CONFIG_FILE && !entry.isFolder);
  return { configPath: hasConfig ? path.join(folder, CONFIG_FILE) : undefined, configEntry: CONFIG_FILE };
}

function sortVersions(folders: readonly FolderEntry[]): {
  versions: number[];
  ignoredVersions: { name: string; warning: string }[];
} {
  const versions: number[] = [];
  const ignoredVersions: { name: string; warning: string }[] = [];
  for (const { name } of folders) {
    if (RESERVED_FOLDERS.has(name)) continue;
    const warning = versionWarning(name);
    if (warning === undefined) versions.push(Number(name));
    else ignoredVersions.push({ name, warning });
  }
  return { versions: versions.sort((a, b) => a - b), ignoredVersions };
}

/** The name of a model may be a number too, but who names the folder of a model as the repository has such models. */
const isVersionName = (name: string): boolean => /^[1-9]\d*$/.test(name);

/** Sentences about a folder without usable version folders. */
function versionProblems(
  folder: string,
  entries: readonly FolderEntry[],
  versions: readonly number[],
  ignored: readonly { readonly name: string }[],
): string[] {
  if (versions.length > 0) return [];
  const model = entries.find((entry) => /^model\.[a-z0-9]+$/i.test(entry.name));
  if (model !== undefined) {
    const parent = path.dirname(folder);
    if (isVersionName(path.basename(folder))) {
      return [
        `'${model.name}' lies in ${folder}, which looks like a version folder: then ${parent} is the folder of one model, and the repository to name is the folder that holds it, ${path.dirname(parent)}`,
      ];
    }
    return [
      `'${model.name}' lies in ${folder} itself; it belongs in a version folder: ${folder}/1/${model.name}`,
    ];
  }
  const seen = ignored.length === 0 ? 'none' : ignored.map(({ name }) => `'${name}'`).join(', ');
  return [`${folder} has no version folder (seen: ${seen}); versions are folders named 1, 2, 3 ...`];
}

/** Reads one model folder. Throws the file system's error when the folder itself cannot be read. */
export async function readModelFolder(
  repository: string | undefined,
  name: string,
  location: string,
  { modelConfigName, isRenamed = false }: { readonly modelConfigName: string; readonly isRenamed?: boolean },
): Promise<ModelFolder> {
  const entries = await listEntries(location);
  const config = await chooseConfig(location, entries, modelConfigName);
  const { times, problems } = await readModificationTimes(
    location,
    entries.map((entry) => entry.name),
  );
  const first = inspectedFolder(entries);
  const firstFolder =
    first === undefined ? undefined : { name: first, entries: await firstEntries(location, first) };
  const found = { repository, name, isRenamed, path: location, ...config, firstFolder, times };
  return composeModelFolder(found, entries, problems);
}

/** Name of the folder whose entries decide the backend when the configuration does not. */
export function inspectedFolder(entries: readonly FolderEntry[]): string | undefined {
  return folderToInspect(entries.filter((entry) => entry.isFolder).map((entry) => entry.name));
}

/** What follows from the entries of a model folder, wherever they were found, in text order. */
export function composeModelFolder(
  found: Omit<ModelFolder, 'versions' | 'ignoredVersions' | 'problems'>,
  entries: readonly FolderEntry[],
  problems: readonly string[],
): ModelFolder {
  const { versions, ignoredVersions } = sortVersions(entries.filter((entry) => entry.isFolder));
  return {
    ...found,
    versions,
    ignoredVersions,
    problems: [...problems, ...versionProblems(found.path, entries, versions, ignoredVersions)],
  };
}

async function firstEntries(location: string, name: string): Promise<FolderEntry[]> {
  try {
    return await listEntries(path.join(location, name));
  } catch {
    return [];
  }
}
