// JSON arrays to tensor bytes, by datatype. Nesting of the array is ignored, elements are taken depth first.
// Integers are exact to 64 bits and wrap to the width of the datatype, as the reference does; floats are parsed as
// doubles. Faults carry the reference's words. The way back is json-writer.ts.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import type { JsonArray } from './json-document.ts';
import { decodeStrings } from './json-strings.ts';
import { specialValue, wrongType } from './json-values.ts';
import type { NumberRun } from './number-runs.ts';
import { MAX_EXACT_DIGITS, readFloats32, readFloats64, readIntegers } from './number-runs.ts';
import { tensorErrors } from './tensor-errors.ts';

/** Arrays nested this deep are refused (1 = flat). */
const MAX_ARRAY_DEPTH = 100;

/** Datatypes that have no JSON form. */
export function hasJsonForm(datatype: DataType): boolean {
  return datatype !== 'FP16' && datatype !== 'BF16';
}

/**
 * Decodes `elementCount` elements into fresh little-endian bytes; BYTES tensors take every element there is and come
 * back with length prefixes. Throws INTERNAL for a wrong element type or count, INVALID_ARG for too deep nesting.
 */
export function decodeJsonTensor(array: JsonArray, datatype: DataType, elementCount: number): Uint8Array {
  if (datatype === 'BYTES') {
    if (array.depth >= MAX_ARRAY_DEPTH) throw tooDeep('');
    return decodeStrings(array);
  }
  if (array.depth >= MAX_ARRAY_DEPTH) throw tooDeep("Unable to parse 'data': ");
  const buffer = new ArrayBuffer(elementCount * elementByteSize(datatype));
  const filled = fill(array, datatype, buffer, elementCount);
  if (filled < elementCount) throw tensorErrors.tooFew();
  return new Uint8Array(buffer);
}

/**
 * The same for a list of numbers that nobody has looked at. Undefined when it is not one of exactly `elementCount` numbers
 * that the datatype takes as they are: the strict way finds out what it is.
 */
export function decodeNumberRun(
  run: NumberRun,
  datatype: DataType,
  elementCount: number,
): Uint8Array | undefined {
  // Each takes two bytes of text at least.
  if (elementCount > run.end - run.start) return undefined;
  const { bytes, start, end } = run;
  const buffer = new ArrayBuffer(elementCount * elementByteSize(datatype));
  const isWhole = ((): boolean => {
    switch (datatype) {
      case 'FP32':
        return readFloats32(bytes, start, end, new Float32Array(buffer));
      case 'FP64':
        return readFloats64(bytes, start, end, new Float64Array(buffer));
      case 'BOOL':
      case 'BYTES':
      case 'FP16':
      case 'BF16':
        return false;
      default: {
        const target = integerTarget(datatype, buffer, elementCount);
        const isSigned = datatype.startsWith('INT');
        if (target instanceof Words64) {
          return readIntegers(bytes, start, end, elementCount, isSigned, (index, value) =>
            target.put(index, value),
          );
        }
        return readIntegers(bytes, start, end, elementCount, isSigned, (index, value) => {
          target[index] = value;
        });
      }
    }
  })();
  if (!isWhole) return undefined;
  run.isRead = true;
  return new Uint8Array(buffer);
}

/** Where it happened decides its prefix. */
const tooDeep = (prefix: string): ServerError => tensorErrors.tooDeep({ prefix, limit: MAX_ARRAY_DEPTH });

const tooMany = (): ServerError =>
  tensorErrors.data({ reason: "Shape does not match true shape of 'data' field" });

function fill(array: JsonArray, datatype: DataType, buffer: ArrayBuffer, elementCount: number): number {
  switch (datatype) {
    case 'BOOL':
      return fillBooleans(array, new Uint8Array(buffer));
    case 'FP32':
      return fillFloats(array, new Float32Array(buffer));
    case 'FP64':
      return fillFloats(array, new Float64Array(buffer));
    case 'BYTES':
    case 'FP16':
    case 'BF16':
      throw tensorErrors.noForm({ datatype });
    default: {
      const isSigned = datatype.startsWith('INT');
      return fillIntegers(array, integerTarget(datatype, buffer, elementCount), isSigned);
    }
  }
}

type IntegerType = Exclude<DataType, 'BOOL' | 'FP16' | 'BF16' | 'FP32' | 'FP64' | 'BYTES'>;

function integerTarget(datatype: IntegerType, buffer: ArrayBuffer, elementCount: number): IntegerTarget {
  switch (datatype) {
    case 'UINT8':
      return new Uint8Array(buffer);
    case 'UINT16':
      return new Uint16Array(buffer);
    case 'UINT32':
      return new Uint32Array(buffer);
    case 'INT8':
      return new Int8Array(buffer);
    case 'INT16':
      return new Int16Array(buffer);
    case 'INT32':
      return new Int32Array(buffer);
    case 'UINT64':
    case 'INT64':
      return new Words64(buffer, elementCount);
  }
}

const LBRACE = 0x7b;
const LBRACKET = 0x5b;
const RBRACKET = 0x5d;
const COMMA = 0x2c;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** True for bytes between elements: white space, commas, brackets. */
function isSeparator(c: number): boolean {
  return c <= 0x20 || c === COMMA || c === LBRACKET || c === RBRACKET;
}

/** Offset behind the token (not a string) that starts at `from`. */
function tokenEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (!isSeparator(bytes[at] as number)) at += 1;
  return at;
}

/** Offset of the next element at or behind `from`, or `end`. */
function nextElement(bytes: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && isSeparator(bytes[at] as number)) at += 1;
  return at;
}

/** Little-endian 64-bit integers written as word pairs, so that no BigInt is made for values within 2^53. */
class Words64 {
  readonly length: number;
  readonly #words: Uint32Array;

  constructor(buffer: ArrayBuffer, length: number) {
    this.length = length;
    this.#words = new Uint32Array(buffer);
  }

  put(index: number, value: number): void {
    const high = Math.floor(value / 0x1_0000_0000);
    this.#words[index * 2] = value - high * 0x1_0000_0000;
    this.#words[index * 2 + 1] = high;
  }

  putExact(index: number, value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.#words[index * 2] = Number(bits & 0xffff_ffffn);
    this.#words[index * 2 + 1] = Number(bits >> 32n);
  }
}

type IntegerTarget = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Words64;

function fillIntegers(array: JsonArray, target: IntegerTarget, isSigned: boolean): number {
  const { bytes } = array;
  const end = array.end - 1;
  const words = target instanceof Words64 ? target : undefined;
  const small = target instanceof Words64 ? undefined : target;
  let index = 0;
  let at = nextElement(bytes, array.start, end);
  while (at < end) {
    if (index >= target.length) throw tooMany();
    const start = at;
    let c = bytes[at] as number;
    const isNegative = c === MINUS;
    if (isNegative) c = bytes[(at += 1)] as number;
    const firstDigit = at;
    let value = 0;
    while (c >= ZERO && c <= NINE) {
      value = value * 10 + (c - ZERO);
      c = bytes[(at += 1)] as number;
    }
    if (at === firstDigit || !isSeparator(c) || (isNegative && !isSigned && value !== 0)) {
      throw tensorErrors.data({ reason: wrongType(isSigned ? 'int' : 'uint') });
    }
    if (at - firstDigit <= MAX_EXACT_DIGITS) {
      const signed = isNegative ? -value : value;
      if (words === undefined) (small as Int32Array)[index] = signed;
      else words.put(index, signed);
    } else {
      const exact = exactInteger(bytes.toString('latin1', start, at), isSigned);
      if (words === undefined) (small as Int32Array)[index] = Number(BigInt.asIntN(32, exact));
      else words.putExact(index, exact);
    }
    index += 1;
    at = nextElement(bytes, at, end);
  }
  return index;
}

function exactInteger(text: string, isSigned: boolean): bigint {
  const exact = text.length > 21 ? 2n ** 65n : BigInt(text);
  const isInside = isSigned ? BigInt.asIntN(64, exact) === exact : BigInt.asUintN(64, exact) === exact;
  if (!isInside) throw tensorErrors.data({ reason: wrongType(isSigned ? 'int' : 'uint') });
  return exact;
}

function fillBooleans(array: JsonArray, target: Uint8Array): number {
  const { bytes } = array;
  const end = array.end - 1;
  let index = 0;
  let at = nextElement(bytes, array.start, end);
  while (at < end) {
    if (index >= target.length) throw tooMany();
    const c = bytes[at];
    if (c !== 0x74 && c !== 0x66) throw tensorErrors.data({ reason: wrongType('bool') });
    target[index] = c === 0x74 ? 1 : 0;
    index += 1;
    at = nextElement(bytes, at + (c === 0x74 ? 4 : 5), end);
  }
  return index;
}

/** Below this many bytes the engine's own JSON parser costs more to call than it saves. */
const NATIVE_MIN_BYTES = 128;
/** Text handed to the engine's JSON parser at once. */
const NATIVE_BLOCK_BYTES = 1 << 16;

function fillFloats(array: JsonArray, target: Float32Array | Float64Array): number {
  const isPlain = !array.hasSpecials && !array.hasOthers && !array.hasEmpty;
  if (isPlain && array.end - array.start > NATIVE_MIN_BYTES) return fillFloatBlocks(array, target);
  const { bytes } = array;
  const end = array.end - 1;
  let index = 0;
  let at = nextElement(bytes, array.start, end);
  while (at < end) {
    if (index >= target.length) throw tooMany();
    const c = bytes[at] as number;
    if (c === QUOTE || c === LBRACE || c === 0x74 || c === 0x66 || c === 0x6e) {
      throw tensorErrors.data({ reason: wrongType('double') });
    }
    const stop = tokenEnd(bytes, at);
    const text = bytes.toString('latin1', at, stop);
    const isSpecial = c === 0x4e || c === 0x49 || (c === MINUS && (bytes[at + 1] as number) > NINE);
    target[index] = isSpecial ? specialValue(text) : Number(text);
    index += 1;
    at = nextElement(bytes, stop, end);
  }
  return index;
}

/** Decodes by blocks cut at commas; brackets inside a block are blanked, which leaves a flat list of numbers. */
function fillFloatBlocks(array: JsonArray, target: Float32Array | Float64Array): number {
  const { bytes } = array;
  const end = array.end - 1;
  let index = 0;
  let at = array.start + 1;
  while (at < end) {
    let stop = Math.min(at + NATIVE_BLOCK_BYTES, end);
    while (stop < end && bytes[stop] !== COMMA) stop += 1;
    const values = parseNumbers(bytes, at, stop, array.depth > 1);
    if (index + values.length > target.length) throw tooMany();
    target.set(values, index);
    index += values.length;
    at = stop + 1;
  }
  return index;
}

function parseNumbers(bytes: Buffer, start: number, end: number, hasBrackets: boolean): number[] {
  if (!hasBrackets) return JSON.parse(`[${bytes.toString('latin1', start, end)}]`) as number[];
  const flat = Buffer.from(bytes.subarray(start, end));
  for (let i = 0; i < flat.length; i += 1) {
    if (flat[i] === LBRACKET || flat[i] === RBRACKET) flat[i] = 0x20;
  }
  return JSON.parse(`[${flat.toString('latin1')}]`) as number[];
}
