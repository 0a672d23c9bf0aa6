// Pictures as input tensors: order of dimensions and channels, values, batches, and what cannot be.

import { Transformer } from '@napi-rs/image';
import { describe, expect, test } from 'vitest';

import { decodeValues } from '../tensor/value-codec.ts';
import { pngFile } from '../testing/png-file.ts';
import { imageBytes } from './image-input.ts';

type Source = Parameters<typeof imageBytes>[0];

/** Two pixels side by side: red, then a dark blue. */
const TWO = pngFile({ width: 2, height: 1, rgb: Uint8Array.of(255, 0, 0, 0, 0, 51) });

const source = (change: Partial<Source> = {}): Source =>
  ({
    kind: 'image',
    blob: 'b',
    layout: 'NCHW',
    channels: 'RGB',
    scaling: 'NONE',
    resize: 'stretch',
    ...change,
  }) as Source;

const numbers = (bytes: Uint8Array, datatype: 'UINT8' | 'FP32' | 'FP64'): number[] =>
  decodeValues(bytes, datatype, 1000).map(Number);

describe('a picture as a tensor', () => {
  test.each<[string, Partial<Source>, number[], number[]]>([
    ['channels first', {}, [3, 1, 2], [255, 0, 0, 0, 0, 51]],
    ['channels last', { layout: 'NHWC' }, [1, 2, 3], [255, 0, 0, 0, 0, 51]],
    ['blue before red', { channels: 'BGR' }, [3, 1, 2], [0, 51, 0, 0, 255, 0]],
    ['blue before red, channels last', { layout: 'NHWC', channels: 'BGR' }, [1, 2, 3], [0, 0, 255, 51, 0, 0]],
  ])('%s', async (_name, change, shape, expected) => {
    expect(numbers(await imageBytes(source(change), TWO, 'UINT8', shape), 'UINT8')).toEqual(expected);
  });

  test('values between 0 and 1', async () => {
    const bytes = await imageBytes(source({ scaling: 'UNIT' }), TWO, 'FP32', [3, 1, 2]);
    const values = numbers(bytes, 'FP32');
    expect(values.map((value) => Number(value.toFixed(6)))).toEqual([1, 0, 0, 0, 0, 0.2]);
  });

  test('mean and std of the user, channel by channel', async () => {
    const own = source({ scaling: 'CUSTOM', mean: [255, 0, 1], std: [1, 1, 10] });
    expect(
      numbers(await imageBytes(own, TWO, 'FP32', [3, 1, 2]), 'FP32').map((value) => Number(value.toFixed(5))),
    ).toEqual([0, -255, 0, 0, -0.1, 5]);
  });

  /** Red that can be seen, half of it, and not at all. */
  const GLASS = Transformer.fromRgbaPixels(
    Uint8Array.of(255, 0, 0, 255, 255, 0, 0, 128, 255, 0, 0, 0),
    3,
    1,
  ).pngSync();

  test.each<[string, number | undefined, number[]]>([
    ['has the colours beneath', undefined, [255, 0, 0, 255, 0, 0, 255, 0, 0]],
    ['is laid on white', 255, [255, 0, 0, 255, 127, 127, 255, 255, 255]],
    ['is laid on black', 0, [255, 0, 0, 128, 0, 0, 0, 0, 0]],
  ])('what is transparent %s', async (_name, background, expected) => {
    const own = source({ layout: 'NHWC', ...(background !== undefined && { background }) });
    expect(numbers(await imageBytes(own, GLASS, 'UINT8', [1, 3, 3]), 'UINT8')).toEqual(expected);
  });

  test('colours that cannot be seen do not run into what can when it is scaled', async () => {
    const hidden = Transformer.fromRgbaPixels(Uint8Array.of(0, 0, 0, 255, 255, 0, 0, 0), 2, 1).pngSync();
    const own = source({ layout: 'NHWC', background: 0 });
    expect(numbers(await imageBytes(own, hidden, 'UINT8', [1, 1, 3]), 'UINT8')).toEqual([0, 0, 0]);
  });

  test('in double precision', async () => {
    const bytes = await imageBytes(source(), TWO, 'FP64', [3, 1, 2]);
    expect(bytes.byteLength).toBe(48);
    expect(numbers(bytes, 'FP64')).toEqual([255, 0, 0, 0, 0, 51]);
  });

  test('every item of a batch holds it', async () => {
    const one = await imageBytes(source(), TWO, 'UINT8', [3, 1, 2]);
    const batch = await imageBytes(source(), TWO, 'UINT8', [2, 1, 3, 1, 2]);
    expect(Buffer.compare(batch, Buffer.concat([one, one]))).toBe(0);
  });

  test('grey has one channel', async () => {
    const bytes = await imageBytes(source({ channels: 'GRAY' }), TWO, 'UINT8', [1, 1, 2]);
    expect(bytes.byteLength).toBe(2);
    expect(bytes[0]).toBeGreaterThan(bytes[1] ?? 255);
  });
});

test('whole numbers of more than a byte are 0 to 255, as bytes are', async () => {
  const shape = [3, 1, 2];
  const bytes = await imageBytes(source(), TWO, 'UINT8', shape);
  for (const datatype of ['INT32', 'INT64', 'UINT16'] as const) {
    const whole = decodeValues(await imageBytes(source(), TWO, datatype, shape), datatype, 1000);
    expect(whole.map(Number)).toEqual([...bytes]);
  }
});

describe('what cannot be', () => {
  test.each<[string, Partial<Source>, string, number[], RegExp]>([
    ['a type that has no room for 255', {}, 'INT8', [3, 1, 2], /cannot be made into INT8/],
    [
      'channels at the other end',
      {},
      'FP32',
      [1, 2, 3],
      /NCHW order with 3 channel\(s\) needs a shape that ends in \[3,height,width\], got \[1,2,3\]/,
    ],
    ['too few dimensions', { layout: 'NHWC' }, 'FP32', [2, 3], /ends in \[height,width,3\], got \[2,3\]/],
    ['a division by zero', { scaling: 'CUSTOM', std: [1, 0, 1] }, 'FP32', [3, 1, 2], /divide by zero/],
  ])('%s', async (_name, change, datatype, shape, message) => {
    await expect(imageBytes(source(change), TWO, datatype as 'FP32', shape)).rejects.toThrow(message);
  });

  test('a file that is no picture', async () => {
    await expect(imageBytes(source(), Buffer.from('hello'), 'FP32', [3, 1, 2])).rejects.toMatchObject({
      code: 'INVALID_ARG',
    });
  });
});
