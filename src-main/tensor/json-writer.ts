// Tensor bytes to JSON text. The text is a byte string: each char is one byte of the UTF-8 reply, so that BYTES
// elements which are not valid UTF-8 pass through unchanged. Send it with the 'latin1' encoding.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';

/** A string as a JSON string literal in byte-string form. */
export function jsonString(text: string): string {
  const literal = JSON.stringify(text);
  return isAscii(literal) ? literal : Buffer.from(literal, 'utf8').toString('latin1');
}

/** Control characters escaped with capital digits, as the reference does. */
function upperEscapes(literal: string): string {
  if (!literal.includes('\\u00')) return literal;
  return literal.replace(/\\(?:u00([0-9a-f]{2})|.)/g, (escape, digits: string | undefined) =>
    digits === undefined ? escape : `\\u00${digits.toUpperCase()}`,
  );
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 0x7f) return false;
  }
  return true;
}

/** A double with at least one decimal; NaN and infinities as bare tokens. */
export function jsonDouble(value: number): string {
  if (Number.isInteger(value)) {
    if (Object.is(value, -0)) return '-0.0';
    if (value < 1e21 && value > -1e21) return `${value}.0`;
  }
  const text = String(value);
  // Large magnitudes: the reference prints 1e30, without a plus sign.
  return value > 1 || value < -1 ? text.replace('+', '') : text;
}

/**
 * Elements as flat comma-separated text without brackets; undefined when the bytes do not hold exactly
 * `elementCount` elements. FP16 and BF16 have no JSON form and must be refused before.
 */
export function jsonElements(
  bytes: Uint8Array,
  datatype: DataType,
  elementCount: number,
): string | undefined {
  if (datatype === 'BYTES') return strings(bytes, elementCount);
  if (bytes.byteLength !== elementCount * elementByteSize(datatype)) return undefined;
  const values = typedValues(bytes, datatype);
  if (values instanceof Float32Array || values instanceof Float64Array) return floats(values);
  return datatype === 'BOOL' ? booleans(values as Uint8Array) : values.join(',');
}

function floats(values: Float32Array | Float64Array): string {
  let text = '';
  for (let i = 0; i < values.length; i += 1) {
    if (i > 0) text += ',';
    text += jsonDouble(values[i] as number);
  }
  return text;
}

function booleans(values: Uint8Array): string {
  let text = '';
  for (let i = 0; i < values.length; i += 1) {
    if (i > 0) text += ',';
    text += values[i] === 0 ? 'false' : 'true';
  }
  return text;
}

function strings(bytes: Uint8Array, elementCount: number): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  let count = 0;
  let at = 0;
  while (at + 4 <= buffer.length) {
    const stop = at + 4 + buffer.readUInt32LE(at);
    if (stop > buffer.length || count === elementCount) return undefined;
    if (count > 0) text += ',';
    text += upperEscapes(JSON.stringify(buffer.toString('latin1', at + 4, stop)));
    count += 1;
    at = stop;
  }
  return at === buffer.length && count === elementCount ? text : undefined;
}

type TypedValues =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

const ARRAYS = {
  BOOL: Uint8Array,
  UINT8: Uint8Array,
  UINT16: Uint16Array,
  UINT32: Uint32Array,
  UINT64: BigUint64Array,
  INT8: Int8Array,
  INT16: Int16Array,
  INT32: Int32Array,
  INT64: BigInt64Array,
  FP16: Uint16Array,
  BF16: Uint16Array,
  FP32: Float32Array,
  FP64: Float64Array,
} as const;

/** A typed view of packed little-endian elements; copies only when the bytes are not aligned. A ragged tail is cut. */
export function typedValues(bytes: Uint8Array, datatype: Exclude<DataType, 'BYTES'>): TypedValues {
  const array = ARRAYS[datatype];
  const length = Math.floor(bytes.byteLength / array.BYTES_PER_ELEMENT);
  if (bytes.byteOffset % array.BYTES_PER_ELEMENT === 0) {
    return new array(bytes.buffer as ArrayBuffer, bytes.byteOffset, length);
  }
  // Not slice(): on a Buffer that is a view.
  const copy = new Uint8Array(bytes);
  return new array(copy.buffer, 0, length);
}
