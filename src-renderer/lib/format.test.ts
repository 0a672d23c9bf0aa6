import { expect, test } from 'vitest';

import { formatBytes, formatDuration, formatMicros, formatRate, threeDigits } from './format.ts';

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
  [1023, '1023 B'],
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
])('%s has three digits: %s', (value, text) => {
  expect(threeDigits(value)).toBe(text);
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
