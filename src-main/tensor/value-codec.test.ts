import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { DataType } from '../../src-shared/datatypes.ts';
import { float16ToNumber } from '../../src-shared/tensor/half-float.ts';
import { decodeValues, encodeValues, numberToFloat16, valueStats } from './value-codec.ts';

describe('texts and elements', () => {
  test.each<[DataType, string[]]>([
    ['BOOL', ['true', 'false']],
    ['UINT8', ['0', '255']],
    ['INT8', ['-128', '127']],
    ['UINT16', ['65535']],
    ['INT16', ['-32768']],
    ['UINT32', ['4294967295']],
    ['INT32', ['-2147483648']],
    ['UINT64', ['18446744073709551615']],
    ['INT64', ['-9223372036854775808', '9007199254740993']],
    ['FP16', ['0.5', '-65504', 'NaN', 'Infinity']],
    ['BF16', ['0.5', '-2']],
    ['FP32', ['0.1', '1e+30', '-Infinity']],
    ['FP64', ['0.1', '1e+300']],
    ['BYTES', ['é\n', '', 'plain']],
  ])('%s come back as they went', (datatype, values) => {
    expect(decodeValues(encodeValues(values, datatype), datatype, 100)).toEqual(values);
  });

  test.each<[DataType, string, string]>([
    ['UINT8', '256', "element 1: '256' is no whole number between 0 and 255 (UINT8)"],
    ['INT32', '1.5', "element 1: '1.5' is no whole number"],
    ['INT64', '9223372036854775808', 'is no whole number between'],
    ['FP32', 'abc', "element 1: 'abc' is no number (FP32)"],
    ['FP32', '', "element 1: '' is no number (FP32)"],
    ['BOOL', 'maybe', "element 1: 'maybe' is neither true nor false (BOOL)"],
  ])('%s refuses %s by index', (datatype, bad, message) => {
    expect(() => encodeValues([datatype === 'BOOL' ? 'true' : '1', bad], datatype)).toThrow(message);
  });

  test('every FP16 pattern but not-a-number survives the way through a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff }), (bits) => {
        const value = float16ToNumber(bits);
        if (Number.isNaN(value)) return Number.isNaN(float16ToNumber(numberToFloat16(value)));
        return numberToFloat16(value) === bits;
      }),
      { numRuns: 5000 },
    );
  });

  test('statistics leave out what is not finite, and count it', () => {
    const bytes = encodeValues(['1', 'nan', '3', 'inf'], 'FP32');
    expect(valueStats(bytes, 'FP32')).toEqual({ min: 1, max: 3, mean: 2, nanCount: 1, infCount: 1 });
    expect(valueStats(new Uint8Array(), 'FP32')).toBeUndefined();
  });
});
