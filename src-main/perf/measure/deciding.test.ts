// Decisions of a test as tables: which load comes next, where the knee is, when windows agree.

import { describe, expect, it } from 'vitest';

import type { PerfLevels } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfMeasured } from '../../../src-shared/contract/perf-views.ts';
import type { LevelOutcome } from './level-plan.ts';
import { kneeOf, levelCount, nextLevel } from './level-plan.ts';
import { judgeStability } from './stability.ts';

/** Loads in order when a load is good up to `limit` and throughput stops growing at `peak`. */
function walk(levels: PerfLevels, limit: number, peak = Infinity, stopsWhenBad = true): number[] {
  const outcomes: LevelOutcome[] = [];
  for (;;) {
    const value = nextLevel(levels, outcomes, { stopsWhenBad });
    if (value === undefined || outcomes.length > 50) return outcomes.map((outcome) => outcome.value);
    outcomes.push({ value, isGood: value <= limit, inferPerSecond: Math.min(value, peak) * 100 });
  }
}

describe('the next load', () => {
  it.each<[string, PerfLevels, number, number, boolean, number[]]>([
    ['a range', { kind: 'range', start: 1, end: 5, step: 2 }, 99, 99, true, [1, 3, 5]],
    ['a range that turns bad', { kind: 'range', start: 1, end: 9, step: 2 }, 4, 99, true, [1, 3, 5]],
    ['a range that goes on', { kind: 'range', start: 1, end: 5, step: 2 }, 0, 99, false, [1, 3, 5]],
    ['a range without an end', { kind: 'range', start: 2, end: 0, step: 2 }, 5, 99, false, [2, 4, 6]],
    [
      'a fraction',
      { kind: 'range', start: 0.1, end: 0.3, step: 0.1 },
      99,
      99,
      true,
      [0.1, 0.2, 0.30000000000000004],
    ],
    ['a list', { kind: 'list', values: [4, 1, 7] }, 0, 99, true, [4, 1, 7]],
    ['doubling to the knee', { kind: 'doubling', start: 1, end: 0 }, 99, 6, false, [1, 2, 4, 8, 16]],
    ['halving', { kind: 'binary', start: 1, end: 16, step: 1 }, 6, 99, true, [1, 16, 8, 4, 6, 7]],
    ['halving, all good', { kind: 'binary', start: 1, end: 16, step: 1 }, 99, 99, true, [1, 16]],
    ['halving, none good', { kind: 'binary', start: 4, end: 16, step: 1 }, 1, 99, true, [4]],
  ])('%s', (_name, levels, limit, peak, stopsWhenBad, expected) => {
    expect(walk(levels, limit, peak, stopsWhenBad)).toEqual(expected);
  });

  it('knows its number only where results do not decide', () => {
    expect(levelCount({ kind: 'range', start: 1, end: 8, step: 3 })).toBe(3);
    expect(levelCount({ kind: 'doubling', start: 1, end: 0 })).toBe(0);
  });
});

it.each([
  [[100, 190, 300, 305, 304], 2],
  [[100, 200], -1],
  [[300, 300, 299], 0],
  [[], -1],
])('the knee of %j is %d', (throughputs, knee) => {
  const levels = throughputs.map((inferPerSecond, index) => ({
    value: 2 ** index,
    state: 'stable' as const,
    result: { inferPerSecond },
  }));
  expect(kneeOf(levels)).toBe(knee);
  expect(kneeOf(levels.map((level) => ({ ...level, state: 'unstable' as const })))).toBe(-1);
});

describe('stability', () => {
  const rules = { stabilityPercent: 10, percentile: 0, latencyLimitMs: 0, isAsync: false };
  const windows = (entries: readonly (readonly [number, number])[]): PerfMeasured[] =>
    entries.map(
      ([inferPerSecond, meanUs]) =>
        ({ inferPerSecond, meanUs, percentilesUs: {} }) as unknown as PerfMeasured,
    );
  const steady = [100, 1000] as const;

  it.each([
    ['two windows are too few', [steady, steady], rules, 'more'],
    ['three that agree', [steady, steady, [109, 1050]], rules, 'stable'],
    ['throughput differs', [steady, steady, [111, 1000]], rules, 'more'],
    ['latency differs', [steady, steady, [100, 1200]], rules, 'more'],
    ['latency differs, asynchronous', [steady, steady, [100, 1200]], { ...rules, isAsync: true }, 'stable'],
    ['only the last three count', [[1, 1], steady, steady, steady], rules, 'stable'],
    ['a window without requests', [steady, steady, [0, 0]], rules, 'more'],
    ['all above the limit', [steady, steady, steady], { ...rules, latencyLimitMs: 0.5 }, 'over-limit'],
    ['one within the limit', [[100, 400], steady, steady], { ...rules, latencyLimitMs: 0.5 }, 'more'],
  ] as const)('%s', (_name, entries, given, kind) => {
    expect(judgeStability(windows(entries), given).kind).toBe(kind);
  });
});
