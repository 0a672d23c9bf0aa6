// A configuration that won goes into the model's file, and comes out of it again when anything goes wrong.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import { internal, unavailable } from '../../../src-shared/errors.ts';
import { fakeLevel, fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeModelHost, perfFolder } from '../../testing/perf-world.ts';
import type { ApplyParts } from './apply-config.ts';
import { applyRun, undoApply } from './apply-config.ts';
import { RunStore } from './run-store.ts';

const WANTED = 'name: "m"\nmax_batch_size: 16\ninstance_group { count: 2 }\n';

let folder: Awaited<ReturnType<typeof perfFolder>>;
let host: FakeModelHost;
let store: RunStore;
let measurements: (() => PerfLevel)[];
let plans: PerfPlan[];
let parts: ApplyParts;

beforeEach(async () => {
  folder = await perfFolder();
  host = new FakeModelHost();
  store = new RunStore(folder.path);
  measurements = [];
  plans = [];
  parts = {
    clock: new FakeClock(),
    host,
    store,
    lab: {
      measureOnce: (plan) => {
        plans.push(plan);
        const next = measurements.shift();
        return next === undefined
          ? Promise.reject(unavailable('nobody answers'))
          : Promise.resolve().then(next);
      },
    },
  };
});
afterEach(() => folder.remove());

const run = (levels: readonly PerfLevel[] = [fakeLevel(4)]) => fakeRun('r', levels, { configText: WANTED });
const original = 'name: "m"\nmax_batch_size: 8\n';

test('the text is written and loaded, and every field that changed is named', async () => {
  const applied = await applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 0 });
  expect(host.done).toEqual([`write ${WANTED}`, 'reload']);
  expect(applied).toMatchObject({ verification: undefined });
  expect(applied.sentence).toContain('max_batch_size 8 -> 16');
  expect(applied.sentence).toMatch(/^Applied: .*instance_group.*not set -> .*\.$/);
  expect(plans).toEqual([]);
});

test('it can be taken back once', async () => {
  const { applyId } = await applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 0 });
  expect(await undoApply(parts, applyId)).toEqual({ text: original });
  expect(host.model.fileText).toBe(original);
  await expect(undoApply(parts, applyId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a way back is known to the next start of the program', async () => {
  const { applyId } = await applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 0 });
  const later = new RunStore(folder.path);
  expect(await undoApply({ ...parts, store: later }, applyId)).toEqual({ text: original });
});

test('a file that changed since it was looked at is left alone', async () => {
  await expect(applyRun(parts, run(), { expectedHash: 'h0', verifyMs: 0 })).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
  });
  expect(host.done).toEqual([]);
});

test('a configuration that does not load is taken out of the file again', async () => {
  host.beforeLoad = (text) => {
    if (text === WANTED) throw internal('too much memory');
  };
  await expect(applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 0 })).rejects.toThrow(
    'too much memory',
  );
  expect(host.model.fileText).toBe(original);
  expect(host.done).toEqual([`write ${WANTED}`, `write ${original}`, 'reload']);
});

test('a check measures the best load before and after, for the time that was promised', async () => {
  measurements = [() => fakeLevel(4), () => fakeLevel(4, { inferPerSecond: 180 })];
  const levels = [
    fakeLevel(2),
    fakeLevel(4, { inferPerSecond: 150 }),
    fakeLevel(8, {}, { state: 'over-limit' }),
  ];
  const applied = await applyRun(parts, run(levels), { expectedHash: 'h1', verifyMs: 20_000 });
  expect(applied.verification).toMatchObject({
    durationMs: 20_000,
    before: { inferPerSecond: 100 },
    after: { inferPerSecond: 180 },
    isClear: true,
  });
  expect(applied.sentence).toContain(
    'Checked for 20 s: 100 -> 180 inf/s, p99 11.9 -> 11.9 ms (a clear difference).',
  );
  expect(plans).toHaveLength(2);
  expect(plans[0]).toEqual(plans[1]);
  const { load, measurement } = plans[0] as PerfPlan;
  expect(load).toEqual({ kind: 'concurrency', levels: { kind: 'list', values: [4] } });
  // Windows last a fifth longer than asked.
  expect(measurement.intervalMs * 1.2 * measurement.maxWindows).toBeCloseTo(20_000);
});

test('a difference that is no larger than the noise is not called clear', async () => {
  const noisy = (inferPerSecond: number): PerfLevel => {
    const level = fakeLevel(4, { inferPerSecond });
    const windows = [60, 100, 140].map((rate) => ({ ...level.result, inferPerSecond: rate }));
    return { ...level, windows };
  };
  measurements = [() => noisy(100), () => noisy(110)];
  const { sentence } = await applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 8000 });
  expect(sentence).toContain('(within noise)');
});

test('a rate keeps its distribution in the check', async () => {
  measurements = [() => fakeLevel(50), () => fakeLevel(50)];
  const base = run([fakeLevel(50, {}, { unit: 'request-rate' })]);
  const levels = { kind: 'range', start: 10, end: 50, step: 10 } as const;
  const load: PerfPlan['load'] = { kind: 'request-rate', distribution: 'poisson', levels };
  await applyRun(parts, { ...base, plan: { ...base.plan, load } }, { expectedHash: 'h1', verifyMs: 8000 });
  expect(plans[0]?.load).toEqual({
    kind: 'request-rate',
    distribution: 'poisson',
    levels: { kind: 'list', values: [50] },
  });
});

test('when the first check fails nothing is written', async () => {
  await expect(applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 8000 })).rejects.toThrow(
    'nobody answers',
  );
  expect(host.done).toEqual([]);
});

test('when the second check fails the change is taken back: nobody would be told of it', async () => {
  measurements = [() => fakeLevel(4)];
  await expect(applyRun(parts, run(), { expectedHash: 'h1', verifyMs: 8000 })).rejects.toThrow(
    'nobody answers',
  );
  expect(host.model.fileText).toBe(original);
  expect(host.done.at(-1)).toBe('reload');
});

test('a run whose configuration is that of the file changes nothing, and says so', async () => {
  const same = fakeRun('r', [], { configText: original });
  const { sentence, changes } = await applyRun(parts, same, { expectedHash: 'h1', verifyMs: 0 });
  expect([sentence, changes]).toEqual(['Applied; nothing differs.', []]);
});
