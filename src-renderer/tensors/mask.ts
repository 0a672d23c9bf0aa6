// Segmentation: an output that gives each pixel of the picture a class, as whole numbers or as one plane of scores for
// each class, and how much of the picture each class has. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { squeezed } from './tensor-slices.ts';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Where the classes of the pixels are; `planes` of scores, or 1 = the numbers of the classes themselves. */
export interface MaskPlan {
  readonly output: number;
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  /** One plane of how much each pixel belongs to the one thing that is looked for. */
  readonly isShare?: boolean;
}

const NAME = /mask|seg|logit|label|class|pred|^out/i;
/** A single plane of numbers is a depth or a picture as often, so its name has to say what it is. */
const SHARE_NAME = /mask|seg|matte|matting|foreground/i;
/** Smaller ones are seldom pictures. */
const SMALLEST = 28;
const MOST_PLANES = 256;
const MOST_NUMBERS = 16 * 1024 * 1024;

/** Whether an output is one whole number (or yes and no) for each pixel. */
export function isClassMap({ name, datatype, shape }: Described): boolean {
  const dims = squeezed(shape);
  if (dims.length !== 2 || Math.min(...dims) < SMALLEST) return false;
  // Bytes are grey values unless their name says otherwise.
  return datatype === 'UINT8' ? NAME.test(name) : /^(U?INT|BOOL)/.test(datatype);
}

/** The numbers of classes come before scores that they were made of; undefined when no output is a mask. */
export function findMask(outputs: readonly Described[]): MaskPlan | undefined {
  const numbers = outputs.findIndex(isClassMap);
  const scores = numbers >= 0 ? numbers : outputs.findIndex(isScoreMap);
  const output = scores >= 0 ? scores : outputs.findIndex(isShareMap);
  const dims = squeezed(outputs[output]?.shape ?? []);
  const [planes, height = 0, width = 0] = dims.length === 3 ? dims : [1, ...dims];
  if (output < 0) return undefined;
  const plan = { output, width, height, planes: planes ?? 1 };
  return scores < 0 ? { ...plan, isShare: true } : plan;
}

function isShareMap({ name, datatype, shape }: Described): boolean {
  const dims = squeezed(shape);
  return (
    /^(FP|BF)/.test(datatype) && dims.length === 2 && Math.min(...dims) >= SMALLEST && SHARE_NAME.test(name)
  );
}

/** From where on a pixel belongs to the thing: half of it, or of a logit, which is no share, zero. */
export function limitOf(values: Float64Array): number {
  return values.every((value) => value >= 0 && value <= 1) ? 0.5 : 0;
}

function isScoreMap({ name, datatype, shape }: Described): boolean {
  const [planes = 0, height = 0, width = 0, ...more] = squeezed(shape);
  if (!/^(FP|BF)/.test(datatype) || more.length > 0 || !NAME.test(name)) return false;
  if (Math.min(height, width) < SMALLEST || planes * height * width > MOST_NUMBERS) return false;
  // Three planes are colours.
  return planes >= 2 && planes <= MOST_PLANES && planes !== 3;
}

/** The class of each pixel: the plane with the highest score, or 1 for what is above the limit. */
export function classesOf(values: Float64Array, { width, height, planes, isShare }: MaskPlan): Float64Array {
  if (isShare === true) {
    const limit = limitOf(values);
    return values.map((value) => Number(value > limit));
  }
  if (planes === 1) return values;
  const area = width * height;
  const classes = new Float64Array(area);
  for (let at = 0; at < area; at += 1) {
    let best = 0;
    for (let plane = 1; plane < planes; plane += 1) {
      if ((values[plane * area + at] ?? 0) > (values[best * area + at] ?? 0)) best = plane;
    }
    classes[at] = best;
  }
  return classes;
}

/** Classes with their shares of the picture, the largest first. */
export function sharesOf(
  classes: Float64Array,
): readonly { readonly index: number; readonly share: number }[] {
  const counts = new Map<number, number>();
  for (const index of classes) counts.set(index, (counts.get(index) ?? 0) + 1);
  return [...counts]
    .map(([index, count]) => ({ index, share: count / classes.length }))
    .toSorted((a, b) => b.share - a.share);
}
