// Values of a tensor as the pixels of a picture: which value is black and which white, in which order the colours come,
// and class numbers as colours that can be told apart. Pure.

import type { PixelLayout } from './tensor-slices.ts';

/** Which values are black and white; `own` = the smallest and largest there are. */
export type ValueRange = 'own' | 'unit' | 'bytes' | 'signed' | 'imagenet';
/** The order of the three colours in the tensor. */
export type ColourOrder = 'RGB' | 'BGR';

const ENDS: Readonly<Record<Exclude<ValueRange, 'own' | 'imagenet'>, readonly [number, number]>> = {
  unit: [0, 1],
  bytes: [0, 255],
  signed: [-1, 1],
};

const IMAGENET_MEAN = [0.485, 0.456, 0.406] as const;
const IMAGENET_STD = [0.229, 0.224, 0.225] as const;

interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Over finite values; undefined when there is none. */
export function extentOf(values: Float64Array): Extent | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : undefined;
}

/** The range that fits what the values look like: bytes, shares, or between -1 and 1; else their own. */
export function guessRange(values: Float64Array, datatype: string): ValueRange {
  if (datatype === 'UINT8') return 'bytes';
  const extent = extentOf(values);
  if (extent === undefined) return 'own';
  const { min, max } = extent;
  // What a model draws goes a little beyond white and black.
  if (min >= -0.1 && max > 0.5 && max <= 1.1) return 'unit';
  if (min >= -26 && max > 64 && max <= 281) return 'bytes';
  return min < -0.5 && min >= -1 && max > 0.5 && max <= 1 ? 'signed' : 'own';
}

interface PixelOptions {
  readonly range: ValueRange;
  readonly colours: ColourOrder;
}

/** RGBA bytes of one picture. */
export function pixelsOf(
  values: Float64Array,
  layout: PixelLayout,
  { range, colours }: PixelOptions = { range: 'own', colours: 'RGB' },
): Uint8ClampedArray<ArrayBuffer> {
  const { width, height, channels, order } = layout;
  const area = width * height;
  const one = values.subarray(0, area * channels);
  const toByte = scaleOf(one, range);
  const pixels = new Uint8ClampedArray(area * 4);
  for (let at = 0; at < area; at += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const from = channels === 1 ? 0 : colours === 'RGB' ? channel : 2 - channel;
      const value = one[order === 'NCHW' ? from * area + at : at * channels + from] ?? 0;
      pixels[at * 4 + channel] = toByte(value, channel);
    }
    pixels[at * 4 + 3] = 255;
  }
  return pixels;
}

function scaleOf(values: Float64Array, range: ValueRange): (value: number, channel: number) => number {
  if (range === 'imagenet') {
    return (value, channel) => 255 * (value * (IMAGENET_STD[channel] ?? 1) + (IMAGENET_MEAN[channel] ?? 0));
  }
  const own = extentOf(values) ?? { min: 0, max: 0 };
  const [low, high] = range === 'own' ? [own.min, own.max] : ENDS[range];
  const scale = high > low ? 255 / (high - low) : 0;
  return (value) => (value - low) * scale;
}

/** A colour for each whole number, far from the colours of its neighbours; 0 is transparent black: the background. */
export function maskPixels(values: Float64Array, area: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(area * 4);
  for (let at = 0; at < area; at += 1) {
    const [red, green, blue] = classColour(Math.round(values[at] ?? 0));
    pixels.set([red, green, blue, 255], at * 4);
  }
  return pixels;
}

/** Red, green and blue, 0..255, of `#rrggbb` or `#rgb`: the built style sheet has the short form where there is one. */
export function colourChannels(colour: string): readonly number[] {
  const digits = colour.trim().replace('#', '');
  const wide = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  return [0, 2, 4].map((from) => Number.parseInt(wide.slice(from, from + 2), 16) || 0);
}

const GOLDEN_ANGLE = 137.508;

/** The colour of a class: 0..255 per channel. */
export function classColour(index: number): readonly [number, number, number] {
  if (index === 0) return [0, 0, 0];
  const hue = ((index * GOLDEN_ANGLE) % 360) / 60;
  const channel = (offset: number): number => {
    const x = (offset + hue) % 6;
    return Math.round(255 * (0.95 - 0.65 * Math.max(0, Math.min(x, 4 - x, 1))));
  };
  return [channel(5), channel(3), channel(1)];
}
