import { expect, test } from 'vitest';

import { median, pairedDifference, verdictOf } from './paired-differences.ts';

test('the interval of a median lies at the ranks of the sign test', () => {
  // Tables of the sign test: of 6 pairs the outermost, of 20 the sixth from each end, of 30 the tenth.
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => count - at);
  expect(pairedDifference(upTo(6))).toEqual({ median: 3.5, low: 1, high: 6 });
  expect(pairedDifference(upTo(20))).toEqual({ median: 10.5, low: 6, high: 15 });
  expect(pairedDifference(upTo(30))).toEqual({ median: 15.5, low: 10, high: 21 });
  expect(() => pairedDifference(upTo(5))).toThrow('5 pairs');
});

test('a few wild rounds move neither the median nor its interval', () => {
  const quiet = Array.from({ length: 20 }, (_, at) => 1 + at / 100);
  const wild = quiet.map((value, at) => (at >= 17 ? value * 1000 : value));
  expect(pairedDifference(wild)).toEqual(pairedDifference(quiet));
});

test('the middle of values in any order', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('an interval says nothing of a limit that it holds, or that it is wider than', () => {
  const between = (low: number, high: number) => verdictOf({ median: (low + high) / 2, low, high }, 2);
  expect(between(0.5, 1.5)).toBe('within');
  expect(between(2.5, 4)).toBe('above');
  expect(between(1.5, 2.5)).toBe('uneven');
  expect(between(-3, 1)).toBe('uneven');
  expect(between(3, 6)).toBe('uneven');
});
