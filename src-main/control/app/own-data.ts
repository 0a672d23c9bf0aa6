// The app's own files below its user-data folder: how much there is, and putting what the user made here (runs, saved
// requests, uploads) into the bin. Settings, samples, logs and model repositories are never touched.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import type { DataUsage } from '../../../src-shared/contract/app-calls.ts';
import type { Bin } from '../files/bin.ts';

const FOLDERS: Readonly<Record<DataUsage['kind'], string>> = {
  'runs-and-requests': 'repositories',
  uploads: 'uploads',
  logs: 'logs',
  bin: 'bin',
  samples: 'samples',
};
const DELETED = ['repositories', 'uploads'] as const;

/** Bytes and files of each kind of data; a folder that is not there counts as empty. */
export async function dataUsage(userDataPath: string): Promise<readonly DataUsage[]> {
  return Promise.all(
    (Object.keys(FOLDERS) as DataUsage['kind'][]).map(async (kind) => {
      const folder = path.join(userDataPath, FOLDERS[kind]);
      return { kind, path: folder, ...(await sizeOf(folder)) };
    }),
  );
}

/** Where it went, in words; undefined when there was nothing. */
export async function binOwnData(userDataPath: string, bin: Bin): Promise<string | undefined> {
  let movedTo: string | undefined;
  for (const name of DELETED) {
    const folder = path.join(userDataPath, name);
    if ((await readdir(folder).catch(() => [])).length > 0) ({ movedTo } = await bin.take(folder));
  }
  return movedTo;
}

async function sizeOf(folder: string): Promise<Pick<DataUsage, 'fileCount' | 'byteSize'>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const facts = await stat(path.join(parentPath, name)).catch(() => undefined);
      return facts?.size ?? 0;
    }),
  );
  return { fileCount: files.length, byteSize: sizes.reduce((sum, size) => sum + size, 0) };
}
