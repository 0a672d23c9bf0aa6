// The classification extension: the k highest values of an output with their index and label, as BYTES elements
// `<value>:<index>[:<label>]`. Pure; both protocols use it.

import type { DataType } from '../../src-shared/datatypes.ts';
import { highest } from './descending-order.ts';
import { typedValues } from './json-writer.ts';
import { tensorErrors } from './tensor-errors.ts';

const MAX_ELEMENTS = 1_000_000;

/** What takes the place of an output when a client asks for its classes. */
export interface ClassifiedTensor {
  /** `[B, min(k, E)]` for batching models, else `[min(k, E)]`. */
  readonly shape: readonly number[];
  /** BYTES in wire layout. */
  readonly bytes: Uint8Array;
}

interface ClassifiableTensor {
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/**
 * `hasBatch`: the first dimension of the shape is the batch. `label` gives the text of a class index, if any, with a
 * character for each of its bytes.
 * Throws INVALID_ARG for a datatype without order and for more than a million elements per batch item.
 */
export function classify(
  tensor: ClassifiableTensor,
  classCount: number,
  hasBatch: boolean,
  label: (classIndex: number) => string | undefined,
): ClassifiedTensor {
  const { datatype, shape } = tensor;
  if (datatype === 'BOOL' || datatype === 'FP16' || datatype === 'BF16' || datatype === 'BYTES') {
    throw tensorErrors.noClasses({ datatype });
  }
  const batchSize = hasBatch ? (shape[0] ?? 1) : 1;
  const elementCount = (hasBatch ? shape.slice(1) : shape).reduce((product, dim) => product * dim, 1);
  if (elementCount > MAX_ELEMENTS) throw tensorErrors.tooLargeForClasses();
  const values = typedValues(tensor.bytes, datatype);
  const kept = Math.min(classCount, elementCount);
  const isFloat = values instanceof Float32Array || values instanceof Float64Array;
  const texts: string[] = [];
  for (let row = 0; row < batchSize; row += 1) {
    const item = values.subarray(row * elementCount, (row + 1) * elementCount);
    for (const index of highest(item, kept)) {
      const value = item[index] ?? 0;
      const text = isFloat ? fixedText(Number(value)) : String(value);
      const name = label(index);
      // A line of the label file that is empty is no label.
      texts.push(name === undefined || name === '' ? `${text}:${index}` : `${text}:${index}:${name}`);
    }
  }
  return { shape: hasBatch ? [batchSize, kept] : [kept], bytes: encode(texts) };
}

function fixedText(value: number): string {
  if (Number.isFinite(value)) {
    if (Object.is(value, -0)) return '-0.000000';
    // toFixed switches to an exponent from 1e21 on.
    return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`;
  }
  if (Number.isNaN(value)) return 'nan';
  return value < 0 ? '-inf' : 'inf';
}

function encode(texts: readonly string[]): Uint8Array {
  const parts: Buffer[] = [];
  for (const text of texts) {
    const bytes = Buffer.from(text, 'latin1');
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(bytes.length);
    parts.push(length, bytes);
  }
  return Buffer.concat(parts);
}
