// Image files to pixels of an exact size. Decoding and resampling are those of @napi-rs/image; its triangle filter gives
// the pixels of Pillow's BILINEAR, which Triton's image client uses, to within one step of 255. Colours are neither
// converted by a profile nor turned by EXIF, as there.

import type { JsColorType } from '@napi-rs/image';
import { javascriptErrors } from './javascript-errors.ts';

/** stretch: to the exact size. crop: fill, then cut the centre. contain: as a whole, the rest black. */
export type ImageFit = 'stretch' | 'crop' | 'contain';

/** The size and form that a picture is brought to. */
export interface PixelsWanted {
  readonly width: number;
  readonly height: number;
  /** 3: red, green, blue. 1: grey. */
  readonly channels: 1 | 3;
  readonly fit: ImageFit;
  /** 0 to 255: the grey that transparent parts are laid on. Without it they have the colours that lie beneath. */
  readonly background?: number | undefined;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Per pixel: grey, grey and alpha, colours, or colours and alpha. */
  readonly channels: number;
  readonly values: Uint8Array;
}

const START_OF_SCAN = Buffer.from([0xff, 0xda]);
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** height x width x channels bytes. INVALID_ARG when the bytes are no image that can be decoded, or not all of one. */
export async function imagePixels(file: Uint8Array, wanted: PixelsWanted): Promise<Uint8Array> {
  try {
    return placed(await decoded(file, wanted), wanted);
  } catch (thrown) {
    throw javascriptErrors.imageNotDecoded(
      { size: file.byteLength, reason: (thrown as Error).message },
      {
        cause: thrown,
      },
    );
  }
}

async function decoded(file: Uint8Array, wanted: PixelsWanted): Promise<Pixels> {
  // Native code that few servers need: loaded by the first picture, and missing only where one comes.
  const { ResizeFilterType, ResizeFit, Transformer } = await import('@napi-rs/image');
  let image = new Transformer(file);
  const { format, colorType: given, ...size } = await image.metadata();
  let colorType = given;
  if (format === 'jpeg') requireEnd(file);
  const { channels: own, bytesPerValue: width8 } = layoutOf(given);
  if (wanted.background !== undefined && own % 2 === 0) {
    // Before it is scaled: the colours beneath must not run into what can be seen.
    const pixels = toBytes(await image.rawPixels(), width8);
    image = Transformer.fromRgbaPixels(laidOn(pixels, own, wanted.background), size.width, size.height);
    ({ colorType } = await image.metadata());
  }
  const { width, height } = scaledSize(size, wanted);
  if (width !== size.width || height !== size.height) {
    image.resize({ width, height, filter: ResizeFilterType.Triangle, fit: ResizeFit.Fill });
  }
  const { channels, bytesPerValue } = layoutOf(colorType);
  return { width, height, channels, values: toBytes(await image.rawPixels(), bytesPerValue) };
}

/** Grey or coloured pixels with alpha as opaque ones of red, green, blue and alpha. */
function laidOn(pixels: Uint8Array, channels: number, background: number): Uint8Array {
  const count = pixels.length / channels;
  const opaque = new Uint8Array(count * 4).fill(255);
  for (let at = 0; at < count; at += 1) {
    const alpha = pixels[at * channels + channels - 1] ?? 255;
    for (let channel = 0; channel < 3; channel += 1) {
      const value = pixels[at * channels + (channels === 2 ? 0 : channel)] ?? 0;
      opaque[at * 4 + channel] = Math.round((value * alpha + background * (255 - alpha)) / 255);
    }
  }
  return opaque;
}

/** The decoder fills what is missing of a JPEG file with grey. */
function requireEnd(file: Uint8Array): void {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.lastIndexOf(END_OF_IMAGE) < bytes.lastIndexOf(START_OF_SCAN)) {
    throw new Error('the file ends before the image does');
  }
}

/** Size of the whole image after scaling; at least 1 x 1. */
function scaledSize(
  image: { readonly width: number; readonly height: number },
  { width, height, fit }: PixelsWanted,
): { readonly width: number; readonly height: number } {
  if (fit === 'stretch') return { width, height };
  const [across, down] = [width / image.width, height / image.height];
  const scale = fit === 'crop' ? Math.max(across, down) : Math.min(across, down);
  return {
    width: scale === across ? width : Math.max(1, Math.round(image.width * scale)),
    height: scale === down ? height : Math.max(1, Math.round(image.height * scale)),
  };
}

interface PixelLayout {
  readonly channels: number;
  readonly bytesPerValue: 1 | 2 | 4;
}

/** By the number of the library's JsColorType, in its order: L, LA, RGB, RGBA of 8 bits, of 16, RGB and RGBA of 32. */
const LAYOUTS: readonly PixelLayout[] = [
  ...[1, 2, 3, 4].map((channels) => ({ channels, bytesPerValue: 1 }) as const),
  ...[1, 2, 3, 4].map((channels) => ({ channels, bytesPerValue: 2 }) as const),
  ...[3, 4].map((channels) => ({ channels, bytesPerValue: 4 }) as const),
];

function layoutOf(colorType: JsColorType): PixelLayout {
  const layout = LAYOUTS[colorType];
  if (layout === undefined) throw new Error(`pixels of kind ${colorType} are not known`);
  return layout;
}

/** Values of 16 bits or floats from 0 to 1, in this machine's byte order, as bytes. */
function toBytes(pixels: Uint8Array, bytesPerValue: 1 | 2 | 4): Uint8Array {
  if (bytesPerValue === 1) return pixels;
  const { buffer } = Uint8Array.from(pixels);
  if (bytesPerValue === 2)
    return Uint8Array.from(new Uint16Array(buffer), (value) => Math.round(value / 257));
  return Uint8Array.from(Uint8ClampedArray.from(new Float32Array(buffer), (value) => value * 255));
}

/** The scaled image in the middle of the wanted size: what is over is cut, what is missing is black. */
function placed({ width, height, channels, values }: Pixels, wanted: PixelsWanted): Uint8Array {
  const isExact = width === wanted.width && height === wanted.height && channels === wanted.channels;
  if (isExact) return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const result = new Uint8Array(wanted.width * wanted.height * wanted.channels);
  const left = Math.floor((width - wanted.width) / 2);
  const top = Math.floor((height - wanted.height) / 2);
  const toPixel = wanted.channels === 1 ? writeGrey : writeColour;
  for (let y = Math.max(0, top); y < Math.min(height, top + wanted.height); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(width, left + wanted.width); x += 1) {
      const to = ((y - top) * wanted.width + (x - left)) * wanted.channels;
      toPixel(result, to, values, (y * width + x) * channels, channels);
    }
  }
  return result;
}

function writeColour(
  to: Uint8Array,
  toAt: number,
  from: Uint8Array,
  fromAt: number,
  fromChannels: number,
): void {
  const isGrey = fromChannels < 3;
  to[toAt] = from[fromAt] ?? 0;
  to[toAt + 1] = from[isGrey ? fromAt : fromAt + 1] ?? 0;
  to[toAt + 2] = from[isGrey ? fromAt : fromAt + 2] ?? 0;
}

/** Brightness as Pillow's mode "L" has it (ITU-R 601-2, in 16-bit fixed point). */
function writeGrey(
  to: Uint8Array,
  toAt: number,
  from: Uint8Array,
  fromAt: number,
  fromChannels: number,
): void {
  const red = from[fromAt] ?? 0;
  if (fromChannels < 3) {
    to[toAt] = red;
    return;
  }
  const [green, blue] = [from[fromAt + 1] ?? 0, from[fromAt + 2] ?? 0];
  to[toAt] = (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
}
