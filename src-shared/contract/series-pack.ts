// Points of a series as rows of numbers, a third of their size as objects: a window of 300 fits one message.
// Microseconds travel with one decimal.

import type { SeriesPoint } from './series-point.ts';

/** Values of one point in the order of COLUMNS; null = undefined. */
export type PackedPoint = readonly (number | null)[];

const COLUMNS = [
  'atMs',
  'bucketMs',
  'inferences',
  'executions',
  'successes',
  'failures',
  'rejected',
  'timedOut',
  'p50Us',
  'p90Us',
  'p99Us',
  'maxUs',
  'queueUs',
  'inputUs',
  'inferUs',
  'outputUs',
  'cacheUs',
  'overheadUs',
  'waiting',
  'inFlight',
  'cacheHits',
  'cacheMisses',
  'cacheLookupUs',
] as const satisfies readonly (keyof SeriesPoint)[];

/** A row in the order of the columns, numbers to one decimal; null for what is not known. */
export function packPoint(point: SeriesPoint): PackedPoint {
  return COLUMNS.map((column) => {
    const value = point[column];
    return value === undefined ? null : Math.round(value * 10) / 10;
  });
}

/** The point of a row. */
export function unpackPoint(row: PackedPoint): SeriesPoint {
  const point: { -readonly [Column in keyof SeriesPoint]?: number | undefined } = {};
  COLUMNS.forEach((column, index) => (point[column] = row[index] ?? undefined));
  return point as SeriesPoint;
}

type Missing = Exclude<keyof SeriesPoint, (typeof COLUMNS)[number]>;
/** Does not compile while a property of a point has no column. @lintignore */
export const everyColumnIsPacked: [Missing] extends [never] ? true : Missing = true;
