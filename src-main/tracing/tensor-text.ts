// Elements of a traced tensor as text: comma-joined, floats with six significant digits, strings in escaped quotes.

import type { DataType } from '../../src-shared/datatypes.ts';
import { typedValues } from '../tensor/json-writer.ts';

/** Text for inside a JSON string. FP16 and BF16 are left out. */
export function tensorText(bytes: Uint8Array, datatype: DataType): string {
  if (datatype === 'BYTES') return strings(bytes).join(',');
  if (datatype === 'FP16' || datatype === 'BF16') return '';
  const values = typedValues(bytes, datatype);
  if (datatype === 'BOOL')
    return Array.from(values as Uint8Array, (value) => (value === 0 ? '0' : '1')).join(',');
  if (values instanceof Float32Array || values instanceof Float64Array) {
    return Array.from(values, sixDigits).join(',');
  }
  return values.join(',');
}

function strings(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  for (let at = 0; at + 4 <= buffer.length;) {
    const stop = Math.min(buffer.length, at + 4 + buffer.readUInt32LE(at));
    // Twice, because the quoted text stands inside a JSON string.
    texts.push(JSON.stringify(JSON.stringify(buffer.toString('utf8', at + 4, stop))).slice(1, -1));
    at = stop;
  }
  return texts;
}

/** As C++ streams print by default. */
export function sixDigits(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential(5).split('e');
  const exponent = Number(exponentText);
  const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (exponent >= -4 && exponent < 6) return trimmed(value.toFixed(5 - exponent));
  const sign = exponent < 0 ? '-' : '+';
  return `${trimmed(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
