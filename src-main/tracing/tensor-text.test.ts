// Tensors as text in a trace file.

import { describe, expect, test } from 'vitest';
import { sixDigits, tensorText } from './tensor-text.ts';

describe('tensor text', () => {
  test.each([
    [0.1, '0.1'],
    [1 / 3, '0.333333'],
    [123456, '123456'],
    [1234567, '1.23457e+06'],
    [1e-5, '1e-05'],
    [-2.5, '-2.5'],
    [0.0001, '0.0001'],
    [NaN, 'nan'],
    [-Infinity, '-inf'],
    [0, '0'],
    [999999.5, '1e+06'],
    [1e100, '1e+100'],
  ])('prints %s as %s', (value, text) => {
    expect(sixDigits(value)).toBe(text);
  });

  test('escapes strings for inside a JSON string, and leaves half floats out', () => {
    const bytes = Uint8Array.of(3, 0, 0, 0, 0x61, 0x22, 0x0a, 0, 0, 0, 0);
    const text = JSON.parse(`"${tensorText(bytes, 'BYTES')}"`) as string;
    expect(text).toBe('"a\\"\\n",""');
    expect(tensorText(bytes, 'FP16')).toBe('');
    expect(tensorText(Uint8Array.of(1, 255), 'INT8')).toBe('1,-1');
  });
});
