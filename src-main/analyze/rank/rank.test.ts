import { expect, test } from 'vitest';

import { bestOf, compareConstraints, compareRank, excessOf, passes, ranked } from './constraints.ts';
import type { Constraints, Goals } from './constraints.ts';
import type { MetricTag } from './metrics.ts';
import { metricNamed } from './metrics.ts';
import { compareObjectives, DEFAULT_OBJECTIVES, gainOver, normalized } from './objectives.ts';

const WITHIN_10_MS: Constraints = new Map([['perf_latency_p99', { kind: 'max', value: 10 }]]);
const GOALS: Goals = { objectives: DEFAULT_OBJECTIVES, constraints: WITHIN_10_MS };

test('a difference is a share of the mean of both, positive when the second is better', () => {
  // (150 - 50) / 100
  expect(compareObjectives({ perf_throughput: 50 }, { perf_throughput: 150 }, DEFAULT_OBJECTIVES)).toBe(1);
  expect(compareObjectives({ perf_throughput: 150 }, { perf_throughput: 50 }, DEFAULT_OBJECTIVES)).toBe(-1);
  expect(compareObjectives({ perf_throughput: 50 }, { perf_throughput: 50 }, DEFAULT_OBJECTIVES)).toBe(0);
});

test('weights are made to add up to one, and less latency is better', () => {
  const objectives = normalized(
    new Map<MetricTag, number>([
      ['perf_throughput', 3],
      ['perf_latency_p99', 1],
    ]),
  );
  expect([...objectives.values()]).toEqual([0.75, 0.25]);
  const a = { perf_throughput: 100, perf_latency_p99: 10 };
  const b = { perf_throughput: 300, perf_latency_p99: 30 };
  // 0.75 x 200 / 200 - 0.25 x 20 / 20
  expect(compareObjectives(a, b, objectives)).toBe(0.5);
  // 0.75 x 200 / 100 - 0.25 x 20 / 10
  expect(gainOver(a, b, objectives)).toBe(1);
});

test('what was not measured decides nothing', () => {
  const objectives = new Map<MetricTag, number>([['gpu_used_memory', 1]]);
  expect(compareObjectives({}, { gpu_used_memory: 5 }, objectives)).toBe(0);
  expect(excessOf({}, WITHIN_10_MS)).toBe(0);
});

test('excess is the share by which limits are missed, summed', () => {
  const constraints: Constraints = new Map<MetricTag, { kind: 'min' | 'max'; value: number }>([
    ['perf_latency_p99', { kind: 'max', value: 10 }],
    ['perf_throughput', { kind: 'min', value: 200 }],
  ]);
  // (15 - 10) / 10 + (200 - 150) / 200
  expect(excessOf({ perf_latency_p99: 15, perf_throughput: 150 }, constraints)).toBe(0.75);
  expect(excessOf({ perf_latency_p99: 10, perf_throughput: 200 }, constraints)).toBe(0);
  const goals = { objectives: DEFAULT_OBJECTIVES, constraints: WITHIN_10_MS };
  expect(compareConstraints({ perf_latency_p99: 15 }, { perf_latency_p99: 12 }, goals)).toBeCloseTo(0.3);
});

test('passing ones rank above failing ones, whatever these do; failing ones by excess', () => {
  const slow = { id: 'slow', metrics: { perf_throughput: 900, perf_latency_p99: 30 } };
  const slower = { id: 'slower', metrics: { perf_throughput: 990, perf_latency_p99: 40 } };
  const good = { id: 'good', metrics: { perf_throughput: 100, perf_latency_p99: 9 } };
  const better = { id: 'better', metrics: { perf_throughput: 120, perf_latency_p99: 10 } };
  expect(ranked([slower, good, slow, better], GOALS).map(({ id }) => id)).toEqual([
    'better',
    'good',
    'slow',
    'slower',
  ]);
  expect(bestOf([slower, slow], GOALS)).toBe(slow);
  expect(passes(slow.metrics, GOALS)).toBe(false);
  expect(compareRank(good.metrics, better.metrics, GOALS)).toBeGreaterThan(0);
});

test('the old name of the p99 latency is understood, an unknown name is not', () => {
  expect(metricNamed('perf_latency')).toBe('perf_latency_p99');
  expect(metricNamed('perf_luck')).toBeUndefined();
});
