// Image files to the bytes of an input tensor: decode, fit to the height and width of its shape, scale, order channels.

import type { PlaygroundInput } from '../../src-shared/contract/inference-calls.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { imageToTensor } from '../backends/javascript/image-tensor.ts';
import { encodeValues } from '../tensor/value-codec.ts';
import { playgroundErrors } from './playground-errors.ts';

type ImageSource = Extract<PlaygroundInput['source'], { kind: 'image' }>;

const FLOATS: ReadonlySet<DataType> = new Set(['FP16', 'BF16', 'FP32', 'FP64']);
/** Those that hold 0 to 255. */
const WHOLE: ReadonlySet<DataType> = new Set([
  'UINT8',
  ...(['UINT16', 'UINT32', 'UINT64', 'INT16', 'INT32', 'INT64'] as const),
]);

interface Scale {
  readonly mean: readonly number[];
  readonly std: readonly number[];
}

const SCALES: Readonly<Record<string, Scale>> = {
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
    throw playgroundErrors.imageShape({
      layout,
      channels: wanted,
      wanted: layout === 'NCHW' ? `${wanted},height,width` : `height,width,${wanted}`,
      shape: shape.join(','),
    });
  }
  return { height, width, channels: wanted, batchSize: shape.slice(0, -3).reduce((n, dim) => n * dim, 1) };
}

/** Bytes of the whole tensor; a batch holds the same image in every item. INVALID_ARG says what does not fit. */
export async function imageBytes(
  source: ImageSource,
  file: Uint8Array,
  datatype: DataType,
  shape: readonly number[],
): Promise<Uint8Array> {
  if (!FLOATS.has(datatype) && !WHOLE.has(datatype)) throw playgroundErrors.imageType({ datatype });
  const size = imageSize(shape, source.layout, source.channels === 'GRAY');
  const scale = scaleOf(source);
  const isWhole = WHOLE.has(datatype);
  const values = await imageToTensor(file, {
    width: size.width,
    height: size.height,
    channels: size.channels,
    layout: source.layout,
    scaling: source.scaling === 'INCEPTION' || source.scaling === 'VGG' ? source.scaling : 'NONE',
    fit: source.resize === 'cover' ? 'crop' : source.resize,
    background: source.background,
    datatype: isWhole ? 'UINT8' : 'FP32',
    ...(scale !== undefined && {
      mean: scale.mean.slice(0, size.channels),
      std: scale.std.slice(0, size.channels),
    }),
  });
  const ordered = source.channels === 'BGR' ? swapChannels(values, source.layout) : values;
  const one = new Uint8Array(ordered.buffer, ordered.byteOffset, ordered.byteLength);
  const converted =
    datatype === 'UINT8' || datatype === 'FP32' ? one : encodeValues(Array.from(ordered, String), datatype);
  return Buffer.concat(Array<Uint8Array>(size.batchSize).fill(converted));
}

function scaleOf({ scaling, mean = [0, 0, 0], std = [1, 1, 1] }: ImageSource): Scale | undefined {
  if (scaling !== 'CUSTOM') return SCALES[scaling];
  if (std.includes(0)) throw playgroundErrors.imageStd();
  return { mean, std };
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
