// Data files of warm-up samples, below the model's own `warmup` folder: written from uploads and from requests. These
// are files of the model that the user asked for; one that exists is never replaced.

import path from 'node:path';

import { isThere } from '../../base/file-exists.ts';
import type { ModelConfig, ModelWarmup, WarmupInput } from '../../../src-shared/config/model-config.ts';
import { dataTypeToConfig, isDataType } from '../../../src-shared/datatypes.ts';
import { TEXT_LENGTH_BYTES } from '../../../src-shared/datatypes.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { ClientTensor } from '../../client/infer-client.ts';
import type { FolderFacts } from '../catalog/folder-facts.ts';
import { warmupFileErrors } from './warmup-file-errors.ts';

const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/;

type ModelFolder = Pick<FolderFacts, 'path' | 'readOnlyReason'>;

/** INVALID_ARG for a name that is no plain file name, ALREADY_EXISTS for one that is taken. */
export async function writeWarmupFile(folder: ModelFolder, name: string, bytes: Uint8Array): Promise<void> {
  if (folder.readOnlyReason !== undefined) throw warmupFileErrors.readOnly({ reason: folder.readOnlyReason });
  if (!FILE_NAME.test(name)) {
    throw warmupFileErrors.fileName({ name });
  }
  const file = path.join(folder.path, 'warmup', name);
  if (await isThere(file)) throw warmupFileErrors.fileTaken({ file });
  await writeFileAtomic(file, bytes);
}

/** Writes one file per tensor. A batch is made of its first row, since a sample repeats one row. */
export async function requestAsSample(
  folder: ModelFolder,
  config: ModelConfig,
  name: string,
  tensors: readonly ClientTensor[],
): Promise<ModelWarmup> {
  const hasBatchAxis = config.maxBatchSize > 0;
  const inputs: Record<string, WarmupInput> = {};
  for (const tensor of tensors) {
    const file = `${name}.${tensor.name}.raw`.replaceAll(/[^A-Za-z0-9_.-]/g, '_');
    const dims = hasBatchAxis ? tensor.shape.slice(1) : tensor.shape;
    const dataType = isDataType(tensor.datatype) ? dataTypeToConfig(tensor.datatype) : undefined;
    if (dataType === undefined)
      throw warmupFileErrors.unknownType({ input: tensor.name, type: tensor.datatype });
    await writeWarmupFile(folder, file, hasBatchAxis ? firstRow(tensor) : tensor.bytes);
    inputs[tensor.name] = { dataType, dims, zeroData: undefined, randomData: undefined, inputDataFile: file };
  }
  const batchSize = hasBatchAxis ? Math.max(1, tensors[0]?.shape[0] ?? 1) : 1;
  return { name, batchSize, inputs, count: 1 };
}

function firstRow({ datatype, shape, bytes }: ClientTensor): Uint8Array {
  const rows = Math.max(1, shape[0] ?? 1);
  if (datatype !== 'BYTES') return bytes.subarray(0, bytes.byteLength / rows);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = shape.slice(1).reduce((product, dim) => product * dim, 1);
  let end = 0;
  for (; left > 0 && end < bytes.byteLength; left -= 1) end += TEXT_LENGTH_BYTES + view.getUint32(end, true);
  return bytes.subarray(0, end);
}
