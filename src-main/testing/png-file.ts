// PNG files for tests, from pixels.

import { Transformer } from '@napi-rs/image';

/** A picture, row by row. */
export interface PixelGrid {
  readonly width: number;
  readonly height: number;
  /** height x width x 3 bytes. */
  readonly rgb: Uint8Array;
}

/** `rgb`: three bytes for each pixel, row by row. The file is opaque. */
export function pngFile({ width, height, rgb }: PixelGrid): Uint8Array {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) pixels.set(rgb.subarray(3 * at, 3 * at + 3), 4 * at);
  return Transformer.fromRgbaPixels(pixels, width, height).pngSync();
}

/** One colour all over. */
export function plainPng(
  width: number,
  height: number,
  colour: readonly [red: number, green: number, blue: number],
): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < rgb.length; at += 3) rgb.set(colour, at);
  return pngFile({ width, height, rgb });
}
