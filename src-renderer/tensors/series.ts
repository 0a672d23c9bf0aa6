// A tensor as values over time: which of its dimensions is time, and how many values there are at each step. Pure.

import { squeezed } from './tensor-slices.ts';

/** All are counts of elements; the lines are the other dimension. */
export interface SeriesPlan {
  readonly steps: number;
  readonly lines: number;
  /** Distance of two steps, and of two lines. */
  readonly stepStride: number;
  readonly lineStride: number;
  /** Dimensions in front of these two. */
  readonly picked: readonly number[];
}

/** Time is the longer of the last two dimensions: a forecast has more steps than variables. */
export function seriesOf(shape: readonly number[]): SeriesPlan {
  const dims = squeezed(shape);
  const [rows = 1, columns = 1] = dims.length < 2 ? [dims[0] ?? 1, 1] : dims.slice(-2);
  const picked = dims.slice(0, -2);
  return rows >= columns
    ? { steps: rows, lines: columns, stepStride: columns, lineStride: 1, picked }
    : { steps: columns, lines: rows, stepStride: 1, lineStride: columns, picked };
}

/** One line of a slice. */
export function lineOf(values: Float64Array, line: number, plan: SeriesPlan): Float64Array {
  const { steps, stepStride, lineStride } = plan;
  return Float64Array.from(
    { length: steps },
    (_, step) => values[line * lineStride + step * stepStride] ?? Number.NaN,
  );
}

/** A place in a box of 1 by 1, from its upper left corner. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** More points than a screen has columns: the lowest and the highest of each piece are left. */
const MOST_PIECES = 600;

/** The line in pieces without a gap; values that are no numbers are gaps. */
export function piecesOf(
  line: Float64Array,
  { min, max }: { readonly min: number; readonly max: number },
): readonly (readonly Place[])[] {
  const height = max > min ? max - min : 1;
  const pieces: Place[][] = [[]];
  for (const step of drawnSteps(line)) {
    const value = line[step] ?? Number.NaN;
    if (Number.isFinite(value)) {
      pieces.at(-1)?.push({ x: step / Math.max(1, line.length - 1), y: (max - value) / height });
    } else pieces.push([]);
  }
  return pieces.filter((piece) => piece.length > 0);
}

function drawnSteps(line: Float64Array): readonly number[] {
  if (line.length <= 2 * MOST_PIECES) return Array.from(line, (_, step) => step);
  const steps: number[] = [];
  for (let piece = 0; piece < MOST_PIECES; piece += 1) {
    const from = Math.floor((piece * line.length) / MOST_PIECES);
    const to = Math.floor(((piece + 1) * line.length) / MOST_PIECES);
    let [low, high] = [from, from];
    for (let step = from; step < to; step += 1) {
      if ((line[step] ?? 0) < (line[low] ?? 0)) low = step;
      if ((line[step] ?? 0) > (line[high] ?? 0)) high = step;
    }
    steps.push(Math.min(low, high), ...(low === high ? [] : [Math.max(low, high)]));
  }
  return steps;
}
