import { expect, test } from 'vitest';

import { valueText } from './value-text.ts';

test.each([
  [0.123_456_7, '0.12346'],
  [-0.003_1, '-0.0031'],
  [1e-40, '1e-40'],
  // The number of a token or of a class is that number.
  [128_256, '128256'],
  [-9_007_199_254_740_991, '-9007199254740991'],
  // What a double cannot hold is no row of zeros.
  [2 ** 63, '9.2234e+18'],
  [3.402_823_466e38, '3.4028e+38'],
  [12_345_678_901.5, '1.2346e+10'],
  [Number.NaN, 'NaN'],
  [-Infinity, '-Infinity'],
])('%s is said as %s', (value, text) => {
  expect(valueText(value)).toBe(text);
});
