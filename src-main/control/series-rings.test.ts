// What the history of one version keeps, and how much room it takes.

import { expect, test } from 'vitest';

import { WINDOWS } from '../../src-shared/contract/observe-views.ts';
import { histogramCount } from '../metrics/latency-histogram.ts';
import type { PackedCounts } from './packed-counts.ts';
import { packCounts } from './packed-counts.ts';
import type { SeriesBucket } from './series-bucket.ts';
import { latencyOf } from './series-bucket.ts';
import { SeriesRings } from './series-rings.ts';

const REQUESTS = 200;

/** Latencies of 200 requests around key 1000. */
function latencies(index: number): PackedCounts {
  const counts = new Map<number, number>();
  for (let request = 0; request < REQUESTS; request += 1) {
    const spread =
      Math.sin(index * 31 + request) + Math.sin(request * 17 + index * 7) + Math.sin(request * 3);
    const key = 1000 + Math.round(spread * 25);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return packCounts([...counts].sort((a, b) => a[0] - b[0]).flat());
}

const SETS = Array.from({ length: 100 }, (_, index) => latencies(index));

/** 250 ms of them, another set than the bucket before. */
function bucketAt(index: number): SeriesBucket {
  return {
    atMs: index * 250,
    bucketMs: 250,
    inferences: REQUESTS,
    executions: 50,
    successes: REQUESTS,
    failures: 0,
    rejected: 0,
    timedOut: 0,
    requestNs: 1e9,
    queueNs: 2e8,
    inputNs: 1e7,
    inferNs: 7e8,
    outputNs: 1e7,
    cacheHits: 0,
    cacheMisses: 0,
    cacheLookupNs: 0,
    latency: SETS[index % SETS.length] ?? packCounts([]),
    batches: packCounts([4, 50]),
    waiting: 3,
    inFlight: 8,
    busyNs: [2e8],
  };
}

test('an hour and more at 800 requests a second: every window is bounded, none loses a request, counts stay small', () => {
  const rings = new SeriesRings();
  for (let index = 0; index < 1.2 * 3600 * 4; index += 1) rings.add(bucketAt(index));
  const buckets = WINDOWS.map((window) => rings.buckets(window));
  expect(Math.max(...buckets.map(({ length }) => length))).toBeLessThanOrEqual(300);
  for (const window of WINDOWS) {
    const own = rings.buckets(window);
    expect(histogramCount(latencyOf(own))).toBe(own.reduce((sum, { successes }) => sum + successes, 0));
  }
  const hour = rings.buckets('1h');
  expect(hour.reduce((sum, { bucketMs }) => sum + bucketMs, 0)).toBe(3_600_000);
  const packedBytes = buckets
    .flat()
    .reduce((sum, { latency, batches }) => sum + latency.length + batches.length, 0);
  expect(packedBytes).toBeLessThan(600_000);
});

test('a restart keeps the windows of the clock and empties the one since load', () => {
  const rings = new SeriesRings();
  for (let index = 0; index < 40; index += 1) rings.add(bucketAt(index));
  rings.restart();
  expect(rings.buckets('load')).toEqual([]);
  expect(rings.buckets('1m')).toHaveLength(40);
  for (let index = 400; index < 404; index += 1) rings.add(bucketAt(index));
  expect(rings.buckets('load')).toHaveLength(1);
  expect(rings.buckets('5m').at(-1)).toMatchObject({ atMs: 100_000, bucketMs: 1000 });
});
