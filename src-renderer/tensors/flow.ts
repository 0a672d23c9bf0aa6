// Optical flow: two numbers for each place of a picture, how far what is there moved across and down, and the colours that
// show it: the hue is where to, the strength how far. Pure.

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';

/** How a tensor holds the movements. */
export interface FlowLayout {
  readonly width: number;
  readonly height: number;
  /** The two numbers of a place lie beside each other. */
  readonly isLast: boolean;
}

/** How far each place moved, row after row, in the unit of the model: mostly pixels. */
export interface Flow {
  readonly across: Float64Array;
  readonly down: Float64Array;
}

const NAME = /flow|motion|displace/i;
const SMALLEST = 8;
const MOST_PLACES = 2 * 1024 * 1024;

/** Undefined when the last three dimensions are no two planes. */
export function flowLayout(shape: readonly number[]): FlowLayout | undefined {
  const [a = 0, b = 0, c = 0] = shape.slice(-3);
  if (shape.length < 3) return undefined;
  const fits = (height: number, width: number): boolean =>
    Math.min(height, width) >= SMALLEST && height * width <= MOST_PLACES;
  if (a === 2 && fits(b, c)) return { width: c, height: b, isLast: false };
  return c === 2 && fits(a, b) ? { width: b, height: a, isLast: true } : undefined;
}

/** Whether an output is called like the movement between two pictures, and has its shape. */
export function isFlow({ name, datatype, shape }: Pick<PlaygroundOutput, 'name' | 'datatype' | 'shape'>) {
  return /^(FP|BF)/.test(datatype) && NAME.test(name) && flowLayout(shape) !== undefined;
}

/** The movements of one item of a batch. */
export function readFlow(values: Float64Array, { width, height, isLast }: FlowLayout): Flow {
  const area = width * height;
  if (!isLast) return { across: values.subarray(0, area), down: values.subarray(area, 2 * area) };
  const pick = (from: number): Float64Array =>
    Float64Array.from({ length: area }, (_, at) => values[at * 2 + from] ?? 0);
  return { across: pick(0), down: pick(1) };
}

/** How far the place went that went farthest; 0 when nothing moved. What is no number did not move. */
export function farthestOf({ across, down }: Flow): number {
  let farthest = 0;
  for (const [at, x] of across.entries()) {
    const length = Math.hypot(x, down[at] ?? 0);
    if (Number.isFinite(length)) farthest = Math.max(farthest, length);
  }
  return farthest;
}

/** RGBA bytes: white where nothing moved, red to the right, and full colour for a movement of `farthest`. */
export function flowPixels(flow: Flow, farthest = farthestOf(flow)): Uint8ClampedArray<ArrayBuffer> {
  const { across, down } = flow;
  const pixels = new Uint8ClampedArray(across.length * 4);
  const scale = farthest > 0 ? 1 / farthest : 0;
  for (let at = 0; at < across.length; at += 1) {
    const [x, y] = [across[at] ?? 0, down[at] ?? 0];
    const length = Math.hypot(x, y) * scale;
    const strength = Number.isFinite(length) ? Math.min(1, length) : 0;
    const hue = strength > 0 ? ((Math.atan2(y, x) / (2 * Math.PI) + 1) % 1) * 6 : 0;
    for (let channel = 0; channel < 3; channel += 1) {
      // Red, green and blue are a third of the circle apart, each full for a third and fading for a sixth.
      const away = Math.abs(((hue - channel * 2 + 9) % 6) - 3);
      const full = Math.max(0, Math.min(1, 2 - away));
      pixels[at * 4 + channel] = 255 * (1 - strength * (1 - full));
    }
    pixels[at * 4 + 3] = 255;
  }
  return pixels;
}

/** A movement of every direction and length up to 1 in a square of this side, for a legend. */
export function wheelFlow(side: number): Flow {
  const at = (index: number): number => (2 * index) / (side - 1) - 1;
  return {
    across: Float64Array.from({ length: side * side }, (_, index) => at(index % side)),
    down: Float64Array.from({ length: side * side }, (_, index) => at(Math.floor(index / side))),
  };
}
