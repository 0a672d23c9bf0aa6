// Which part of a model's history the batch doctor judges: what came since the load, and mostly the latest of it.

import { expect, test } from 'vitest';

import type { Model } from '../../repository/model.ts';
import { modelConfig } from '../../testing/tensors.ts';
import { packCounts } from '../series/packed-counts.ts';
import type { SeriesBucket } from '../series/series-bucket.ts';
import { diagnoseModel } from './diagnose-model.ts';

const LOADED_AT_MS = 100_000;

/** Loaded at LOADED_AT_MS with batches up to 8; since then it ran `executionCount` requests, one at a time or `requestCount` together. */
function fakeModel(executionCount: number, requestCount = 1): Model {
  const executions = Array.from({ length: executionCount }, (_, at) => ({
    ...{
      atWallMs: LOADED_AT_MS + at,
      requestCount,
      batchSize: requestCount,
      closeReason: 'idle',
      queueLength: 0,
    },
    shapes: '',
  }));
  return {
    config: modelConfig({
      maxBatchSize: 8,
      dynamicBatching: {
        ...{ preferredBatchSize: [], maxQueueDelayMicroseconds: 0n },
      } as never,
    }),
    loadedAtMs: LOADED_AT_MS,
    instances: [{}],
    runtime: { recentExecutions: () => executions },
  } as unknown as Model;
}

/** A quarter of a second with that many requests, each of which ran alone for a millisecond. */
function bucket(atMs: number, requests: number): SeriesBucket {
  return {
    ...{ atMs, bucketMs: 250, inferences: requests, executions: requests, successes: requests, failures: 0 },
    ...{ rejected: 0, timedOut: 0, requestNs: requests * 1e6, queueNs: 0, inputNs: 0, inferNs: 0 },
    ...{
      outputNs: 0,
      cacheHits: 0,
      cacheMisses: 0,
      cacheLookupNs: 0,
      cacheMissNs: 0,
      waiting: 0,
      inFlight: 0,
    },
    ...{ latency: packCounts([]), batches: packCounts([]), busyNs: [0] },
  };
}

const diagnose = (model: Model | undefined, ...buckets: readonly SeriesBucket[]) =>
  diagnoseModel(model, { name: 'm', configText: 'name: "m"\n', buckets });
const requestsIn = (verdict: ReturnType<typeof diagnose>): string | undefined =>
  verdict.evidence.find(({ label }) => label === 'Requests')?.value;

test('a model that is not loaded has nothing to judge', () => {
  expect(diagnose(undefined, bucket(0, 100))).toMatchObject({ code: 'not-loaded', tries: [] });
});

test('requests of before the load are not held against what serves now, however short ago they were', () => {
  const before = [bucket(LOADED_AT_MS - 1000, 100), bucket(LOADED_AT_MS - 250, 100)];
  expect(diagnose(fakeModel(0), ...before).code).toBe('no-traffic');
  expect(diagnose(fakeModel(0), ...before, bucket(LOADED_AT_MS - 100, 100)).code).toBe('no-traffic');
  expect(requestsIn(diagnose(fakeModel(20), ...before, bucket(LOADED_AT_MS + 150, 20)))).toBe(
    '20 in 0.3 s with traffic',
  );
});

test('what ran in the bucket in which the load ended counts', () => {
  const verdict = diagnose(fakeModel(20), bucket(LOADED_AT_MS - 100, 20));
  expect(verdict.code).toBe('one-at-a-time');
  expect(requestsIn(verdict)).toBe('20 in 0.3 s with traffic');
});

test('of a long history the latest ten seconds count, or all of it when these saw little', () => {
  const old = bucket(LOADED_AT_MS + 1000, 300);
  expect(requestsIn(diagnose(fakeModel(50), old, bucket(LOADED_AT_MS + 50_000, 40)))).toBe(
    '40 in 0.3 s with traffic',
  );
  expect(requestsIn(diagnose(fakeModel(50), old, bucket(LOADED_AT_MS + 50_000, 4)))).toBe(
    '304 in 0.5 s with traffic',
  );
});

test('as many requests were in flight as ran together, though nobody looked at that moment', () => {
  const verdict = diagnose(fakeModel(20, 4), bucket(LOADED_AT_MS, 80));
  expect(verdict.evidence.find(({ label }) => label === 'In flight')?.value).toBe(
    '0.3 on average, 4 at most',
  );
});
