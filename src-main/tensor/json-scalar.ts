// A single JSON scalar as a tensor of one element, by the rules of the array decoder.

import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize } from '../../src-shared/datatypes.ts';
import type { JsonValue } from './json-document.ts';
import { JsonDouble, wrongType } from './json-values.ts';
import { tensorErrors } from './tensor-errors.ts';

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/** Bytes of one element. Throws INTERNAL when the scalar is of the wrong type. FP16 and BF16 must be refused before. */
export function decodeJsonScalar(value: JsonValue, datatype: DataType): Uint8Array {
  switch (datatype) {
    case 'BYTES':
      return stringElement(value);
    case 'BOOL':
      if (typeof value !== 'boolean') throw tensorErrors.data({ reason: wrongType('bool') });
      return Uint8Array.of(value ? 1 : 0);
    case 'FP32':
      return new Uint8Array(Float32Array.of(numberOf(value)).buffer);
    case 'FP64':
      return new Uint8Array(Float64Array.of(numberOf(value)).buffer);
    default:
      return integerElement(value, datatype);
  }
}

function stringElement(value: JsonValue): Uint8Array {
  if (typeof value !== 'string') {
    throw tensorErrors.bytes({ reason: wrongType('string') });
  }
  const text = Buffer.from(value, 'utf8');
  const bytes = new Uint8Array(4 + text.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  return bytes;
}

function numberOf(value: JsonValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof JsonDouble) return value.value;
  throw tensorErrors.data({ reason: wrongType('double') });
}

function integerElement(value: JsonValue, datatype: DataType): Uint8Array {
  const isSigned = datatype.startsWith('INT');
  const isInteger = typeof value === 'number' || typeof value === 'bigint';
  if (!isInteger || (isSigned ? value > MAX_INT64 : value < 0)) {
    throw tensorErrors.data({ reason: wrongType(isSigned ? 'int' : 'uint') });
  }
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
  return bytes.slice(0, elementByteSize(datatype));
}
