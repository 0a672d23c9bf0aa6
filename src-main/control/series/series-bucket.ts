// One bucket of a model's history: differences of counters, the latencies recorded in it, and maxima of gauges.
// Buckets merge without loss, so coarser rings are made from finer ones and percentiles never are averaged.

import type { SeriesCounts, SeriesPoint } from '../../../src-shared/contract/series-point.ts';
import type { ModelStatisticsSnapshot } from '../../metrics/infer-statistics.ts';
import type { SparseHistogram } from '../../metrics/latency-histogram.ts';
import { histogramPercentiles, mergeHistograms } from '../../metrics/latency-histogram.ts';
import type { PackedCounts } from './packed-counts.ts';
import { packCounts, unpackCounts } from './packed-counts.ts';

/** Sums over a stretch of time. Nanoseconds unless said otherwise. */
export interface SeriesBucket extends SeriesCounts {
  readonly requestNs: number;
  readonly queueNs: number;
  readonly inputNs: number;
  readonly inferNs: number;
  readonly outputNs: number;
  readonly cacheLookupNs: number;
  /** Lookups that missed, with the insert that follows. */
  readonly cacheMissNs: number;
  /** Latency histogram, packed. */
  readonly latency: PackedCounts;
  /** Executions by batch size, packed. */
  readonly batches: PackedCounts;
  /** Busy nanoseconds per instance. */
  readonly busyNs: readonly number[];
}

/** What one look at a model version gives; counters are cumulative, gauges are of the time since the look before. */
export interface ModelReading {
  readonly statistics: ModelStatisticsSnapshot;
  readonly rejected: number;
  readonly timedOut: number;
  readonly waiting: number;
  readonly inFlight: number;
  readonly busyNs: readonly number[];
}

/** What happened between two readings of the same loaded version. */
export function bucketBetween(
  before: ModelReading,
  after: ModelReading,
  latency: SparseHistogram,
  span: { readonly atMs: number; readonly bucketMs: number },
): SeriesBucket {
  const a = before.statistics;
  const b = after.statistics;
  const requestNs = b.inference.success.ns - a.inference.success.ns;
  const successes = b.inference.success.count - a.inference.success.count;
  // Short requests are seldom caught in the act. Their time counts where they end, so no more than ended here.
  const meanInFlight = requestNs / (span.bucketMs * 1e6);
  return {
    ...span,
    inferences: b.inferenceCount - a.inferenceCount,
    executions: b.executionCount - a.executionCount,
    successes,
    failures: b.inference.fail.count - a.inference.fail.count,
    rejected: after.rejected - before.rejected,
    timedOut: after.timedOut - before.timedOut,
    requestNs,
    queueNs: b.inference.queue.ns - a.inference.queue.ns,
    inputNs: b.inference.computeInput.ns - a.inference.computeInput.ns,
    inferNs: b.inference.computeInfer.ns - a.inference.computeInfer.ns,
    outputNs: b.inference.computeOutput.ns - a.inference.computeOutput.ns,
    cacheHits: b.inference.cacheHit.count - a.inference.cacheHit.count,
    cacheMisses: b.inference.cacheMiss.count - a.inference.cacheMiss.count,
    cacheLookupNs: b.inference.cacheHit.ns - a.inference.cacheHit.ns,
    cacheMissNs: b.inference.cacheMiss.ns - a.inference.cacheMiss.ns,
    latency: packCounts(latency),
    batches: packCounts(batchesBetween(a, b)),
    waiting: after.waiting,
    inFlight: after.inFlight > 0 ? after.inFlight : Math.min(Math.round(meanInFlight), successes),
    busyNs: after.busyNs.map((busy, index) => Math.max(0, busy - (before.busyNs[index] ?? 0))),
  };
}

function batchesBetween(before: ModelStatisticsSnapshot, after: ModelStatisticsSnapshot): SparseHistogram {
  if (before.executionCount === after.executionCount) return [];
  const known = new Map(before.batches.map(({ batchSize, computeInfer }) => [batchSize, computeInfer.count]));
  return after.batches.flatMap(({ batchSize, computeInfer }) => {
    const added = computeInfer.count - (known.get(batchSize) ?? 0);
    return added > 0 ? [batchSize, added] : [];
  });
}

/** One bucket over the time of all of them. `buckets` is not empty and in order of time. */
export function mergeBuckets(buckets: readonly SeriesBucket[]): SeriesBucket {
  const [first] = buckets;
  if (first === undefined) throw new RangeError('nothing to merge');
  const sum = (pick: (bucket: SeriesBucket) => number): number =>
    buckets.reduce((total, b) => total + pick(b), 0);
  const max = (pick: (bucket: SeriesBucket) => number): number => Math.max(...buckets.map(pick));
  const instanceCount = max((b) => b.busyNs.length);
  return {
    atMs: first.atMs,
    bucketMs: sum((b) => b.bucketMs),
    inferences: sum((b) => b.inferences),
    executions: sum((b) => b.executions),
    successes: sum((b) => b.successes),
    failures: sum((b) => b.failures),
    rejected: sum((b) => b.rejected),
    timedOut: sum((b) => b.timedOut),
    requestNs: sum((b) => b.requestNs),
    queueNs: sum((b) => b.queueNs),
    inputNs: sum((b) => b.inputNs),
    inferNs: sum((b) => b.inferNs),
    outputNs: sum((b) => b.outputNs),
    cacheHits: sum((b) => b.cacheHits),
    cacheMisses: sum((b) => b.cacheMisses),
    cacheLookupNs: sum((b) => b.cacheLookupNs),
    cacheMissNs: sum((b) => b.cacheMissNs),
    latency: packCounts(latencyOf(buckets)),
    batches: packCounts(batchesOf(buckets)),
    waiting: max((b) => b.waiting),
    inFlight: max((b) => b.inFlight),
    busyNs: Array.from({ length: instanceCount }, (_, index) => sum((b) => b.busyNs[index] ?? 0)),
  };
}

/** Latencies of all buckets together. */
export function latencyOf(buckets: readonly SeriesBucket[]): SparseHistogram {
  return mergedOf(buckets.map(({ latency }) => latency));
}

/** Executions by batch size over all buckets: `[size, count, ...]`, sizes ascending. */
export function batchesOf(buckets: readonly SeriesBucket[]): SparseHistogram {
  return mergedOf(buckets.map(({ batches }) => batches));
}

/** All counts as one. Most buckets of most versions hold nothing. */
export function mergedOf(packed: readonly PackedCounts[]): SparseHistogram {
  const [first, ...more] = packed.filter((counts) => counts !== '');
  if (first === undefined) return [];
  if (more.length === 0) return unpackCounts(first);
  return mergeHistograms([first, ...more].map(unpackCounts));
}

/** Busy share 0..1 per instance over all buckets. */
export function busySharesOf(buckets: readonly SeriesBucket[]): readonly number[] {
  const last = buckets.at(-1);
  if (last === undefined) return [];
  const totalNs = buckets.reduce((total, { bucketMs }) => total + bucketMs, 0) * 1e6;
  return last.busyNs.map((_, index) => {
    const busyNs = buckets.reduce((total, bucket) => total + (bucket.busyNs[index] ?? 0), 0);
    return totalNs === 0 ? 0 : Math.min(1, busyNs / totalNs);
  });
}

/** What charts draw of a bucket: rates, means and percentiles, times in microseconds. */
export function pointOf(bucket: SeriesBucket): SeriesPoint {
  const percentiles = histogramPercentiles(unpackCounts(bucket.latency), [50, 90, 99, 100]);
  const perRequestUs = (ns: number): number => (bucket.successes === 0 ? 0 : ns / bucket.successes / 1000);
  const cacheNs = bucket.cacheLookupNs + bucket.cacheMissNs;
  const parts = bucket.queueNs + bucket.inputNs + bucket.inferNs + bucket.outputNs + cacheNs;
  return {
    atMs: bucket.atMs,
    bucketMs: bucket.bucketMs,
    inferences: bucket.inferences,
    executions: bucket.executions,
    successes: bucket.successes,
    failures: bucket.failures,
    rejected: bucket.rejected,
    timedOut: bucket.timedOut,
    p50Us: percentiles?.[0],
    p90Us: percentiles?.[1],
    p99Us: percentiles?.[2],
    maxUs: percentiles?.[3],
    queueUs: perRequestUs(bucket.queueNs),
    inputUs: perRequestUs(bucket.inputNs),
    inferUs: perRequestUs(bucket.inferNs),
    outputUs: perRequestUs(bucket.outputNs),
    cacheUs: perRequestUs(cacheNs),
    overheadUs: perRequestUs(Math.max(0, bucket.requestNs - parts)),
    waiting: bucket.waiting,
    inFlight: bucket.inFlight,
    cacheHits: bucket.cacheHits,
    cacheMisses: bucket.cacheMisses,
    cacheLookupUs: bucket.cacheHits === 0 ? undefined : bucket.cacheLookupNs / bucket.cacheHits / 1000,
  };
}
