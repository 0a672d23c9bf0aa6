// Writes the files of an export. A file that has the same bytes already is left as it is.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { HandoverFile } from '../../src-shared/contract/handover-calls.ts';
import { handoverErrors } from './handover-errors.ts';

/** Makes the folder where it is missing. Returns the names that were written. Rejects with INTERNAL. */
export async function writeExport(
  folder: string,
  files: readonly HandoverFile[],
): Promise<readonly string[]> {
  const written: string[] = [];
  for (const { path: name, text } of files) {
    const file = path.join(folder, ...name.split('/'));
    try {
      if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    } catch (thrown) {
      throw handoverErrors.unreadable({ file, reason: (thrown as Error).message }, { cause: thrown });
    }
    written.push(name);
  }
  return written;
}
