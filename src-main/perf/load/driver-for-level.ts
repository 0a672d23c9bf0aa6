// The load of one level: a plan's mode and one value of its range to a driver.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { Clock } from '../../base/clock.ts';
import type { Arrivals } from './arrival-times.ts';
import { constantArrivals, intervalArrivals, poissonArrivals, scheduledArrivals } from './arrival-times.ts';
import { ClosedLoop } from './closed-loop.ts';
import type { LanePool, LoadDriver, LoadListener, MessageSource } from './load-driver.ts';
import { OpenLoop } from './open-loop.ts';
import type { Pacer } from './pacer.ts';
import { PeriodicLoop } from './periodic-loop.ts';

/** What a driver of any kind is made of. */
export interface DriverParts {
  readonly clock: Clock;
  readonly pacer: Pacer;
  readonly pool: LanePool;
  readonly source: MessageSource;
  readonly listener: LoadListener;
  readonly isSequence: boolean;
  /** Times of the data entries, for a fixed schedule. */
  readonly timestampsMs: readonly number[];
}

/** Threads of the reference in synchronous rate modes. */
const DEFAULT_THREADS = 4;
/** Connections of open loops that never wait; beyond it requests are late, which is reported. */
const ASYNC_LANES = 2048;

/**
 * `value` is the concurrency or the rate; loads without levels do not look at it. Nothing is sent before
 * `start`.
 */
export function driverFor(plan: PerfPlan, value: number, parts: DriverParts): LoadDriver {
  const { load } = plan;
  const requestLimit =
    plan.measurement.fixedRequestCount > 0 ? plan.measurement.fixedRequestCount : undefined;
  switch (load.kind) {
    case 'concurrency':
      return new ClosedLoop({ ...parts, concurrency: value, requestLimit });
    case 'request-rate':
      return openLoop(
        plan,
        parts,
        load.distribution === 'poisson' ? poissonArrivals(value) : constantArrivals(value),
      );
    case 'intervals':
      return openLoop(plan, parts, intervalArrivals(load.intervalsUs));
    case 'schedule':
      return openLoop(plan, parts, scheduledArrivals(parts.timestampsMs));
    case 'periodic':
      return new PeriodicLoop({ ...parts, ...load });
  }
}

function openLoop(plan: PerfPlan, parts: DriverParts, arrivals: Arrivals): LoadDriver {
  const { measurement, sequence, maxThreads, isAsync } = plan;
  const limit = maxThreads === 0 ? DEFAULT_THREADS : maxThreads;
  return new OpenLoop({
    ...parts,
    arrivals,
    // Sequence models are asynchronous unless their slots are serial.
    laneLimit: isAsync || parts.isSequence ? ASYNC_LANES : limit,
    slotCount: parts.isSequence ? sequence.count : 1,
    isSerial: parts.isSequence && sequence.isSerial,
    requestLimit: measurement.fixedRequestCount > 0 ? measurement.fixedRequestCount : undefined,
  });
}
