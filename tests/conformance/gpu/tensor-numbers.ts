// Numbers to and from the wire bytes of a tensor, for comparing answers of two devices.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { float16ToNumber } from '../../../src-shared/tensor/half-float.ts';

type Numbers = Int8Array | Uint8Array | Int32Array | Float32Array | Float64Array;

const ARRAYS: Partial<Record<DataType, new (values: ArrayBuffer | readonly number[]) => Numbers>> = {
  INT8: Int8Array,
  UINT8: Uint8Array,
  INT32: Int32Array,
  FP32: Float32Array,
  FP64: Float64Array,
};

/** Bits of whole numbers from 1 to 2047, which FP16 holds exactly. */
function halfOf(value: number): number {
  const exponent = Math.floor(Math.log2(value));
  return ((exponent + 15) << 10) | Math.round((value / 2 ** exponent - 1) * 1024);
}

/** `values` are whole numbers from 1 on. */
export function toBytes(datatype: DataType, values: readonly number[]): Uint8Array {
  if (datatype === 'FP16') return new Uint8Array(Uint16Array.from(values, halfOf).buffer);
  if (datatype === 'INT64') return new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer);
  return new Uint8Array(new (arrayOf(datatype))(values).buffer as ArrayBuffer);
}

export function toNumbers(datatype: DataType, bytes: Uint8Array): readonly number[] {
  const { buffer } = Uint8Array.from(bytes);
  if (datatype === 'FP16') return Array.from(new Uint16Array(buffer), float16ToNumber);
  if (datatype === 'INT64') return Array.from(new BigInt64Array(buffer), Number);
  return Array.from(new (arrayOf(datatype))(buffer));
}

function arrayOf(datatype: DataType): new (values: ArrayBuffer | readonly number[]) => Numbers {
  const array = ARRAYS[datatype];
  if (array === undefined) throw new Error(`${datatype} is not among the types compared`);
  return array;
}
