// Looking at a tensor of any rank as tables: the last two dimensions are rows and columns, the others are picked.
// Bytes become numbers here; texts come from the engine's preview. Pure.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize, isDataType } from '../../src-shared/datatypes.ts';
import { bfloat16ToNumber, float16ToNumber } from '../../src-shared/tensor/half-float.ts';
import { singleText } from '../../src-shared/tensor/single-text.ts';

/** 1 for a scalar; negative where a size is still open. */
export function elementCountOf(shape: readonly number[]): number {
  return shape.reduce((product, dim) => product * dim, 1);
}

/** The dimensions that are not 1: what there is to look at. */
export function squeezed(shape: readonly number[]): readonly number[] {
  return shape.filter((dim) => dim !== 1);
}

/** The table that a tensor is looked at as; all are counts of elements. */
export interface SliceShape {
  readonly rows: number;
  readonly columns: number;
  /** Dimensions in front of the last two. */
  readonly picked: readonly number[];
}

/** Dimensions of 1 say nothing and are left out. */
export function sliceShape(shape: readonly number[]): SliceShape {
  const dims = squeezed(shape);
  return {
    rows: dims.length < 2 ? 1 : (dims.at(-2) ?? 1),
    columns: dims.at(-1) ?? 1,
    picked: dims.slice(0, -2),
  };
}

const WRAPPED_COLUMNS = 10;

/** The same for a table: a vector goes on in the next row, so that all of it can be read. */
export function tableShape(shape: readonly number[]): SliceShape & { readonly isWrapped: boolean } {
  const slice = sliceShape(shape);
  if (squeezed(shape).length !== 1 || slice.columns <= WRAPPED_COLUMNS) return { ...slice, isWrapped: false };
  const rows = Math.ceil(slice.columns / WRAPPED_COLUMNS);
  return { rows, columns: WRAPPED_COLUMNS, picked: [], isWrapped: true };
}

/** First element of the slice at these positions of the picked dimensions. */
export function sliceStart({ rows, columns, picked }: SliceShape, positions: readonly number[]): number {
  let index = 0;
  picked.forEach((size, axis) => {
    index = index * size + Math.min(Math.max(0, size - 1), positions[axis] ?? 0);
  });
  return index * rows * columns;
}

type Read = (view: DataView, at: number) => number | bigint | boolean;

const READERS: Readonly<Record<Exclude<DataType, 'BYTES'>, Read>> = {
  BOOL: (view, at) => view.getUint8(at) !== 0,
  UINT8: (view, at) => view.getUint8(at),
  UINT16: (view, at) => view.getUint16(at, true),
  UINT32: (view, at) => view.getUint32(at, true),
  UINT64: (view, at) => view.getBigUint64(at, true),
  INT8: (view, at) => view.getInt8(at),
  INT16: (view, at) => view.getInt16(at, true),
  INT32: (view, at) => view.getInt32(at, true),
  INT64: (view, at) => view.getBigInt64(at, true),
  FP16: (view, at) => float16ToNumber(view.getUint16(at, true)),
  FP32: (view, at) => view.getFloat32(at, true),
  FP64: (view, at) => view.getFloat64(at, true),
  BF16: (view, at) => bfloat16ToNumber(view.getUint16(at, true)),
};

/** True when elements can be taken out of the bytes at any place. */
export function isFixedSize(datatype: string): datatype is Exclude<DataType, 'BYTES'> {
  return isDataType(datatype) && datatype !== 'BYTES';
}

/** Bytes of one element; 0 for BYTES and for types that are not known. */
export function byteSizeOf(datatype: string): number {
  return isDataType(datatype) ? elementByteSize(datatype) : 0;
}

/** As doubles: 64-bit integers beyond 2^53 lose digits. Bytes behind the last whole element are left out. */
export function decodeNumbers(bytes: Uint8Array, datatype: Exclude<DataType, 'BYTES'>): Float64Array {
  const size = elementByteSize(datatype);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READERS[datatype];
  const values = new Float64Array(Math.floor(bytes.byteLength / size));
  for (let at = 0; at < values.length; at += 1) values[at] = Number(read(view, at * size));
  return values;
}

/** Exact texts, 64-bit integers included. */
export function decodeTexts(bytes: Uint8Array, datatype: Exclude<DataType, 'BYTES'>): readonly string[] {
  const size = elementByteSize(datatype);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READERS[datatype];
  const isShort = datatype === 'FP32' || datatype === 'FP16' || datatype === 'BF16';
  return Array.from({ length: Math.floor(bytes.byteLength / size) }, (_, at) => {
    const value = read(view, at * size);
    return typeof value === 'number' && isShort ? singleText(value) : String(value);
  });
}

interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Finite values in equal bins; one bin when all are the same. */
export function histogram(values: Float64Array, binCount = 24): readonly HistogramBar[] {
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (min > max) return [];
  const bins = min === max ? 1 : binCount;
  const width = (max - min) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    const bin = width === 0 ? 0 : Math.min(bins - 1, Math.floor((value - min) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, bin) => ({ from: min + bin * width, to: min + (bin + 1) * width, count }));
}

/**
 * How a tensor is read as a picture: one channel is grey, three are colours, in the last dimension or before
 * height and width.
 */
export interface PixelLayout {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly order: 'NHWC' | 'NCHW';
}

/** How the last three (or two) dimensions could be an image; undefined when they could not. */
export function pixelLayout(shape: readonly number[]): PixelLayout | undefined {
  const [a = 0, b = 0, c = 0] = shape.slice(-3);
  const fits = (width: number, height: number): boolean =>
    width > 1 && height > 1 && width <= 4096 && height <= 4096;
  if (shape.length >= 3 && (c === 3 || c === 1) && fits(b, a)) {
    return { width: b, height: a, channels: c, order: 'NHWC' };
  }
  if (shape.length >= 3 && (a === 3 || a === 1) && fits(c, b)) {
    return { width: c, height: b, channels: a, order: 'NCHW' };
  }
  const [height = 0, width = 0] = shape.slice(-2);
  return fits(width, height) ? { width, height, channels: 1, order: 'NCHW' } : undefined;
}
