// The way of a line between two tensors, as an SVG path. Pure.

import type { Direction } from './ensemble-sizes.ts';
import type { Point } from './graph-layout.ts';

/** A line that leaves, passes every bend and arrives along the flow of data. */
export function wirePath(from: Point, bends: readonly Point[], to: Point, direction: Direction): string {
  let path = `M${from.x},${from.y}`;
  let last = from;
  for (const next of [...bends, to]) {
    const middle = direction === 'LR' ? (last.x + next.x) / 2 : (last.y + next.y) / 2;
    path +=
      direction === 'LR'
        ? ` C${middle},${last.y} ${middle},${next.y} ${next.x},${next.y}`
        : ` C${last.x},${middle} ${next.x},${middle} ${next.x},${next.y}`;
    last = next;
  }
  return path;
}
