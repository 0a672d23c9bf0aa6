// Image files to tensor data: decode, fit to the model's size, lay out, scale. The scalings are those of Triton's
// image client, so that a classifier gives the same classes whether the client or an ensemble step prepared the image.

import type { ImageFit } from './image-pixels.ts';
import { imagePixels } from './image-pixels.ts';
import { javascriptErrors } from './javascript-errors.ts';

/** What a model expects of a picture. */
export interface ImageTensorOptions {
  readonly width: number;
  readonly height: number;
  /** Default 3 (RGB); 1 = grey. */
  readonly channels?: 1 | 3;
  /** Default NCHW. */
  readonly layout?: 'NCHW' | 'NHWC';
  /** INCEPTION: -1..1. VGG: channel means subtracted. NONE: 0..255. Default NONE. */
  readonly scaling?: 'INCEPTION' | 'VGG' | 'NONE';
  /** After scaling: (value - mean) / std per channel. */
  readonly mean?: readonly number[];
  readonly std?: readonly number[];
  /** Default stretch. */
  readonly fit?: ImageFit;
  /** 0 to 255: the grey that transparent parts are laid on. Default: they have the colours that lie beneath. */
  readonly background?: number | undefined;
  /** Default FP32. UINT8 needs scaling NONE and no mean or std. */
  readonly datatype?: 'FP32' | 'UINT8';
}

const VGG_MEANS_RGB = [123, 117, 104] as const;
const VGG_MEAN_GREY = 128;

/**
 * Pixels of one image, height x width x channels values in the asked layout. Throws INVALID_ARG when the bytes are no
 * image that can be decoded or the options contradict each other.
 */
export async function imageToTensor(
  image: Uint8Array,
  options: ImageTensorOptions,
): Promise<Float32Array | Uint8Array> {
  const { layout = 'NCHW', datatype = 'FP32', channels = 3 } = options;
  const pixels = await decode(image, options);
  if (datatype === 'UINT8') {
    if ((options.scaling ?? 'NONE') !== 'NONE' || options.mean !== undefined || options.std !== undefined) {
      throw javascriptErrors.imageScaling();
    }
    return layout === 'NHWC'
      ? pixels
      : toPlanes(pixels, new Uint8Array(pixels.length), channels, (value) => value);
  }
  const scale = scaler(options, channels);
  const values = new Float32Array(pixels.length);
  if (layout === 'NCHW') return toPlanes(pixels, values, channels, scale);
  for (let at = 0; at < pixels.length; at += 1) values[at] = scale(pixels[at] ?? 0, at % channels);
  return values;
}

function decode(image: Uint8Array, options: ImageTensorOptions): Promise<Uint8Array> {
  const { width, height, channels = 3, fit = 'stretch', background } = options;
  if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
    throw javascriptErrors.imageSize({ width, height });
  }
  return imagePixels(image, { width, height, channels, fit, background });
}

function toPlanes<T extends Float32Array | Uint8Array>(
  pixels: Uint8Array,
  planes: T,
  channels: number,
  scale: (value: number, channel: number) => number,
): T {
  const planeSize = pixels.length / channels;
  for (let at = 0; at < planeSize; at += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      planes[channel * planeSize + at] = scale(pixels[at * channels + channel] ?? 0, channel);
    }
  }
  return planes;
}

function scaler(
  { scaling = 'NONE', mean = [], std = [] }: ImageTensorOptions,
  channels: number,
): (value: number, channel: number) => number {
  const scaled = (value: number, channel: number): number => {
    switch (scaling) {
      case 'INCEPTION':
        return value / 127.5 - 1;
      case 'VGG':
        return value - (channels === 1 ? VGG_MEAN_GREY : (VGG_MEANS_RGB[channel] ?? 0));
      case 'NONE':
        return value;
    }
  };
  if (mean.length === 0 && std.length === 0) return scaled;
  return (value, channel) => (scaled(value, channel) - (mean[channel] ?? 0)) / (std[channel] ?? 1);
}
