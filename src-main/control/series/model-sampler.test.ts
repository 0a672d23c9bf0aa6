import { beforeEach, describe, expect, test } from 'vitest';

import type { SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import type { Timer } from '../../base/clock.ts';
import { InferenceRequest } from '../../inference/inference-request.ts';
import { StatisticsCollector } from '../../inference/statistics-collector.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { ObservedModel } from './model-sampler.ts';
import { ModelSampler } from './model-sampler.ts';
import { batchesOf, mergeBuckets, pointOf } from './series-bucket.ts';

let clock: FakeClock;
let statistics: StatisticsCollector;
let models: ObservedModel[];
let sampler: ModelSampler;
let asking: Timer;

function observed(name: string, version: string, collector: StatisticsCollector): ObservedModel {
  return {
    name,
    version,
    requestLatency: collector.requestLatency,
    snapshot: () => collector.snapshot(),
    rejectedCount: 0,
    timedOutCount: 0,
    takeMostPending: () => 3,
    pendingCount: 3,
    executingCount: 1,
    busyNs: (nowNs) => [nowNs / 2],
  };
}

beforeEach(() => {
  clock = new FakeClock();
  statistics = new StatisticsCollector({ name: 'm', version: '1', clock });
  models = [observed('m', '1', statistics)];
  sampler = new ModelSampler({ clock, models: () => models, onSample: () => undefined });
  sampler.start();
  sampler.lookClosely('m', '');
  // As a page that shows the last minute asks again and again.
  asking = clock.every(500, () => sampler.lookClosely('m', ''));
});

/** One successful request of `ms` that ends now. */
async function succeed(ms: number): Promise<void> {
  const request = new InferenceRequest({
    modelName: 'm',
    modelVersion: 1,
    inputs: [],
    onResponse: () => undefined,
  });
  const start = clock.nowNs();
  request.times.requestStartNs = start;
  request.times.queueStartNs = start;
  await clock.advance(ms);
  const now = clock.nowNs();
  const times = {
    computeStartNs: start,
    computeInputEndNs: start,
    computeOutputStartNs: now,
    computeEndNs: now,
  };
  statistics.request(request, true, times);
  statistics.execution(1, times);
}

describe('the model sampler', () => {
  test('counts what happened in a bucket and gives its percentiles', async () => {
    await clock.advance(250);
    for (let i = 0; i < 5; i += 1) await succeed(10);
    await clock.advance(200);
    const bucket = sampler.buckets('m', '1', '1m').at(-1);
    expect(bucket).toMatchObject({ inferences: 5, executions: 5, successes: 5, waiting: 3 });
    const point = pointOf(bucket!);
    expect(point.p50Us).toBeGreaterThan(9900);
    expect(point.p50Us).toBeLessThan(10_200);
    expect(sampler.busyShares('m', '1')[0]).toBeCloseTo(0.5, 1);
    expect(batchesOf([bucket!])).toEqual([1, 5]);
    expect(point.overheadUs + point.queueUs + point.inferUs + point.inputUs + point.outputUs).toBeCloseTo(
      10_000,
      -1,
    );
  });

  test('an empty bucket has no percentile, and coarser rings keep every count', async () => {
    await clock.advance(250);
    await succeed(10);
    await clock.advance(4990);
    expect(pointOf(sampler.buckets('m', '1', '1m').at(-1)!).p99Us).toBeUndefined();
    const seconds = sampler.buckets('m', '1', '5m');
    expect(seconds.length).toBeGreaterThanOrEqual(4);
    expect(mergeBuckets(seconds).inferences).toBe(1);
  });

  test('rates come from the latest second', async () => {
    await clock.advance(250);
    for (let i = 0; i < 50; i += 1) await succeed(20);
    expect(sampler.samples()[0]?.inferPerSecond).toBeCloseTo(50, -1);
  });

  const counted = (window: SeriesWindow): number =>
    sampler.buckets('m', '1', window).reduce((n, bucket) => n + bucket.inferences, 0);

  test('a reload keeps the hour before it and begins a new history since load', async () => {
    await clock.advance(250);
    await succeed(10);
    await clock.advance(1500);
    models = [observed('m', '1', new StatisticsCollector({ name: 'm', version: '1', clock }))];
    await clock.advance(1500);
    expect([counted('1m'), counted('load')]).toEqual([1, 0]);
  });

  test('a version out of service has no sample, and its time away is a hole in its history', async () => {
    await clock.advance(250);
    await succeed(10);
    await clock.advance(250);
    models = [];
    await clock.advance(5000);
    expect(sampler.samples()).toEqual([]);
    models = [observed('m', '1', new StatisticsCollector({ name: 'm', version: '1', clock }))];
    await clock.advance(500);
    const starts = sampler.buckets('m', '1', '1m').map(({ atMs }) => atMs);
    const steps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    expect(Math.max(...steps)).toBeGreaterThan(4500);
    expect(counted('1m')).toBe(1);
  });

  test('history since load never passes its size and loses nothing', async () => {
    await clock.advance(1000);
    await succeed(10);
    await clock.advance(400_000);
    const buckets = sampler.buckets('m', '', 'load');
    expect(buckets.length).toBeLessThan(300);
    expect(mergeBuckets(buckets).inferences).toBe(1);
  });

  test('a version is looked at four times a second while somebody asks for its last minute, others once', async () => {
    models = [
      ...models,
      observed('other', '1', new StatisticsCollector({ name: 'other', version: '1', clock })),
    ];
    await clock.advance(10_000);
    expect(sampler.buckets('other', '1', '1m').map(({ bucketMs }) => bucketMs)).toEqual(
      Array.from({ length: 10 }, () => 1000),
    );
    expect(sampler.buckets('m', '1', '1m').map(({ bucketMs }) => bucketMs)).toEqual(
      Array.from({ length: 40 }, () => 250),
    );
  });

  test('what nobody asks for any more is looked at once a second again', async () => {
    asking.cancel();
    await clock.advance(10_000);
    const lengths = sampler.buckets('m', '1', '1m').map(({ bucketMs }) => bucketMs);
    expect(lengths.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => 250));
    expect(lengths.slice(-6)).toEqual(Array.from({ length: 6 }, () => 1000));
    expect(lengths.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
  });
});
