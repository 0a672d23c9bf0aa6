// What NumPy calls our datatypes. BF16 has no type there, and BYTES none of a fixed size.

import type { DataType } from '../datatypes.ts';

/** By datatype: the name of the dtype, and its kind and bytes as the header of a .npy file writes them. */
const NUMPY_TYPES: Readonly<Partial<Record<DataType, readonly [name: string, kind: string]>>> = {
  BOOL: ['bool', 'b1'],
  UINT8: ['uint8', 'u1'],
  UINT16: ['uint16', 'u2'],
  UINT32: ['uint32', 'u4'],
  UINT64: ['uint64', 'u8'],
  INT8: ['int8', 'i1'],
  INT16: ['int16', 'i2'],
  INT32: ['int32', 'i4'],
  INT64: ['int64', 'i8'],
  FP16: ['float16', 'f2'],
  FP32: ['float32', 'f4'],
  FP64: ['float64', 'f8'],
};

const BY_NAME = new Map(
  Object.entries(NUMPY_TYPES).map(([datatype, [name]]) => [name, datatype as DataType]),
);

const BY_KIND = new Map(
  Object.entries(NUMPY_TYPES).map(([datatype, [, kind]]) => [kind, datatype as DataType]),
);

/** FP32 for "f4"; undefined for what is no datatype of ours. */
export function datatypeOfNumpyKind(kind: string): DataType | undefined {
  return BY_KIND.get(kind);
}

/** "float32" for FP32; undefined for BF16 and BYTES. */
export function numpyName(datatype: DataType): string | undefined {
  return NUMPY_TYPES[datatype]?.[0];
}

/** The other way round; undefined for what is no datatype of ours. */
export function datatypeOfNumpy(name: string): DataType | undefined {
  return BY_NAME.get(name);
}

/** "f4" for FP32: `descr` of a .npy file without its byte order; undefined for BF16 and BYTES. */
export function numpyKind(datatype: DataType): string | undefined {
  return NUMPY_TYPES[datatype]?.[1];
}
