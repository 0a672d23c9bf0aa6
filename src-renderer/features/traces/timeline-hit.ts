// What of the timeline lies under a point, and which execution is beside another one.

import type { TimelineBlock, TimelineLayout, TimelineWait, TimeWindow } from './timeline-layout.ts';
import type { LanePlace } from './timeline-paint.ts';
import { xOf, LEVEL_PX } from './timeline-paint.ts';

/** As near as this counts, since blocks may be narrower than a finger's aim. */
const REACH_PX = 4;

/** What was hit. */
export type TimelineHit =
  | { readonly kind: 'block'; readonly block: TimelineBlock }
  | { readonly kind: 'wait'; readonly wait: TimelineWait };

/** `y` counts from the top of all lanes. */
export function hitAt(
  { layout, places, window, width }: HitView,
  x: number,
  y: number,
): TimelineHit | undefined {
  const lane = places.findIndex(({ top, bottom }) => y >= top && y < bottom);
  const place = places[lane];
  if (place === undefined) return undefined;
  const distance = (one: { readonly startNs: number; readonly endNs: number }): number =>
    Math.max(xOf(one.startNs, window, width) - x, x - xOf(one.endNs, window, width), 0);
  if (y >= place.blockTop - 1) {
    const block = nearest(
      layout.blocks.filter((one) => one.lane === lane),
      distance,
    );
    return block === undefined ? undefined : { kind: 'block', block };
  }
  const level = Math.floor((place.blockTop - 2 - y) / LEVEL_PX);
  const wait = nearest(
    layout.waits.filter((one) => one.lane === lane && one.level === level),
    distance,
  );
  return wait === undefined ? undefined : { kind: 'wait', wait };
}

/** What a point is looked up in. */
export interface HitView {
  readonly layout: TimelineLayout;
  readonly places: readonly LanePlace[];
  readonly window: TimeWindow;
  readonly width: number;
}

function nearest<One>(all: readonly One[], distance: (one: One) => number): One | undefined {
  let best: One | undefined;
  let least = REACH_PX;
  for (const one of all) {
    const far = distance(one);
    // Of several under the point the last one, which is drawn on top.
    if (far > least) continue;
    best = one;
    least = far;
  }
  return best;
}

/**
 * The execution that an arrow key leads to: before or after in the same lane, or the nearest one of the next lane that has
 * any. The first one where none is chosen; undefined at an end.
 */
export function besideBlock(
  { blocks, lanes }: TimelineLayout,
  from: TimelineBlock | undefined,
  key: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown',
): TimelineBlock | undefined {
  if (from === undefined) return blocks[0];
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const own = blocks.filter(({ lane }) => lane === from.lane);
    return own[own.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)];
  }
  const step = key === 'ArrowDown' ? 1 : -1;
  for (let lane = from.lane + step; lane >= 0 && lane < lanes.length; lane += step) {
    const own = blocks.filter((block) => block.lane === lane);
    const near = own.toSorted(
      (a, b) => Math.abs(a.startNs - from.startNs) - Math.abs(b.startNs - from.startNs),
    )[0];
    if (near !== undefined) return near;
  }
  return undefined;
}
