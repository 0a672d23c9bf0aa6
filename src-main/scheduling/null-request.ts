// Filler rows of the direct strategy: a request that looks like the representative of its batch and means nothing.
// It is never counted, and what it is answered is thrown away. (docs/reference/sequences.md#direct)

import { InferenceRequest, InferInput } from '../inference/inference-request.ts';
import { inputsAsKept } from '../inference/input-order.ts';
import { bytesOf, type TensorBytes } from '../inference/tensor-bytes.ts';

/** Shared by all filler inputs; contents never change. */
let zeros = new Uint8Array(4096);

/** Zero bytes without an allocation per use; must not be written to. */
function zeroBytes(byteSize: number): Uint8Array {
  if (zeros.byteLength < byteSize) zeros = new Uint8Array(Math.max(byteSize, 2 * zeros.byteLength));
  return zeros.subarray(0, byteSize);
}

/** Same inputs, types and shapes as `like`, zeros or empty strings in them; no outputs asked for. */
export function createNullRequest(like: InferenceRequest): InferenceRequest {
  const request = new InferenceRequest({
    modelName: like.modelName,
    modelVersion: like.requestedVersion,
    inputs: inputsAsKept(like.inputs).map(nullInput),
    onResponse: () => undefined,
  });
  request.actualVersion = like.actualVersion;
  request.batchSize = like.batchSize;
  request.isNull = true;
  return request;
}

function nullInput(like: InferInput): InferInput {
  const input = new InferInput(like.name, like.datatype, like.clientShape, nullBytes(like));
  input.shape = like.shape;
  input.shapeWithBatch = like.shapeWithBatch;
  return input;
}

function nullBytes({ datatype, shapeWithBatch, bytes }: InferInput): TensorBytes {
  if (datatype !== 'BYTES') return bytesOf(zeroBytes(bytes.byteSize));
  return bytesOf(zeroBytes(4 * shapeWithBatch.reduce((product, dim) => product * dim, 1)));
}
