import { expect, test } from 'vitest';
import { pngFile } from '../../testing/png-file.ts';
import { imageToTensor, type ImageTensorOptions } from './image-tensor.ts';

/** A 2 x 1 image: one red pixel, one white pixel. */
const redWhite = (): Uint8Array =>
  pngFile({ width: 2, height: 1, rgb: Uint8Array.of(255, 0, 0, 255, 255, 255) });

const size = { width: 2, height: 1 };

test.each<[string, Partial<ImageTensorOptions>, number[]]>([
  ['planes by default', {}, [255, 255, 0, 255, 0, 255]],
  ['pixels in NHWC', { layout: 'NHWC' }, [255, 0, 0, 255, 255, 255]],
  ['INCEPTION to -1..1', { layout: 'NHWC', scaling: 'INCEPTION' }, [1, -1, -1, 1, 1, 1]],
  ['VGG means subtracted', { layout: 'NHWC', scaling: 'VGG' }, [132, -117, -104, 132, 138, 151]],
  ['mean and std', { mean: [255, 0, 0], std: [1, 5, 5] }, [0, 0, 0, 51, 0, 51]],
])('gives %s', async (_name, options, expected) => {
  expect([...(await imageToTensor(redWhite(), { ...size, ...options }))]).toEqual(expected);
});

test('gives UINT8 planes, and one channel of grey', async () => {
  const image = redWhite();
  expect(await imageToTensor(image, { ...size, datatype: 'UINT8' })).toEqual(
    Uint8Array.of(255, 255, 0, 255, 0, 255),
  );
  const grey = await imageToTensor(image, { ...size, channels: 1, datatype: 'UINT8' });
  expect(grey).toHaveLength(2);
  expect(grey[1]).toBe(255);
});

test('stretches or crops to the exact size', async () => {
  const image = redWhite();
  for (const fit of ['stretch', 'crop', 'contain'] as const) {
    expect(await imageToTensor(image, { width: 5, height: 7, fit })).toHaveLength(3 * 5 * 7);
  }
});

test.each<[string, Partial<ImageTensorOptions>, string]>([
  ['a size of 0', { width: 0 }, 'image size must be positive whole numbers, got 0 x 1'],
  ['scaled UINT8', { datatype: 'UINT8', scaling: 'VGG' }, 'an UINT8 image tensor cannot be scaled'],
])('refuses %s', async (_name, options, message) => {
  await expect(imageToTensor(redWhite(), { ...size, ...options })).rejects.toThrow(message);
});

test('says that bytes are no image', async () => {
  await expect(imageToTensor(Uint8Array.of(1, 2, 3), size)).rejects.toThrow('cannot decode image of 3 bytes');
});
