import { expect, test } from 'vitest';

import type { SeriesPoint } from '../../../src-shared/contract/observe-views.ts';
import { batchPoints, hasTraffic, latencyPoints, partPoints, throughputPoints } from './statistics-series.ts';

const point = (change: Partial<SeriesPoint> = {}): SeriesPoint => ({
  atMs: 1000,
  bucketMs: 500,
  inferences: 40,
  executions: 10,
  successes: 20,
  failures: 5,
  rejected: 0,
  p50Us: 900,
  p90Us: 950,
  p99Us: 1000,
  maxUs: 1100,
  queueUs: 1,
  inputUs: 2,
  inferUs: 3,
  outputUs: 4,
  overheadUs: 5,
  waiting: 0,
  inFlight: 0,
  busy: [],
  cacheHits: 10,
  cacheMisses: 0,
  ...change,
});

test('counts become rates per second; answers from the cache are inferences too', () => {
  expect(throughputPoints([point()])).toEqual([{ x: 1000, inferences: 100, executions: 20, failures: 10 }]);
});

test('a bucket without a request is a gap, never a zero', () => {
  const empty = point({
    successes: 0,
    executions: 0,
    p50Us: undefined,
    p90Us: undefined,
    p99Us: undefined,
    maxUs: undefined,
  });
  expect(latencyPoints([empty])[0]).toMatchObject({ x: 1000, p50: undefined });
  expect(partPoints([empty])).toEqual([{ x: 1000 }]);
  expect(batchPoints([empty])).toEqual([{ x: 1000, mean: undefined }]);
});

test('the mean batch is inferences per execution', () => {
  expect(batchPoints([point()])[0]?.mean).toBe(4);
});

test('a window in which nothing happened has no traffic', () => {
  expect(hasTraffic([point({ successes: 0, failures: 0 })])).toBe(false);
  expect(hasTraffic([point()])).toBe(true);
});
