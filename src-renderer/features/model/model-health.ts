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
  /** Rows of an execution; undefined when nothing was executed. */
  readonly meanBatch: number | undefined;
  /** Requests under way at one time, at most. */
  readonly mostInFlight: number;
}

/** What of a point of the history says how the model fared. */
type Counted = Pick<
  SeriesPoint,
  'successes' | 'failures' | 'rejected' | 'timedOut' | 'p99Us' | 'inferences' | 'executions' | 'inFlight'
>;

/** Sums up points of any length; none give zeros. */
export function healthOf(points: readonly Counted[]): ModelHealth {
  let [requests, failures, inferences, executions, mostInFlight] = [0, 0, 0, 0, 0];
  let p99Us: number | undefined;
  for (const point of points) {
    requests += point.successes;
    // What the queue refused may or may not be counted as a failure as well.
    failures += Math.max(point.failures, point.rejected + point.timedOut);
    inferences += point.inferences;
    executions += point.executions;
    mostInFlight = Math.max(mostInFlight, point.inFlight);
    if (point.p99Us !== undefined) p99Us = Math.max(p99Us ?? 0, point.p99Us);
  }
  const meanBatch = executions === 0 ? undefined : inferences / executions;
  return { requests, failures, p99Us, meanBatch, mostInFlight };
}

/** As good as one row. */
const SINGLE = 1.05;

/** Whether requests could have shared batches of a model that takes `maxBatchSize` rows, and did not. */
export function batchesStayedSingle(
  { meanBatch, mostInFlight }: Pick<ModelHealth, 'meanBatch' | 'mostInFlight'>,
  maxBatchSize: number,
): boolean {
  return maxBatchSize > 1 && mostInFlight > 1 && meanBatch !== undefined && meanBatch < SINGLE;
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
