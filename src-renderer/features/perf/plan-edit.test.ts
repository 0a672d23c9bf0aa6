import { expect, test } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevels, PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
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
  expect(planProblem(shaped, ['IN'])).toBeUndefined();
  const own = { ...plan, data: { ...plan.data, source: { kind: 'json', text: '{"data":[]}' } as const } };
  expect(planProblem(own, ['IN'])).toBeUndefined();
});

test('a sweep counts every combination and the configuration as it is', () => {
  expect(sweepCount(NO_SWEEP)).toBe(0);
  expect(sweepCount({ ...NO_SWEEP, instanceCounts: [1, 2], maxBatchSizes: [4, 8, 16] })).toBe(7);
});

test('another kind of load brings what it needs, and keeps nothing that it cannot use', () => {
  const rate = withLoadKind(plan.load, 'request-rate');
  expect(rate).toMatchObject({ kind: 'request-rate', distribution: 'constant' });
  expect(withLoadKind(rate, 'request-rate')).toBe(rate);
  expect(withLoadKind(rate, 'schedule')).toEqual({ kind: 'schedule' });
  expect(withLoadKind({ kind: 'schedule' }, 'concurrency')).toEqual({
    kind: 'concurrency',
    levels: { kind: 'range', start: 1, end: 1, step: 1 },
  });
  expect(withLoadKind(rate, 'intervals')).toEqual({ kind: 'intervals', intervalsUs: [10_000] });
  expect(withLoadKind(rate, 'periodic')).toMatchObject({ start: 1, end: 16, step: 1 });
});

test('levels that end where they start are still levels in every other kind', () => {
  const one: PerfLevels = { kind: 'range', start: 4, end: 4, step: 1 };
  expect(withLevelsKind(one, 'list')).toEqual({ kind: 'list', values: [4] });
  // No end of its own: the latency limit ends it.
  expect(withLevelsKind(one, 'doubling')).toEqual({ kind: 'doubling', start: 4, end: 0 });
  expect(withLevelsKind(one, 'binary')).toEqual({ kind: 'binary', start: 4, end: 64, step: 1 });
  expect(withLevelsKind({ kind: 'list', values: [] }, 'range')).toEqual({
    kind: 'range',
    start: 1,
    end: 1,
    step: 1,
  });
});

test.each<[PerfLevels, number | undefined]>([
  [{ kind: 'range', start: 1, end: 9, step: 0 }, 0],
  [{ kind: 'range', start: 9, end: 1, step: 1 }, 0],
  [{ kind: 'binary', start: 1, end: 16, step: 1 }, undefined],
])('a number of levels is never infinite nor below zero: %j', (levels, count) => {
  expect(plannedLevels({ kind: 'concurrency', levels })).toBe(count);
});

test('a load without levels is one, and a growing one shows its number on the way', () => {
  expect(plannedLevels({ kind: 'schedule' })).toBe(1);
  expect(plannedLevels({ kind: 'intervals', intervalsUs: [10] })).toBe(1);
  expect(plannedLevels({ kind: 'periodic', start: 1, end: 4, step: 1, requestPeriod: 1 })).toBeUndefined();
});

test.each<[string, PerfPlan, RegExp]>([
  ['a rate of nothing', withLevels({ kind: 'range', start: 0, end: 2, step: 1 }), /above 0|start/i],
  ['a step of nothing', withLevels({ kind: 'range', start: 1, end: 2, step: 0 }), /step/i],
  ['gaps without a gap', { ...plan, load: { kind: 'intervals', intervalsUs: [] } }, /gap/i],
  [
    'a growing load without a stream',
    { ...plan, load: { kind: 'periodic', start: 1, end: 2, step: 1, requestPeriod: 1 } },
    /stream/i,
  ],
  ['times of data without data', { ...plan, load: { kind: 'schedule' } }, /data/i],
  ['a stream over HTTP', { ...plan, isStreaming: true }, /gRPC/],
  ['no JSON', { ...plan, data: { ...plan.data, source: { kind: 'json', text: ' ' } } }, /JSON/],
  [
    'no saved request',
    { ...plan, data: { ...plan.data, source: { kind: 'saved', request: '', name: '' } } },
    /request/i,
  ],
  ['no path', { ...plan, data: { ...plan.data, source: { kind: 'path', path: '' } } }, /path|file/i],
])('%s cannot be started, and it says why', (_name, wrong, reason) => {
  expect(planProblem(wrong, [])).toMatch(reason);
});

test('what was wrong is right with what was missing', () => {
  const streaming = { ...plan, protocol: 'grpc', isStreaming: true } as const;
  const periodic = { kind: 'periodic', start: 1, end: 2, step: 1, requestPeriod: 1 } as const;
  expect(planProblem({ ...streaming, load: periodic }, [])).toBeUndefined();
  const limited = { ...plan, measurement: { ...plan.measurement, latencyLimitMs: 50 } };
  for (const levels of [
    { kind: 'range', start: 1, end: 0, step: 1 },
    { kind: 'binary', start: 1, end: 64, step: 1 },
  ] as const) {
    expect(planProblem({ ...limited, load: { kind: 'concurrency', levels } }, [])).toBeUndefined();
  }
});
