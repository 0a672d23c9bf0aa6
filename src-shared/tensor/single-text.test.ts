import { expect, test } from 'vitest';

import { singleText } from './single-text.ts';

test.each([
  [Math.fround(0.1), '0.1'],
  [16_777_216, '16777216'],
  [Math.fround(1.000_000_1), '1.0000001'],
  [Math.fround(3.4e38), '3.4e+38'],
  [Number.NaN, 'NaN'],
  [-Infinity, '-Infinity'],
])('the single %s is %s', (value, text) => {
  expect(singleText(value)).toBe(text);
});

test('every text gives its single again', () => {
  const word = new DataView(new ArrayBuffer(4));
  for (let bits = 1; bits < 0x7f80_0000; bits += 1_234_577) {
    word.setUint32(0, bits);
    expect(Math.fround(Number(singleText(word.getFloat32(0))))).toBe(word.getFloat32(0));
  }
});
