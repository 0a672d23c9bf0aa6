import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readFloats32, readFloats64, readIntegers } from './number-runs.ts';

/** Numbers as they are written somewhere: shortest, with many digits, with exponents, near the middle of two floats. */
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value.toPrecision(21)),
  fc.integer().map(String),
  fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => value.toFixed(19)),
  fc
    .tuple(fc.float({ noNaN: true, min: 1, max: 2 }), fc.integer({ min: -3, max: 3 }))
    .map(([value, bits]) => {
      // Half a float beyond a float, and some last bits of a double from there.
      return String(value + 2 ** -24 + bits * 2 ** -52);
    }),
  fc.constantFrom(
    '0',
    '-0',
    '-0.0',
    '0.5',
    '1e22',
    '1E-7',
    '16777217',
    '3.4028235e38',
    '1e-45',
    '9e-46',
    '1e300',
  ),
);
const space = fc.constantFrom('', '', '', ' ', '\n\t ');
const list = fc
  .array(fc.tuple(space, numberText, space), { minLength: 1, maxLength: 30 })
  .map((parts) => parts.map((part) => part.join('')));

describe('floats of a list of numbers', () => {
  it('are those that rounding the doubles gives, bit by bit', () => {
    fc.assert(
      fc.property(list, (texts) => {
        const bytes = Buffer.from(`${texts.join(',')}]`);
        const floats = new Float32Array(texts.length);
        expect(readFloats32(bytes, 0, bytes.length - 1, floats)).toBe(true);
        const expected = Float32Array.from(texts, Number);
        expect(Buffer.from(floats.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
        const doubles = new Float64Array(texts.length);
        expect(readFloats64(bytes, 0, bytes.length - 1, doubles)).toBe(true);
        expect([...doubles]).toEqual(texts.map(Number));
      }),
      { numRuns: 2000 },
    );
  });

  it('are as many as are wanted', () => {
    const bytes = Buffer.from('1,2,3]');
    for (const count of [2, 4]) {
      expect(readFloats32(bytes, 0, 5, new Float32Array(count))).toBe(false);
      expect(readFloats64(bytes, 0, 5, new Float64Array(count))).toBe(false);
      expect(readIntegers(bytes, 0, 5, count, true, () => undefined)).toBe(false);
    }
  });

  it.each([
    '1,,2',
    ',1,2',
    '1,2,',
    '1 2',
    '01,2',
    '1.,2',
    '.5,2',
    '1e,2',
    '+1,2',
    '1,"2"',
    '1,[2',
    '1,NaN',
    '-,2',
    '1,1e999',
    '1,null',
    '1,0x2',
  ])('are refused in %s', (text) => {
    const bytes = Buffer.from(`${text}]`);
    expect(readFloats32(bytes, 0, bytes.length - 1, new Float32Array(2))).toBe(false);
    expect(readFloats64(bytes, 0, bytes.length - 1, new Float64Array(2))).toBe(false);
  });
});

describe('integers of a list of numbers', () => {
  const read = (text: string, isSigned: boolean): number[] | false => {
    const bytes = Buffer.from(`${text}]`);
    const values: number[] = [];
    const put = (index: number, value: number): number => (values[index] = value);
    const count = text.split(',').length;
    return readIntegers(bytes, 0, bytes.length - 1, count, isSigned, put) && values;
  };

  it('are read with and without spaces', () => {
    expect(read('1, -2 ,\n30,999999999999999', true)).toEqual([1, -2, 30, 999_999_999_999_999]);
  });

  it.each(['1.0', '1e3', '01', '1000000000000000', '-', '', '1x', '--1'])('are refused in "%s"', (text) => {
    expect(read(text, true)).toBe(false);
  });

  it('are refused when they are negative and must not be', () => {
    expect(read('1,-1', false)).toBe(false);
  });
});
