// When the requests of an open loop are due: gaps drawn ahead of time from the load alone, never from the answers.

import { seededRandom } from '../../onnx/seeded-random.ts';

/** Gaps in ns, one per call; undefined = no more requests. */
export type Arrivals = () => number | undefined;

/** Same sequence in every run, so that runs can be compared. */
const POISSON_SEED = 5489;

/** Due times are k / rate from the start; rounding never adds up. */
export function constantArrivals(perSecond: number): Arrivals {
  let sent = 0;
  return () => {
    const from = Math.round((sent * 1e9) / perSecond);
    sent += 1;
    return Math.round((sent * 1e9) / perSecond) - from;
  };
}

/** Gaps in nanoseconds, exponentially distributed around the mean of `perSecond`; the same at each start. */
export function poissonArrivals(perSecond: number): Arrivals {
  const random = seededRandom(POISSON_SEED);
  return () => (-Math.log(1 - random()) * 1e9) / perSecond;
}

/** The given gaps, in microseconds, again and again; gives nanoseconds. */
export function intervalArrivals(intervalsUs: readonly number[]): Arrivals {
  let at = 0;
  return () => {
    const gapUs = intervalsUs[at % intervalsUs.length] ?? 0;
    at += 1;
    return gapUs * 1000;
  };
}

/** Requests per second of a list of gaps, rounded down as the reference does. */
export function rateOfIntervals(intervalsUs: readonly number[]): number {
  const totalNs = intervalsUs.reduce((total, gap) => total + gap * 1000, 0);
  return Math.floor((intervalsUs.length * 1e9) / totalNs);
}

/** One request at each time, in ms from the start. */
export function scheduledArrivals(timesMs: readonly number[]): Arrivals {
  let at = 0;
  let previousMs = 0;
  return () => {
    const timeMs = timesMs[at];
    if (timeMs === undefined) return undefined;
    at += 1;
    const gapNs = Math.max(0, timeMs - previousMs) * 1e6;
    previousMs = Math.max(previousMs, timeMs);
    return gapNs;
  };
}
