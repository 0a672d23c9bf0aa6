// After a search: the best variants are measured at growing loads, and where a load fails its limits after one that keeps
// to them, the place between the two is looked for.

import type { Goals } from '../rank/constraints.ts';
import { bestOf, passes } from '../rank/constraints.ts';
import type { Metrics } from '../rank/metrics.ts';
import { compareObjectives } from '../rank/objectives.ts';
import type { SearchSpace } from './search-space.ts';
import { powersOfTwo } from './search-space.ts';
import type { Search, VariantFields } from './trial.ts';

const LEAST_LOADS = 4;
const LEAST_GAIN = 0.05;

interface Point {
  readonly value: number;
  readonly metrics: Metrics;
}

/**
 * Yields the loads to measure of one variant. It asks for some that were measured before: whoever carries out the trials
 * answers those from what is known.
 */
export function* refinement(
  space: SearchSpace,
  fields: VariantFields,
  goals: Goals,
  options: { readonly maxSteps: number },
): Search {
  const points: Point[] = [];
  function* measure(value: number): Search<Point | undefined> {
    const result = yield { fields, batchSize: 1, load: { unit: space.unit, value } };
    return result === undefined ? undefined : { value, metrics: result.metrics };
  }
  for (const value of powersOfTwo(space.loads)) {
    const point = yield* measure(value);
    if (point === undefined) break;
    points.push(point);
    if (points.length >= LEAST_LOADS && !stillGains(points, goals)) break;
  }
  const bounds = boundsOf(points, goals);
  if (bounds === undefined) return;
  let { passing, failing } = bounds;
  for (let step = 0; step < options.maxSteps; step += 1) {
    const next = Math.trunc((passing + failing) / 2);
    if (next === passing || next === failing) return;
    const point = yield* measure(next);
    if (point !== undefined && passes(point.metrics, goals)) passing = next;
    else failing = next;
  }
}

function stillGains(points: readonly Point[], goals: Goals): boolean {
  const last = points.slice(-LEAST_LOADS);
  const first = last[0];
  const best = bestOf(last, goals);
  if (first === undefined || best === undefined) return false;
  return compareObjectives(first.metrics, best.metrics, goals.objectives) >= LEAST_GAIN;
}

/**
 * The two loads between which the limits begin to fail: the highest that passes with a failing one right above it.
 * `passing` is 0 where the lowest load fails already; undefined where none fails.
 */
function boundsOf(
  points: readonly Point[],
  goals: Goals,
): { readonly passing: number; readonly failing: number } | undefined {
  for (let at = points.length - 1; at >= 0; at -= 1) {
    const point = points[at];
    const before = points[at - 1];
    if (point === undefined || passes(point.metrics, goals)) continue;
    if (before === undefined) return { passing: 0, failing: point.value };
    if (passes(before.metrics, goals)) return { passing: before.value, failing: point.value };
  }
  return undefined;
}
