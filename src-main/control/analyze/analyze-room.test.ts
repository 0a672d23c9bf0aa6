import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { AnalyzeRequest, AnalyzeView } from '../../../src-shared/contract/analyze-calls.ts';
import { fakeLevel } from '../../../src-shared/testing/fake-runs.ts';
import type { runProfile } from '../../analyze/profile-command.ts';
import type { Measurement, VariantRecord } from '../../analyze/results/measurement.ts';
import { metricsOf } from '../../analyze/results/measurement.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { AnalyzeRoom } from './analyze-room.ts';

const REQUEST: AnalyzeRequest = {
  model: 'm',
  mode: 'brute',
  maxInstances: 2,
  maxBatchSize: 8,
  maxConcurrency: 16,
  latencyLimitMs: 20,
  seconds: 30,
  windowMs: 500,
};
const CONFIG = '# Ours.\nname: "m"\nmax_batch_size: 8\ninstance_group [ { count: 1 kind: KIND_CPU } ]\n';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-analyzer-'));
});
afterEach(() => rm(folder, { recursive: true }));

function record(name: string, text: string, rate: number, p99Us = 11_900): VariantRecord {
  const level = fakeLevel(4, { inferPerSecond: rate, percentilesUs: { 99: p99Us } });
  const measurement: Measurement = {
    ...{
      variant: name,
      batchSize: 1,
      load: { unit: 'concurrency', value: 4 },
      gpus: [],
      level,
      warnings: [],
    },
    metrics: metricsOf(level, [], undefined),
  };
  const facts = { instanceGroup: '1:CPU', instanceCount: 1, maxBatchSize: 8, hasDynamicBatching: false };
  return {
    name,
    text,
    ...facts,
    parameters: {},
    measurements: rate === 0 ? [] : [measurement],
    failure: undefined,
  };
}

type Profile = typeof runProfile;

/** A room whose search is `profile`. */
function roomWith(profile: Profile, options: { readonly isMeasuring?: boolean } = {}) {
  const told: AnalyzeView[] = [];
  const clock = new FakeClock();
  const room = new AnalyzeRoom({
    clock,
    catalog: { view: () => ({ repository: '/models' }) as never },
    spawner: { spawn: () => ({}) as never },
    tasks: { follow: () => ({ report: () => undefined, end: () => undefined }) as never },
    userDataPath: folder,
    publish: (name, payload) => {
      if (name === 'analyze/changed') told.push(payload as AnalyzeView);
    },
    isMeasuring: () => options.isMeasuring ?? false,
    profile,
  });
  const context = { signal: new AbortController().signal };
  return {
    ...{ room, told, clock },
    view: async () => (await room.handlers['analyze/view']({}, context)).view,
    start: async () => room.handlers['analyze/start'](REQUEST, context),
    resume: async () => room.handlers['analyze/resume']({}, context),
    stop: async () => room.handlers['analyze/stop']({}, context),
    csv: async () => room.handlers['analyze/export']({ format: 'csv' }, context),
  };
}

/** Finds one variant that is clearly faster, one that is over the limit, one that does not load. */
const finds: Profile = async (_settings, { checkpoint, log }) => {
  if (checkpoint === undefined) throw new Error('no checkpoint');
  const faster = CONFIG.replace('count: 1', 'count: 2');
  checkpoint.put('m', record('m_config_default', CONFIG, 100));
  checkpoint.put('m', record('m_config_0', faster.replace('# Ours.\n', ''), 300));
  checkpoint.put('m', record('m_config_1', faster, 900, 90_000));
  checkpoint.put('m', { ...record('m_config_2', faster, 0), failure: 'out of memory' });
  await checkpoint.save();
  log.info('measured');
};

test('what was found: the best within the limit, which is clearly faster, and its edit of the file', async () => {
  const { start, view, told, csv } = roomWith(finds);
  expect(await view()).toBeUndefined();
  await start();
  await expect.poll(async () => (await view())?.state).toBe('done');
  const found = await view();
  expect(found?.best).toBe('m_config_0');
  expect(found?.sentence).toContain('m_config_0 is 200 % better');
  expect(found?.bestConfigText).toContain('# Ours.');
  expect(found?.bestConfigText).toMatch(/count: 2/);
  expect(found?.trials).toMatchObject([
    { variant: 'm_config_0', isStable: true, isPassing: true, isPareto: true },
    { variant: 'm_config_default', isDefault: true, isPareto: false },
    { variant: 'm_config_1', isPassing: false, isPareto: false },
    { variant: 'm_config_2', load: 0, failure: 'out of memory' },
  ]);
  expect(told.at(-1)).toMatchObject({ state: 'done', said: 'measured', measurementCount: 3 });
  expect((await csv()).text).toContain('m,1,4,m_config_0,1:CPU,8,Yes,300,11.9');
});

test('the form says what a command line would', async () => {
  let heard: Parameters<Profile>[0] | undefined;
  const { start, view } = roomWith((settings) => {
    heard = settings;
    return Promise.resolve();
  });
  await start();
  await expect.poll(async () => (await view())?.state).toBe('done');
  expect(heard).toMatchObject({
    repository: '/models',
    search: {
      mode: 'brute',
      instanceCounts: { max: 2 },
      maxBatchSizes: { max: 8 },
      concurrency: { max: 16 },
    },
    models: [{ name: 'm', perfFlags: { 'measurement-interval': 500 } }],
  });
  expect([...(heard?.models[0]?.goals.constraints ?? [])]).toEqual([
    ['perf_latency_p99', { kind: 'max', value: 20 }],
  ]);
});

test('a stopped search is there after a restart, and is gone on with', async () => {
  const first = roomWith(async (settings, context) => {
    await finds(settings, context);
    while (!context.isStopping()) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await first.start();
  await expect.poll(async () => (await first.view())?.trials.length).toBe(4);
  expect((await first.view())?.state).toBe('running');
  await expect(first.start()).rejects.toThrow('another measurement goes on');
  await first.stop();
  await expect.poll(async () => (await first.view())?.state).toBe('stopped');
  const known: number[] = [];
  const second = roomWith((_settings, { checkpoint }) => {
    known.push(checkpoint?.variants('m').length ?? 0);
    return Promise.resolve();
  });
  expect(await second.view()).toMatchObject({ state: 'stopped', best: 'm_config_0', request: REQUEST });
  await second.resume();
  await expect.poll(async () => (await second.view())?.state).toBe('done');
  expect(known).toEqual([4]);
});

test('the time box ends it, and counts as done', async () => {
  const { start, view, clock } = roomWith(async (_settings, { isStopping }) => {
    while (!isStopping()) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await start();
  await clock.advance(29_000);
  expect((await view())?.state).toBe('running');
  await clock.advance(2000);
  await expect.poll(async () => (await view())?.state).toBe('done');
});

test('a search that fails says why; an engine that closes keeps what there is', async () => {
  const failing = roomWith(() => Promise.reject(new Error('nothing could be measured')));
  await failing.start();
  await expect
    .poll(async () => await failing.view())
    .toMatchObject({ state: 'failed', error: 'nothing could be measured' });
  const { promise: killed, reject } = Promise.withResolvers<void>();
  const closing = roomWith(async (settings, context) => {
    context.onAbort(async () => {
      await context.checkpoint?.save();
      reject(new Error('killed'));
    });
    await Promise.all([finds(settings, context), killed]);
  });
  await closing.start();
  await expect.poll(async () => (await closing.view())?.trials.length).toBe(4);
  await closing.room.close();
  expect(await roomWith(finds).view()).toMatchObject({ state: 'stopped', best: 'm_config_0' });
});

test('nothing is searched while a load test goes on, and nothing is gone on with where nothing is', async () => {
  await expect(roomWith(finds, { isMeasuring: true }).start()).rejects.toThrow('another measurement goes on');
  await expect(roomWith(finds).resume()).rejects.toThrow('there is no search to go on with');
});
