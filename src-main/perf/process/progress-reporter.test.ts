// What is told of a test while it goes on: points, the rest of the time, and no trace of pauses in either.

import { expect, test } from 'vitest';

import type { PerfLevels, PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { fakeLevel } from '../../../src-shared/testing/fake-runs.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { HandLane } from '../../testing/perf-fakes.ts';
import { NO_MESSAGE } from '../load/lane.ts';
import { WindowRecorder } from '../measure/window-recorder.ts';
import type { ProgressPart } from './progress-reporter.ts';
import { ProgressReporter } from './progress-reporter.ts';

function world(levels: PerfLevels, changes: Partial<PerfPlan['measurement']> = {}) {
  const clock = new FakeClock();
  const base = defaultPerfPlan('m');
  const plan: PerfPlan = {
    ...base,
    batchSize: 2,
    load: { kind: 'concurrency', levels },
    measurement: { ...base.measurement, intervalMs: 1000, ...changes },
  };
  const told: ProgressPart[] = [];
  const servers: string[] = [];
  const levelsTold: number[] = [];
  const reporter = new ProgressReporter({
    plan,
    clock,
    send: (progress) => told.push(progress),
    onPrepared: (name) => servers.push(name),
    onLevel: ({ value }) => levelsTold.push(value),
  });
  const recorder = new WindowRecorder({ startNs: clock.nowNs(), hasDueTimes: false });
  const lane = new HandLane(clock);
  /** So many requests of 5 ms that end now. */
  const answer = (count: number): void => {
    for (let left = count; left > 0; left -= 1) {
      lane.startNs = clock.nowNs() - 5e6;
      lane.endNs = clock.nowNs();
      lane.message = { ...NO_MESSAGE, rowCount: plan.batchSize };
      recorder.done(lane);
    }
  };
  const last = (): ProgressPart => {
    const progress = told.at(-1);
    if (progress === undefined) throw new Error('nothing was told');
    return progress;
  };
  return { clock, reporter, recorder, answer, told, servers, levelsTold, last };
}

const LIST: PerfLevels = { kind: 'list', values: [1, 2] };

test('it tells four times a second, from before the first level on', async () => {
  const { clock, reporter, told, servers } = world(LIST);
  reporter.prepared({ serverName: 'triton' });
  await clock.advance(1000);
  expect(servers).toEqual(['triton']);
  expect(told).toHaveLength(4);
  expect(told[0]).toMatchObject({
    state: 'preparing',
    level: undefined,
    live: undefined,
    points: [],
    levelCount: 2,
  });
  reporter.close();
  await clock.advance(1000);
  expect(told).toHaveLength(4);
});

test('points are of the time since the last one, in inferences; the live numbers of the window', async () => {
  const { clock, reporter, recorder, answer, last } = world(LIST);
  reporter.levelStarted('concurrency', 1, recorder);
  answer(25);
  await clock.advance(250);
  answer(50);
  await clock.advance(250);
  expect(last()).toMatchObject({ state: 'measuring', level: { unit: 'concurrency', value: 1 } });
  expect(last().points.map(({ inferPerSecond }) => inferPerSecond)).toEqual([400]);
  expect(last().live).toMatchObject({ inferPerSecond: 300, meanUs: 5000, errorCount: 0 });
});

test('the share of a run grows with each window, and goes back nowhere', async () => {
  const { clock, reporter, recorder, last } = world(LIST);
  await clock.advance(250);
  expect(last().share).toBe(0);
  reporter.levelStarted('concurrency', 1, recorder);
  reporter.windowEnded(3, 0, '');
  await clock.advance(250);
  expect(last().share).toBe(0.25);
  reporter.windowEnded(9, 0, '');
  await clock.advance(250);
  expect(last().share).toBe(0.375);
});

test('a quiet quarter of a second is a point of zero without a percentile', async () => {
  const { clock, reporter, recorder, last } = world(LIST);
  reporter.levelStarted('concurrency', 1, recorder);
  await clock.advance(250);
  expect(last().points).toEqual([{ atMs: clock.wallMs(), inferPerSecond: 0, p99Us: undefined }]);
  expect(last().live).toMatchObject({ inferPerSecond: 0, meanUs: 0 });
});

test('a pause has no points, and the first one after it is not thinned by it', async () => {
  const { clock, reporter, recorder, answer, told, last } = world(LIST);
  reporter.levelStarted('concurrency', 1, recorder);
  await clock.advance(250);
  reporter.pauseChanged(true);
  const before = told.length;
  await clock.advance(10_000);
  expect(told.slice(before).every(({ state, points }) => state === 'paused' && points.length === 0)).toBe(
    true,
  );
  recorder.take(clock.nowNs());
  reporter.pauseChanged(false);
  answer(25);
  await clock.advance(250);
  expect(last()).toMatchObject({ state: 'measuring', points: [{ inferPerSecond: 200 }] });
});

test('what is left counts levels that come, and stands still in a pause', async () => {
  const { clock, reporter, recorder, last } = world(LIST);
  await clock.advance(250);
  expect(last().remainingMs).toBe(7200);
  reporter.levelStarted('concurrency', 1, recorder);
  await clock.advance(1000);
  expect(last().remainingMs).toBe(6200);
  reporter.pauseChanged(true);
  await clock.advance(5000);
  expect(last().remainingMs).toBe(6200);
  reporter.pauseChanged(false);
  await clock.advance(1000);
  expect(last().remainingMs).toBe(5200);
  await clock.advance(60_000);
  expect(last().remainingMs).toBe(3600);
});

test.each<[string, PerfLevels, Partial<PerfPlan['measurement']>]>([
  ['the number of levels', { kind: 'doubling', start: 1, end: 0 }, {}],
  ['how long a number of requests takes', LIST, { mode: 'count' }],
  ['how long a fixed number takes', LIST, { fixedRequestCount: 10 }],
])('what is left is not known without %s', async (_why, levels, measurement) => {
  const { clock, last } = world(levels, measurement);
  await clock.advance(250);
  expect(last().remainingMs).toBeUndefined();
});

test('windows that ended, and levels with slim windows, are told once', async () => {
  const { clock, reporter, recorder, levelsTold, told, last } = world(LIST);
  reporter.phaseChanged('warming-up');
  expect(last().state).toBe('warming-up');
  reporter.levelStarted('concurrency', 2, recorder);
  reporter.windowEnded(1, 0, 'Window 1');
  await clock.advance(250);
  expect(last()).toMatchObject({ stability: 'Window 1', windowEndsMs: [expect.any(Number)] });
  reporter.phaseChanged('draining');
  expect(last()).toMatchObject({ state: 'draining', windowEndsMs: [] });
  reporter.levelEnded(fakeLevel(2));
  expect(levelsTold).toEqual([2]);
  const [level] = last().finishedLevels;
  expect(level?.windows.every(({ histogram }) => histogram.length === 0)).toBe(true);
  expect(level?.result.histogram).not.toEqual([]);
  expect(last()).toMatchObject({ state: 'preparing', level: undefined, levelIndex: 1 });
  await clock.advance(250);
  expect(told.filter(({ finishedLevels }) => finishedLevels.length > 0)).toHaveLength(1);
});
