// Load tests of captured requests: each goes out as its client sent it, and the load is not captured in its place.

import { afterAll, expect, test } from 'vitest';

import type { PerfData } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { mlpRequest, playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';

const MODEL = 'batch_mlp';
const world = await startControlWorld([MODEL]);
const { client } = world;

afterAll(() => world[Symbol.asyncDispose]());

async function ran(source: PerfData['source'], loadKind: 'concurrency' | 'schedule'): Promise<PerfRun> {
  const { plan } = await client.call('perf/plan', { model: MODEL });
  const measurement = { ...plan.measurement, fixedRequestCount: loadKind === 'schedule' ? 0 : 40 };
  const load = loadKind === 'schedule' ? ({ kind: 'schedule' } as const) : plan.load;
  const { runs } = await client.call('perf/start', {
    plan: { ...plan, measurement, load, data: { ...plan.data, source } },
    name: '',
  });
  const id = runs[0] ?? '';
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = client.subscribe('perf/finished', ({ run }) => {
    if (run.id === id && run.state !== 'queued' && run.state !== 'running') resolve();
  });
  await promise;
  unsubscribe();
  return client.call('perf/run', { run: id });
}

const rows = (count: number) =>
  playgroundRequest(MODEL, [
    typedInput(
      'FEATURES',
      'FP32',
      [count, 64],
      Array.from({ length: count * 64 }, (_, at) => at / 64),
    ),
  ]);

async function capture(): Promise<void> {
  await client.call('capture/clear', {});
  await client.call('capture/start', {});
  await client.call('playground/send', mlpRequest());
  await client.call('playground/send', rows(3));
  // What failed is no traffic to measure with.
  await client.call(
    'playground/send',
    playgroundRequest(MODEL, [typedInput('FEATURES', 'FP32', [1, 2], [1, 2])]),
  );
}

test.each(['in-order', 'random'] as const)('%s: each request keeps its batch', async (order) => {
  await capture();
  const run = await ran({ kind: 'captured', order }, 'concurrency');
  expect(run).toMatchObject({ state: 'done', error: '' });
  expect(run.plan.data.source).toEqual({ kind: 'captured', order });
  const { result } = run.levels[0]!;
  expect(result).toMatchObject({ requestCount: 40, errorCount: 0 });
  // Half of them had one row, half three.
  expect((result.inferPerSecond * result.durationMs) / 1000).toBeCloseTo(80, 3);
  expect(result.server?.inferenceCount).toBe(80);
  // The load took no place among them.
  expect(await client.call('capture/state', {})).toMatchObject({ isOn: false, count: 3 });
});

test('as a schedule each goes out once', async () => {
  await capture();
  const run = await ran({ kind: 'captured', order: 'random' }, 'schedule');
  expect(run).toMatchObject({ state: 'done', error: '' });
  expect(run.levels[0]?.result).toMatchObject({ requestCount: 2, errorCount: 0 });
});

test('without captured requests the run says so', async () => {
  await client.call('capture/clear', {});
  const run = await ran({ kind: 'captured', order: 'in-order' }, 'concurrency');
  expect(run.state).toBe('failed');
  expect(run.error).toMatch(/no request to model 'batch_mlp'.* is captured/);
});
