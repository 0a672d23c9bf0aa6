// The history of one version as a page holds it: new points follow the ones it has, and what has left the window goes.
// Pure.

import type { SeriesAnswer, SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import { unpackPoint } from '../../../src-shared/contract/series-pack.ts';
import type { SeriesPoint } from '../../../src-shared/contract/series-point.ts';

/** An answer with its points unpacked, oldest first. */
export interface SeriesState extends Omit<SeriesAnswer, 'rows' | 'isWhole'> {
  readonly points: readonly SeriesPoint[];
}

/** How a time range is drawn and asked for, in milliseconds. */
export interface WindowShape {
  /** Length of the time axis; undefined = as long as there are points. */
  readonly spanMs: number | undefined;
  readonly bucketMs: number;
  /** How often new points are asked for. */
  readonly refreshMs: number;
}

/**
 * In ms: how long each window is, how far apart its points are, how often it is read; no length = since the
 * load.
 */
export const WINDOW_SHAPES: Readonly<Record<SeriesWindow, WindowShape>> = {
  '1m': { spanMs: 60_000, bucketMs: 250, refreshMs: 500 },
  '5m': { spanMs: 300_000, bucketMs: 1000, refreshMs: 1000 },
  '15m': { spanMs: 900_000, bucketMs: 5000, refreshMs: 5000 },
  '1h': { spanMs: 3_600_000, bucketMs: 15_000, refreshMs: 15_000 },
  load: { spanMs: undefined, bucketMs: 1000, refreshMs: 15_000 },
};

/** What is held after an answer. The same array of points when it brought none. */
export function withAnswer(
  before: SeriesState | undefined,
  answer: SeriesAnswer,
  window: SeriesWindow,
): SeriesState {
  const { rows, isWhole, ...rest } = answer;
  const known = isWhole ? [] : (before?.points ?? []);
  const newer = rows.map(unpackPoint);
  // The same array when nothing came: charts are drawn again for a new one.
  if (newer.length === 0 && before !== undefined && !isWhole) return { ...rest, points: before.points };
  const points = [...known, ...newer];
  const { spanMs } = WINDOW_SHAPES[window];
  const fromMs = spanMs === undefined ? 0 : (points.at(-1)?.atMs ?? 0) - spanMs;
  return { ...rest, points: points.filter(({ atMs }) => atMs > fromMs) };
}

/** Both ends of the time axis: as long as the window says, also when the version has not been there for so long. */
export function shownRange(
  points: readonly SeriesPoint[],
  window: SeriesWindow,
): readonly [number, number] | undefined {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { spanMs } = WINDOW_SHAPES[window];
  return [spanMs === undefined ? first.atMs : last.atMs - spanMs, last.atMs];
}

const FIRST_MINUTES_MS = 120_000;

/** The window that shows most of what there is of a version that was loaded `ageMs` ago. */
export function firstWindow(ageMs: number): SeriesWindow {
  return ageMs < FIRST_MINUTES_MS ? '1m' : '5m';
}

/** How long ago the last bucket ended, once three more should have come; undefined before. */
export function staleMs(
  points: readonly SeriesPoint[],
  window: SeriesWindow,
  nowMs: number,
): number | undefined {
  const last = points.at(-1);
  if (last === undefined) return undefined;
  const silentMs = nowMs - last.atMs - last.bucketMs;
  const lateMs = 3 * Math.max(last.bucketMs, WINDOW_SHAPES[window].bucketMs);
  return silentMs > lateMs + WINDOW_SHAPES[window].refreshMs ? silentMs : undefined;
}

/** True when anything happened in the window. */
export function hasTraffic(points: readonly SeriesPoint[]): boolean {
  return points.some(
    ({ successes, failures, rejected, waiting, inFlight }) =>
      successes + failures + rejected + waiting + inFlight > 0,
  );
}
