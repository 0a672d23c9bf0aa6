import { expect, test } from 'vitest';

import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import { latencyBars, levelMarkers, liveBands, paddedRange, tradeOffPoints } from './run-charts.ts';

function level(value: number, p99: number, inferPerSecond: number): PerfLevel {
  const result = { requestCount: 1, percentilesUs: { 99: p99 }, meanUs: p99, inferPerSecond };
  const windows = [{ startedAtMs: value * 1000, durationMs: 100 }];
  return { unit: 'concurrency', value, result, windows } as unknown as PerfLevel;
}

test('points follow the order of the levels, not of the latencies', () => {
  const points = tradeOffPoints([{ levels: [level(1, 900, 10), level(2, 300, 20)] }]);
  expect(points).toEqual([
    { x: 900, run0: 10, load0: 1 },
    { x: 300, run0: 20, load0: 2 },
  ]);
  expect(paddedRange(points)).toEqual([0, 990.0000000000001]);
  expect(paddedRange(points, { isLog: true })).toEqual([240, 1125]);
});

test('bars of latency keep every request and widen by one ratio', () => {
  const bars = latencyBars([100, 3, 200, 5, 400, 1, 100_000, 2]);
  expect(bars.map(({ count }) => count).reduce((sum = 0, count = 0) => sum + count, 0)).toBe(11);
  expect(bars).toHaveLength(4);
  expect(bars.at(-1)?.x).toBeCloseTo(100_000, 3);
  expect(bars[0]?.count).toBe(9);
  expect(latencyBars([250, 7])).toEqual([{ x: 250, count: 7 }]);
  expect(latencyBars([])).toEqual([]);
});

test('a run that ended marks where its levels begin', () => {
  expect(levelMarkers([level(1, 1, 1), level(8, 1, 1)])).toEqual([
    { x: 1100, text: '1' },
    { x: 8100, text: '8' },
  ]);
});

test('windows of a run that goes on are shaded up to their ends, and only where there are points', () => {
  const points = [1000, 1250, 1500].map((atMs) => ({ atMs, inferPerSecond: 1, p99Us: 1 }));
  const live = { points, windowEndsMs: [900, 1400, 2000] };
  expect(liveBands(live, { mode: 'time', intervalMs: 500 })).toEqual([
    [1000, 1400],
    [1500, 2000],
  ]);
  expect(liveBands(live, { mode: 'count', intervalMs: 500 })).toEqual([
    [1000, 1400],
    [1400, 2000],
  ]);
  expect(liveBands({ ...live, points: [] }, { mode: 'time', intervalMs: 500 })).toEqual([]);
});
