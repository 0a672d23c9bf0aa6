// How a model fared over a stretch of its history: requests, failures, and the slowest of the p99s, which the true one
// of the whole stretch cannot pass. Pure.

import type { SeriesPoint } from '../../../src-shared/contract/series-point.ts';

/** How a model fared; counts are requests, times microseconds. */
export interface ModelHealth {
  /** Answered with success. */
  readonly requests: number;
  /** Failed, refused by the queue, or timed out in it. */
  readonly failures: number;
  /** At most this; undefined without requests. */
  readonly p99Us: number | undefined;
}

/** Sums up points of any length; none give zeros. */
export function healthOf(
  points: readonly Pick<SeriesPoint, 'successes' | 'failures' | 'rejected' | 'timedOut' | 'p99Us'>[],
): ModelHealth {
  let [requests, failures] = [0, 0];
  let p99Us: number | undefined;
  for (const point of points) {
    requests += point.successes;
    // What the queue refused may or may not be counted as a failure as well.
    failures += Math.max(point.failures, point.rejected + point.timedOut);
    if (point.p99Us !== undefined) p99Us = Math.max(p99Us ?? 0, point.p99Us);
  }
  return { requests, failures, p99Us };
}

/**
 * The points of an hour up to now. The coarse buckets of an hour are told once they are over, so that the newest are
 * missing, all of them just after a load; the fine ones of the last minute follow where those end.
 */
export function upToNow<Point extends Pick<SeriesPoint, 'atMs' | 'bucketMs'>>(
  hour: readonly Point[],
  minute: readonly Point[],
): readonly Point[] {
  const last = hour.at(-1);
  const endMs = last === undefined ? -Infinity : last.atMs + last.bucketMs;
  return [...hour, ...minute.filter(({ atMs, bucketMs }) => atMs + bucketMs / 2 > endMs)];
}
