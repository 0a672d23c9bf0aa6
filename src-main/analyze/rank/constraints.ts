// What a measurement must keep to, and by how much it does not.

import type { Metrics, MetricTag } from './metrics.ts';
import type { Objectives } from './objectives.ts';
import { compareObjectives } from './objectives.ts';

/** min: at least the value, max: at most. */
export interface Constraint {
  readonly kind: 'min' | 'max';
  readonly value: number;
}

/** At most one limit for each metric. */
export type Constraints = ReadonlyMap<MetricTag, Constraint>;

/** The kind of limit that each metric can have. */
export const CONSTRAINT_KINDS: ReadonlyMap<MetricTag, Constraint['kind']> = new Map([
  ['perf_throughput', 'min'],
  ['perf_latency_avg', 'max'],
  ['perf_latency_p90', 'max'],
  ['perf_latency_p95', 'max'],
  ['perf_latency_p99', 'max'],
  ['gpu_used_memory', 'max'],
]);

/** Sum of the shares by which limits are exceeded; 0 = passes. What was not measured exceeds nothing. */
export function excessOf(metrics: Metrics, constraints: Constraints): number {
  let total = 0;
  for (const [tag, { kind, value }] of constraints) {
    const measured = metrics[tag];
    if (measured === undefined) continue;
    const over = kind === 'min' ? (value - measured) / value : (measured - value) / value;
    total += Math.max(0, over);
  }
  return total;
}

/** What a search is to make better, and within which limits. */
export interface Goals {
  readonly objectives: Objectives;
  readonly constraints: Constraints;
}

/** Whether every limit is kept. */
export function passes(metrics: Metrics, { constraints }: Goals): boolean {
  return excessOf(metrics, constraints) === 0;
}

/** Positive when `b` exceeds the limits by less. */
export function compareConstraints(a: Metrics, b: Metrics, { constraints }: Goals): number {
  return excessOf(a, constraints) - excessOf(b, constraints);
}

/** Positive when `b` ranks above `a`: passing above failing, passing ones by objectives, failing ones by excess. */
export function compareRank(a: Metrics, b: Metrics, goals: Goals): number {
  const isPassing = [a, b].map((metrics) => passes(metrics, goals));
  if (isPassing[0] !== isPassing[1]) return isPassing[1] === true ? 1 : -1;
  return isPassing[0] === true ? compareObjectives(a, b, goals.objectives) : compareConstraints(a, b, goals);
}

/** The best first; those that tie keep their order. */
export function ranked<T extends { readonly metrics: Metrics }>(list: readonly T[], goals: Goals): T[] {
  return list.toSorted((a, b) => compareRank(a.metrics, b.metrics, goals));
}

/** The one that ranks highest. */
export function bestOf<T extends { readonly metrics: Metrics }>(
  list: readonly T[],
  goals: Goals,
): T | undefined {
  return ranked(list, goals)[0];
}
