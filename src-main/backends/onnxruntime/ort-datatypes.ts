// Datatypes as onnxruntime-node names them, and the typed arrays it takes for each.
// FP16 travels as raw 16-bit patterns; BF16 has no counterpart in the library.

import type { DataType } from '../../../src-shared/datatypes.ts';

/** The library's names of element types. */
export type OrtType =
  | 'bool'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'float16'
  | 'float32'
  | 'float64'
  | 'string';

const ORT_TYPES: Readonly<Partial<Record<DataType, OrtType>>> = {
  BOOL: 'bool',
  UINT8: 'uint8',
  UINT16: 'uint16',
  UINT32: 'uint32',
  UINT64: 'uint64',
  INT8: 'int8',
  INT16: 'int16',
  INT32: 'int32',
  INT64: 'int64',
  FP16: 'float16',
  FP32: 'float32',
  FP64: 'float64',
  BYTES: 'string',
};

/** Undefined for BF16. */
export function ortTypeOf(datatype: DataType): OrtType | undefined {
  return ORT_TYPES[datatype];
}

const ONNX_NAMES: Readonly<Partial<Record<DataType, string>>> = {
  BF16: 'bfloat16',
  FP32: 'float',
  FP64: 'double',
};

/** What messages of ONNX Runtime call a tensor of this type. */
export function onnxTypeOf(datatype: DataType): string {
  return `tensor(${ONNX_NAMES[datatype] ?? ORT_TYPES[datatype] ?? datatype})`;
}

const DATA_TYPES = new Map<string, DataType>(
  Object.entries(ORT_TYPES).map(([datatype, ort]) => [ort, datatype as DataType]),
);

/** Undefined for types without a counterpart (int4, uint4). */
export function dataTypeOfOrt(type: string): DataType | undefined {
  return DATA_TYPES.get(type);
}

/** The typed arrays that hold elements of a tensor. */
export type NumericArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

type NumericConstructor = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => NumericArray;

const ARRAYS: Readonly<
  Record<Exclude<OrtType, 'string'>, NumericConstructor & { BYTES_PER_ELEMENT: number }>
> = {
  bool: Uint8Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** A view of `byteSize` bytes as the array the library wants; `byteOffset` must be aligned to the element size. */
export function numericView(
  type: Exclude<OrtType, 'string'>,
  buffer: ArrayBufferLike,
  byteOffset: number,
  byteSize: number,
): NumericArray {
  const Constructor = ARRAYS[type];
  return new Constructor(buffer, byteOffset, byteSize / Constructor.BYTES_PER_ELEMENT);
}
