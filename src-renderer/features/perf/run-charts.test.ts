import { expect, test } from 'vitest';

import type { PerfLevel, PerfSweepResult } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel, fakeMeasured, fakeRun, fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import {
  bestIndex,
  latencyBars,
  LATENCY_PARTS,
  latencyParts,
  levelMarkers,
  liveBands,
  livePoints,
  partPoints,
  sweepPoints,
  tradeOffPoints,
  windowBands,
  windowPoints,
} from './run-charts.ts';

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

const sumOf = (parts: object): number =>
  Object.values(parts).reduce((sum: number, us: number) => sum + us, 0);

test('the parts of the mean request make up the mean: what nobody accounts for is the network', () => {
  const parts = latencyParts(fakeMeasured({ server: fakeServerTimes() }));
  expect(parts).toMatchObject({ send: 20, queue: 2000, input: 100, infer: 7000, output: 50, receive: 30 });
  expect(sumOf(parts)).toBe(10_000);
  const alone = latencyParts(fakeMeasured());
  expect(alone).toMatchObject({ queue: 0, infer: 0, network: 9950 });
  // A server that says more than the client saw leaves nothing for the network, not less than nothing.
  expect(latencyParts(fakeMeasured({ meanUs: 100, server: fakeServerTimes() })).network).toBe(0);
});

test('the response cache is a part of its own, and what it answered never waited or ran', () => {
  const server = fakeServerTimes({
    ...{ hasCache: true, cacheHitCount: 75, cacheHitUs: 40, cacheMissCount: 25, cacheMissUs: 80 },
    ...{ queueUs: 400, inputUs: 40, inferUs: 4000, outputUs: 20 },
  });
  const parts = latencyParts(fakeMeasured({ server }));
  expect(parts).toMatchObject({ cache: 50, queue: 100, input: 10, infer: 1000, output: 5 });
  expect(sumOf(parts)).toBe(10_000);
  expect(partPoints([fakeLevel(1, { server })])[0]).toMatchObject({ cache: 50, queue: 100 });
});

test('the colour of danger is left to what failed', () => {
  expect(LATENCY_PARTS.map(({ role }) => role)).not.toContain('danger');
});

test('an ensemble spends its time in its steps, however deep they are', () => {
  const step = fakeServerTimes({ queueUs: 10, inputUs: 1, inferUs: 100, outputUs: 2 });
  const inner = fakeServerTimes({ isEnsemble: true, queueUs: 999, composing: [step, step] });
  const server = fakeServerTimes({ isEnsemble: true, inferUs: 999, composing: [step, inner] });
  expect(latencyParts(fakeMeasured({ server }))).toMatchObject({
    queue: 30,
    input: 3,
    infer: 300,
    output: 6,
  });
});

test('levels that answered nothing are in no chart', () => {
  const levels = [
    fakeLevel(1, { server: fakeServerTimes() }),
    fakeLevel(2, { requestCount: 0, percentilesUs: {} }, { state: 'failed' }),
  ];
  expect(tradeOffPoints([{ levels }])).toHaveLength(1);
  expect(partPoints(levels)).toEqual([
    { x: 1, outside: 850, cache: 0, queue: 2000, input: 100, infer: 7000, output: 50 },
  ]);
  expect(windowPoints(levels).filter(({ p99 }) => p99 === undefined)).toHaveLength(3);
});

test('windows of all levels stand at their ends, in the order of time', () => {
  const [early, late] = [1000, 9000].map((startedAtMs) => fakeMeasured({ startedAtMs, durationMs: 500 }));
  const levels = [fakeLevel(2, {}, { windows: [late!] }), fakeLevel(1, {}, { windows: [early!] })];
  expect(windowPoints(levels).map(({ x }) => x)).toEqual([1500, 9500]);
  expect(windowBands(levels)).toEqual([
    [9000, 9500],
    [1000, 1500],
  ]);
  // A level that was skipped before its first window has no place on the axis.
  expect(levelMarkers([fakeLevel(4, {}, { windows: [] })])).toEqual([]);
});

test('a run that goes on has a point for each bucket, with a gap where nothing was answered', () => {
  const points = [
    { atMs: 250, inferPerSecond: 4, p99Us: 900 },
    { atMs: 500, inferPerSecond: 0, p99Us: undefined },
  ];
  expect(livePoints({ points } as never)).toEqual([
    { x: 250, rate: 4, p99: 900 },
    { x: 500, rate: 0, p99: undefined },
  ]);
});

test('several runs keep their points apart', () => {
  const runs = [fakeRun('a', [fakeLevel(1)]), fakeRun('b', [fakeLevel(2, { inferPerSecond: 50 })])];
  expect(tradeOffPoints(runs)).toEqual([
    { x: 11_900, run0: 100, load0: 1 },
    { x: 11_900, run1: 50, load1: 2 },
  ]);
});

test('trials of a sweep that measured nothing are left out, the unbeaten ones are joined', () => {
  const row = (p99Us: number, inferPerSecond: number, isPareto: boolean) => ({
    p99Us,
    inferPerSecond,
    isPareto,
  });
  const rows = [row(900, 20, true), row(300, 10, false), row(100, 0, true)];
  expect(sweepPoints({ rows } as unknown as PerfSweepResult)).toEqual([
    { x: 300, trial: 10, frontier: undefined },
    { x: 900, trial: 20, frontier: 20 },
  ]);
});

test('a run is summed up by its highest throughput; without any there is no best level', () => {
  const levels = [10, 40, 40, 20].map((inferPerSecond, at) => fakeLevel(at + 1, { inferPerSecond }));
  expect(bestIndex(levels)).toBe(1);
  expect(bestIndex([fakeLevel(1, { inferPerSecond: 0 })])).toBe(-1);
  expect(bestIndex([])).toBe(-1);
});
