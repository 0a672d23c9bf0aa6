// Two tensors held against each other.

import { expect, test } from 'vitest';

import { differencesOfTexts, ElementDifferences, elementOfText } from './element-difference.ts';

const of = (datatype: string, left: readonly string[], right: readonly string[], tolerance = 1e-5) => {
  const { first, maxAbsolute, maxRelative } = differencesOfTexts(datatype, left, right, tolerance);
  return { at: first?.at, maxAbsolute, maxRelative };
};

test('equal tensors differ by nothing', () => {
  expect(of('FP32', ['1', '-0', 'NaN', 'Infinity'], ['1', '0', 'NaN', 'Infinity'])).toEqual({
    at: undefined,
    maxAbsolute: 0,
    maxRelative: 0,
  });
});

test.each([
  ['1000000', '1000001', 'small against the value'],
  ['0.000001', '0.000009', 'small in itself'],
])('%s and %s: %s', (left, right) => {
  const found = of('FP32', [left], [right]);
  expect(found.at).toBeUndefined();
  expect(found.maxAbsolute).toBeGreaterThan(0);
});

test('the first one that differs is told, and the largest difference of all', () => {
  const found = of('FP64', ['1', '2', '3'], ['1', '2.5', '7']);
  expect(found).toMatchObject({ at: 1, maxAbsolute: 4 });
  expect(found.maxRelative).toBeCloseTo(4 / 7);
});

test.each([
  ['Infinity', '5'],
  ['5', 'Infinity'],
  ['Infinity', '-Infinity'],
  ['NaN', '5'],
  ['5', 'NaN'],
  ['Infinity', 'NaN'],
])('%s is not %s, whatever the tolerance', (left, right) => {
  expect(of('FP32', [left], [right], 1)).toMatchObject({ at: 0, maxAbsolute: undefined });
});

test('64-bit integers are compared exactly', () => {
  expect(of('INT64', ['9007199254740993'], ['9007199254740992'], 0)).toMatchObject({ at: 0, maxAbsolute: 1 });
  expect(of('UINT64', ['18446744073709551615'], ['18446744073709551614'], 0).at).toBe(0);
  expect(of('INT64', ['-9223372036854775808'], ['-9223372036854775808'], 0).at).toBeUndefined();
});

test('texts are the same or they are not, also where they look like numbers', () => {
  expect(of('BYTES', ['1.0', 'a'], ['1', 'a'])).toMatchObject({ at: 0, maxAbsolute: undefined });
  expect(of('BYTES', [''], ['0']).at).toBe(0);
  expect(of('BYTES', ['cat'], ['cat']).at).toBeUndefined();
});

test('booleans are one apart', () => {
  expect(of('BOOL', ['true', 'false'], ['true', 'true'], 0)).toMatchObject({ at: 1, maxAbsolute: 1 });
});

test('texts that stand for no element of their type are compared as they are', () => {
  expect(elementOfText('many', 'INT64')).toBe('many');
  expect(elementOfText('', 'FP32')).toBe('');
  expect(elementOfText('7', 'SOMETHING')).toBe('7');
  expect(of('FP32', [''], ['0']).at).toBe(0);
});

test('what is no number is equal to its like, as numbers as well', () => {
  const found = new ElementDifferences(0);
  found.add(0, NaN, NaN);
  found.add(1, true, true);
  expect(found.first).toBeUndefined();
});
