// What a comparison sends: the request in the shapes that the model itself has, and in company: its rows together with other rows in one execution, and what must come back for them.
// A model whose rows influence each other matches alone and differs here.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize, isDataType } from '../../src-shared/datatypes.ts';
import { mapReshape } from '../../src-shared/tensor/shape.ts';
import type { ClientRequest, ClientTensor } from '../client/infer-client.ts';

/** The request with each `reshape` of the configuration done, as the server does it before the model runs. */
export function modelSideRequest(config: ModelConfig, request: ClientRequest): ClientRequest {
  const batched = config.maxBatchSize > 0 ? 1 : 0;
  const inputs = request.inputs.map((tensor) => {
    const input = config.input.find(({ name }) => name === tensor.name);
    if (input?.reshape === undefined) return tensor;
    const [batch, dims] = [tensor.shape.slice(0, batched), tensor.shape.slice(batched)];
    return { ...tensor, shape: [...batch, ...mapReshape(dims, input.dims, input.reshape.shape)] };
  });
  return { ...request, inputs };
}

/** Rows that are added at most: enough to meet others, cheap for any model. */
const MAX_ADDED = 3;

/** The rows of the request; undefined when its inputs do not agree on one number above 0. */
export function rowCount({ inputs }: ClientRequest): number | undefined {
  const [rows] = inputs.map(({ shape }) => shape[0]);
  const agree = rows !== undefined && rows > 0 && inputs.every(({ shape }) => shape[0] === rows);
  return agree ? rows : undefined;
}

/** The request with rows added behind its own, up to `maxBatchSize`; undefined when it cannot have company. */
export function inCompany(request: ClientRequest, maxBatchSize: number): ClientRequest | undefined {
  const rows = rowCount(request);
  if (rows === undefined || rows >= maxBatchSize) return undefined;
  const added = Math.min(MAX_ADDED, maxBatchSize - rows);
  const inputs = request.inputs.map((input) => withRows(input, rows, added));
  return inputs.some((input) => input === undefined)
    ? undefined
    : { ...request, inputs: inputs.filter((input) => input !== undefined) };
}

/** The rows of the request among those of a larger answer. */
export function ownRows(outputs: readonly ClientTensor[], rows: number): readonly ClientTensor[] {
  return outputs.map((output) => {
    const size = rowByteSize(output);
    const [all = 0, ...rest] = output.shape;
    if (size === undefined || all < rows) return output;
    return { ...output, shape: [rows, ...rest], bytes: output.bytes.subarray(0, rows * size) };
  });
}

/** Other rows are the first one with its elements moved on, so they hold values that the model takes. */
function withRows(input: ClientTensor, rows: number, added: number): ClientTensor | undefined {
  const size = rowByteSize(input);
  if (size === undefined || !isDataType(input.datatype)) return undefined;
  const first = input.bytes.subarray(0, size);
  const element = elementByteSize(input.datatype);
  const others = Array.from({ length: added }, (_, index) => rotated(first, element * (index + 1)));
  const bytes = Buffer.concat([input.bytes, ...others]);
  return { ...input, shape: [rows + added, ...input.shape.slice(1)], bytes };
}

function rotated(row: Uint8Array, byBytes: number): Uint8Array {
  const at = row.byteLength === 0 ? 0 : byBytes % row.byteLength;
  return Buffer.concat([row.subarray(at), row.subarray(0, at)]);
}

/** Undefined for texts, whose elements differ in size. */
function rowByteSize({ datatype, shape }: ClientTensor): number | undefined {
  if (!isDataType(datatype) || datatype === 'BYTES') return undefined;
  const perRow = shape.slice(1).reduce((product, dim) => product * dim, 1);
  return perRow * elementByteSize(datatype satisfies DataType);
}
