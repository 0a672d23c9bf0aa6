// A picture with more pixels than a screen shows, as every so many-th of them: which bytes of the tensor those are. Pure.

import type { BlobGrid } from '../actions/blob-grid.ts';
import type { PixelLayout } from './tensor-slices.ts';

/** A picture of a film in high definition is below. */
const MOST_PIXELS = 2 * 1024 * 1024;
/** Longer sides are beyond what a canvas can have. */
const LONGEST_SIDE = 8192;

/** Of so many pixels in a row, and of so many rows, one is shown; 1 = the whole picture. */
export function stepOf(layout: PixelLayout): number {
  let step = 1;
  for (;;) {
    const { width, height } = reduced(layout, step);
    if (width * height <= MOST_PIXELS && Math.max(width, height) <= LONGEST_SIDE) return step;
    step *= 2;
  }
}

/** The picture that is left. */
export function reduced(layout: PixelLayout, step: number): PixelLayout {
  return { ...layout, width: Math.ceil(layout.width / step), height: Math.ceil(layout.height / step) };
}

/** Where its pixels lie: one grid for each plane. `start` and `size` are of elements, the grids of bytes. */
export function gridsOf(
  layout: PixelLayout,
  step: number,
  { start, size }: { readonly start: number; readonly size: number },
): readonly BlobGrid[] {
  const { width, height, channels, order } = layout;
  const { width: columns, height: rows } = reduced(layout, step);
  const [planes, depth] = order === 'NCHW' ? [channels, 1] : [1, channels];
  const unit = depth * size;
  return Array.from({ length: planes }, (_, plane) => ({
    offset: start * size + plane * width * height * unit,
    unit,
    columns,
    columnStep: step * unit,
    rows,
    rowStep: step * width * unit,
  }));
}
