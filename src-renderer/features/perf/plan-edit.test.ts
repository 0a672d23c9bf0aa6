import { expect, test } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevels } from '../../../src-shared/contract/perf-plan.ts';
import {
  NO_SWEEP,
  parseNumbers,
  plannedLevels,
  planProblem,
  sweepCount,
  withLevelsKind,
  withLoadKind,
} from './plan-edit.ts';

const plan = defaultPerfPlan('m');

function withLevels(levels: PerfLevels) {
  return { ...plan, load: { kind: 'concurrency', levels } as const };
}

test.each([
  ['1, 2 4', [1, 2, 4]],
  ['', []],
  ['1;2', [1, 2]],
  ['1, x', undefined],
  ['0', undefined],
  ['1.5', undefined],
])('the text %j is read as %j', (text, expected) => {
  expect(parseNumbers(text, { min: 1 })).toEqual(expected);
});

test('another kind of levels or load keeps where it starts and ends', () => {
  const levels: PerfLevels = { kind: 'range', start: 2, end: 9, step: 1 };
  expect(withLevelsKind(levels, 'list')).toEqual({ kind: 'list', values: [2, 4, 8] });
  expect(withLevelsKind(levels, 'doubling')).toEqual({ kind: 'doubling', start: 2, end: 9 });
  expect(withLoadKind({ kind: 'concurrency', levels }, 'request-rate')).toMatchObject({ levels });
});

test.each<[PerfLevels, number | undefined]>([
  [{ kind: 'range', start: 1, end: 7, step: 2 }, 4],
  [{ kind: 'range', start: 1, end: 0, step: 1 }, undefined],
  [{ kind: 'range', start: 0.1, end: 0.3, step: 0.1 }, 3],
  [{ kind: 'list', values: [1, 2, 4] }, 3],
  [{ kind: 'doubling', start: 1, end: 0 }, undefined],
])('%j has %j levels', (levels, count) => {
  expect(plannedLevels({ kind: 'concurrency', levels })).toBe(count);
});

test.each<[PerfLevels, RegExp]>([
  [{ kind: 'list', values: [] }, /at least one value/],
  [{ kind: 'range', start: 4, end: 2, step: 1 }, /at least start/],
  [{ kind: 'range', start: 1, end: 0, step: 1 }, /latency limit/],
  [{ kind: 'range', start: 1, end: 1000, step: 1 }, /1,000 levels/],
  [{ kind: 'binary', start: 1, end: 16, step: 1 }, /latency limit/],
])('%j cannot be started, and it says why', (levels, reason) => {
  expect(planProblem(withLevels(levels), [])).toMatch(reason);
});

test('open shapes must be given unless data bring their own', () => {
  expect(planProblem(plan, ['IN'])).toMatch(/IN needs a shape/);
  const shaped = { ...plan, data: { ...plan.data, shapes: { IN: [3] } } };
  expect(planProblem(shaped, ['IN'])).toBe('');
  const own = { ...plan, data: { ...plan.data, source: { kind: 'json', text: '{"data":[]}' } as const } };
  expect(planProblem(own, ['IN'])).toBe('');
});

test('a sweep counts every combination and the configuration as it is', () => {
  expect(sweepCount(NO_SWEEP)).toBe(0);
  expect(sweepCount({ ...NO_SWEEP, instanceCounts: [1, 2], maxBatchSizes: [4, 8, 16] })).toBe(7);
});
