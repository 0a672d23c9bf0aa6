// Playground inputs to tensors: typed values, generators, raw and npy files, images. Every fault names the input.

import sharp from 'sharp';

import type { PlaygroundInput } from '../../src-shared/contract/inference-calls.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize, isDataType } from '../../src-shared/datatypes.ts';
import { invalidArg, ServerError } from '../../src-shared/errors.ts';
import { imageToTensor } from '../backends/javascript/image-tensor.ts';
import type { ClientTensor } from '../client/infer-client.ts';
import { encodeTexts, encodeValues } from '../tensor/value-codec.ts';
import { readNpy } from './npy-file.ts';

type Source = PlaygroundInput['source'];
type ImageSource = Extract<Source, { kind: 'image' }>;
type RandomSource = Extract<Source, { kind: 'random' }>;

/** Largest tensor that is generated here. */
const MAX_GENERATED_BYTES = 512 * 1024 * 1024;

/** `readBlob` gives uploaded bytes. Throws INVALID_ARG with the input's name in front. */
export async function buildInput(
  input: PlaygroundInput,
  readBlob: (id: string) => Uint8Array,
): Promise<ClientTensor> {
  const { name, datatype, shape } = input;
  try {
    if (!isDataType(datatype)) throw invalidArg(`unknown datatype '${datatype}'`);
    const bad = shape.find((dim) => !Number.isInteger(dim) || dim < 0);
    if (bad !== undefined)
      throw invalidArg(`every dimension must be a whole number of 0 or more, got ${bad}`);
    const bytes = await bytesOf(input.source, datatype, shape, readBlob);
    return { name, datatype, shape, bytes };
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    throw new ServerError(thrown.code, `input '${name}': ${thrown.message}`, {
      cause: thrown,
      details: { input: name },
    });
  }
}

async function bytesOf(
  source: Source,
  datatype: DataType,
  shape: readonly number[],
  readBlob: (id: string) => Uint8Array,
): Promise<Uint8Array> {
  const count = shape.reduce((product, dim) => product * dim, 1);
  if (count * Math.max(1, elementByteSize(datatype)) > MAX_GENERATED_BYTES) {
    throw invalidArg(`${count} elements are more than can be made here`);
  }
  switch (source.kind) {
    case 'values':
      if (source.values.length !== count) {
        throw invalidArg(`shape [${shape.join(',')}] needs ${count} values, got ${source.values.length}`);
      }
      return encodeValues(source.values, datatype);
    case 'fill':
      return filled(source.value === 'ones' ? 1 : 0, count, datatype);
    case 'random':
      return randomBytes(source, count, datatype);
    case 'range':
      return encodeValues(
        Array.from({ length: count }, (_, index) => numberText(source.start + index * source.step, datatype)),
        datatype,
      );
    case 'blob': {
      const bytes = readBlob(source.blob);
      return source.format === 'npy' ? readNpy(bytes, datatype, count) : rawBytes(bytes, datatype, count);
    }
    case 'image':
      return imageBytes(source, readBlob(source.blob), datatype, shape);
  }
}

function filled(value: 0 | 1, count: number, datatype: DataType): Uint8Array {
  if (datatype === 'BYTES') return encodeTexts(Array<string>(count).fill(value === 1 ? '1' : ''));
  if (value === 0) return new Uint8Array(count * elementByteSize(datatype));
  const one = encodeValues(['1'], datatype);
  const bytes = new Uint8Array(count * one.byteLength);
  for (let at = 0; at < bytes.byteLength; at += one.byteLength) bytes.set(one, at);
  return bytes;
}

/** Reproducible from the seed on every machine. */
function randomBytes({ seed, min, max }: RandomSource, count: number, datatype: DataType): Uint8Array {
  if (!(min <= max)) throw invalidArg(`the smallest value ${min} is above the largest ${max}`);
  const next = seeded(seed);
  const values = Array.from({ length: count }, () => {
    const value = min + next() * (max - min);
    if (datatype === 'BYTES') return Math.floor(next() * 2 ** 32).toString(36);
    return datatype === 'BOOL' ? String(next() < 0.5) : numberText(value, datatype);
  });
  return encodeValues(values, datatype);
}

function seeded(seed: number): () => number {
  let state = (Math.trunc(seed) ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const FLOATS: ReadonlySet<DataType> = new Set(['FP16', 'BF16', 'FP32', 'FP64']);

function numberText(value: number, datatype: DataType): string {
  if (datatype === 'BOOL') return String(value !== 0);
  return FLOATS.has(datatype) || datatype === 'BYTES' ? String(value) : BigInt(Math.round(value)).toString();
}

function rawBytes(bytes: Uint8Array, datatype: DataType, count: number): Uint8Array {
  const expected = count * elementByteSize(datatype);
  if (datatype !== 'BYTES' && bytes.byteLength !== expected) {
    throw invalidArg(
      `the file has ${bytes.byteLength} bytes; ${count} elements of ${datatype} need ${expected}`,
    );
  }
  return bytes;
}

const IMAGE_SCALES: Readonly<
  Record<string, { readonly mean: readonly number[]; readonly std: readonly number[] }>
> = {
  UNIT: { mean: [0, 0, 0], std: [255, 255, 255] },
  IMAGENET: { mean: [123.675, 116.28, 103.53], std: [58.395, 57.12, 57.375] },
};

interface ImageSize {
  readonly height: number;
  readonly width: number;
  readonly channels: 1 | 3;
  readonly batchSize: number;
}

/** Height, width and channels that a shape asks for; the last three dimensions count. */
function imageSize(shape: readonly number[], layout: 'NHWC' | 'NCHW', isGrey: boolean): ImageSize {
  const [a = 0, b = 0, c = 0] = shape.slice(-3);
  const [channels, height, width] = layout === 'NCHW' ? [a, b, c] : [c, a, b];
  const wanted = isGrey ? 1 : 3;
  if (shape.length < 3 || channels !== wanted) {
    throw invalidArg(
      `an image in ${layout} order with ${wanted} channel(s) needs a shape that ends in ${layout === 'NCHW' ? `[${wanted},height,width]` : `[height,width,${wanted}]`}, got [${shape.join(',')}]`,
    );
  }
  return { height, width, channels: wanted, batchSize: shape.slice(0, -3).reduce((n, dim) => n * dim, 1) };
}

async function imageBytes(
  source: ImageSource,
  file: Uint8Array,
  datatype: DataType,
  shape: readonly number[],
): Promise<Uint8Array> {
  if (!FLOATS.has(datatype) && datatype !== 'UINT8')
    throw invalidArg(`an image cannot be made into ${datatype}`);
  const size = imageSize(shape, source.layout, source.channels === 'GRAY');
  const image = source.resize === 'contain' ? await padded(file, size) : file;
  const scale = IMAGE_SCALES[source.scaling];
  const isBytes = datatype === 'UINT8';
  const values = await imageToTensor(image, {
    width: size.width,
    height: size.height,
    channels: size.channels,
    layout: source.layout,
    scaling: source.scaling === 'INCEPTION' || source.scaling === 'VGG' ? source.scaling : 'NONE',
    fit: source.resize === 'cover' ? 'crop' : 'stretch',
    datatype: isBytes ? 'UINT8' : 'FP32',
    ...(scale !== undefined && {
      mean: scale.mean.slice(0, size.channels),
      std: scale.std.slice(0, size.channels),
    }),
  });
  const ordered = source.channels === 'BGR' ? swapChannels(values, source.layout) : values;
  const one = new Uint8Array(ordered.buffer, ordered.byteOffset, ordered.byteLength);
  const converted =
    isBytes || datatype === 'FP32' ? one : encodeValues(Array.from(ordered, String), datatype);
  return Buffer.concat(Array<Uint8Array>(size.batchSize).fill(converted));
}

async function padded(file: Uint8Array, { width, height }: ImageSize): Promise<Uint8Array> {
  try {
    return await sharp(file)
      .rotate()
      .resize(width, height, { fit: 'contain', background: '#000' })
      .png()
      .toBuffer();
  } catch (thrown) {
    throw invalidArg(`the file is no image that can be read (${(thrown as Error).message})`);
  }
}

function swapChannels<T extends Float32Array | Uint8Array>(values: T, layout: 'NHWC' | 'NCHW'): T {
  const swapped = values.slice() as T;
  const plane = values.length / 3;
  for (let at = 0; at < plane; at += 1) {
    const [first, last] = layout === 'NCHW' ? [at, at + 2 * plane] : [3 * at, 3 * at + 2];
    swapped[first] = values[last] ?? 0;
    swapped[last] = values[first] ?? 0;
  }
  return swapped;
}
