import { expect, test } from 'vitest';

import type { Goals } from '../rank/constraints.ts';
import { DEFAULT_OBJECTIVES } from '../rank/objectives.ts';
import { refinement } from './refinement.ts';
import { someSpace, trialsOf } from './testing.ts';
import type { Trial } from './trial.ts';

const goals = (limitMs: number): Goals => ({
  objectives: DEFAULT_OBJECTIVES,
  constraints: new Map([['perf_latency_p99', { kind: 'max', value: limitMs }]]),
});
const values = (trials: readonly Trial[]): number[] => trials.map(({ load }) => load.value);

test('loads double until four of them gain less than a twentieth', () => {
  const trials = trialsOf(refinement(someSpace(), undefined, goals(1000), { maxSteps: 5 }), ({ load }) => ({
    metrics: { perf_throughput: Math.min(load.value, 8), perf_latency_p99: 1 },
  }));
  // 8, 16, 32, 64 are all 8.
  expect(values(trials)).toEqual([1, 2, 4, 8, 16, 32, 64]);
});

test('between the last load that passes and the first that fails it halves, five times at most', () => {
  const space = someSpace({ loads: { min: 1, max: 64 } });
  const trials = trialsOf(refinement(space, undefined, goals(41), { maxSteps: 5 }), ({ load }) => ({
    metrics: { perf_throughput: load.value, perf_latency_p99: load.value },
  }));
  // 32 passes, 64 fails: 48 no, 40 yes, 44 no, 42 no, 41 yes.
  expect(values(trials).slice(7)).toEqual([48, 40, 44, 42, 41]);
});

test('where the very first load fails it looks below it', () => {
  const space = someSpace({ loads: { min: 8, max: 16 } });
  const trials = trialsOf(refinement(space, undefined, goals(3), { maxSteps: 5 }), ({ load }) => ({
    metrics: { perf_throughput: load.value, perf_latency_p99: load.value },
  }));
  // 4 no, 2 yes, 3 yes; then there is nothing between 3 and 4.
  expect(values(trials)).toEqual([8, 16, 4, 2, 3]);
});

test('nothing is halved where all pass', () => {
  const space = someSpace({ loads: { min: 1, max: 8 } });
  const trials = trialsOf(refinement(space, undefined, goals(99), { maxSteps: 5 }), ({ load }) => ({
    metrics: { perf_throughput: load.value, perf_latency_p99: load.value },
  }));
  expect(values(trials)).toEqual([1, 2, 4, 8]);
});
