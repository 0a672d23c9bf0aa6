// The bytes of warm-up inputs: zeros, random, or a file below the model's `warmup` folder. Shapes must be complete.

import { randomFill } from 'node:crypto';
import { promisify } from 'node:util';
import type { WarmupInput } from '../../src-shared/config/model-config.ts';
import { dataTypeFromConfig, smallestElementByteSize } from '../../src-shared/datatypes.ts';
import { readError } from '../base/read-error.ts';
import { readRegularFile } from '../base/regular-file.ts';
import { InferInput } from '../inference/inference-request.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import { dataFile, MAX_DATA_BYTES } from '../inference/model-files.ts';
import { requestPrefix } from '../inference/request-prefix.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import { warmupErrors } from './warmup-errors.ts';

const fillRandom = promisify<Uint8Array, Uint8Array>(randomFill);

/** Samples have no id. */
const UNKNOWN_REQUEST = requestPrefix('');

async function readDataFile(
  name: string,
  model: Pick<ModelFiles, 'modelName' | 'modelDir'>,
  file: string,
): Promise<Uint8Array> {
  const target = await dataFile(file, 'warmup', `input '${name}'`, model);
  try {
    return await readRegularFile(target, MAX_DATA_BYTES);
  } catch (thrown) {
    throw readError(target, thrown);
  }
}

/** One input of a warm-up sample; shape `[1] + dims` when the model batches, else `dims`. */
export async function warmupInput(
  name: string,
  setting: WarmupInput,
  model: Pick<ModelFiles, 'modelName' | 'modelDir'> & { readonly hasBatchAxis: boolean },
): Promise<InferInput> {
  if (setting.dims.some((dim) => dim < 0)) {
    throw warmupErrors.openDimensions({ input: name });
  }
  const { zeroData, randomData, inputDataFile } = setting;
  if (zeroData === undefined && randomData === undefined && inputDataFile === undefined) {
    throw warmupErrors.withoutData({ prefix: UNKNOWN_REQUEST, input: name });
  }
  const datatype = dataTypeFromConfig(setting.dataType);
  if (datatype === undefined) {
    throw warmupErrors.withoutType({ input: name });
  }
  const elementCount = setting.dims.reduce((product, dim) => product * dim, 1);
  const byteSize = elementCount * smallestElementByteSize(datatype);
  if (byteSize > MAX_DATA_BYTES) {
    throw warmupErrors.tooLarge({ input: name, size: byteSize, limit: MAX_DATA_BYTES });
  }
  const shape = model.hasBatchAxis ? [1, ...setting.dims] : setting.dims;
  return new InferInput(name, datatype, shape, bytesOf(await content()));

  async function content(): Promise<Uint8Array> {
    if (zeroData !== undefined) return new Uint8Array(byteSize);
    if (randomData !== undefined || inputDataFile === undefined) {
      const bytes = new Uint8Array(byteSize);
      return datatype === 'BYTES' ? bytes : await fillRandom(bytes);
    }
    const bytes = await readDataFile(name, model, inputDataFile);
    if (datatype === 'BYTES') return bytes;
    if (bytes.byteLength < byteSize) {
      throw warmupErrors.fileTooSmall({
        prefix: UNKNOWN_REQUEST,
        needed: byteSize,
        file: inputDataFile,
        got: bytes.byteLength,
      });
    }
    return bytes.subarray(0, byteSize);
  }
}
