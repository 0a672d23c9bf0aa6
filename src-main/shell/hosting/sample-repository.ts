// The repository that the app serves when none is named: samples in the user-data folder, written at the first start.

import { readdir } from 'node:fs/promises';
import path from 'node:path';

import { sampleModels, writeSampleRepository } from '../../samples/sample-repository.ts';

/** The samples on the disk. */
export interface SampleRepository {
  readonly path: string;
  /** Everything in it but the samples that are broken on purpose. */
  readonly startSet: readonly string[];
}

/** Where the samples of this user lie, there or not. */
export function sampleFolder(userDataPath: string): string {
  return path.join(userDataPath, 'samples');
}

/** Writes the samples at the first start; later ones leave what the user changed. */
export async function openSampleRepository(userDataPath: string): Promise<SampleRepository> {
  const folder = sampleFolder(userDataPath);
  const present = await readdir(folder).catch(() => undefined);
  if (present === undefined) await writeSampleRepository(folder);
  const broken = new Set(
    sampleModels().flatMap(({ name, isLoadedAtStart }) => (isLoadedAtStart ? [] : [name])),
  );
  const entries = await readdir(folder, { withFileTypes: true });
  const startSet = entries.filter((entry) => entry.isDirectory() && !broken.has(entry.name));
  return { path: folder, startSet: startSet.map(({ name }) => name) };
}
