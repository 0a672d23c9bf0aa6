// The queue of load tests, with generators that the test speaks for: order, outcomes, overrides, and stops at any time.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { PerfSweep } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfProgress, PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { internal } from '../../../src-shared/errors.ts';
import { fakeLevel } from '../../../src-shared/testing/fake-runs.ts';
import { systemClock } from '../../base/clock.ts';
import type { FakeGenerator } from '../../testing/perf-world.ts';
import { FakeModelHost, FakeSpawner, perfFolder } from '../../testing/perf-world.ts';
import type { SlowTraceKeeper } from './model-host.ts';
import { PerfLab } from './perf-lab.ts';
import { RunStore } from './run-store.ts';

const PLAN = defaultPerfPlan('m');
const SWEEP: PerfSweep = { instanceCounts: [1, 2], maxBatchSizes: [], queueDelaysUs: [], intraOpThreads: [] };

const SLOW_ROW: TraceRow = {
  ...{ id: 1, parentId: 0, model: 'm', version: '1', requestId: undefined, protocol: 'http' },
  ...{ atMs: 1000, stamps: {}, isFailed: false, error: undefined, execution: undefined, runCount: 1 },
};

let folder: Awaited<ReturnType<typeof perfFolder>>;
let host: FakeModelHost;
let spawner: FakeSpawner;
let store: RunStore;
let lab: PerfLab;
let progress: PerfProgress[];
let changes: PerfRunSummary[];
let traced: string[];
const slowTraces: SlowTraceKeeper = {
  follow: (model) => traced.push(`follow ${model}`),
  stop: () => traced.push('stop'),
  of: (requests) => requests.map(() => [SLOW_ROW]),
};

beforeEach(async () => {
  folder = await perfFolder();
  host = new FakeModelHost();
  spawner = new FakeSpawner();
  store = new RunStore(folder.path);
  progress = [];
  changes = [];
  traced = [];
  lab = new PerfLab({
    clock: systemClock,
    spawner,
    host,
    store,
    slowTraces,
    appVersion: '1.2.3',
    onProgress: (told) => progress.push(told),
    onChange: (run) => changes.push(run),
  });
});
afterEach(async () => {
  await lab.close();
  await folder.remove();
});

const start = async (changed: Partial<PerfPlan> = {}, configText?: string): Promise<string> => {
  const { runs } = await lab.start({ plan: { ...PLAN, ...changed }, name: 'mine', configText });
  return runs[0] ?? '';
};
const generator = (index: number): Promise<FakeGenerator> =>
  vi.waitFor(() => {
    const found = spawner.generators[index];
    if (found === undefined) throw new Error(`generator ${index} was not started`);
    return found;
  });
const stateOf = async (id: string) => (await store.find(id)).state;

test('a run is measured by a generator of its own, level by level, and kept', async () => {
  const id = await start();
  const { say, received } = await generator(0);
  say({ type: 'ready' });
  expect(received[0]).toMatchObject({
    type: 'start',
    plan: { url: '127.0.0.1:9000' },
    requestsFile: undefined,
    version: '1.2.3',
  });
  say({ type: 'prepared', serverName: 'triton 2' });
  say({ type: 'level', level: fakeLevel(1) });
  say({ type: 'level', level: fakeLevel(2, { inferPerSecond: 180 }) });
  say({ type: 'done', warnings: ['others were there'] });
  await lab.settled();
  const run = await store.find(id);
  expect(run).toMatchObject({
    name: 'mine',
    state: 'done',
    error: '',
    levelCount: 2,
    bestInferPerSecond: 180,
    configText: host.model.fileText,
    isOverride: false,
    fingerprint: { serverName: 'triton 2', appVersion: '1.2.3', device: 'CPU' },
  });
  expect(run.warnings[0]).toBe('others were there');
  expect(run.endedAtMs).toBeGreaterThanOrEqual(run.startedAtMs);
  expect(changes.map(({ state }) => state)).toEqual(['queued', 'running', 'done']);
  expect(host.done).toEqual([]);
});

test('runs wait for each other, and those that wait can be taken back', async () => {
  const [first, second, third] = [await start(), await start(), await start()];
  const one = await generator(0);
  expect([await stateOf(second ?? ''), spawner.generators.length]).toEqual(['queued', 1]);
  await lab.stop(second ?? '');
  expect(await stateOf(second ?? '')).toBe('stopped');
  one.say({ type: 'done', warnings: [] });
  (await generator(1)).say({ type: 'done', warnings: [] });
  await lab.settled();
  expect([await stateOf(first ?? ''), await stateOf(second ?? ''), await stateOf(third ?? '')]).toEqual([
    'done',
    'stopped',
    'done',
  ]);
  expect(spawner.generators).toHaveLength(2);
});

test('what the user does reaches the run that goes on, and no other', async () => {
  const id = await start();
  const { received, say } = await generator(0);
  lab.pause('another', true);
  lab.skip('another');
  lab.pause(id, true);
  lab.skip(id);
  await lab.stop(id);
  expect(received).toEqual([{ type: 'pause', isPaused: true }, { type: 'skip' }, { type: 'stop' }]);
  say({ type: 'level', level: fakeLevel(1, {}, { state: 'stopped' }) });
  say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(await store.find(id)).toMatchObject({ state: 'stopped', error: '', levelCount: 1 });
});

test('a run that is stopped while its model is loaded for it is not measured at all', async () => {
  const loading = Promise.withResolvers<void>();
  host.beforeLoad = () => loading.promise;
  const id = await start({}, 'name: "m" max_batch_size: 4');
  await lab.stop(id);
  loading.resolve();
  await lab.settled();
  expect(await stateOf(id)).toBe('stopped');
  expect(spawner.generators).toEqual([]);
  expect(host.done.at(-1)).toBe('reload');
});

test('progress is told with the id of its run; late pages get all levels so far', async () => {
  const id = await start();
  const { say } = await generator(0);
  const part = {
    state: 'measuring',
    level: undefined,
    levelIndex: 0,
    levelCount: 2,
    share: 0,
    remainingMs: 0,
    live: undefined,
    points: [],
    windowEndsMs: [],
    stability: '',
  } as const;
  say({ type: 'progress', progress: { ...part, finishedLevels: [fakeLevel(1)] } });
  say({ type: 'progress', progress: { ...part, finishedLevels: [fakeLevel(2)] } });
  expect(progress.map(({ runId, finishedLevels }) => [runId, finishedLevels.length])).toEqual([
    [id, 1],
    [id, 1],
  ]);
  expect(lab.progress?.finishedLevels.map(({ value }) => value)).toEqual([1, 2]);
  say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(lab.progress).toBeUndefined();
});

test('a configuration of its own is loaded for the run, and taken back before the end is told', async () => {
  const text = 'name: "m" max_batch_size: 16';
  const id = await start({}, text);
  (await generator(0)).say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(host.done).toEqual([`load ${text}`, 'reload']);
  expect(await store.find(id)).toMatchObject({ isOverride: true, configText: text });
});

test('a configuration that the user tried without saving comes back after the run', async () => {
  await host.loadWithConfig('m', 'name: "m" # tried');
  host.done.length = 0;
  await start({}, 'name: "m" max_batch_size: 2');
  (await generator(0)).say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(host.done).toEqual(['load name: "m" max_batch_size: 2', 'load name: "m" # tried']);
});

test('a configuration that does not load fails the run with the reason, and the next one goes on', async () => {
  host.beforeLoad = (text) => {
    if (text.includes('99')) throw internal('no such instance');
  };
  const bad = await start({}, 'name: "m" instance_group { count: 99 }');
  const good = await start();
  (await generator(0)).say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(await store.find(bad)).toMatchObject({ state: 'failed', error: 'no such instance' });
  expect(await stateOf(good)).toBe('done');
});

test('a sweep measures what serves first, then each combination in turn; a stop ends the rest', async () => {
  const { runs, sweep } = await lab.start({ plan: PLAN, name: '', configText: undefined, sweep: SWEEP });
  expect(runs.length).toBeGreaterThanOrEqual(2);
  const first = await generator(0);
  expect(host.done).toEqual([]);
  first.say({ type: 'done', warnings: [] });
  const second = await generator(1);
  expect(host.done).toHaveLength(1);
  expect(host.done[0]).toContain('count: 1');
  await lab.stop(sweep);
  second.say({ type: 'done', warnings: [] });
  await lab.settled();
  const kept = await store.bySweep(sweep);
  expect(kept.map(({ state }) => state)).toEqual(['done', 'stopped', 'stopped']);
  expect(kept.map((run) => run.sweep?.title)).toEqual(['', 'instances 1', 'instances 2']);
  expect(host.done.at(-1)).toBe('reload');
});

test('a generator that dies fails its run, with how it ended', async () => {
  const id = await start();
  (await generator(0)).exit({ code: undefined, detail: 'signal SIGKILL' });
  await lab.settled();
  const { state, error } = await store.find(id);
  expect([state, error]).toEqual(['failed', 'the load generator ended unexpectedly (signal SIGKILL)']);
});

test('a model that went away during the run interrupts it; what was measured stays', async () => {
  const id = await start();
  const { say } = await generator(0);
  say({ type: 'level', level: fakeLevel(1) });
  host.model = { ...host.model, isReady: false };
  say({ type: 'failed', error: { code: 'UNAVAILABLE', message: "model 'm' is not ready" } });
  await lab.settled();
  expect(await store.find(id)).toMatchObject({
    state: 'interrupted',
    error: "The model was unloaded: model 'm' is not ready",
    levelCount: 1,
  });
});

test('a last level in which every request failed fails the run with the first reason', async () => {
  const id = await start();
  const { say } = await generator(0);
  say({
    type: 'level',
    level: fakeLevel(1, { requestCount: 0 }, { state: 'failed', firstError: '[400] no', note: 'n' }),
  });
  say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(await store.find(id)).toMatchObject({ state: 'failed', error: '[400] no' });
});

test('a saved request is sent as data, requests are kept where that was asked for, over the endpoint of the plan', async () => {
  const data: PerfPlan['data'] = { ...PLAN.data, source: { kind: 'saved', request: 'r1', name: 'mine' } };
  const id = await start({ protocol: 'grpc', data, keepsRequests: true });
  const { say, received } = await generator(0);
  say({ type: 'ready' });
  expect(received[0]).toMatchObject({
    plan: { url: '127.0.0.1:9001', data: { source: { kind: 'json', text: '{"data":[]}' } } },
    requestsFile: await store.requestsFile(id),
  });
  say({ type: 'done', warnings: [] });
  await lab.settled();
  expect((await store.find(id)).plan.data.source.kind).toBe('saved');
});

test('a run that traces keeps the traces of the slowest with its levels, and stops tracing; not of another server', async () => {
  const id = await start({ tracesSlowest: true });
  const { say } = await generator(0);
  expect(traced).toEqual(['follow m']);
  const level = { ...fakeLevel(4), slowest: [{ atMs: 1000, latencyUs: 9 }] };
  say({ type: 'level', level });
  say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(traced).toEqual(['follow m', 'stop']);
  const run = await store.find(id);
  expect(run.levels[0]?.slowest).toEqual([{ atMs: 1000, latencyUs: 9, trace: [SLOW_ROW] }]);
  expect(run.warnings.some((text) => text.includes('was traced'))).toBe(true);
  await start({ tracesSlowest: true, url: 'other:8000' });
  (await generator(1)).say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(traced).toHaveLength(2);
});

test('captured requests are sent as the host gives them, one at a time; the run that is kept does not hold them', async () => {
  const data: PerfPlan['data'] = { ...PLAN.data, source: { kind: 'captured', order: 'random' } };
  const id = await start({ data, batchSize: 4 });
  const { say, received } = await generator(0);
  say({ type: 'ready' });
  expect(received[0]).toMatchObject({
    plan: { batchSize: 1, data: { source: { kind: 'captured', order: 'random', text: '[]' } } },
  });
  say({ type: 'done', warnings: [] });
  await lab.settled();
  expect((await store.find(id)).plan.data.source).toEqual({ kind: 'captured', order: 'random' });
});

test('an endpoint that is off cannot be measured, unless another server is meant', async () => {
  host.endpoints = { http: undefined, grpc: undefined };
  const off = await start();
  const elsewhere = await start({ url: 'other:8000' });
  (await generator(0)).say({ type: 'done', warnings: [] });
  await lab.settled();
  expect(await store.find(off)).toMatchObject({ state: 'failed', error: 'the HTTP endpoint is off' });
  expect(await stateOf(elsewhere)).toBe('done');
});

test('a check outside of the history gives its last level, and waits for nobody', async () => {
  const check = lab.measureOnce(PLAN);
  const { say, isKilled } = await generator(0);
  say({ type: 'level', level: fakeLevel(4) });
  say({ type: 'done', warnings: [] });
  expect((await check).result.requestCount).toBe(100);
  expect([isKilled(), (await store.list('')).length]).toEqual([false, 0]);
  const empty = lab.measureOnce(PLAN);
  (await generator(1)).say({ type: 'done', warnings: [] });
  await expect(empty).rejects.toThrow('the check measured nothing');
  const loading = Promise.withResolvers<void>();
  host.beforeLoad = () => loading.promise;
  await start({}, 'name: "m"');
  await expect(lab.measureOnce(PLAN)).rejects.toThrow('a run goes on');
  loading.resolve();
  (await generator(2)).say({ type: 'done', warnings: [] });
  await lab.settled();
});

test('a lab that is closed kills what goes on and starts nothing more', async () => {
  await start();
  await start();
  const { isKilled } = await generator(0);
  await lab.close();
  expect([isKilled(), spawner.generators.length]).toEqual([true, 1]);
});

test('an unknown model is refused at once', async () => {
  await expect(
    lab.start({ plan: { ...PLAN, model: 'x' }, name: '', configText: undefined }),
  ).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
