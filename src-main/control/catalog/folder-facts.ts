// What lies in one model folder on disk: its configuration text, its versions with sizes, its files. Read on demand and
// never kept open; the catalog caches it until the watcher reports a change.

import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { folderToInspect, type DirectoryEntry } from '../../../src-shared/config/backend-completion.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { MAX_EDITED_BYTES } from '../../../src-shared/contract/config-calls.ts';
import type { ModelFileView } from '../../../src-shared/contract/repository-calls.ts';
import { readRegularFile } from '../../base/regular-file.ts';
import { listEntries } from '../../repository/model-folder.ts';

const MAX_LISTED_FILES = 2000;
/** A model folder may be a link to a whole disk: no more than this is looked at. */
const MAX_VISITED = 20_000;

interface VersionFacts {
  readonly version: string;
  readonly byteSize: number;
  readonly fileCount: number;
  readonly modifiedAtMs: number;
}

/** Why a config.pbtxt that exists is not opened for editing: above 1 MiB, or no UTF-8 text. undefined = it is opened. */
export type ConfigRefusal = 'large' | 'binary' | undefined;

/** What a model folder holds, read without loading anything. */
export interface FolderFacts {
  readonly path: string;
  /** undefined when there is no config.pbtxt, or none that can be edited. */
  readonly configText: string | undefined;
  /** undefined only when there is no config.pbtxt. */
  readonly configHash: string | undefined;
  readonly configRefusal: ConfigRefusal;
  readonly readOnlyReason: string | undefined;
  readonly versions: readonly VersionFacts[];
  readonly files: readonly ModelFileView[];
  /** What the folder holds that completion looks into; empty when there is no folder. */
  readonly inspectedEntries: readonly DirectoryEntry[];
  /** The operating system's words when the folder cannot be read; undefined = it was read, or there is none to read. */
  readonly error: string | undefined;
}

/** Of a folder that was not read, or could not be, which `error` says. */
export function emptyFolderFacts(folder: string, error?: string): FolderFacts {
  return {
    path: folder,
    configText: undefined,
    configHash: undefined,
    configRefusal: undefined,
    readOnlyReason: undefined,
    versions: [],
    files: [],
    inspectedEntries: [],
    error,
  };
}

/** The first 32 hexadecimal digits of the SHA-256: whether a file is still the one that was edited. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Never throws; what cannot be read is said in `error`. */
export async function readFolderFacts(folder: string): Promise<FolderFacts> {
  try {
    const files = await listFiles(folder);
    const config = await readConfigFile(folder);
    return {
      path: folder,
      configText: config.text,
      configHash: config.hash,
      configRefusal: config.refusal,
      readOnlyReason: await readOnlyReason(folder),
      versions: versionsOf(files, await versionFolders(folder)),
      files,
      inspectedEntries: await readInspectedEntries(folder),
      error: undefined,
    };
  } catch (thrown) {
    return emptyFolderFacts(folder, (thrown as Error).message);
  }
}

interface ConfigContent {
  readonly text: string | undefined;
  /** undefined when there is no file. */
  readonly hash: string | undefined;
  readonly refusal: ConfigRefusal;
}

/**
 * A file that an editor would damage is not opened: one that is too large, and one that is no UTF-8 text. ENOENT and
 * other faults of reading are thrown.
 */
export async function readConfigContent(file: string): Promise<ConfigContent> {
  const { size, mtimeMs } = await stat(file);
  if (size > MAX_EDITED_BYTES) {
    return { text: undefined, hash: hashOf(`${size} ${mtimeMs}`), refusal: 'large' };
  }
  const bytes = await readRegularFile(file, MAX_EDITED_BYTES);
  const hash = hashOf(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes('\u0000')) return { text, hash, refusal: undefined };
  } catch {
    // not UTF-8, said below
  }
  return { text: undefined, hash, refusal: 'binary' };
}

async function readConfigFile(folder: string): Promise<ConfigContent> {
  try {
    return await readConfigContent(path.join(folder, CONFIG_FILE));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT')
      return { text: undefined, hash: undefined, refusal: undefined };
    throw thrown;
  }
}

async function readInspectedEntries(folder: string): Promise<readonly DirectoryEntry[]> {
  const folders = (await listEntries(folder)).filter(({ isFolder }) => isFolder);
  const inspected = folderToInspect(folders.map(({ name }) => name));
  if (inspected === undefined) return [];
  const entries = await listEntries(path.join(folder, inspected)).catch(() => []);
  return entries.map(({ name, isFolder }) => ({ name, isDirectory: isFolder }));
}

async function readOnlyReason(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

async function versionFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isFile() && /^[1-9]\d*$/.test(entry.name)).map(({ name }) => name);
}

/** Files below the folder, the nearest first, one folder read at a time; links to folders are not followed. */
async function filesBelow(folder: string): Promise<readonly Dirent[]> {
  const files: Dirent[] = [];
  const folders = [folder];
  let visited = 0;
  for (const at of folders) {
    const entries = readdir(at, { withFileTypes: true });
    // Of the model's own folder the fault is told; one inside it may belong to somebody else.
    for (const entry of await (at === folder ? entries : entries.catch(() => []))) {
      if (entry.isDirectory()) folders.push(path.join(at, entry.name));
      else files.push(entry);
      visited += 1;
    }
    if (files.length >= MAX_LISTED_FILES || visited >= MAX_VISITED) break;
  }
  return files.slice(0, MAX_LISTED_FILES);
}

/** All files below the folder, "/" separated, in text order. */
async function listFiles(folder: string): Promise<readonly ModelFileView[]> {
  const files = await filesBelow(folder);
  const views = await Promise.all(
    files.map(async (entry): Promise<ModelFileView | undefined> => {
      const full = path.join(entry.parentPath, entry.name);
      const stats = await stat(full).catch(() => undefined);
      if (stats === undefined || stats.isDirectory()) return undefined;
      const relative = path.relative(folder, full).split(path.sep).join('/');
      return { path: relative, byteSize: stats.size, modifiedAtMs: stats.mtimeMs };
    }),
  );
  return views.filter((view) => view !== undefined).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function versionsOf(files: readonly ModelFileView[], folders: readonly string[]): readonly VersionFacts[] {
  return [...folders]
    .sort((a, b) => Number(a) - Number(b))
    .map((version) => {
      const own = files.filter((file) => file.path.startsWith(`${version}/`));
      return {
        version,
        byteSize: own.reduce((total, file) => total + file.byteSize, 0),
        fileCount: own.length,
        modifiedAtMs: Math.max(0, ...own.map((file) => file.modifiedAtMs)),
      };
    });
}
