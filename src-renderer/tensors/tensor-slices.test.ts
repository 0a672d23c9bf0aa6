// A tensor of any rank looked at as tables, numbers and pictures.

import { expect, test } from 'vitest';

import {
  byteSizeOf,
  decodeNumbers,
  decodeTexts,
  histogram,
  isFixedSize,
  pixelLayout,
  sliceShape,
  sliceStart,
} from './tensor-slices.ts';

test('the slice of a tensor begins where its picked positions lead', () => {
  const shape = sliceShape([2, 3, 4, 5]);
  expect(shape).toEqual({ rows: 4, columns: 5, picked: [2, 3] });
  expect(sliceStart(shape, [0, 0])).toBe(0);
  expect(sliceStart(shape, [1, 2])).toBe((1 * 3 + 2) * 20);
  expect(sliceStart(shape, [])).toBe(0);
});

test('a position beyond the tensor is that of its last slice', () => {
  const shape = sliceShape([2, 3, 4, 5]);
  expect(sliceStart(shape, [9, 9])).toBe(sliceStart(shape, [1, 2]));
  expect(sliceStart(sliceShape([0, 2, 2]), [5])).toBe(0);
});

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

test.each([
  ['BOOL', bytes(0, 1, 2), [0, 1, 1], ['false', 'true', 'true']],
  ['UINT8', bytes(0, 255), [0, 255], ['0', '255']],
  ['INT8', bytes(255, 128), [-1, -128], ['-1', '-128']],
  ['UINT16', bytes(1, 2), [513], ['513']],
  ['INT16', bytes(255, 255), [-1], ['-1']],
  ['UINT32', bytes(255, 255, 255, 255), [4_294_967_295], ['4294967295']],
  ['INT32', bytes(254, 255, 255, 255), [-2], ['-2']],
  ['INT64', bytes(1, 0, 0, 0, 0, 0, 32, 0), [9_007_199_254_740_992], ['9007199254740993']],
  ['UINT64', bytes(255, 255, 255, 255, 255, 255, 255, 255), [2 ** 64], ['18446744073709551615']],
  ['FP16', bytes(0, 0x3c, 0, 0x7c), [1, Infinity], ['1', 'Infinity']],
  ['BF16', bytes(0x80, 0x3f, 0xc0, 0x7f), [1, NaN], ['1', 'NaN']],
  ['FP32', bytes(0xcd, 0xcc, 0xcc, 0x3d), [Math.fround(0.1)], ['0.1']],
  ['FP32', bytes(0, 0, 0x80, 0x4b), [16_777_216], ['16777216']],
  ['FP64', new Uint8Array(Float64Array.of(0.1, -0).buffer), [0.1, -0], ['0.1', '0']],
] as const)('%s is read little-endian, as numbers and as exact texts', (datatype, data, numbers, texts) => {
  expect([...decodeNumbers(data, datatype)]).toEqual(numbers);
  expect(decodeTexts(data, datatype)).toEqual(texts);
});

test('bytes may begin anywhere in their buffer, and a piece of an element at their end is left out', () => {
  const all = new Uint8Array(11);
  all.set(new Uint8Array(Float32Array.of(1, 2).buffer), 1);
  expect([...decodeNumbers(all.subarray(1), 'FP32')]).toEqual([1, 2]);
  expect(decodeTexts(all.subarray(1), 'FP32')).toEqual(['1', '2']);
});

test('elements of texts have no size of their own', () => {
  expect([isFixedSize('BYTES'), isFixedSize('FP32'), isFixedSize('COMPLEX')]).toEqual([false, true, false]);
  expect([byteSizeOf('BYTES'), byteSizeOf('FP64'), byteSizeOf('COMPLEX')]).toEqual([0, 8, 0]);
});

test('a histogram counts each finite value once', () => {
  const values = Float64Array.of(0, 1, 2, 3, 4, NaN, Infinity, -Infinity);
  const bars = histogram(values, 4);
  expect(bars.map(({ count }) => count)).toEqual([1, 1, 1, 2]);
  expect([bars[0]?.from, bars.at(-1)?.to]).toEqual([0, 4]);
  expect(histogram(Float64Array.of(7, 7))).toEqual([{ from: 7, to: 7, count: 2 }]);
  expect(histogram(Float64Array.of(NaN))).toEqual([]);
  expect(histogram(new Float64Array())).toEqual([]);
});

test.each([
  [[1, 224, 224, 3], { width: 224, height: 224, channels: 3, order: 'NHWC' }],
  [[1, 3, 480, 640], { width: 640, height: 480, channels: 3, order: 'NCHW' }],
  [[28, 28], { width: 28, height: 28, channels: 1, order: 'NCHW' }],
  [[1, 1, 32, 16], { width: 16, height: 32, channels: 1, order: 'NCHW' }],
  // Two channels are no colours: the last two dimensions are a grey picture.
  [[2, 32, 16], { width: 16, height: 32, channels: 1, order: 'NCHW' }],
])('%j is a picture of %j', (shape, layout) => {
  expect(pixelLayout(shape)).toEqual(layout);
});

test.each([[[1000]], [[]], [[1, 5000]], [[4, 4097]]])('%j is no picture', (shape) => {
  expect(pixelLayout(shape)).toBeUndefined();
});
