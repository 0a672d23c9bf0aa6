import { expect, test } from 'vitest';

import { readCard } from './kept-card.ts';
import { batchesStayedSingle, healthOf, upToNow } from './model-health.ts';

const point = (successes: number, failures: number, p99Us: number | undefined) => ({
  successes,
  failures,
  rejected: 0,
  timedOut: 0,
  p99Us,
  inferences: 2 * successes,
  executions: successes,
  inFlight: successes,
});

test('requests and failures add up, and p99 is never told better than it was', () => {
  const points = [
    point(10, 0, 900),
    point(0, 0, undefined),
    { ...point(5, 1, 400), rejected: 2, timedOut: 1 },
  ];
  expect(healthOf(points)).toEqual({
    requests: 15,
    failures: 3,
    p99Us: 900,
    meanBatch: 2,
    mostInFlight: 10,
  });
  expect(healthOf([])).toMatchObject({ requests: 0, failures: 0, p99Us: undefined, meanBatch: undefined });
});

test.each([
  [{ meanBatch: 1, mostInFlight: 8 }, 16, true],
  [{ meanBatch: 1, mostInFlight: 1 }, 16, false],
  [{ meanBatch: 3.5, mostInFlight: 8 }, 16, false],
  [{ meanBatch: 1, mostInFlight: 8 }, 0, false],
  [{ meanBatch: undefined, mostInFlight: 8 }, 16, false],
])('batches of %j with a model that takes %i rows stayed single: %s', (health, maxBatchSize, isSingle) => {
  expect(batchesStayedSingle(health, maxBatchSize)).toBe(isSingle);
});

test('the newest requests of an hour count before their coarse bucket is over, and none counts twice', () => {
  const bucket = (atMs: number, bucketMs: number, successes: number) => ({
    ...{ atMs, bucketMs },
    ...point(successes, 0, 900),
  });
  const minute = [bucket(14_750, 250, 1), bucket(15_000, 250, 2), bucket(15_250, 250, 4)];
  expect(healthOf(upToNow([], minute)).requests).toBe(7);
  expect(healthOf(upToNow([bucket(0, 15_000, 100)], minute)).requests).toBe(106);
  expect(upToNow([], [])).toEqual([]);
});

test.each([
  ['{"task":"speech","licence":"MIT"}', { task: 'speech', licence: 'MIT' }],
  ['{"task":"nonsense","licence":4}', { task: undefined, licence: undefined }],
  ['', {}],
  [undefined, {}],
])('what was kept of a model: %s', (json, expected) => {
  expect(readCard(json)).toEqual(expected);
});
