// Writes the files of an export. A file that has the same bytes already is left as it is.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../base/make-folder.ts';
import type { HandoverFile } from '../../src-shared/contract/handover-calls.ts';
import { liesWithin } from '../base/confined-path.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import { handoverErrors } from './handover-errors.ts';

/**
 * Makes the folder where it is missing. Returns the names that were written. Rejects with INTERNAL, and with INVALID_ARG for
 * a folder within one of the repositories.
 */
export async function writeExport(
  folder: string,
  files: readonly HandoverFile[],
  repositories: readonly string[],
): Promise<readonly string[]> {
  await refuseWithin(path.resolve(folder), repositories);
  const written: string[] = [];
  for (const { path: name, text } of files) {
    const file = path.join(folder, ...name.split('/'));
    try {
      if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
      await makeFolder(path.dirname(file));
      await writeFile(file, text);
    } catch (thrown) {
      throw handoverErrors.unreadable({ file, reason: reasonOf(thrown) }, { cause: thrown });
    }
    written.push(name);
  }
  return written;
}

/** The server would take such a folder for a model. */
async function refuseWithin(folder: string, repositories: readonly string[]): Promise<void> {
  for (const repository of repositories.filter((place) => !isStorePath(place)))
    if (await liesWithin(repository, folder)) throw handoverErrors.insideRepository({ folder, repository });
}

function reasonOf(thrown: unknown): string {
  const { code, message } = thrown as NodeJS.ErrnoException;
  return code === 'EEXIST' || code === 'ENOTDIR' ? 'a file lies where a folder is needed' : message;
}
