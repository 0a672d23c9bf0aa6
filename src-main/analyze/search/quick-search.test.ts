import { expect, test } from 'vitest';

import type { Goals } from '../rank/constraints.ts';
import { DEFAULT_OBJECTIVES } from '../rank/objectives.ts';
import { Neighborhood } from './neighborhood.ts';
import { climb, climbOf, quickSearch } from './quick-search.ts';
import { someSpace, throughput, trialsOf, trialText } from './testing.ts';
import type { TrialResult } from './trial.ts';

const FREE: Goals = { objectives: DEFAULT_OBJECTIVES, constraints: new Map() };
const WITHIN_10_MS: Goals = {
  objectives: DEFAULT_OBJECTIVES,
  constraints: new Map([['perf_latency_p99', { kind: 'max', value: 10 }]]),
};
const LINE = [{ min: 0, max: 9 }];

function area(
  home: readonly number[],
  measured: readonly (readonly [readonly number[], TrialResult])[],
  options: { readonly goals?: Goals; readonly isForcedSlow?: boolean; readonly axes?: typeof LINE } = {},
): Neighborhood {
  return new Neighborhood({
    home,
    axes: options.axes ?? LINE,
    measured: new Map(measured.map(([point, result]) => [point.join(','), result])),
    goals: options.goals ?? FREE,
    isForcedSlow: options.isForcedSlow ?? false,
  });
}

test('a neighbourhood is what lies within three of home and within bounds', () => {
  expect(area([1], []).points).toEqual([[0], [1], [2], [3], [4]]);
  const plane = [
    { min: 0, max: 9 },
    { min: 0, max: 9 },
  ];
  const { points } = area([0, 0], [], { axes: plane });
  expect(points).toHaveLength(11);
  expect(points).not.toContainEqual([3, 1]);
  expect(points).toContainEqual([2, 2]);
});

test('looking around quickly, the point with most new coordinates comes first', () => {
  const plane = [
    { min: 0, max: 9 },
    { min: 0, max: 9 },
  ];
  const known = area([0, 0], [[[0, 0], throughput(1)]], { axes: plane });
  // (0, 1) has one new coordinate, (1, 1) is the first with two.
  expect(known.pick()).toEqual([1, 1]);
  expect(known.hasEnough).toBe(false);
});

test.each([
  ['no step', 1.05, 0],
  ['one', 1.5, 1],
  ['two', 4, 2],
])('how strongly neighbours pull says how far to go: %s', (_name, factor, steps) => {
  // Three neighbours of the same throughput f: w = 2 (f - 1) / (f + 1), x = 3 w / (1 + 2 + 3) = (f - 1) / (f + 1).
  const measured = [[0], [1], [2], [3]].map(
    (point) => [point, throughput(point[0] === 0 ? 100 : 100 * factor)] as const,
  );
  expect(area([0], measured).move()).toEqual([steps]);
});

test('a pull beyond one is three steps, and bounds hold', () => {
  // One neighbour one step away with w = 2 x 199 / 201 = 1.98: x = 1.98.
  const measured = [
    [[5], throughput(1)],
    [[6], throughput(200)],
  ] as const;
  expect(area([5], measured).move()).toEqual([8]);
  expect(area([5], measured, { axes: [{ min: 0, max: 6 }] }).move()).toEqual([6]);
});

test('worse neighbours push away', () => {
  // w = (50 - 100) / 75 = -0.667 at +1: x = -0.667, two steps down.
  const measured = [
    [[5], throughput(100)],
    [[6], throughput(50)],
  ] as const;
  expect(area([5], measured).move()).toEqual([3]);
});

test('where a home passes and a neighbour does not, it goes slowly: next to it only, down before up', () => {
  const result = (rate: number, ms: number): TrialResult => ({
    metrics: { perf_throughput: rate, perf_latency_p99: ms },
  });
  const measured: (readonly [readonly number[], TrialResult])[] = [
    [[2], result(100, 5)],
    [[5], result(500, 20)],
  ];
  const options = { goals: WITHIN_10_MS };
  expect(area([2], measured, options).isSlow).toBe(true);
  expect(area([2], measured, options).pick()).toEqual([1]);
  measured.push([[1], result(80, 4)]);
  expect(area([2], measured, options).pick()).toEqual([3]);
  measured.push([[3], result(130, 8)]);
  expect(area([2], measured, options).hasEnough).toBe(true);
  expect(area([2], measured, options).move()).toEqual([3]);
});

test('when nothing passes, the slow way stays at home', () => {
  const late: TrialResult = { metrics: { perf_throughput: 9, perf_latency_p99: 99 } };
  const measured = [
    [[2], late],
    [[1], late],
    [[3], undefined],
  ] as const;
  expect(area([2], measured, { goals: WITHIN_10_MS, isForcedSlow: true }).move()).toEqual([2]);
});

test('a home that does not pass is left in the direction of less excess', () => {
  const late = (ms: number): TrialResult => ({ metrics: { perf_throughput: 1, perf_latency_p99: ms } });
  // Excess 2 at home and 1.4, 1, 0.6 beside it: w = 0.6, 1, 1.4; x = 3 / 6 = 0.5, two steps.
  const measured = [
    [[0], late(30)],
    [[1], late(24)],
    [[2], late(20)],
    [[3], late(16)],
  ] as const;
  expect(area([0], measured, { goals: WITHIN_10_MS }).move()).toEqual([2]);
});

test('the default is measured at 2 x batch x instances, then the smallest configuration', () => {
  const space = someSpace({
    model: { maxBatchSize: 8, instanceCount: 2, takesDynamicBatching: true, dynamicBatching: undefined },
  });
  const trials = trialsOf(quickSearch(space, FREE), () => throughput(100));
  expect(trials.map(trialText).slice(0, 3)).toEqual(['default c32', 'i1 b1 c2', 'i2 b2 c8']);
});

test('bounds of the user hold for the values, others do not', () => {
  const space = someSpace({
    instanceCounts: { min: 1, max: 2 },
    maxBatchSizes: { min: 2, max: 4 },
    isBounded: { loads: false, instanceCounts: true, maxBatchSizes: true },
  });
  const { trialAt } = climbOf(space);
  expect(trialText(trialAt([0, 0]))).toBe('i1 b2 c4');
  expect(trialText(trialAt([5, 5]))).toBe('i2 b4 c16');
  expect(trialText(climbOf(someSpace()).trialAt([8, 6]))).toBe('i7 b256 c3584');
});

test('it climbs to the top of a hill and ends there', () => {
  const space = someSpace({
    model: { maxBatchSize: 0, instanceCount: 1, takesDynamicBatching: false, dynamicBatching: undefined },
  });
  const rates = [100, 180, 240, 280, 300, 260, 200, 150, 100, 80, 60];
  const trials = trialsOf(climb(climbOf(space), FREE), ({ fields }) => {
    const [group] = fields?.['instance_group'] as [{ count: number }];
    return throughput(rates[group.count - 1] ?? 10);
  });
  const counts = trials.map(({ fields }) => (fields?.['instance_group'] as [{ count: number }])[0].count);
  expect(counts.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(counts).toContain(5);
  expect(Math.max(...counts)).toBeLessThan(11);
});

test('it ends when nothing can be measured at all', () => {
  expect(trialsOf(climb(climbOf(someSpace()), FREE), () => undefined)).toHaveLength(1);
});

test('it comes back from a place where nothing can be measured', () => {
  const space = someSpace({
    model: { maxBatchSize: 0, instanceCount: 1, takesDynamicBatching: false, dynamicBatching: undefined },
  });
  const trials = trialsOf(climb(climbOf(space), FREE), ({ fields }) => {
    const [group] = fields?.['instance_group'] as [{ count: number }];
    return group.count > 4 ? undefined : throughput(100 * 2 ** group.count);
  });
  const counts = trials.map(({ fields }) => (fields?.['instance_group'] as [{ count: number }])[0].count);
  expect(counts).toContain(4);
  expect(Math.max(...counts)).toBeLessThanOrEqual(7);
});
