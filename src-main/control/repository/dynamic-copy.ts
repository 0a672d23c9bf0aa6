// Copies of a model whose first dimension was made dynamic, as versions of their own. Each is staged beside the
// repository with the files it needs, and probed there; the original is only read.

import { link, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import { writeDynamicFirstDimension } from '../../onnx/dynamic-first-dimension.ts';
import type { BatchProbeResult } from '../../../src-shared/contract/config-calls.ts';
import { batchProbe } from '../probe/batch-probe.ts';
import type { CopyOptions, PlannedFile } from '../files/copy-folder.ts';
import { copyInto, moveIn, planFolder, stageBeside } from '../files/copy-folder.ts';

/** Which model file is tried with a batch dimension of its own. */
export interface ProbeRequest {
  readonly onnxPath: string;
  /** Files the model reads, by the name it uses for them. */
  readonly data: readonly PlannedFile[];
  readonly repository: string;
}

/** What the batch probe says of the model with a dynamic first dimension. Nothing stays on disk. */
export async function probeDynamicCopy(
  { onnxPath, data, repository }: ProbeRequest,
  options: CopyOptions,
): Promise<BatchProbeResult> {
  const staged = await stageBeside(repository);
  try {
    const file = path.join(staged, path.basename(onnxPath));
    for (const entry of data) await linkOrCopy(entry, staged, options);
    await copyWithDynamicFirst(onnxPath, file, options);
    return await batchProbe(file, options.signal);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Which version is copied, and as what. */
export interface DynamicVersionRequest {
  readonly repository: string;
  /** The version that is copied. */
  readonly source: string;
  /** Name of the model file in it. */
  readonly fileName: string;
  /** The new version; must not exist. */
  readonly target: string;
}

/** Writes the new version only when the probe finds it safe; complete or not at all. */
export async function addDynamicVersion(
  { repository, source, fileName, target }: DynamicVersionRequest,
  options: CopyOptions,
): Promise<BatchProbeResult> {
  const staged = await stageBeside(repository);
  try {
    const body = path.join(staged, 'body');
    await mkdir(body);
    const others = (await planFolder(source)).filter(({ to }) => to !== fileName);
    await copyInto(body, others, options);
    const file = path.join(body, fileName);
    await copyWithDynamicFirst(path.join(source, fileName), file, options);
    const result = await batchProbe(file, options.signal);
    if (result.verdict === 'safe') await moveIn(body, target);
    return result;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** The folder of `to` is made when it is not there. */
export async function copyWithDynamicFirst(
  from: string,
  to: string,
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  await makeFolder(path.dirname(to));
  await writeDynamicFirstDimension(from, to, {
    signal,
    onProgress: (copiedBytes, totalBytes) => onProgress({ copiedBytes, totalBytes, file: path.basename(to) }),
  });
}

/** Weights of many gigabytes are not copied to be looked at, where the file system can name them twice. */
async function linkOrCopy(entry: PlannedFile, folder: string, options: CopyOptions): Promise<void> {
  const target = path.join(folder, entry.to);
  await makeFolder(path.dirname(target));
  try {
    await link(entry.from, target);
  } catch {
    await copyInto(folder, [entry], options);
  }
}
