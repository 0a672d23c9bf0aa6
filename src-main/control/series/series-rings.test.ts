// What the history of one version keeps, and how much room it takes.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

import { WINDOWS } from '../../../src-shared/contract/observe-views.ts';
import { histogramCount } from '../../metrics/latency-histogram.ts';
import type { PackedCounts } from './packed-counts.ts';
import { packCounts } from './packed-counts.ts';
import type { SeriesBucket } from './series-bucket.ts';
import { latencyOf, mergeBuckets, pointOf } from './series-bucket.ts';
import { packBucket, recordStart, unpackBucket } from './series-record.ts';
import { SeriesRings } from './series-rings.ts';

const REQUESTS = 200;
const SEVENTY_MINUTES = 70 * 60 * 4;

/** Latencies around 1000 us, from 350 us to 2.9 ms, as a busy machine spreads them; kept to two digits. */
function latencies(index: number, requests = REQUESTS): PackedCounts {
  const counts = new Map<number, number>();
  for (let request = 0; request < requests; request += 1) {
    const spread =
      Math.sin(index * 31 + request) + Math.sin(request * 17 + index * 7) + Math.sin(request * 3);
    const us = Math.round(1000 * Math.exp(spread * 0.35));
    const width = 2 ** (Math.floor(Math.log2(us)) - 7);
    const key = Math.floor(us / width) * width + Math.ceil(width) - 1;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return packCounts([...counts].sort((a, b) => a[0] - b[0]).flat());
}

const SETS = Array.from({ length: 100 }, (_, index) => latencies(index));

const setsByCount = new Map<number, readonly PackedCounts[]>();

/** Ten sets of that many latencies, made once. */
function setsOf(requests: number): readonly PackedCounts[] {
  const known = setsByCount.get(requests);
  if (known !== undefined) return known;
  const sets = Array.from({ length: 10 }, (_, index) => latencies(index, requests));
  setsByCount.set(requests, sets);
  return sets;
}

/** The same text in memory of its own, as each bucket of a server has. */
function ownCopy(packed: PackedCounts): PackedCounts {
  return Buffer.from(packed, 'latin1').toString('latin1') as PackedCounts;
}

/** An hour of 800 requests a second, coarse at first: every ring is full at the end. */
function filled(): SeriesRings {
  const rings = new SeriesRings();
  let atMs = 0;
  for (const [bucketMs, count] of [
    [15_000, 240],
    [5000, 180],
    [1000, 300],
    [250, 240],
  ] as const) {
    for (let index = 0; index < count; index += 1) {
      const successes = (REQUESTS * bucketMs) / 250;
      const sets = setsOf(successes);
      const latency = ownCopy(sets[index % sets.length] ?? packCounts([]));
      rings.add({ ...bucketAt(index), atMs, bucketMs, successes, latency });
      atMs += bucketMs;
    }
  }
  return rings;
}

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
    cacheMissNs: 0,
    latency: SETS[index % SETS.length] ?? packCounts([]),
    batches: packCounts([4, 50]),
    waiting: 3,
    inFlight: 8,
    busyNs: [2e8],
  };
}

test('the time of the response cache is a part of its own, not of what nobody accounts for', () => {
  const bucket = {
    ...{ ...bucketAt(0), successes: 10, requestNs: 1e7, queueNs: 1e6, inputNs: 1e6, inferNs: 3e6 },
    ...{ outputNs: 1e6, cacheHits: 5, cacheMisses: 5, cacheLookupNs: 500_000, cacheMissNs: 1_500_000 },
  };
  expect(pointOf(bucket)).toMatchObject({ cacheUs: 200, overheadUs: 200, cacheLookupUs: 100 });
  const kept = unpackBucket(packBucket(bucket));
  expect(pointOf(mergeBuckets([kept, kept]))).toMatchObject({ cacheUs: 200, overheadUs: 200 });
});

test('an hour and more at 800 requests a second: every window is bounded, none loses a request', () => {
  const rings = new SeriesRings();
  for (let index = 0; index < SEVENTY_MINUTES; index += 1) rings.add(bucketAt(index));
  const buckets = WINDOWS.map((window) => rings.buckets(window));
  expect(Math.max(...buckets.map(({ length }) => length))).toBeLessThanOrEqual(300);
  for (const window of WINDOWS) {
    const own = rings.buckets(window);
    expect(histogramCount(latencyOf(own))).toBe(own.reduce((sum, { successes }) => sum + successes, 0));
  }
  const hour = rings.buckets('1h');
  expect(hour.reduce((sum, { bucketMs }) => sum + bucketMs, 0)).toBe(3_600_000);
});

test('the history of a busy version takes less than 1 MB of the heap, objects included', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedBytes = (): number => {
    collect();
    return getHeapStatistics().used_heap_size;
  };
  // What is made once, compiled code included, is no part of it; nor is what other tests of this thread let go of.
  const kept = [filled()];
  const sizes = Array.from({ length: 3 }, () => {
    const before = usedBytes();
    kept.push(filled());
    return usedBytes() - before;
  });
  const bytesEach = sizes.toSorted((a, b) => a - b)[1];
  for (const window of WINDOWS) expect(kept[1]?.buckets(window).length).toBeGreaterThan(170);
  expect(bytesEach).toBeGreaterThan(300_000);
  expect(bytesEach).toBeLessThan(1_000_000);
}, 60_000);

test('a bucket that is kept is read back as it was', () => {
  const bucket: SeriesBucket = {
    ...bucketAt(7),
    atMs: 1_795_000_000_123,
    busyNs: [0, 2 ** 40, 5],
    cacheHits: 3,
  };
  expect(unpackBucket(packBucket(bucket))).toEqual(bucket);
  expect(recordStart(packBucket(bucket))).toBe(bucket.atMs);
});

test('a collector that waits for hours holds a few buckets, and loses none of what they count', () => {
  const rings = new SeriesRings();
  for (let index = 0; index < 10_000; index += 1)
    rings.add({ ...bucketAt(index), latency: packCounts([9, REQUESTS]) });
  const [first] = rings.buckets('load');
  expect(first?.successes).toBe(((first?.bucketMs ?? 0) / 250) * REQUESTS);
  expect(rings.buckets('1m', 9990 * 250).map(({ atMs }) => atMs / 250)).toEqual([
    9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999,
  ]);
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

test('executions by batch size are read out of a bucket without the rest of it', () => {
  const rings = new SeriesRings();
  expect(rings.batches('1m')).toEqual([]);
  for (const bucket of filled().buckets('15m')) rings.add({ ...bucket, bucketMs: 5000 });
  for (const window of WINDOWS) {
    expect(rings.batches(window)).toEqual(rings.buckets(window).map(({ batches }) => batches));
  }
  expect(rings.batches('15m').filter((packed) => packed !== '').length).toBeGreaterThan(100);
});
