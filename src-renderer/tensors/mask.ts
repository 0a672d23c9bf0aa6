// Segmentation: an output that gives each pixel of the picture a class, as whole numbers or as one plane of scores for
// each class, and how much of the picture each class has. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { extentOf } from './pixels.ts';
import { squeezed } from './tensor-slices.ts';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Where the classes of the pixels are; `planes` of scores, or 1 = the numbers of the classes themselves. */
export interface MaskPlan {
  readonly output: number;
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  /** The scores of a pixel lie beside each other. */
  readonly isLast?: boolean;
  /** One plane of how much each pixel belongs to the one thing that is looked for. */
  readonly isShare?: boolean;
}

const NAME = /mask|seg|logit|label|class|pred|^out/i;
/** As TensorFlow names the last step of a segmentation. */
const RESIZED_NAME = /^resizebilinear/i;
/** So many planes are as often heat maps, one for each joint of a body; then the name has to say more than "out". */
const JOINT_COUNTS: ReadonlySet<number> = new Set([16, 17]);
const SURE_NAME = /mask|seg|logit|label|class/i;
/** A single plane of numbers is a depth or a picture as often, so its name has to say what it is. */
const SHARE_NAME = /mask|seg|matte|matting|foreground|(^|_)pha$/i;
/** Two planes of these are colours, or where each pixel went. */
const NO_SCORES_NAME = /(^|_)ab$|chroma|flow|motion|offset/i;
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

/**
 * The numbers of classes come before scores that they were made of; undefined when no output is a mask. Between two
 * pictures two planes are a movement.
 */
export function findMask(
  outputs: readonly Described[],
  { pictureCount = 1 }: { readonly pictureCount?: number } = {},
): MaskPlan | undefined {
  const numbers = outputs.findIndex(isClassMap);
  const plans = outputs.map(scorePlan);
  const scores = plans.findIndex((plan) => plan !== undefined && (plan.planes > 2 || pictureCount < 2));
  const plan = plans[scores];
  if (numbers < 0 && plan !== undefined) return { output: scores, ...plan };
  const output = numbers >= 0 ? numbers : outputs.findIndex(isShareMap);
  if (output < 0) return undefined;
  const [height = 0, width = 0] = squeezed(outputs[output]?.shape ?? []);
  const single = { output, width, height, planes: 1 };
  return numbers < 0 ? { ...single, isShare: true } : single;
}

function isShareMap(output: Described): boolean {
  return SHARE_NAME.test(output.name) && isPlaneOfNumbers(output);
}

function isPlaneOfNumbers({ datatype, shape }: Described): boolean {
  const dims = squeezed(shape);
  return /^(FP|BF|UINT8$)/.test(datatype) && dims.length === 2 && Math.min(...dims) >= SMALLEST;
}

/** Every output that can be taken for a mask, whatever it is called: what its user may choose from. */
export function possibleMasks(outputs: readonly Described[]): readonly MaskPlan[] {
  return outputs.flatMap((described, output): readonly MaskPlan[] => {
    const isShare = !isClassMap(described);
    if (!isShare || isPlaneOfNumbers(described)) {
      const [height = 0, width = 0] = squeezed(described.shape);
      return [{ output, width, height, planes: 1, ...(isShare && { isShare }) }];
    }
    const plan = planesOf(described);
    return plan === undefined ? [] : [{ output, ...plan }];
  });
}

/**
 * From where on a pixel belongs to the thing: half of it, or of a logit, which is no share, zero; of what
 * is only above zero the middle.
 */
export function limitOf(values: Float64Array): number {
  const { min, max } = extentOf(values) ?? { min: 0, max: 0 };
  if (min < 0) return 0;
  return max <= 1 ? 0.5 : Math.round(max + min) / 2;
}

function scorePlan(output: Described): Omit<MaskPlan, 'output'> | undefined {
  const { name } = output;
  if (NO_SCORES_NAME.test(name) || !(NAME.test(name) || RESIZED_NAME.test(name))) return undefined;
  const found = planesOf(output);
  if (found === undefined || (JOINT_COUNTS.has(found.planes) && !SURE_NAME.test(name))) return undefined;
  return found;
}

/** A plane of scores for each class, as its dimensions say. */
function planesOf({ datatype, shape }: Described): Omit<MaskPlan, 'output'> | undefined {
  const [a = 0, b = 0, c = 0, ...more] = squeezed(shape);
  if (!/^(FP|BF)/.test(datatype) || more.length > 0 || shape.length > 4) return undefined;
  const first = { planes: a, height: b, width: c };
  const last = { planes: c, height: a, width: b, isLast: true };
  // Where both orders fit, the picture is the one whose sides are equal.
  return (a === b && b !== c ? [last, first] : [first, last]).find(isScores);
}

function isScores({ planes, height, width }: Omit<MaskPlan, 'output'>): boolean {
  if (Math.min(height, width) < SMALLEST || planes * height * width > MOST_NUMBERS) return false;
  // Three planes are colours.
  return planes >= 2 && planes <= MOST_PLANES && planes !== 3;
}

/** The class of each pixel: the one with the highest score, or 1 for what is above `limit`. */
export function classesOf(values: Float64Array, plan: MaskPlan, limit = limitOf(values)): Float64Array {
  const { width, height, planes, isShare, isLast } = plan;
  if (isShare === true) {
    return values.map((value) => Number(value > limit));
  }
  if (planes === 1) return values;
  const area = width * height;
  const [pixelStep, planeStep] = isLast === true ? [planes, 1] : [1, area];
  const classes = new Float64Array(area);
  for (let at = 0; at < area; at += 1) {
    const start = at * pixelStep;
    let best = 0;
    for (let plane = 1; plane < planes; plane += 1) {
      if ((values[start + plane * planeStep] ?? 0) > (values[start + best * planeStep] ?? 0)) best = plane;
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
