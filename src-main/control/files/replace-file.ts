// A file of a folder gives way to a copy of another one. The copy is complete before the old file is touched, and the old
// one goes to the bin, never away.

import { rm } from 'node:fs/promises';
import path from 'node:path';

import type { Bin, Binned } from './bin.ts';
import type { CopyOptions, PlannedFile } from './copy-folder.ts';
import { copyInto, moveIn, stageBeside } from './copy-folder.ts';

/** Absolute paths: the folder whose file is replaced, and the repository that holds it. */
export interface ReplacedPlace {
  readonly folder: string;
  readonly repository: string;
}

/** On failure or abort the old file is where it was. */
export async function replaceFile(
  file: PlannedFile,
  { folder, repository }: ReplacedPlace,
  options: CopyOptions,
  bin: Bin,
): Promise<Binned> {
  const staged = await stageBeside(repository);
  try {
    await copyInto(staged, [file], options);
    options.signal.throwIfAborted();
    const target = path.join(folder, file.to);
    const binned = await bin.take(target);
    try {
      await moveIn(path.join(staged, file.to), target);
    } catch (thrown) {
      if (binned.undo !== undefined) await bin.restore(binned.undo);
      throw thrown;
    }
    return binned;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
