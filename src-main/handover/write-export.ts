// Writes the files of an export. A file that has the same bytes already is left as it is, and what an earlier export wrote
// is replaced. A file that somebody else wrote, or changed since (a skeleton that was filled in), is not, unless asked to.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

import type { HandoverFile } from '../../src-shared/contract/handover-calls.ts';
import { writeFileAtomic } from '../base/atomic-file.ts';
import { liesWithin } from '../base/confined-path.ts';
import { makeFolder } from '../base/make-folder.ts';
import { readTextFile } from '../base/regular-file.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import { handoverErrors } from './handover-errors.ts';

/**
 * Says of each file that exports wrote into a folder which bytes it had (SHA-256), so that a later one knows them again.
 * JSON, but not by its name: `kubectl apply -f FOLDER` takes every .json for a manifest.
 */
const EXPORT_LIST = '.conch-handover';

const exportList = z.record(z.string(), z.string());

/** What stands against writing into a folder. */
export interface ExportLimits {
  /** Folders that must not be written into. Addresses of object stores count for nothing. */
  readonly repositories: readonly string[];
  /** Whether files go that no export wrote, or that were changed since. */
  readonly mayReplace: boolean;
}

/**
 * Makes the folder where it is missing. Returns the names that were written. Rejects with INTERNAL, with INVALID_ARG for a
 * folder within one of the repositories, and with ALREADY_EXISTS for files that may not be replaced; their names are
 * `files` of its details, and nothing was written then.
 */
export async function writeExport(
  folder: string,
  files: readonly HandoverFile[],
  { repositories, mayReplace }: ExportLimits,
): Promise<readonly string[]> {
  await refuseWithin(path.resolve(folder), repositories);
  const listed = await readExportList(folder);
  const changed: HandoverFile[] = [];
  const others: string[] = [];
  for (const file of files) {
    const present = await textAt(path.join(folder, file.path));
    if (present === file.text) continue;
    changed.push(file);
    if (present !== undefined && listed[file.path] !== hashOf(present)) others.push(file.path);
  }
  if (others.length > 0 && !mayReplace)
    throw handoverErrors.othersFiles({ folder, files: others.join(', ') }, { details: { files: others } });
  for (const { path: name, text } of changed) {
    const file = path.join(folder, name);
    await orUnwritable(file, async () => {
      await makeFolder(path.dirname(file));
      await writeFile(file, text);
    });
  }
  const now = { ...listed, ...Object.fromEntries(files.map((file) => [file.path, hashOf(file.text)])) };
  const list = path.join(folder, EXPORT_LIST);
  await orUnwritable(list, () => writeFileAtomic(list, `${JSON.stringify(now, undefined, 1)}\n`));
  return changed.map((file) => file.path);
}

/** The server would take such a folder for a model. */
async function refuseWithin(folder: string, repositories: readonly string[]): Promise<void> {
  for (const repository of repositories.filter((place) => !isStorePath(place)))
    if (await liesWithin(repository, folder)) throw handoverErrors.insideRepository({ folder, repository });
}

/** One that is missing or cannot be understood counts as empty: then what differs is somebody else's. */
async function readExportList(folder: string): Promise<Readonly<Record<string, string>>> {
  try {
    return exportList.parse(JSON.parse(await readTextFile(path.join(folder, EXPORT_LIST))));
  } catch {
    return {};
  }
}

async function textAt(file: string): Promise<string | undefined> {
  return await orUnwritable(file, async () => {
    try {
      return await readTextFile(file);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw thrown;
    }
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function orUnwritable<T>(file: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    throw handoverErrors.unreadable({ file, reason: reasonOf(thrown) }, { cause: thrown });
  }
}

function reasonOf(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  return code === 'EEXIST' || code === 'ENOTDIR' ? 'a file lies where a folder is needed' : message;
}
