// The raw answer of a one-stage detector: for each of thousands of places a box by its centre, perhaps how likely
// anything is there, and a score for each class. What is left after taking the surest of overlapping boxes. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { Box, Size } from './box.ts';
import { squeezed } from './tensor-slices.ts';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** How the numbers of each place lie in the tensor. */
export interface DetectorHead {
  /** Of candidates. */
  readonly count: number;
  /** Numbers of each. */
  readonly features: number;
  readonly classes: number;
  /** One number between box and classes: how likely there is anything. */
  readonly hasObjectness: boolean;
  /** Candidates are columns: [features, count]. */
  readonly isTransposed: boolean;
}

const NAME = /^output\d*$|box|det|pred/i;
const COCO = 80;
/** Coefficients of masks that some heads carry behind the classes. */
const MASKS = 32;
/** Fewer candidates are something else, unless the classes are those of COCO. */
const FEWEST = 500;
const MOST = 100_000;
const MOST_FEATURES = 512;

/** Undefined when the output is something else. Rows are the older order, with a number for "anything". */
export function findHead({ name, datatype, shape }: Described): DetectorHead | undefined {
  const [rows = 0, columns = 0, ...more] = squeezed(shape);
  if (!/^(FP|BF)/.test(datatype) || more.length > 0 || !NAME.test(name)) return undefined;
  const isTransposed = columns > rows;
  const [features, count] = isTransposed ? [rows, columns] : [columns, rows];
  const hasObjectness = !isTransposed;
  const own = features - 4 - Number(hasObjectness);
  const isCoco = own === COCO || own === COCO + MASKS;
  if (own < 1 || features > MOST_FEATURES || count > MOST) return undefined;
  if (isCoco ? count <= features : count < FEWEST || !fillsGrids(count)) return undefined;
  return { count, features, classes: own === COCO + MASKS ? COCO : own, hasObjectness, isTransposed };
}

/**
 * Places lie in grids, each with twice the sides of the next: 1, 4 and 16 of them, with a fourth grid 64 more. Steps of a
 * text or of a sound seldom come in such numbers.
 */
function fillsGrids(count: number): boolean {
  return count % 21 === 0 || count % 85 === 0;
}

/** Candidates surer than this are looked at; what is shown is the user's to say. */
const LEAST_SCORE = 0.05;
/** A detector that is unsure everywhere must not hold up the page. */
const MOST_CANDIDATES = 2000;
/** Boxes of one class that share more than this of their area are the same thing. */
const SAME = 0.45;

/** In pixels of the model's input, the surest first; of overlapping boxes of one class the surest. */
export function readHead(values: Float64Array, head: DetectorHead, input: Size): readonly Box[] {
  const { count, features, classes, hasObjectness, isTransposed } = head;
  const at = (candidate: number, feature: number): number =>
    values[isTransposed ? feature * count + candidate : candidate * features + feature] ?? 0;
  const first = 4 + Number(hasObjectness);
  const pointCount = jointsOf(values, head);
  const classCount = pointCount > 0 ? 1 : classes;
  const found: (Box & { readonly score: number })[] = [];
  for (let candidate = 0; candidate < count; candidate += 1) {
    let best = 0;
    for (let index = 1; index < classCount; index += 1) {
      if (at(candidate, first + index) > at(candidate, first + best)) best = index;
    }
    const score = at(candidate, first + best) * (hasObjectness ? at(candidate, 4) : 1);
    if (!(score >= LEAST_SCORE)) continue;
    const [width, height] = [at(candidate, 2), at(candidate, 3)];
    const [x, y] = [at(candidate, 0) - width / 2, at(candidate, 1) - height / 2];
    const points = Array.from({ length: pointCount }, (_, point) => ({
      x: at(candidate, first + 1 + point * 3),
      y: at(candidate, first + 2 + point * 3),
    }));
    found.push({ x, y, width, height, score, classIndex: best, ...(pointCount > 0 && { points }) });
  }
  const sure = found.toSorted((a, b) => b.score - a.score).slice(0, MOST_CANDIDATES);
  const isShare = sure.every(({ width, height }) => width <= 2 && height <= 2);
  return withoutOverlaps(isShare ? sure.map((box) => scaled(box, input)) : sure);
}

const JOINTS = 17;

/**
 * How many joints of a body each candidate has behind the score of its only class, each with x, y and how sure it is. As
 * many classes are told from them by their values, which are scores.
 */
function jointsOf(values: Float64Array, { count, features, classes, isTransposed }: DetectorHead): number {
  if (!isTransposed || classes !== 1 + JOINTS * 3) return 0;
  return values.subarray(5 * count, features * count).some((value) => value > 2 || value < -2) ? JOINTS : 0;
}

function scaled(box: Box, { width, height }: Size): Box {
  return {
    ...box,
    x: box.x * width,
    y: box.y * height,
    width: box.width * width,
    height: box.height * height,
  };
}

/** Of overlapping boxes of one class the first, which has to be the surest. */
export function withoutOverlaps(boxes: readonly Box[]): readonly Box[] {
  const kept: Box[] = [];
  for (const box of boxes) {
    const isSame = (other: Box): boolean => other.classIndex === box.classIndex && overlap(other, box) > SAME;
    if (!kept.some(isSame)) kept.push(box);
  }
  return kept;
}

/** Area of both over area of either. */
function overlap(a: Box, b: Box): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (across <= 0 || down <= 0) return 0;
  return (across * down) / (a.width * a.height + b.width * b.height - across * down);
}
