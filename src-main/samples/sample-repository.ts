// The sample repository: which models it has, and how it is written. Each model folder is put together beside the
// repository and renamed into it, so a server that watches never sees half a model.

import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../base/make-folder.ts';
import { isThere } from '../base/file-exists.ts';
import { imageTinySample, pipelineSamples } from './image-samples.ts';
import type { SampleModel } from './sample-model.ts';
import { accumulateSample } from './sequence-sample.ts';
import { batchMlpSample, brokenDimsSample, simpleSample, textBytesSample } from './tensor-samples.ts';

/** All sample models, composing models before the ensemble that needs them. The same bytes on every call. */
export function sampleModels(): SampleModel[] {
  return [
    simpleSample(),
    batchMlpSample(),
    imageTinySample(),
    textBytesSample(),
    accumulateSample(),
    ...pipelineSamples(),
    brokenDimsSample(),
  ];
}

/** Names of the samples a server loads at its start. */
export function sampleStartSet(): string[] {
  return sampleModels()
    .filter((model) => model.isLoadedAtStart)
    .map((model) => model.name);
}

/**
 * Writes the samples into `repositoryDir`, which is created when missing. Folders that exist already are left as they
 * are. Returns the names that were written.
 */
export async function writeSampleRepository(repositoryDir: string): Promise<string[]> {
  await makeFolder(repositoryDir);
  const staging = await mkdtemp(`${path.resolve(repositoryDir)}.staging-`);
  const written: string[] = [];
  try {
    for (const model of sampleModels()) {
      const target = path.join(repositoryDir, model.name);
      if (await isThere(target)) continue;
      const staged = path.join(staging, model.name);
      await writeModel(staged, model);
      await rename(staged, target);
      written.push(model.name);
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return written;
}

async function writeModel(modelDir: string, model: SampleModel): Promise<void> {
  for (const [name, content] of Object.entries(model.files)) {
    const file = path.join(modelDir, name);
    if (name.endsWith('/')) {
      await makeFolder(file);
    } else {
      await makeFolder(path.dirname(file));
      await writeFile(file, content);
    }
  }
}
