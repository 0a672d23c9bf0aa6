// What a load took of a made-up GPU, told only when nothing else can be in the difference.

import { expect, test } from 'vitest';

import { FakeClock } from '../testing/fake-clock.ts';
import type { DeviceRuns } from './device-activity.ts';
import type { PlacedOnGpu } from './memory-meter.ts';
import { GpuMemoryMeter } from './memory-meter.ts';
import type { GpuMemoryLook, MemoryTool } from './memory-tool.ts';

const PID = 42;
const HOST_PID = 77;
const IDLE: DeviceRuns = { executionCount: 0, inFlightCount: 0 };
const idle = (): DeviceRuns => IDLE;
const HERE: PlacedOnGpu = { device: 0, provider: 'cuda', pid: undefined };
const HOSTED: PlacedOnGpu = { device: 0, provider: undefined, pid: HOST_PID };

/** A GPU whose tool answers at once, unless `answer` says otherwise. */
function world(options: { readonly listsProcesses?: boolean } = {}) {
  const clock = new FakeClock();
  const used = new Map<number, number>();
  let other = 1000;
  let looks = 0;
  let answer = (found: ReadonlyMap<string, GpuMemoryLook>) => Promise.resolve(found);
  const sum = (pids: readonly number[]): number =>
    pids.reduce((total, pid) => total + (used.get(pid) ?? 0), 0);
  const tool: MemoryTool = {
    name: 'nvidia-smi',
    look: (pids) => {
      looks += 1;
      const processBytes = options.listsProcesses === false ? 0 : sum(pids);
      return answer(new Map([['0', { processBytes, deviceBytes: other + sum([...used.keys()]) }]]));
    },
  };
  const sources = { tools: [tool], sourceOf: () => ({ tool, key: '0' }) };
  const meter = new GpuMemoryMeter({ clock, sources: () => sources, pid: PID });
  return {
    clock,
    meter,
    lookCount: () => looks,
    take: (bytes: number, pid = PID) => used.set(pid, (used.get(pid) ?? 0) + bytes),
    otherProgram: (bytes: number) => (other += bytes),
    answers: (next: typeof answer) => (answer = next),
    /** A whole load that takes `bytes`. */
    load: async (bytes: number, runs = idle) => {
      const tenant = meter.begin([0], 'process');
      await tenant.ready();
      used.set(PID, (used.get(PID) ?? 0) + bytes);
      await tenant.settle([HERE], runs);
      return tenant;
    },
  };
}

test('a load that is alone took what its process grew by; the first one carries the provider', async () => {
  const { load } = world();
  const first = await load(300);
  expect(first.shares).toEqual([
    { device: 0, bytes: 300, unknown: undefined, way: 'process', tool: 'nvidia-smi', isFirst: true },
  ]);
  const second = await load(20);
  expect(second.shares).toMatchObject([{ bytes: 20, isFirst: false }]);
});

test('where no process is listed, all programs are compared', async () => {
  const { load } = world({ listsProcesses: false });
  expect((await load(300)).shares).toMatchObject([{ bytes: 300, way: 'device', isFirst: true }]);
  expect((await load(20)).shares).toMatchObject([{ bytes: 20, way: 'device', isFirst: false }]);
});

test('loads that overlap on a device are not told apart, and the next one alone is', async () => {
  const { meter, take, load } = world();
  const a = meter.begin([0], 'process');
  await a.ready();
  const b = meter.begin([0], 'process');
  await b.ready();
  take(300);
  await a.settle([HERE], idle);
  take(20);
  await b.settle([HERE], idle);
  expect([...a.shares, ...b.shares]).toMatchObject([
    { bytes: undefined, unknown: 'overlap' },
    { bytes: undefined, unknown: 'overlap' },
  ]);
  expect((await load(7)).shares).toMatchObject([{ bytes: 7 }]);
});

test('a load that failed beside another one spoils it all the same', async () => {
  const { meter, take } = world();
  const a = meter.begin([0], 'process');
  const failing = meter.begin([0], 'process');
  failing.close();
  await a.ready();
  take(300);
  await a.settle([HERE], idle);
  expect(a.shares).toMatchObject([{ unknown: 'overlap' }]);
});

test('loads on other devices do not matter', async () => {
  const { meter, take } = world();
  const a = meter.begin([0], 'process');
  const b = meter.begin([1], 'process');
  await a.ready();
  take(300);
  await a.settle([HERE], idle);
  b.close();
  expect(a.shares).toMatchObject([{ bytes: 300 }]);
});

test('an unload that runs while a load is measured spoils it', async () => {
  const { load, meter, take } = world();
  const old = await load(500);
  const closed = old.closing();
  const fresh = meter.begin([0], 'process');
  await fresh.ready();
  take(300);
  closed();
  expect(old.shares).toEqual([]);
  await fresh.settle([HERE], idle);
  expect(fresh.shares).toMatchObject([{ unknown: 'overlap' }]);
});

test('after an unload nothing of the model is known, and a reload is measured anew', async () => {
  const { load, take } = world();
  const old = await load(500);
  old.closing()();
  take(-400);
  expect(old.shares).toEqual([]);
  expect((await load(450)).shares).toMatchObject([{ bytes: 450, isFirst: false }]);
});

test.each([
  ['answered requests', { executionCount: 4, inFlightCount: 0 }],
  ['still runs one', { executionCount: 3, inFlightCount: 1 }],
])('another model that %s meanwhile makes the difference unknown', async (_what, later) => {
  const { load, meter, take } = world();
  let runs: DeviceRuns = { executionCount: 3, inFlightCount: 0 };
  await load(500, () => runs);
  const fresh = meter.begin([0], 'process');
  await fresh.ready();
  runs = later;
  take(300);
  await fresh.settle([HERE], idle);
  expect(fresh.shares).toMatchObject([{ bytes: undefined, unknown: 'busy' }]);
});

test('what other processes do matters only where all programs are compared', async () => {
  const found = [];
  for (const listsProcesses of [true, false]) {
    const { meter, take } = world({ listsProcesses });
    const tenant = meter.begin([0], 'process');
    await tenant.ready();
    const end = meter.activity.begin('all', 'elsewhere');
    take(300);
    end();
    await tenant.settle([HERE], idle);
    found.push(...tenant.shares);
  }
  expect(found).toMatchObject([{ bytes: 300, way: 'process' }, { unknown: 'overlap' }]);
});

test('a difference that is none, or below, is no number', async () => {
  const { load, otherProgram, meter, take } = world({ listsProcesses: false });
  expect((await load(0)).shares).toMatchObject([{ unknown: 'not-grown' }]);
  const tenant = meter.begin([0], 'process');
  await tenant.ready();
  take(100);
  otherProgram(-700);
  await tenant.settle([HERE], idle);
  expect(tenant.shares).toMatchObject([{ bytes: undefined, unknown: 'not-grown' }]);
});

test('a tool that fails is no number, and the next load asks again', async () => {
  const { load, answers } = world();
  answers(() => Promise.reject(new Error('spawn nvidia-smi ENOENT')));
  expect((await load(300)).shares).toMatchObject([{ unknown: 'failed' }]);
  answers((found) => Promise.resolve(found));
  expect((await load(20)).shares).toMatchObject([{ bytes: 20 }]);
});

test('a tool that never answers holds a load up for half a second, and the next ones not at all', async () => {
  const { meter, clock, answers, lookCount, load } = world();
  answers(() => new Promise(() => undefined));
  const tenant = meter.begin([0], 'process');
  let isReady = false;
  const ready = tenant.ready().then(() => (isReady = true));
  await clock.advance(499);
  expect(isReady).toBe(false);
  await clock.advance(1);
  await ready;
  await tenant.settle([HERE], idle);
  expect(tenant.shares).toMatchObject([{ unknown: 'silent' }]);
  expect((await load(300)).shares).toMatchObject([{ unknown: 'silent' }]);
  expect(lookCount()).toBe(1);
});

test('a tool that answers late is asked again by the load after', async () => {
  const { meter, clock, answers, load } = world();
  const late = Promise.withResolvers<ReadonlyMap<string, GpuMemoryLook>>();
  answers(() => late.promise);
  const tenant = meter.begin([0], 'process');
  await clock.advance(500);
  await tenant.settle([HERE], idle);
  answers((found) => Promise.resolve(found));
  late.resolve(new Map());
  await clock.advance(1);
  expect((await load(20)).shares).toMatchObject([{ bytes: 20 }]);
});

test('processes of a model tell all that they have, whatever goes on beside them', async () => {
  const { meter, take } = world();
  const tenant = meter.begin([0], 'elsewhere');
  const beside = meter.begin([0], 'process');
  take(700, HOST_PID);
  take(5);
  await tenant.settle([HOSTED, HOSTED], idle);
  beside.close();
  expect(tenant.shares).toMatchObject([{ bytes: 700, way: 'host' }]);
});

test('a process that is not listed has no number', async () => {
  const { meter } = world();
  const tenant = meter.begin([0], 'elsewhere');
  await tenant.settle([HOSTED], idle);
  expect(tenant.shares).toMatchObject([{ bytes: undefined, unknown: 'not-listed' }]);
});

test('a model that ended up on the CPU has no share, and asked nothing after its load', async () => {
  const { meter, lookCount } = world();
  const tenant = meter.begin([0], 'process');
  await tenant.ready();
  await tenant.settle([], idle);
  expect(tenant.shares).toEqual([]);
  expect(lookCount()).toBe(1);
});

test('a model that asks for no GPU asks nothing', async () => {
  const { meter, lookCount } = world();
  const tenant = meter.begin([], 'process');
  await tenant.ready();
  await tenant.settle([], idle);
  expect(lookCount()).toBe(0);
});

test('a change of instances makes the number unknown, and a failed one leaves it', async () => {
  const { load } = world();
  const tenant = await load(300);
  tenant.changing([0]).end();
  expect(tenant.shares).toMatchObject([{ bytes: 300 }]);
  const change = tenant.changing([0]);
  change.changed([HERE], idle);
  change.end();
  expect(tenant.shares).toMatchObject([{ bytes: undefined, unknown: 'changed' }]);
  expect((await load(20)).shares).toMatchObject([{ bytes: 20 }]);
});

test('work that can wait waits until no load is on a GPU, and spoils those that begin during it', async () => {
  const { meter, clock, take } = world({ listsProcesses: false });
  const onCpu = meter.begin([], 'process');
  const onGpu = meter.begin([0], 'process');
  let end: (() => void) | undefined;
  const apart = meter.apart().then((given) => (end = given));
  await clock.advance(10);
  expect(end).toBeUndefined();
  onGpu.close();
  await apart;
  const beside = meter.begin([0], 'process');
  await beside.ready();
  take(300);
  await beside.settle([HERE], idle);
  expect(beside.shares).toMatchObject([{ unknown: 'overlap' }]);
  end?.();
  onCpu.close();
});

test('work that can wait does not wait for a load that hangs', async () => {
  const { meter, clock } = world();
  meter.begin([0], 'process');
  let isLet = false;
  const apart = meter.apart().then(() => (isLet = true));
  await clock.advance(59_999);
  expect(isLet).toBe(false);
  await clock.advance(1);
  await apart;
});
