// Detectors that give each box a score for every class, instead of one score and one class: which output that is, and what
// the best class of a box is. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { softmax } from './ranking.ts';
import { squeezed } from './tensor-slices.ts';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Scores of `count` boxes for each of `classes`. */
export interface ScoreTable {
  readonly output: number;
  readonly count: number;
  readonly classes: number;
  /** Boxes are columns: [classes, count]. */
  readonly isTransposed: boolean;
}

const NAME = /logit|score|prob|class|conf/i;
const MOST_CLASSES = 2000;
/** Lists of classes that have none for "nothing there". */
const WITHOUT_NOTHING: ReadonlySet<number> = new Set([80, 90, 91]);

/** Undefined when no other output has a score for each box and class. */
export function findScoreTable(
  outputs: readonly Described[],
  { boxes, count }: { readonly boxes: number; readonly count: number },
): ScoreTable | undefined {
  for (const [output, { name, datatype, shape }] of outputs.entries()) {
    const [rows = 0, columns = 0, ...more] = squeezed(shape);
    if (output === boxes || more.length > 0 || !/^(FP|BF)/.test(datatype) || !NAME.test(name)) continue;
    const isTransposed = rows !== count;
    const classes = isTransposed ? rows : columns;
    if ((isTransposed ? columns : rows) !== count || classes < 2 || classes > MOST_CLASSES) continue;
    return { output, count, classes, isTransposed };
  }
  return undefined;
}

interface Best {
  readonly scores: Float64Array;
  readonly classes: Float64Array;
}

/**
 * The best class of each box. Numbers beyond 0 and 1 are logits: against each other and against "nothing there", which
 * comes last, or each for itself where the number of classes is that of a list without it.
 */
export function bestOfTable(values: Float64Array, table: ScoreTable): Best {
  const { count } = table;
  const isShare = values.every((value) => value >= 0 && value <= 1);
  const [scores, classes] = [new Float64Array(count), new Float64Array(count)];
  for (let box = 0; box < count; box += 1) {
    const own = Float64Array.from({ length: table.classes }, (_, index) =>
      valueAt(values, table, box, index),
    );
    const shares = isShare ? own : sharesOf(own);
    const best = indexOfLargest(shares);
    classes[box] = best;
    scores[box] = shares[best] ?? 0;
  }
  return { scores, classes };
}

function valueAt(values: Float64Array, table: ScoreTable, box: number, index: number): number {
  const { classes, count, isTransposed } = table;
  return values[isTransposed ? index * count + box : box * classes + index] ?? 0;
}

function sharesOf(logits: Float64Array): Float64Array {
  if (WITHOUT_NOTHING.has(logits.length)) return logits.map((value) => 1 / (1 + Math.exp(-value)));
  return softmax(logits).subarray(0, -1);
}

function indexOfLargest(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index += 1) {
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index;
  }
  return best;
}
