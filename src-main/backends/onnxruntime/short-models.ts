// Which models are taken to have short runs before any was measured: work that follows from input shapes, and weights and
// tensors of a few kilobytes. Their instances share threads, each of which costs more memory than such a model and its
// session. A run that turns out to be long gives its instance a thread of its own (SessionInstance).

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { dataTypeFromConfig, elementByteSize } from '../../../src-shared/datatypes.ts';

const MAX_WEIGHT_BYTE_SIZE = 64 * 1024;
/** Of all inputs and outputs of the largest batch together. */
const MAX_TENSOR_BYTE_SIZE = 64 * 1024;

/** What the file says. `isBounded`: its work follows from the shapes of its inputs. */
interface ShortFileFacts {
  readonly isBounded: boolean;
  readonly weightByteSize: number;
}

/** `config` must be completed: sizes that it does not give may be anything. Texts may be of any length. */
export function hasShortRuns(config: ModelConfig, { isBounded, weightByteSize }: ShortFileFacts): boolean {
  if (!isBounded || weightByteSize > MAX_WEIGHT_BYTE_SIZE) return false;
  const rows = Math.max(1, config.maxBatchSize);
  let byteSize = 0;
  for (const { dataType, dims } of [...config.input, ...config.output]) {
    const datatype = dataTypeFromConfig(dataType);
    if (datatype === undefined || datatype === 'BYTES' || dims.some((dim) => dim < 0)) return false;
    byteSize += dims.reduce((product, dim) => product * Number(dim), rows * elementByteSize(datatype));
  }
  return byteSize <= MAX_TENSOR_BYTE_SIZE;
}
