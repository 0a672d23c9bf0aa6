// Which of two measurements is better, by what the user weighs.

import type { Metrics, MetricTag } from './metrics.ts';
import { metricOf } from './metrics.ts';

/** Weights by metric; together they are 1. */
export type Objectives = ReadonlyMap<MetricTag, number>;

export const DEFAULT_OBJECTIVES: Objectives = new Map([['perf_throughput', 1]]);

/** Makes the weights add up to 1. */
export function normalized(weights: ReadonlyMap<MetricTag, number>): Objectives {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return new Map([...weights].map(([tag, weight]) => [tag, weight / total]));
}

/** Positive when `b` is better: differences as shares of the mean of both. What one of them lacks does not count. */
export function compareObjectives(a: Metrics, b: Metrics, objectives: Objectives): number {
  let total = 0;
  for (const [tag, weight] of objectives) {
    const before = a[tag];
    const after = b[tag];
    if (before === undefined || after === undefined || before + after === 0) continue;
    total += weight * signOf(tag) * ((after - before) / ((before + after) / 2));
  }
  return total;
}

/** What users are told: how much `b` is better than `a`, as a share of `a`. */
export function gainOver(a: Metrics, b: Metrics, objectives: Objectives): number {
  let total = 0;
  for (const [tag, weight] of objectives) {
    const before = a[tag];
    const after = b[tag];
    if (before === undefined || after === undefined || before === 0) continue;
    total += weight * signOf(tag) * ((after - before) / before);
  }
  return total;
}

function signOf(tag: MetricTag): 1 | -1 {
  return metricOf(tag).isLessBetter ? -1 : 1;
}
