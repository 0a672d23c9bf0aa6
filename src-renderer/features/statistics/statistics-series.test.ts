import { expect, test } from 'vitest';

import type { SeriesAnswer } from '../../../src-shared/contract/observe-views.ts';
import { packPoint } from '../../../src-shared/contract/series-pack.ts';
import type { SeriesPoint } from '../../../src-shared/contract/series-point.ts';
import { firstWindow, hasTraffic, shownRange, staleMs, withAnswer } from './series-state.ts';
import {
  batchSize,
  cache,
  drawnPoints,
  latency,
  resourcePoints,
  resourceSeries,
  throughput,
  timeParts,
} from './statistics-series.ts';

const point = (change: Partial<SeriesPoint> = {}): SeriesPoint => ({
  atMs: 1000,
  bucketMs: 500,
  inferences: 40,
  executions: 10,
  successes: 20,
  failures: 5,
  rejected: 0,
  timedOut: 0,
  p50Us: 900,
  p90Us: 950,
  p99Us: 1000,
  maxUs: 1100,
  queueUs: 1,
  inputUs: 2,
  inferUs: 3,
  outputUs: 4,
  cacheUs: 6,
  overheadUs: 5,
  waiting: 0,
  inFlight: 0,
  cacheHits: 10,
  cacheMisses: 0,
  cacheLookupUs: 12,
  ...change,
});

const answer = (points: readonly SeriesPoint[], isWhole = false): SeriesAnswer => ({
  version: '1',
  rows: points.map(packPoint),
  isWhole,
  batches: [],
  busy: [],
  markers: [],
  maxQueueSize: 0,
  hasCache: false,
});

test('counts become rates per second; answers from the cache are inferences too', () => {
  expect(throughput.pointOf(point())).toEqual({ x: 1000, inferences: 100, executions: 20, failures: 10 });
});

test('a bucket without a request is a gap, never a zero', () => {
  const empty = point({
    successes: 0,
    executions: 0,
    p50Us: undefined,
    p90Us: undefined,
    p99Us: undefined,
    maxUs: undefined,
    cacheHits: 0,
    cacheLookupUs: undefined,
  });
  expect(latency.pointOf(empty)).toMatchObject({ x: 1000, p50: undefined });
  expect(timeParts(true).pointOf(empty)).toEqual({ x: 1000 });
  expect(batchSize.pointOf(empty)).toEqual({ x: 1000, mean: undefined });
  expect(cache.pointOf(empty)).toEqual({ x: 1000, hits: undefined, lookup: undefined });
});

test('time without a bucket is a hole, a bucket that took longer is none', () => {
  const at = (atMs: number, bucketMs: number): SeriesPoint => point({ atMs, bucketMs });
  const points = drawnPoints(batchSize, [at(0, 1000), at(1000, 1800), at(2800, 1000), at(9000, 1000)]);
  expect(points.map(({ x }) => x)).toEqual([0, 1000, 2800, 3800, 9000]);
  expect(points[3]).toEqual({ x: 3800 });
});

test('the mean batch is inferences per execution, the hit share is of all lookups', () => {
  expect(batchSize.pointOf(point())['mean']).toBe(4);
  expect(cache.pointOf(point({ cacheHits: 3, cacheMisses: 1 }))['hits']).toBe(0.75);
});

test('with a response cache its time is a part of its own, and not shown as danger', () => {
  const keys = (hasCache: boolean) =>
    timeParts(hasCache)
      .series()
      .map(({ key }) => key);
  expect(keys(false)).toEqual(['queue', 'input', 'infer', 'output', 'overhead']);
  expect(keys(true)).toEqual(['cache', ...keys(false)]);
  const roles = timeParts(true)
    .series()
    .map(({ role }) => role);
  expect(roles).not.toContain('danger');
  expect(new Set(roles).size).toBe(roles.length);
  expect(timeParts(true).pointOf(point())).toMatchObject({ x: 1000, cache: 6, queue: 1, overhead: 5 });
});

test('a machine without a GPU has two resource lines, one with a GPU four', () => {
  expect(resourceSeries(false).map(({ key }) => key)).toEqual(['cpu', 'memory']);
  expect(resourceSeries(true)).toHaveLength(4);
  const reading = { atMs: 1, bucketMs: 1000, cpuPercent: 212, rssBytes: 7, gpus: [] };
  expect(resourcePoints([{ ...reading, gpuPercent: undefined, gpuMemoryBytes: undefined }])).toEqual([
    { x: 1, cpu: 2.12, memory: 7, gpu: undefined, gpuMemory: undefined },
  ]);
});

test('a window in which nothing happened has no traffic', () => {
  expect(hasTraffic([point({ successes: 0, failures: 0 })])).toBe(false);
  expect(hasTraffic([point()])).toBe(true);
});

test('newer points follow, old ones leave with the window, and nothing new changes nothing', () => {
  const first = withAnswer(undefined, answer([point({ atMs: 0 }), point({ atMs: 1000 })], true), '5m');
  expect(first.points.map(({ atMs }) => atMs)).toEqual([0, 1000]);
  const next = withAnswer(first, answer([point({ atMs: 300_500 })]), '5m');
  expect(next.points.map(({ atMs }) => atMs)).toEqual([1000, 300_500]);
  expect(withAnswer(next, answer([]), '5m').points).toBe(next.points);
  expect(withAnswer(next, answer([point({ atMs: 5 })], true), 'load').points).toHaveLength(1);
});

test('the axis is as long as the window, and since load as long as there is something', () => {
  const points = [point({ atMs: 400_000 }), point({ atMs: 401_000 })];
  const old = [point({ atMs: 90_000 }), ...points];
  expect(shownRange(old, '5m')).toEqual([101_000, 401_000]);
  expect(shownRange(points, '5m')).toEqual([101_000, 401_000]);
  expect(shownRange(points, 'load')).toEqual([400_000, 401_000]);
  expect(shownRange([], '1m')).toBeUndefined();
  expect([firstWindow(5000), firstWindow(600_000)]).toEqual(['1m', '5m']);
});

test('a history is stale once three more buckets should have come', () => {
  const points = [point({ atMs: 10_000, bucketMs: 1000 })];
  expect(staleMs(points, '5m', 14_900)).toBeUndefined();
  expect(staleMs(points, '5m', 17_000)).toBe(6000);
});

test('a computer that slept leaves a hole, also where its clock went on', () => {
  const spec = { ...throughput, pointOf: ({ atMs }: SeriesPoint) => ({ x: atMs, inferences: 1 }) };
  const usual = [0, 250, 500].map((atMs) => point({ atMs, bucketMs: 250 }));
  const slept = point({ atMs: 750, bucketMs: 20_000 });
  const after = point({ atMs: 20_750, bucketMs: 250 });
  expect(drawnPoints(spec, [...usual, slept, after]).slice(2)).toEqual([
    { x: 500, inferences: 1 },
    { x: 750 },
    { x: 20_750, inferences: 1 },
  ]);
});
