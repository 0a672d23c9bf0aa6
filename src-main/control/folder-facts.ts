// What lies in one model folder on disk: its configuration text, its versions with sizes, its files. Read on demand and
// never kept open; the catalog caches it until the watcher reports a change.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { ModelFileView } from '../../src-shared/contract/repository-calls.ts';

/** A configuration larger than this is not opened for editing. */
export const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_LISTED_FILES = 2000;

export interface VersionFacts {
  readonly version: string;
  readonly byteSize: number;
  readonly fileCount: number;
  readonly modifiedAtMs: number;
}

export interface FolderFacts {
  readonly path: string;
  /** undefined when there is no config.pbtxt. */
  readonly configText: string | undefined;
  readonly configHash: string;
  readonly readOnlyReason: string;
  readonly versions: readonly VersionFacts[];
  readonly files: readonly ModelFileView[];
  /** The operating system's words when the folder cannot be read. */
  readonly error: string;
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Never throws; what cannot be read is said in `error`. */
export async function readFolderFacts(folder: string): Promise<FolderFacts> {
  try {
    const files = await listFiles(folder);
    const config = await readConfigText(folder);
    return {
      path: folder,
      configText: config,
      configHash: config === undefined ? '' : hashOf(config),
      readOnlyReason: await readOnlyReason(folder),
      versions: versionsOf(files, await versionFolders(folder)),
      files,
      error: '',
    };
  } catch (thrown) {
    return {
      path: folder,
      configText: undefined,
      configHash: '',
      readOnlyReason: '',
      versions: [],
      files: [],
      error: (thrown as Error).message,
    };
  }
}

async function readConfigText(folder: string): Promise<string | undefined> {
  const file = path.join(folder, 'config.pbtxt');
  try {
    const { size } = await stat(file);
    return size > MAX_CONFIG_BYTES ? undefined : await readFile(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

async function readOnlyReason(folder: string): Promise<string> {
  try {
    await access(folder, constants.W_OK);
    return '';
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

async function versionFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isFile() && /^[1-9]\d*$/.test(entry.name)).map(({ name }) => name);
}

/** All files below the folder, "/" separated, in text order; links to folders are not followed. */
export async function listFiles(folder: string): Promise<readonly ModelFileView[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).slice(0, MAX_LISTED_FILES);
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
