// The classification extension: an output tensor as its k best classes (protocol.md section 10, both protocols).

import type { DataType } from '../../src-shared/datatypes.ts';
import { invalidArg } from '../../src-shared/errors.ts';
import type { OutputTensor } from '../inference/inference-response.ts';

const MAX_CLASSES_PER_ITEM = 1_000_000;

type Values =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** Constructors of the datatypes that can be ranked; BOOL, FP16, BF16 and BYTES cannot. */
const RANKED: Partial<
  Record<DataType, new (buffer: ArrayBufferLike, offset: number, length: number) => Values>
> = {
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP32: Float32Array,
  FP64: Float64Array,
};

/**
 * BYTES tensor of texts `value:index[:label]`, best first: shape `[B, min(k, E)]` for batching models, else
 * `[min(k, E)]`, E = elements per batch item. INVALID_ARG for datatypes that have no order.
 */
export function classify(
  output: OutputTensor,
  k: number,
  isBatched: boolean,
  label: (classIndex: number) => string | undefined,
): OutputTensor {
  const values = valuesOf(output);
  const itemCount = isBatched ? (output.shape[0] ?? 1) : 1;
  const perItem = itemCount === 0 ? 0 : values.length / itemCount;
  if (perItem > MAX_CLASSES_PER_ITEM) throw invalidArg('classification output tensor too large');
  const kept = Math.min(k, perItem);
  const isFloat = output.datatype === 'FP32' || output.datatype === 'FP64';
  const texts: string[] = [];
  for (let item = 0; item < itemCount; item += 1) {
    const row = values.subarray(item * perItem, (item + 1) * perItem);
    for (const index of bestIndices(row, kept)) {
      const value = row[index] ?? 0;
      const name = label(index);
      texts.push(
        `${isFloat ? fixed6(value as number) : String(value)}:${index}${name === undefined ? '' : `:${name}`}`,
      );
    }
  }
  return {
    name: output.name,
    datatype: 'BYTES',
    shape: isBatched ? [itemCount, kept] : [kept],
    bytes: lengthPrefixed(texts),
  };
}

function valuesOf(output: OutputTensor): Values {
  const Type = RANKED[output.datatype];
  if (Type === undefined) {
    throw invalidArg(`class result not available for output due to unsupported type '${output.datatype}'`);
  }
  const { bytes } = output;
  const size = (Type as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  const isAligned = bytes.byteOffset % size === 0;
  const aligned = isAligned ? bytes : bytes.slice();
  return new Type(aligned.buffer, aligned.byteOffset, Math.floor(aligned.byteLength / size));
}

/** Indices of the `k` largest values, descending; equal values by index; NaN last. */
function bestIndices(row: Values, k: number): readonly number[] {
  const better = (a: number, b: number): number => {
    const x = row[a] ?? 0;
    const y = row[b] ?? 0;
    if (x > y) return -1;
    if (x < y) return 1;
    const nanOrder = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return nanOrder === 0 ? a - b : nanOrder;
  };
  if (k * 8 >= row.length) {
    const all = Array.from({ length: row.length }, (_, index) => index);
    return all.sort(better).slice(0, k);
  }
  const best: number[] = [];
  for (let index = 0; index < row.length; index += 1) {
    const last = best[best.length - 1];
    if (best.length === k && last !== undefined && better(index, last) > 0) continue;
    let at = best.length;
    while (at > 0 && better(index, best[at - 1] ?? 0) < 0) at -= 1;
    best.splice(at, 0, index);
    if (best.length > k) best.pop();
  }
  return best;
}

function fixed6(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Math.abs(value) < 1e21) return value.toFixed(6);
  return `${BigInt(value)}.000000`;
}

function lengthPrefixed(texts: readonly string[]): Uint8Array {
  const encoded = texts.map((text) => Buffer.from(text, 'utf8'));
  const bytes = Buffer.alloc(encoded.reduce((total, { byteLength }) => total + 4 + byteLength, 0));
  let at = 0;
  for (const text of encoded) {
    at = bytes.writeUInt32LE(text.byteLength, at);
    at += text.copy(bytes, at);
  }
  return bytes;
}
