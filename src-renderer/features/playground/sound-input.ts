// A sound as what an input takes: one channel at a chosen rate, cut or filled with silence to the length of the shape.
// Pure, but for decoding, which the browser does.

import { FEWEST_SAMPLES, isSoundName } from '../../tensors/output-kind.ts';
import { elementCountOf } from '../../tensors/tensor-slices.ts';
import { wavFile } from '../../tensors/tensor-files.ts';

/** A minute at the highest rate. */
const MAX_SAMPLES = 60 * 48_000;

/** An input, as far as its form matters here. */
interface Formed {
  readonly name: string;
  readonly datatype: string;
  /** As the model says; -1 = any. */
  readonly template: readonly number[];
  /** The first dimension is the batch. */
  readonly isBatched: boolean;
  /** As it is sent. */
  readonly shape: readonly number[];
}

type Described = Pick<Formed, 'template' | 'isBatched' | 'datatype' | 'name'>;

/** Numbers in one long dimension: what a sound can be put into. */
export function takesSound({ template, isBatched, datatype }: Omit<Described, 'name'>): boolean {
  if (isBatched && template.length < 2) return false;
  if (datatype !== 'FP32' && datatype !== 'INT16') return false;
  const length = template.at(-1) ?? 0;
  return (
    (length === -1 || length >= FEWEST_SAMPLES) &&
    template.slice(0, -1).every((dim) => dim === 1 || dim === -1)
  );
}

/** Whether an input is so likely a sound that it starts with one. */
export function isSoundShaped(input: Described): boolean {
  return takesSound(input) && isSoundName(input.name);
}

/** The shape that a sound of `count` samples gets: a free length follows it, a fixed one stays. */
export function soundShape(
  { template, shape }: Pick<Formed, 'template' | 'shape'>,
  count: number,
): readonly number[] {
  return template.at(-1) === -1 ? shape.with(-1, Math.min(count, MAX_SAMPLES)) : shape;
}

/** Raw bytes of the tensor: every item of the batch is the same sound. */
export function soundBytes(
  samples: Float32Array,
  { shape, datatype }: Pick<Formed, 'shape' | 'datatype'>,
): Uint8Array<ArrayBuffer> {
  const length = shape.at(-1) ?? 0;
  const count = elementCountOf(shape);
  const values = datatype === 'INT16' ? new Int16Array(count) : new Float32Array(count);
  // Whole pieces at once: a sound of minutes must not hold up the page.
  const item = samples.subarray(0, length);
  const own = datatype === 'INT16' ? Int16Array.from(item, sixteenBits) : item;
  for (let start = 0; start < count; start += length) values.set(own, start);
  return new Uint8Array(values.buffer);
}

function sixteenBits(value: number): number {
  return Math.round(Math.max(-1, Math.min(1, value)) * 32_767);
}

/** A short chord, for inputs that start with a sound: something to see and to hear. */
export function sampleSound(rate = 16_000): Uint8Array<ArrayBuffer> {
  const seconds = 1.5;
  const samples = Float64Array.from({ length: Math.round(rate * seconds) }, (_, index) => {
    const at = index / rate;
    const fade = Math.min(1, at * 20) * Math.exp(-2.2 * at);
    const tone = (hertz: number): number => Math.sin(2 * Math.PI * hertz * at);
    return 0.3 * fade * (tone(220) + 0.8 * tone(277.18) + 0.7 * tone(329.63) + 0.3 * tone(880));
  });
  return wavFile(samples, rate);
}

/** One channel of an audio file at `rate`. Throws what the browser says when it cannot decode it. */
export async function decodeSound(file: Blob, rate: number): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, 1, rate);
  const decoded = await context.decodeAudioData(await file.arrayBuffer());
  const mixed = new Float32Array(Math.min(decoded.length, MAX_SAMPLES));
  for (let channel = 0; channel < decoded.numberOfChannels; channel += 1) {
    const values = decoded.getChannelData(channel);
    for (let index = 0; index < mixed.length; index += 1) {
      mixed[index] = (mixed[index] ?? 0) + (values[index] ?? 0) / decoded.numberOfChannels;
    }
  }
  return mixed;
}
