// Detectors that end in a non-maximum suppression: all boxes, a score of every class for each, and a list of which box was
// kept for which class. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { ScoreTable } from './score-table.ts';
import { squeezed } from './tensor-slices.ts';

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Which output lists what was kept, as item of the batch, class and box. */
export interface Selection {
  readonly output: number;
  /** All boxes, and their scores. */
  readonly boxes: number;
  readonly table: ScoreTable;
  /** Of the boxes that were kept. */
  readonly count: number;
}

const MOST_BOXES = 100_000;

/** Undefined when there are no three such outputs. One item of a batch only. */
export function findSelection(outputs: readonly Described[]): Selection | undefined {
  const isFloat = ({ datatype }: Described): boolean => /^(FP|BF)/.test(datatype);
  const output = outputs.findIndex(({ datatype, shape }) => {
    return /^INT(32|64)$/.test(datatype) && shape.length >= 2 && shape.at(-1) === 3;
  });
  const boxes = outputs.findIndex((one) => {
    const [count = 0, four, ...more] = squeezed(one.shape);
    return isFloat(one) && four === 4 && more.length === 0 && count <= MOST_BOXES;
  });
  if (output < 0 || boxes < 0) return undefined;
  const all = squeezed(outputs[boxes]?.shape ?? [])[0] ?? 0;
  const scores = outputs.findIndex((one, at) => {
    const { shape } = one;
    return at !== boxes && isFloat(one) && shape.length === 3 && shape[0] === 1 && shape[2] === all;
  });
  if (scores < 0) return undefined;
  const kept = outputs[output]?.shape.slice(0, -1) ?? [];
  return {
    output,
    boxes,
    table: { output: scores, count: all, classes: outputs[scores]?.shape[1] ?? 1, isTransposed: true },
    count: kept.reduce((product, dim) => product * dim, 1),
  };
}

/** The boxes that were kept, with their scores and classes; a row of -1 fills up a list and has score 0. */
export function selectedBoxes(
  all: { readonly boxes: Float64Array; readonly scores: Float64Array; readonly rows: Float64Array },
  { count, table }: Selection,
) {
  const boxes = new Float64Array(count * 4);
  const scores = new Float64Array(count);
  const classes = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const [item = 0, index = -1, box = -1] = all.rows.subarray(at * 3, at * 3 + 3);
    if (item !== 0 || index < 0 || box < 0) continue;
    boxes.set(all.boxes.subarray(box * 4, box * 4 + 4), at * 4);
    scores[at] = all.scores[index * table.count + box] ?? 0;
    classes[at] = index;
  }
  return { boxes, scores, classes };
}
