// Pixels of image files. The wanted numbers are Pillow's: `Image.resize(size, Image.BILINEAR)` and `convert("L")`.

import { Transformer } from '@napi-rs/image';
import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { plainPng, pngFile } from '../../testing/png-file.ts';
import type { PixelsWanted } from './image-pixels.ts';
import { imagePixels } from './image-pixels.ts';

const WIDTH = 5;
const HEIGHT = 4;
const rgb = Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, index) => {
  const [x, y, c] = [Math.floor(index / 3) % WIDTH, Math.floor(index / 3 / WIDTH), index % 3];
  return (x * 53 + y * 31 * (c + 1) + c * 17) % 256;
});
const pattern = pngFile({ width: WIDTH, height: HEIGHT, rgb });

const wanted = (change: Partial<PixelsWanted> = {}): PixelsWanted => ({
  width: WIDTH,
  height: HEIGHT,
  channels: 3,
  fit: 'stretch',
  ...change,
});

function largestDifference(pixels: Uint8Array, expected: readonly number[]): number {
  expect(pixels).toHaveLength(expected.length);
  return Math.max(...expected.map((value, index) => Math.abs(value - (pixels[index] ?? 0))));
}

const SMALLER = [45, 84, 108, 128, 159, 145, 190, 151, 143, 94, 135, 113, 177, 131, 125, 135, 107, 117];
const LARGER_FIRST_ROW = [
  0, 17, 34, 23, 40, 57, 56, 73, 90, 89, 106, 123, 123, 140, 157, 156, 173, 190, 189, 206, 223, 212, 229, 246,
];
const GREY = [14, 67, 120, 173, 226, 70, 123, 176, 200, 103, 126, 150, 203, 106, 82, 153, 56, 109, 162, 109];

describe('as Pillow has them', () => {
  test('unscaled to the bit', async () => {
    expect(await imagePixels(pattern, wanted())).toEqual(rgb);
  });

  test('smaller and larger within one step', async () => {
    const smaller = await imagePixels(pattern, wanted({ width: 3, height: 2 }));
    expect(largestDifference(smaller, SMALLER)).toBeLessThanOrEqual(1);
    const larger = await imagePixels(pattern, wanted({ width: 8, height: 6 }));
    expect(largestDifference(larger.subarray(0, 24), LARGER_FIRST_ROW)).toBeLessThanOrEqual(1);
  });

  test('grey to the bit', async () => {
    expect([...(await imagePixels(pattern, wanted({ channels: 1 })))]).toEqual(GREY);
  });
});

describe('the whole in another shape', () => {
  const red = plainPng(4, 2, [200, 0, 0]);

  test('is cut on both sides', async () => {
    const file = pngFile({ width: 3, height: 1, rgb: Uint8Array.of(1, 1, 1, 2, 2, 2, 3, 3, 3) });
    const cut = await imagePixels(file, { width: 1, height: 1, channels: 1, fit: 'crop' });
    expect([...cut]).toEqual([2]);
  });

  test('gets black bars', async () => {
    const pixels = await imagePixels(red, { width: 4, height: 4, channels: 1, fit: 'contain' });
    const grey = (200 * 19595 + 0x8000) >> 16;
    expect([...pixels]).toEqual([0, 0, 0, 0, ...Array<number>(8).fill(grey), 0, 0, 0, 0]);
  });

  test('never vanishes', async () => {
    const line = plainPng(400, 1, [9, 9, 9]);
    const pixels = await imagePixels(line, { width: 4, height: 4, channels: 1, fit: 'contain' });
    expect(pixels.filter((value) => value === 9)).toHaveLength(4);
  });
});

/** A PNG of one row; `depth` bits, colour type as in the format (0 grey, 4 grey and alpha, 2 RGB). */
function rawPng(width: number, depth: number, colourType: number, row: Uint8Array): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(1, 4);
  head.set([depth, colourType], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.concat([Buffer.from([0]), row]));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

describe('other kinds of pixels', () => {
  const one = (channels: 1 | 3, width = 1): PixelsWanted => ({ width, height: 1, channels, fit: 'stretch' });

  test('grey becomes three equal channels', async () => {
    expect([...(await imagePixels(rawPng(1, 8, 0, Uint8Array.of(77)), one(3)))]).toEqual([77, 77, 77]);
  });

  test('grey with alpha loses the alpha', async () => {
    expect([...(await imagePixels(rawPng(1, 8, 4, Uint8Array.of(77, 10)), one(1)))]).toEqual([77]);
  });

  test('16 bits become 8', async () => {
    const row = Uint8Array.of(0xff, 0xff, 0x80, 0x80, 0, 0);
    expect([...(await imagePixels(rawPng(1, 16, 2, row), one(3)))]).toEqual([255, 128, 0]);
  });
});

describe('what is no whole image is refused by name', () => {
  const gif = Buffer.from(
    '47494638376102000200810000c81e0a0000000000000000002c0000000002000200000806000108041010003b',
    'hex',
  );
  const huge = rawPng(1, 8, 2, Uint8Array.of(1, 2, 3));
  Buffer.from(huge.buffer, huge.byteOffset).writeUInt32BE(0x7fffffff, 16);

  test.each([
    ['text', Buffer.from('hello'), 'cannot decode image of 5 bytes'],
    ['half a PNG', pattern.subarray(0, 60), 'cannot decode image of 60 bytes'],
    ['a GIF', gif, 'Gif is not supported'],
    ['nothing', new Uint8Array(), 'cannot decode image of 0 bytes'],
    ['a PNG that claims to be huge', huge, 'cannot decode image'],
  ])('%s', async (_name, file, message) => {
    await expect(imagePixels(file, wanted())).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: expect.stringContaining(message) as string,
    });
  });

  test('half a JPEG', async () => {
    const jpeg = await new Transformer(plainPng(64, 64, [10, 200, 30])).jpeg();
    expect(await imagePixels(jpeg, wanted())).toHaveLength(3 * WIDTH * HEIGHT);
    await expect(imagePixels(jpeg.subarray(0, jpeg.length - 20), wanted())).rejects.toThrow(
      'the file ends before the image does',
    );
  });
});

test.runIf(process.platform === 'linux')(
  'pictures are decoded without GLib, which collides with that of a desktop app',
  async () => {
    await imagePixels(pattern, wanted());
    const maps = readFileSync('/proc/self/maps', 'utf8');
    const loaded = [...new Set(maps.match(/[^/\n]+\.(?:node|so)(?:\.[\d.]+)?$/gm))];
    expect(loaded).toContainEqual(expect.stringMatching(/^image\..*\.node$/));
    expect(loaded.filter((file) => /glib|gobject|vips|cairo/i.test(file))).toEqual([]);
  },
);
