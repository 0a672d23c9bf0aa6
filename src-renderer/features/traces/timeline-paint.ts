// Draws the timeline on a canvas. Rectangles that would fall on the same pixels are drawn once, so that ten thousands of
// them cost no more than the canvas is wide.

import { formatMoment } from '../../lib/format.ts';
import type { TimelineLayout, TimeWindow } from './timeline-layout.ts';
import type { Highlight } from './use-trace-view.ts';

const LABEL_PX = 132;
const AXIS_PX = 20;
/** Height of a line of waiting requests. */
export const LEVEL_PX = 5;
const BLOCK_PX = 18;
const GAP_PX = 10;
/** The narrowest thing that can be seen and clicked. */
const LEAST_PX = 2;
const DIMMED = 0.3;

/** Colours as the style sheet has them. */
export interface Palette {
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly compute: string;
  readonly onCompute: string;
  readonly queue: string;
  readonly bad: string;
  readonly chosen: string;
  readonly font: string;
}

/** Reads them where the canvas stands. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const role = (name: string): string => style.getPropertyValue(`--${name}`);
  return {
    text: role('text'),
    faint: role('text-faint'),
    line: role('line'),
    compute: role('c1'),
    onCompute: role('on-accent'),
    queue: role('c2'),
    bad: role('danger'),
    chosen: role('text'),
    font: style.fontFamily,
  };
}

/** Where a lane stands, in pixels behind the top of all of them. */
export interface LanePlace {
  readonly top: number;
  readonly blockTop: number;
  readonly bottom: number;
}

/** One for each lane; waits stand above the blocks. */
export function lanePlaces({ lanes }: TimelineLayout): readonly LanePlace[] {
  let top = AXIS_PX;
  return lanes.map(({ levelCount }) => {
    const blockTop = top + GAP_PX / 2 + levelCount * LEVEL_PX + 2;
    const place = { top, blockTop, bottom: blockTop + BLOCK_PX + GAP_PX / 2 };
    top = place.bottom;
    return place;
  });
}

/** Of all lanes, with the axis. */
export function contentHeight(places: readonly LanePlace[]): number {
  return places.at(-1)?.bottom ?? AXIS_PX;
}

/** What is drawn, and where. Pixels are those of the style sheet. */
export interface Painting {
  readonly layout: TimelineLayout;
  readonly places: readonly LanePlace[];
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly lit: Highlight;
  readonly palette: Palette;
}

/** Pixel of a moment. */
export function xOf(ns: number, { fromNs, toNs }: TimeWindow, width: number): number {
  return LABEL_PX + ((ns - fromNs) / (toNs - fromNs)) * (width - LABEL_PX);
}

/** Moment of a pixel. */
export function nsOf(x: number, { fromNs, toNs }: TimeWindow, width: number): number {
  return fromNs + ((x - LABEL_PX) / Math.max(1, width - LABEL_PX)) * (toNs - fromNs);
}

/** The canvas is cleared first. */
export function paint(context: CanvasRenderingContext2D, painting: Painting): void {
  const { width, height, palette, scrollTop } = painting;
  context.clearRect(0, 0, width, height);
  context.font = `11px ${palette.font}`;
  context.textBaseline = 'middle';
  // Below the blocks, which it would cut in two.
  paintAxis(context, painting);
  context.save();
  context.beginPath();
  context.rect(LABEL_PX, AXIS_PX, width - LABEL_PX, height - AXIS_PX);
  context.clip();
  context.translate(0, -scrollTop);
  paintWaits(context, painting);
  paintBlocks(context, painting);
  context.restore();
  paintLabels(context, painting);
}

interface Mark {
  /** Number of the line that it stands on. */
  readonly line: number;
  readonly x: number;
  readonly y: number;
  readonly right: number;
  readonly height: number;
  readonly colour: string;
}

/** Draws a rectangle unless the last one of its line covers it already. */
function brush(context: CanvasRenderingContext2D) {
  const ends = new Map<number, number>();
  return (mark: Mark): boolean => {
    const { line, x, right } = mark;
    const end = Math.max(right, x + LEAST_PX);
    const known = ends.get(line);
    if (known !== undefined && end <= known + 1 && right - x < LEAST_PX) return false;
    ends.set(line, end);
    context.fillStyle = mark.colour;
    context.fillRect(x, mark.y, end - x, mark.height);
    return true;
  };
}

function paintWaits(context: CanvasRenderingContext2D, painting: Painting): void {
  const { layout, places, window, width, lit, palette } = painting;
  const { fromNs, toNs } = window;
  const isChosen = lit.rows.size > 0;
  const linesPerLane = layout.lanes.reduce((most, { levelCount }) => Math.max(most, levelCount), 0) + 1;
  for (const isLit of isChosen ? [false, true] : [true]) {
    const draw = brush(context);
    context.globalAlpha = isLit ? 1 : DIMMED;
    for (const { row, lane, level, startNs, endNs } of layout.waits) {
      // They are ordered by their beginnings.
      if (startNs > toNs) break;
      if (endNs < fromNs || (isChosen && lit.rows.has(row.id) !== isLit)) continue;
      const blockTop = places[lane]?.blockTop ?? 0;
      const x = xOf(startNs, window, width);
      const right = xOf(endNs, window, width);
      const y = blockTop - 2 - (level + 1) * LEVEL_PX;
      const colour = row.isFailed ? palette.bad : palette.queue;
      draw({ line: lane * linesPerLane + level, x, y, right, height: LEVEL_PX - 2, colour });
      // The line to the execution that took it.
      if (!isChosen || !isLit) continue;
      context.fillStyle = colour;
      context.fillRect(right - 1, y, 1, blockTop - y);
    }
  }
  context.globalAlpha = 1;
}

function paintBlocks(context: CanvasRenderingContext2D, painting: Painting): void {
  const { layout, places, window, width, lit, palette } = painting;
  const isChosen = lit.blocks.size > 0 || lit.rows.size > 0;
  const draw = brush(context);
  for (const { id, lane, startNs, endNs, execution, rows } of layout.blocks) {
    if (startNs > window.toNs) break;
    if (endNs < window.fromNs) continue;
    const isLit = !isChosen || lit.blocks.has(id);
    const { blockTop } = places[lane] ?? { blockTop: 0 };
    const x = xOf(startNs, window, width);
    const right = xOf(endNs, window, width);
    context.globalAlpha = isLit ? 1 : DIMMED;
    const colour = rows.some(({ isFailed }) => isFailed) ? palette.bad : palette.compute;
    // A hair between neighbours, so that two of them are not one.
    const end = right - (right - x > 4 ? 1 : 0);
    // A lit one is drawn where a dimmed one is, too.
    const line = lane * 2 + Number(isLit);
    if (!draw({ line, x, y: blockTop, right: end, height: BLOCK_PX, colour })) continue;
    if (isChosen && isLit) {
      context.strokeStyle = palette.chosen;
      context.lineWidth = 2;
      context.strokeRect(x - 1, blockTop - 1, Math.max(LEAST_PX, right - x) + 2, BLOCK_PX + 2);
    }
    const label = execution.batchSize === 0 ? '' : String(execution.batchSize);
    if (label === '' || right - x < context.measureText(label).width + 6) continue;
    // A label has its full contrast on a block that is dimmed, too.
    context.globalAlpha = 1;
    context.fillStyle = isLit ? palette.onCompute : palette.faint;
    const left = Math.max(x, LABEL_PX);
    context.textAlign = 'center';
    context.fillText(label, (left + Math.min(right, width)) / 2, blockTop + BLOCK_PX / 2 + 0.5);
  }
  context.globalAlpha = 1;
}

function paintLabels(context: CanvasRenderingContext2D, painting: Painting): void {
  const { layout, places, width, height, scrollTop, palette } = painting;
  context.save();
  context.beginPath();
  context.rect(0, AXIS_PX, width, height - AXIS_PX);
  context.clip();
  context.textAlign = 'left';
  layout.lanes.forEach(({ model, instance }, lane) => {
    const place = places[lane];
    if (place === undefined) return;
    const bottom = place.bottom - scrollTop;
    context.fillStyle = palette.line;
    context.fillRect(0, bottom - 0.5, width, 1);
    context.fillStyle = palette.text;
    const name = instance === '' ? model : instance;
    context.fillText(
      shortened(context, name, LABEL_PX - 16),
      12,
      place.blockTop + BLOCK_PX / 2 - scrollTop + 0.5,
    );
  });
  context.restore();
}

/** The end of a name tells instances apart, so the middle goes. */
function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  for (let kept = text.length - 1; kept > 2; kept -= 1) {
    const tail = Math.min(4, Math.floor(kept / 2));
    const short = `${text.slice(0, kept - tail)}…${text.slice(-tail)}`;
    if (context.measureText(short).width <= room) return short;
  }
  return '…';
}

const LEAST_TICK_PX = 84;

function paintAxis(context: CanvasRenderingContext2D, painting: Painting): void {
  const { window, width, height, palette } = painting;
  const step = tickStep(window, width - LABEL_PX);
  context.textAlign = 'left';
  for (let ns = Math.ceil(window.fromNs / step) * step; ns <= window.toNs; ns += step) {
    const x = xOf(ns, window, width);
    if (x < LABEL_PX) continue;
    context.fillStyle = palette.line;
    context.globalAlpha = 0.7;
    context.fillRect(Math.round(x), 0, 1, height);
    context.globalAlpha = 1;
    context.fillStyle = palette.faint;
    if (x < width - 48) context.fillText(formatMoment(ns / 1000, step / 1000), x + 4, AXIS_PX / 2);
  }
  context.fillStyle = palette.line;
  context.fillRect(0, AXIS_PX - 1, width, 1);
  context.fillRect(LABEL_PX - 1, 0, 1, height);
}

/** 1, 2 or 5 with zeros. */
export function tickStep({ fromNs, toNs }: TimeWindow, width: number): number {
  const least = ((toNs - fromNs) / Math.max(1, width)) * LEAST_TICK_PX;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}
