// The hill climb: from the smallest configuration, look around, step to where it gets better, until nothing does. The
// default configuration is measured first and takes no part in the walk.

import type { Goals } from '../rank/constraints.ts';
import { compareRank, passes } from '../rank/constraints.ts';
import type { Axis, Point } from './neighborhood.ts';
import { Neighborhood, pointKey } from './neighborhood.ts';
import type { Bounds, SearchSpace } from './search-space.ts';
import { variantFields } from './search-space.ts';
import type { Search, Trial, TrialResult } from './trial.ts';

/** A home that was left and found again this often is the end. */
const MAX_VISITS = 2;

/** Where a climb may go, and what is tried at each place. */
export interface HillClimb {
  readonly axes: readonly Axis[];
  /** What is to be measured at a point; the same for the same point. */
  trialAt(point: Point): Trial;
}

/** Dimensions: the maximum batch size as 2^i where the model batches, then the instance count as i + 1. */
export function climbOf(space: SearchSpace): HillClimb {
  const batches = space.model.maxBatchSize > 0;
  const axis: Axis = { min: 0, max: Infinity };
  return {
    axes: batches ? [axis, axis] : [axis],
    trialAt: (point) => {
      const [first = 0, second = 0] = point;
      const maxBatchSize = batches
        ? clamped(2 ** first, space.maxBatchSizes, space.isBounded.maxBatchSizes)
        : undefined;
      const instances = clamped(
        (batches ? second : first) + 1,
        space.instanceCounts,
        space.isBounded.instanceCounts,
      );
      return {
        fields: variantFields(space, { instances, maxBatchSize }),
        batchSize: 1,
        load: loadFor(space, Math.max(1, maxBatchSize ?? 1), instances),
      };
    },
  };
}

function loadFor(space: SearchSpace, maxBatchSize: number, instances: number): Trial['load'] {
  const value = clamped(2 * maxBatchSize * instances, space.loads, space.isBounded.loads);
  return { unit: 'concurrency', value };
}

function clamped(value: number, { min, max }: Bounds, isBounded: boolean): number {
  return isBounded ? Math.min(max, Math.max(min, value)) : value;
}

/** Ends where no neighbour is better. */
export function* quickSearch(space: SearchSpace, goals: Goals): Search {
  const { maxBatchSize, instanceCount } = space.model;
  yield {
    fields: undefined,
    batchSize: 1,
    load: loadFor(space, Math.max(1, maxBatchSize), instanceCount),
  };
  yield* climb(climbOf(space), goals);
}

/** The walk alone, from the smallest corner. */
export function* climb({ axes, trialAt }: HillClimb, goals: Goals): Search {
  const measured = new Map<string, TrialResult>();
  const visits = new Map<string, number>();
  const around = (home: Point, isForcedSlow: boolean): Neighborhood =>
    new Neighborhood({ home, axes, measured, goals, isForcedSlow });
  let area = around(
    axes.map(({ min }) => min),
    false,
  );
  let point: Point = area.home;
  let best: { readonly point: Point; readonly metrics: NonNullable<TrialResult>['metrics'] } | undefined;
  let hasHomePassed = false;
  for (;;) {
    const result: TrialResult = yield trialAt(point);
    measured.set(pointKey(point), result);
    if (result !== undefined && (best === undefined || compareRank(best.metrics, result.metrics, goals) > 0))
      best = { point, metrics: result.metrics };
    const isHome = pointKey(point) === pointKey(area.home);
    const isPassing = result !== undefined && passes(result.metrics, goals);
    if (isHome && isPassing) hasHomePassed = true;
    if (isHome && (result === undefined || (!isPassing && hasHomePassed))) {
      if (best === undefined) return;
      const home = area.nearestTo(best.point);
      if (pointKey(home) === pointKey(area.home)) return;
      area = around(home, true);
      point = home;
      continue;
    }
    if (!area.hasEnough) {
      const next = area.pick();
      if (next === undefined) return;
      point = next;
      continue;
    }
    const home = area.move();
    const seen = visits.get(pointKey(home)) ?? 0;
    if (pointKey(home) === pointKey(area.home) || seen >= MAX_VISITS) return;
    visits.set(pointKey(home), seen + 1);
    area = around(home, false);
    point = home;
  }
}
