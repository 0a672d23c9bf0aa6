// Element types of ONNX: number in the file, name, protocol datatype, size. One table for reader and writer.

import type { DataType } from '../../src-shared/datatypes.ts';

interface ElementType {
  readonly name: string;
  readonly datatype: DataType | undefined;
  /** Bits of one element; 0 for strings. */
  readonly bits: number;
}

const type = (name: string, bits: number, datatype?: DataType): ElementType => ({ name, datatype, bits });

/** Index = number in the file. */
const ELEMENT_TYPES: readonly ElementType[] = [
  type('undefined', 0),
  type('float', 32, 'FP32'),
  type('uint8', 8, 'UINT8'),
  type('int8', 8, 'INT8'),
  type('uint16', 16, 'UINT16'),
  type('int16', 16, 'INT16'),
  type('int32', 32, 'INT32'),
  type('int64', 64, 'INT64'),
  type('string', 0, 'BYTES'),
  type('bool', 8, 'BOOL'),
  type('float16', 16, 'FP16'),
  type('double', 64, 'FP64'),
  type('uint32', 32, 'UINT32'),
  type('uint64', 64, 'UINT64'),
  type('complex64', 64),
  type('complex128', 128),
  type('bfloat16', 16, 'BF16'),
  type('float8e4m3fn', 8),
  type('float8e4m3fnuz', 8),
  type('float8e5m2', 8),
  type('float8e5m2fnuz', 8),
  type('uint4', 4),
  type('int4', 4),
  type('float4e2m1', 4),
  type('float8e8m0', 8),
  type('uint2', 2),
  type('int2', 2),
];

/** Name of an element type; the number itself for one that is not in the table. */
export function elementTypeName(code: number): string {
  return ELEMENT_TYPES[code]?.name ?? `type ${code}`;
}

/** Undefined for element types the protocol has no name for. */
export function elementDataType(code: number): DataType | undefined {
  return ELEMENT_TYPES[code]?.datatype;
}

/** Number in the file for a protocol datatype. */
export function elementTypeCode(datatype: DataType): number {
  return ELEMENT_TYPES.findIndex((entry) => entry.datatype === datatype);
}

/** Bytes that `count` elements take; 0 for strings and unknown types. */
export function elementsByteSize(code: number, count: number): number {
  return Math.ceil((count * (ELEMENT_TYPES[code]?.bits ?? 0)) / 8);
}
