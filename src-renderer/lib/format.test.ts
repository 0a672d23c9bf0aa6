import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatMicros,
  formatMoment,
  formatPercent,
  formatRate,
  threeDigits,
} from './format.ts';
import { chooseLocale, numberLocale } from '../texts/number-locale.ts';

beforeEach(() => chooseLocale('en-US'));
afterEach(() => chooseLocale('system'));

test.each([
  [undefined, '–'],
  [0, '0 µs'],
  [0.004, '<0.01 µs'],
  [850, '850 µs'],
  [18_240, '18.2 ms'],
  [1_243_000, '1.24 s'],
])('%s microseconds read as %s', (us, text) => {
  expect(formatMicros(us)).toBe(text);
});

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [6_400_000, '6.1 MiB'],
  [-212_000_000, '-202 MiB'],
  [3.1 * 1024 ** 3, '3.1 GiB'],
])('%s bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [412.44, '412'],
  [18.26, '18.3'],
  [0.123, '0.12'],
  [10_400, '10,400'],
  [0.001, '<0.01'],
  [-0.001, '>-0.01'],
  [NaN, '–'],
  [Infinity, '∞'],
])('%s has three digits: %s', (value, text) => {
  expect(threeDigits(value)).toBe(text);
});

test.each([
  [2_683_000, 1000, '2.683 s'],
  [2_683_000, 500_000, '2.7 s'],
  [2_000_000, 1_000_000, '2 s'],
  [200_000, 50_000, '200 ms'],
  [1200, 1, '1.200 ms'],
  [0, 100, '0 µs'],
  [-0, 100, '0 µs'],
])('%s microseconds on a scale of %s read as %s', (us, step, text) => {
  expect(formatMoment(us, step)).toBe(text);
});

test('rates below a tenth are nothing, durations are coarse', () => {
  expect(formatRate(0.04)).toBe('0');
  expect([500, 59_000, 61_000, 7_200_000, 200_000_000].map(formatDuration)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '2 h',
    '2 d',
  ]);
});

test('numbers and dates follow the locale that was chosen, times of the day do not', () => {
  const at = new Date(2026, 10, 22, 14, 5, 9).getTime();
  chooseLocale('de-DE');
  expect(formatCount(1_234_567)).toBe('1.234.567');
  expect(formatMicros(1_243_000)).toBe('1,24 s');
  expect(formatBytes(6_400_000)).toBe('6,1 MiB');
  expect(formatPercent(0.125, 1)).toBe('12,5 %');
  expect(formatDateTime(at)).toBe('22.11.2026 14:05:09');
  chooseLocale('en-GB');
  expect(formatDateTime(at)).toBe('22/11/2026 14:05:09');
});

test('a locale that nobody knows is that of the system', () => {
  chooseLocale('no such tag!');
  expect(numberLocale()).toBe(navigator.language);
});
