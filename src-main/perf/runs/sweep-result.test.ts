import { expect, test } from 'vitest';

import type { PerfLevel, PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { sweepResult } from './sweep-result.ts';
import { sweepVariants } from './sweep-variants.ts';

interface Measured {
  readonly load: number;
  /** Of each window. */
  readonly rates: readonly number[];
  readonly state?: PerfLevel['state'];
}

function level({ load, rates, state = 'stable' }: Measured): PerfLevel {
  const measured = (inferPerSecond: number) => ({
    inferPerSecond,
    requestCount: 100,
    percentilesUs: { '99': 1000 },
  });
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return {
    unit: 'concurrency',
    value: load,
    state,
    result: measured(mean),
    windows: rates.map(measured),
  } as unknown as PerfLevel;
}

function run(index: number, title: string, levels: readonly Measured[]): PerfRun {
  return {
    id: `r${index}`,
    model: 'm',
    state: 'done',
    error: '',
    configText: title,
    sweep: { id: 's', index, count: 2, title },
    levels: levels.map(level),
  } as unknown as PerfRun;
}

const steady = (rate: number): readonly number[] => [rate, rate * 1.01, rate * 0.99];

test('a clearly better configuration is named, with its gain at the same load', () => {
  const result = sweepResult('s', [
    run(0, '', [
      { load: 1, rates: steady(100) },
      { load: 4, rates: steady(100) },
    ]),
    run(1, 'instances 2', [
      { load: 1, rates: steady(100) },
      { load: 4, rates: steady(180) },
    ]),
  ]);
  expect(result.bestRunId).toBe('r1');
  expect(result.rows[1]?.gain).toEqual({ percent: expect.closeTo(80, 0), isClear: true });
});

test.each([
  ['the windows of each vary more than they differ', [80, 120, 100], [100, 140, 120], 'stable', 'stable'],
  ['what serves was not stable at that load', steady(100), steady(173), 'unstable', 'stable'],
  ['the better one was not stable', steady(100), steady(173), 'stable', 'unstable'],
  ['it is worse', steady(100), steady(60), 'stable', 'stable'],
] as const)('no winner is named when %s', (_why, served, other, servedState, otherState) => {
  const result = sweepResult('s', [
    run(0, '', [{ load: 4, rates: served, state: servedState }]),
    run(1, 'instances 2', [{ load: 4, rates: other, state: otherState }]),
  ]);
  expect(result).toMatchObject({ bestRunId: '', bestConfigText: '' });
});

test('what serves is compared at the load of the other, not at its own best', () => {
  const result = sweepResult('s', [
    run(0, '', [
      { load: 1, rates: steady(95) },
      { load: 4, rates: steady(167), state: 'unstable' },
    ]),
    run(1, 'instances 2', [{ load: 4, rates: steady(165) }]),
  ]);
  expect(result.bestRunId).toBe('');
  expect(result.rows[1]?.gain?.percent).toBeCloseTo(-1.2, 0);
});

test('a combination that is what serves is measured once', () => {
  const text = 'name: "m" max_batch_size: 8 instance_group { count: 1 }';
  const sweep = { instanceCounts: [1, 2], maxBatchSizes: [], queueDelaysUs: [], intraOpThreads: [] };
  expect(sweepVariants(text, sweep, { batchSize: 1 }).map(({ title }) => title)).toEqual([
    'instances 1',
    'instances 2',
  ]);
});
