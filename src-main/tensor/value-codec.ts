// Elements of tensors as decimal texts and back, for builders, previews, npy files and comparisons. Exact for 64-bit
// integers; FP16 and BF16 go through FP32.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import { invalidArg } from '../../src-shared/errors.ts';
import { bfloat16ToNumber, float16ToNumber } from '../../src-shared/tensor/half-float.ts';
import { singleText } from '../../src-shared/tensor/single-text.ts';

const scratch = new DataView(new ArrayBuffer(4));

/** Number to FP16 bit pattern, rounded to nearest even. */
export function numberToFloat16(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 127 + 15;
  const fraction = bits & 0x7fffff;
  if (Number.isNaN(value)) return sign | 0x7e00;
  if (exponent >= 31) return sign | 0x7c00;
  if (exponent <= 0) {
    if (exponent < -10) return sign;
    return sign | roundShift(fraction | 0x800000, 14 - exponent);
  }
  return sign + roundShift((exponent << 23) | fraction, 13);
}

function roundShift(value: number, shift: number): number {
  const kept = value >>> shift;
  const rest = value & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return kept + (rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0);
}

function numberToBfloat16(value: number): number {
  scratch.setFloat32(0, value);
  return scratch.getUint32(0) >>> 16;
}

type Put = (view: DataView, at: number, text: string) => void;
type Get = (view: DataView, at: number) => number | bigint | boolean;

function integer(text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
    throw invalidArg(`'${text}' is no whole number between ${min} and ${max}`);
  }
  return value;
}

function bigInteger(text: string, min: bigint, max: bigint): bigint {
  let value: bigint;
  try {
    value = BigInt(text.trim() === '' ? 'x' : text.trim());
  } catch {
    throw invalidArg(`'${text}' is no whole number between ${min} and ${max}`);
  }
  if (value < min || value > max) throw invalidArg(`'${text}' is no whole number between ${min} and ${max}`);
  return value;
}

const WORDS: Readonly<Record<string, number>> = {
  nan: NaN,
  inf: Infinity,
  '+inf': Infinity,
  '-inf': -Infinity,
};

function float(text: string): number {
  const trimmed = text.trim().toLowerCase();
  const value = WORDS[trimmed.replace('infinity', 'inf')] ?? Number(trimmed === '' ? 'x' : trimmed);
  if (Number.isNaN(value) && trimmed !== 'nan') throw invalidArg(`'${text}' is no number`);
  return value;
}

function boolean(text: string): number {
  const value = text.trim().toLowerCase();
  if (value === 'true' || value === '1') return 1;
  if (value === 'false' || value === '0') return 0;
  throw invalidArg(`'${text}' is neither true nor false`);
}

const FIXED: Readonly<Record<Exclude<DataType, 'BYTES'>, readonly [Put, Get]>> = {
  BOOL: [(v, at, t) => v.setUint8(at, boolean(t)), (v, at) => v.getUint8(at) !== 0],
  UINT8: [(v, at, t) => v.setUint8(at, integer(t, 0, 255)), (v, at) => v.getUint8(at)],
  UINT16: [(v, at, t) => v.setUint16(at, integer(t, 0, 65535), true), (v, at) => v.getUint16(at, true)],
  UINT32: [(v, at, t) => v.setUint32(at, integer(t, 0, 2 ** 32 - 1), true), (v, at) => v.getUint32(at, true)],
  UINT64: [
    (v, at, t) => v.setBigUint64(at, bigInteger(t, 0n, 2n ** 64n - 1n), true),
    (v, at) => v.getBigUint64(at, true),
  ],
  INT8: [(v, at, t) => v.setInt8(at, integer(t, -128, 127)), (v, at) => v.getInt8(at)],
  INT16: [(v, at, t) => v.setInt16(at, integer(t, -32768, 32767), true), (v, at) => v.getInt16(at, true)],
  INT32: [
    (v, at, t) => v.setInt32(at, integer(t, -(2 ** 31), 2 ** 31 - 1), true),
    (v, at) => v.getInt32(at, true),
  ],
  INT64: [
    (v, at, t) => v.setBigInt64(at, bigInteger(t, -(2n ** 63n), 2n ** 63n - 1n), true),
    (v, at) => v.getBigInt64(at, true),
  ],
  FP16: [
    (v, at, t) => v.setUint16(at, numberToFloat16(float(t)), true),
    (v, at) => float16ToNumber(v.getUint16(at, true)),
  ],
  BF16: [
    (v, at, t) => v.setUint16(at, numberToBfloat16(float(t)), true),
    (v, at) => bfloat16ToNumber(v.getUint16(at, true)),
  ],
  FP32: [(v, at, t) => v.setFloat32(at, float(t), true), (v, at) => v.getFloat32(at, true)],
  FP64: [(v, at, t) => v.setFloat64(at, float(t), true), (v, at) => v.getFloat64(at, true)],
};

/** The element at this byte: bigint for 64-bit integers, true or false for BOOL. */
export function readElement(
  view: DataView,
  at: number,
  datatype: Exclude<DataType, 'BYTES'>,
): number | bigint | boolean {
  return FIXED[datatype][1](view, at);
}

type Wide = 'INT64' | 'UINT64';
const WHOLE: Readonly<Partial<Record<DataType, readonly [min: number, max: number]>>> = {
  BOOL: [0, 1],
  UINT8: [0, 255],
  UINT16: [0, 65_535],
  UINT32: [0, 2 ** 32 - 1],
  INT8: [-128, 127],
  INT16: [-32_768, 32_767],
  INT32: [-(2 ** 31), 2 ** 31 - 1],
};
const WIDE: Readonly<Record<Wide, readonly [min: bigint, max: bigint]>> = {
  INT64: [-(2n ** 63n), 2n ** 63n - 1n],
  UINT64: [0n, 2n ** 64n - 1n],
};

/** Writes a number of any type, rounded only where floats round; false when the type cannot hold it. */
export function putNumber(
  view: DataView,
  at: number,
  value: number | bigint | boolean,
  datatype: Exclude<DataType, 'BYTES'>,
): boolean {
  if (datatype === 'INT64' || datatype === 'UINT64') return putWide(view, at, value, datatype);
  const number = Number(value);
  const range = WHOLE[datatype];
  if (range === undefined) {
    putFloat(view, at, number, datatype);
    // What is finite must not become infinite.
    return !Number.isFinite(number) || Number.isFinite(Number(FIXED[datatype][1](view, at)));
  }
  if (!Number.isInteger(number) || number < range[0] || number > range[1]) return false;
  putInteger(view, at, number, datatype);
  return true;
}

function putWide(view: DataView, at: number, value: number | bigint | boolean, datatype: Wide): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const whole = BigInt(value);
  const [min, max] = WIDE[datatype];
  if (whole < min || whole > max) return false;
  view.setBigUint64(at, BigInt.asUintN(64, whole), true);
  return true;
}

function putFloat(view: DataView, at: number, value: number, datatype: DataType): void {
  if (datatype === 'FP64') view.setFloat64(at, value, true);
  else if (datatype === 'FP32') view.setFloat32(at, value, true);
  else view.setUint16(at, datatype === 'FP16' ? numberToFloat16(value) : numberToBfloat16(value), true);
}

function putInteger(view: DataView, at: number, value: number, datatype: DataType): void {
  const size = elementByteSize(datatype);
  if (size === 1) view.setUint8(at, value);
  else if (size === 2) view.setUint16(at, value, true);
  else view.setUint32(at, value, true);
}

/** Texts to tensor bytes in wire layout. INVALID_ARG names the first element that does not fit and its index. */
export function encodeValues(values: readonly string[], datatype: DataType): Uint8Array {
  if (datatype === 'BYTES') return encodeTexts(values);
  const size = elementByteSize(datatype);
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  const [put] = FIXED[datatype];
  values.forEach((text, index) => {
    try {
      put(view, index * size, text);
    } catch (thrown) {
      throw invalidArg(`element ${index}: ${(thrown as Error).message} (${datatype})`);
    }
  });
  return bytes;
}

/** BYTES elements of UTF-8 texts, each behind its 4-byte length. */
export function encodeTexts(values: readonly string[]): Uint8Array {
  const encoded = values.map((value) => Buffer.from(value, 'utf8'));
  const bytes = Buffer.alloc(encoded.reduce((total, { byteLength }) => total + 4 + byteLength, 0));
  let at = 0;
  for (const value of encoded) {
    at = bytes.writeUInt32LE(value.byteLength, at);
    at += value.copy(bytes, at);
  }
  return bytes;
}

/** Elements of a fixed-size tensor, at most `limit` of them. */
export function decodeElements(
  bytes: Uint8Array,
  datatype: Exclude<DataType, 'BYTES'>,
  limit: number,
): (number | bigint | boolean)[] {
  const size = elementByteSize(datatype);
  const count = Math.min(limit, Math.floor(bytes.byteLength / size));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [, get] = FIXED[datatype];
  return Array.from({ length: count }, (_, index) => get(view, index * size));
}

/** Elements as texts, at most `limit`. BYTES that are no UTF-8 show the replacement character. */
export function decodeValues(bytes: Uint8Array, datatype: DataType, limit: number): string[] {
  if (datatype === 'BYTES') return decodeTexts(bytes, limit);
  return decodeElements(bytes, datatype, limit).map((value) => shown(value, datatype));
}

/** The shortest text that gives the same element again; doubles have theirs already. */
function shown(value: number | bigint | boolean, datatype: DataType): string {
  const isShort = datatype === 'FP32' || datatype === 'FP16' || datatype === 'BF16';
  return typeof value === 'number' && isShort ? singleText(value) : String(value);
}

function decodeTexts(bytes: Uint8Array, limit: number): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  for (let at = 0; at + 4 <= buffer.length && texts.length < limit;) {
    const end = at + 4 + buffer.readUInt32LE(at);
    texts.push(buffer.toString('utf8', at + 4, end));
    at = end;
  }
  return texts;
}

/**
 * `min`, `max` and `mean` are of the finite elements; without any they are Infinity, -Infinity and NaN, and the
 * counts say why.
 */
export interface ValueStats {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly nanCount: number;
  readonly infCount: number;
}

/** Range and mean of the finite elements; undefined for BYTES and for tensors without elements. */
export function valueStats(bytes: Uint8Array, datatype: DataType): ValueStats | undefined {
  if (datatype === 'BYTES') return undefined;
  let min = Infinity;
  let max = -Infinity;
  let sum = 0;
  let nanCount = 0;
  let infCount = 0;
  let count = 0;
  for (const element of decodeElements(bytes, datatype, Infinity)) {
    const value = Number(element);
    if (Number.isNaN(value)) nanCount += 1;
    else if (!Number.isFinite(value)) infCount += 1;
    else {
      min = Math.min(min, value);
      max = Math.max(max, value);
      sum += value;
      count += 1;
    }
  }
  return count === 0 && nanCount + infCount === 0
    ? undefined
    : { min, max, mean: count === 0 ? NaN : sum / count, nanCount, infCount };
}
