// Detections out of the outputs of a model: which tensor holds boxes, which their scores and classes, in which order the
// four numbers come, and where they lie in the picture that was sent. Guesses can be changed in the view. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import type { Box, Size } from './box.ts';
import type { DetectorHead } from './detector-head.ts';
import { findHead } from './detector-head.ts';
import type { ScoreTable } from './score-table.ts';
import { findScoreTable } from './score-table.ts';
import type { Selection } from './selected-boxes.ts';
import { findSelection } from './selected-boxes.ts';
import { squeezed } from './tensor-slices.ts';

/** 'xywh' begins at the upper left corner, 'cxcywh' at the centre; the others are two corners. */
export const BOX_ORDERS = ['xyxy', 'yxyx', 'xywh', 'cxcywh'] as const;
/** Corners, corners with y first (TensorFlow), corner and size, centre and size. */
export type BoxOrder = (typeof BOX_ORDERS)[number];

type Described = Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>;

/** Indices into the outputs; a tensor of six numbers per box has score and class in itself. */
export interface Detection {
  readonly boxes: number;
  readonly columns: 4 | 6;
  readonly count: number;
  readonly scores: number | undefined;
  readonly classes: number | undefined;
  /** A score of each class for each box, where there is no single score. */
  readonly table?: ScoreTable;
  readonly order: BoxOrder;
  /** The boxes are candidates yet. */
  readonly head?: DetectorHead;
  /** The boxes are those that a list names, of many. */
  readonly selection?: Selection;
}

const BOX_NAME = /box|bbox|detection|det\b|dets\b|output0/i;
const SCORE_NAME = /score|conf|prob/i;
const CLASS_NAME = /class|label|categor/i;
const FLOAT = /^(FP|BF)/;
const MOST_BOXES = 20_000;

/** Undefined when no output looks like boxes. One item of a batch only. */
export function findDetection(outputs: readonly Described[]): Detection | undefined {
  const selection = findSelection(outputs);
  if (selection !== undefined) {
    const none = { scores: undefined, classes: undefined };
    // As the operator that makes such lists has them.
    return { boxes: selection.boxes, columns: 4, count: selection.count, ...none, order: 'yxyx', selection };
  }
  const named = outputs.findIndex(isBoxes);
  const boxes = named < 0 ? outputs.findIndex((output) => isOfThree(output, outputs)) : named;
  const found = outputs[boxes];
  if (found === undefined) return findCandidates(outputs);
  const dims = squeezed(found.shape);
  const count = dims.length === 2 ? (dims[0] ?? 0) : 1;
  const fits = ({ shape }: Described): boolean => {
    const own = squeezed(shape);
    return own.length <= 1 && (own[0] ?? 1) === count;
  };
  const indexOf = (name: RegExp, type: RegExp): number | undefined => {
    const isIt = (output: Described): boolean =>
      named < 0 ? type.test(output.datatype) : name.test(output.name);
    const at = outputs.findIndex((output, index) => index !== boxes && fits(output) && isIt(output));
    return at < 0 ? undefined : at;
  };
  const columns = dims.at(-1) === 6 ? 6 : 4;
  const scores = indexOf(SCORE_NAME, FLOAT);
  const table = scores === undefined && columns === 4 ? findScoreTable(outputs, { boxes, count }) : undefined;
  return {
    boxes,
    columns,
    count,
    scores,
    classes: indexOf(CLASS_NAME, /^U?INT/),
    ...(table && { table }),
    order: /^detection_boxes/i.test(found.name) ? 'yxyx' : /pred_boxes/i.test(found.name) ? 'cxcywh' : 'xyxy',
  };
}

/** Four numbers, a score and a whole number for each of the same things, whatever they are called, and nothing else. */
function isOfThree(output: Described, outputs: readonly Described[]): boolean {
  const dims = squeezed(output.shape);
  const count = dims.length === 2 ? dims[0] : 1;
  if (outputs.length !== 3 || !FLOAT.test(output.datatype) || dims.at(-1) !== 4 || dims.length > 2)
    return false;
  const others = outputs.filter((other) => other !== output);
  const isList = ({ shape }: Described): boolean =>
    squeezed(shape).length <= 1 && (squeezed(shape)[0] ?? 1) === count;
  return (
    others.every(isList) &&
    others.some(({ datatype }) => FLOAT.test(datatype)) &&
    others.some(({ datatype }) => /^U?INT/.test(datatype))
  );
}

function findCandidates(outputs: readonly Described[]): Detection | undefined {
  for (const [boxes, output] of outputs.entries()) {
    const head = findHead(output);
    if (head === undefined) continue;
    const none = { scores: undefined, classes: undefined };
    return { boxes, columns: 4, count: head.count, ...none, order: 'cxcywh', head };
  }
  return undefined;
}

function isBoxes({ name, datatype, shape }: Described): boolean {
  const dims = squeezed(shape);
  const last = dims.at(-1);
  if (!/^(FP|BF|INT)/.test(datatype) || dims.length > 2 || !BOX_NAME.test(name)) return false;
  return (last === 4 || last === 6) && (dims.length === 1 || (dims[0] ?? 0) <= MOST_BOXES);
}

interface BoxValues {
  readonly boxes: Float64Array;
  readonly scores: Float64Array | undefined;
  readonly classes: Float64Array | undefined;
}

/** Boxes in the unit of the model: pixels of its input, or shares of it when no number passes 2. */
export function readBoxes(
  { boxes, scores, classes }: BoxValues,
  { columns, count }: Pick<Detection, 'columns' | 'count'>,
  order: BoxOrder,
  input: Size,
): readonly Box[] {
  const sides = Array.from({ length: count }, (_, at) => boxes.subarray(at * columns, at * columns + 4));
  const isShare = sides.every((four) => four.every((value) => Math.abs(value) <= 2));
  const [across, down] = isShare ? [input.width, input.height] : [1, 1];
  return sides.map((four, at) => {
    const { x, y, width, height } = inOrder(four, order);
    const own = columns === 6 ? boxes.subarray(at * 6 + 4, at * 6 + 6) : undefined;
    return {
      x: x * across,
      y: y * down,
      width: width * across,
      height: height * down,
      score: own?.[0] ?? scores?.[at],
      classIndex: own?.[1] ?? classes?.[at],
    };
  });
}

function inOrder(four: Float64Array, order: BoxOrder): Omit<Box, 'score' | 'classIndex'> {
  const [a = 0, b = 0, c = 0, d = 0] = four;
  switch (order) {
    case 'xyxy':
      return { x: a, y: b, width: c - a, height: d - b };
    case 'yxyx':
      return { x: b, y: a, width: d - b, height: c - a };
    case 'xywh':
      return { x: a, y: b, width: c, height: d };
    case 'cxcywh':
      return { x: a - c / 2, y: b - d / 2, width: c, height: d };
  }
}

/** From pixels of the model's input to pixels of the picture, which was made to fit it. */
export function inPicture(
  box: Box,
  input: Size,
  picture: Size,
  resize: 'stretch' | 'contain' | 'cover',
): Box {
  const ratios = [input.width / picture.width, input.height / picture.height] as const;
  const one = resize === 'contain' ? Math.min(...ratios) : Math.max(...ratios);
  const [across, down] = resize === 'stretch' ? ratios : [one, one];
  const left = resize === 'stretch' ? 0 : (input.width - picture.width * one) / 2;
  const top = resize === 'stretch' ? 0 : (input.height - picture.height * one) / 2;
  return {
    ...box,
    x: (box.x - left) / across,
    y: (box.y - top) / down,
    width: box.width / across,
    height: box.height / down,
    points: box.points?.map(({ x, y }) => ({ x: (x - left) / across, y: (y - top) / down })),
  };
}

/** Those that are sure enough, the surest first; all of them without scores. */
export function sureBoxes(boxes: readonly Box[], threshold: number): readonly Box[] {
  return boxes
    .filter(({ score, width, height }) => (score ?? 1) >= threshold && width > 0 && height > 0)
    .toSorted((a, b) => (b.score ?? 1) - (a.score ?? 1));
}
