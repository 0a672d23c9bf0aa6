// Where things of a time chart lie in its box, and the paths of its lines and areas. Pure: numbers in, SVG text out. A
// value that is missing is a gap in the line, never a point at zero.

import type { AxisScale } from './chart-axis.ts';
import type { ChartMarker, ChartPoint, ChartSeries } from './chart-types.ts';

/** Pixels of the box from its upper left corner; lines are drawn inside of it, axes around it. */
export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const AXIS_PX = 48;
const TIME_PX = 22;
const EDGE_PX = 8;
const HEAD_PX = 6;

/** At least one pixel wide and high, however small the box. */
export function plotArea(width: number, height: number, hasRight: boolean): PlotArea {
  return {
    left: AXIS_PX,
    right: Math.max(AXIS_PX + 1, width - EDGE_PX - (hasRight ? AXIS_PX : 0)),
    top: HEAD_PX,
    bottom: Math.max(HEAD_PX + 1, height - TIME_PX),
  };
}

/** A value's place along one side, in tenths of a pixel. */
export type Place = (value: number) => number;

/** From the chart's unit to pixels, rounded to tenths; `from` alone is the left edge. */
export function placeAcross([from, to]: readonly [number, number], { left, right }: PlotArea): Place {
  const scale = to > from ? (right - left) / (to - from) : 0;
  return (x) => tenth(left + (x - from) * scale);
}

/** From the bottom up; a logarithmic axis begins at its lowest tick. */
export function placeUp(axis: AxisScale, isLog: boolean, { top, bottom }: PlotArea): Place {
  if (!isLog) return (value) => tenth(bottom - (value / axis.max) * (bottom - top));
  const low = Math.log10(axis.ticks[0] ?? 1);
  const span = Math.log10(axis.max) - low || 1;
  return (value) => tenth(bottom - ((Math.log10(value) - low) / span) * (bottom - top));
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A lone point between two gaps is a short stroke. */
const LONE = 'h1.5';

/** Points must ascend in x. A value without neighbours is drawn as a dot. */
export function linePath(points: readonly ChartPoint[], key: string, across: Place, up: Place): string {
  let path = '';
  let length = 0;
  for (const point of points) {
    const value = point[key];
    if (value === undefined) {
      if (length === 1) path += LONE;
      length = 0;
      continue;
    }
    path += `${length === 0 ? 'M' : 'L'}${across(point.x)} ${up(value)}`;
    length += 1;
  }
  return length === 1 ? path + LONE : path;
}

/** A value without neighbours, as a dot that can be seen: a path for a wide, round stroke. */
export function lonePath(points: readonly ChartPoint[], key: string, across: Place, up: Place): string {
  let path = '';
  for (const [index, point] of points.entries()) {
    const value = point[key];
    if (value === undefined) continue;
    if (points[index - 1]?.[key] !== undefined || points[index + 1]?.[key] !== undefined) continue;
    path += `M${across(point.x)} ${up(value)}${LONE}`;
  }
  return path;
}

/** The paths of one area, for SVG. */
export interface AreaShape {
  readonly key: string;
  /** The upper edge. */
  readonly line: string;
  readonly fill: string;
  /** Values without neighbours, which cover nothing: a path for a wide, round stroke. */
  readonly lone: string;
}

/** Areas that stand on each other, the first at the bottom. A point without a value is a gap in its area. */
export function stackedAreas(
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  across: Place,
  up: Place,
): readonly AreaShape[] {
  const floors = new Map<string, Float64Array>();
  return series.map(({ key, stack = key }) => {
    const floor = floors.get(stack) ?? new Float64Array(points.length);
    floors.set(stack, floor);
    let line = '';
    let fill = '';
    let lone = '';
    let back = '';
    const close = (): void => {
      if (back !== '') fill += `${back}Z`;
      back = '';
    };
    points.forEach((point, index) => {
      const value = point[key];
      if (value === undefined) return close();
      const x = across(point.x);
      const low = floor[index] ?? 0;
      floor[index] = low + value;
      const top = `${back === '' ? 'M' : 'L'}${x} ${up(low + value)}`;
      line += top;
      fill += top;
      const hasNext = points[index + 1]?.[key] !== undefined;
      if (back === '' && !hasNext) lone += `${top}${LONE}`;
      back = `L${x} ${up(low)}${back}`;
    });
    close();
    return { key, line, fill, lone };
  });
}

/** Crosses where a value is above zero. */
export function crossPath(points: readonly ChartPoint[], key: string, across: Place, up: Place): string {
  let path = '';
  for (const point of points) {
    const value = point[key] ?? 0;
    if (value > 0) path += `M${across(point.x) - 3} ${up(value) - 3}l6 6m0 -6l-6 6`;
  }
  return path;
}

/** The points of a range, with one more on either side so that lines reach the edge. */
export function pointsWithin(
  points: readonly ChartPoint[],
  [from, to]: readonly [number, number],
): readonly ChartPoint[] {
  const first = points.findIndex(({ x }) => x >= from);
  if (first < 0) return points.slice(-1);
  const past = points.findIndex(({ x }) => x > to);
  const isWhole = first === 0 && past < 0;
  return isWhole ? points : points.slice(Math.max(0, first - 1), past < 0 ? undefined : past + 1);
}

/** The nearest point that has a value of one of the series; undefined when none has. */
export function nearestPoint(
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  x: number,
): number | undefined {
  let best: number | undefined;
  let distance = Infinity;
  for (const [index, point] of points.entries()) {
    const here = Math.abs(point.x - x);
    if (here >= distance || !series.some(({ key }) => point[key] !== undefined)) continue;
    best = index;
    distance = here;
  }
  return best;
}

const LETTER_PX = 6.2;
const LABEL_GAP_PX = 24;

/** Ticks whose labels neither touch each other nor leave the box. */
export function roomyTicks(
  ticks: readonly number[],
  text: (tick: number) => string,
  across: Place,
  width: number,
): readonly { readonly x: number; readonly label: string }[] {
  const kept: { x: number; label: string }[] = [];
  let end = 0;
  for (const tick of ticks) {
    const label = text(tick);
    const half = (label.length * LETTER_PX) / 2;
    const x = across(tick);
    if (x - half < end || x + half > width) continue;
    kept.push({ x, label });
    end = x + half + LABEL_GAP_PX;
  }
  return kept;
}

const MAX_MARKERS = 20;

/** A marker and where it stands, in pixels. */
export interface PlacedMarker extends ChartMarker {
  readonly at: number;
  /** Where its label stands; `none` where it would run into the label before it. */
  readonly side: 'left' | 'right' | 'none';
}

/** The newest markers. */
export function placedMarkers(
  markers: readonly ChartMarker[],
  area: PlotArea,
  across: Place,
): readonly PlacedMarker[] {
  let end = -Infinity;
  return markers.slice(-MAX_MARKERS).map(({ x, text }) => {
    const at = across(x);
    const width = text.length * LETTER_PX + 5;
    const isLeft = at + width > area.right;
    const from = isLeft ? at - width : at;
    if (from < end) return { x, text, at, side: 'none' };
    end = from + width;
    return { x, text, at, side: isLeft ? 'left' : 'right' };
  });
}
