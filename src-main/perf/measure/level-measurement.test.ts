// One level from its first window to its verdict, in virtual time: windows, pauses, skips, stops and failures.

import { expect, test } from 'vitest';

import type { PerfMeasurement } from '../../../src-shared/contract/perf-plan.ts';
import { DEFAULT_MEASUREMENT } from '../../../src-shared/contract/perf-plan.ts';
import { fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import { FakeClock, settle } from '../../testing/fake-clock.ts';
import { HandLane } from '../../testing/perf-fakes.ts';
import { NO_MESSAGE } from '../load/lane.ts';
import type { LoadDriver } from '../load/load-driver.ts';
import type { MeasuredLevel } from './level-measurement.ts';
import { LevelMeasurement } from './level-measurement.ts';
import { RunControl } from './run-control.ts';
import type { Reading, ServerProbe } from './server-probe.ts';
import { WindowRecorder } from './window-recorder.ts';

/** A load of `perSecond` requests of `latencyMs`; both may change while it goes on. */
class SteadyDriver implements LoadDriver {
  perSecond = 100;
  latencyMs = 10;
  error: string | undefined;
  isExhausted = false;
  isHeld = false;
  readonly #clock: FakeClock;
  readonly #recorder: WindowRecorder;
  readonly #lane: HandLane;

  constructor(clock: FakeClock, recorder: WindowRecorder) {
    this.#clock = clock;
    this.#recorder = recorder;
    this.#lane = new HandLane(clock);
  }

  start(): void {
    this.#clock.after(1000 / this.perSecond, () => this.#answerOne());
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  #answerOne(): void {
    const lane = this.#lane;
    if (!this.isHeld && !this.isExhausted) {
      lane.startNs = this.#clock.nowNs() - this.latencyMs * 1e6;
      lane.endNs = this.#clock.nowNs();
      lane.sentNs = lane.startNs;
      lane.firstNs = lane.endNs;
      lane.error = this.error;
      lane.responseCount = 1;
      lane.message = { ...NO_MESSAGE, rowCount: 2 };
      this.#recorder.sent(lane);
      this.#recorder.done(lane);
    }
    this.start();
  }
}

function world(measurement: Partial<PerfMeasurement> = {}, { isSingleWindow = false, isAsync = false } = {}) {
  const clock = new FakeClock();
  const recorder = new WindowRecorder({ startNs: clock.nowNs(), hasDueTimes: false });
  const driver = new SteadyDriver(clock, recorder);
  const control = new RunControl();
  const told: string[] = [];
  let reads = 0;
  const probe = {
    read: () => {
      reads += 1;
      return Promise.resolve({ counters: new Map(), cpuMs: reads, busyMs: 0, serverCpuMs: undefined });
    },
    timesBetween: (before: Reading, after: Reading) =>
      fakeServerTimes({ successCount: after.cpuMs - before.cpuMs }),
  } as unknown as ServerProbe;
  const level = new LevelMeasurement({
    clock,
    driver,
    recorder,
    probe,
    control,
    measurement: { ...DEFAULT_MEASUREMENT, intervalMs: 1000, ...measurement },
    isAsync,
    isSingleWindow,
    measure: { percentile: 0, hasDueTimes: false, wallMs: (ns) => ns / 1e6 },
    events: {
      windowEnded: (index, _atNs, stability) => told.push(`${index}: ${stability}`),
      pauseChanged: (isPaused) => told.push(isPaused ? 'paused' : 'resumed'),
    },
  });
  let result: MeasuredLevel | undefined;
  let failure: unknown;
  level.run().then(
    (measured) => (result = measured),
    (thrown: unknown) => (failure = thrown),
  );
  const ended = (): MeasuredLevel => {
    if (result === undefined)
      throw new Error(`the level goes on; it told ${told.join(', ')}`, { cause: failure });
    return result;
  };
  return { clock, driver, control, told, ended, hasEnded: () => result !== undefined };
}

test('three windows that agree are enough, and the result is all three of them', async () => {
  const { clock, ended, told } = world();
  await clock.advance(3700);
  const { state, note, result, windows, boundariesNs } = ended();
  expect([state, note, windows.length, boundariesNs.length]).toEqual(['stable', '', 3, 4]);
  expect(result.requestCount).toBe(windows.reduce((sum, { requestCount }) => sum + requestCount, 0));
  // Windows last a fifth longer than asked; two rows travel in each request.
  expect(windows.map(({ durationMs }) => durationMs)).toEqual([1200, 1200, 1200]);
  expect(result.inferPerSecond).toBeCloseTo(200, -1);
  expect(result.responsePerSecond).toBeCloseTo(100, -1);
  expect(result.meanUs).toBeCloseTo(10_000);
  expect(result.server?.successCount).toBe(3);
  expect(told.at(-1)).toMatch(/^3: Window 3: \d\.\d % over the last 3, limit 10 %: stable$/);
});

test('only the last three windows count when the first ones differ', async () => {
  const { clock, driver, ended } = world();
  driver.latencyMs = 40;
  await clock.advance(1500);
  driver.latencyMs = 10;
  await clock.advance(6000);
  const { state, windows, result } = ended();
  expect(state).toBe('stable');
  expect(windows.length).toBeGreaterThan(3);
  expect(result.meanUs).toBeCloseTo(10_000);
});

test('windows that never agree are kept, and marked with how much they differ', async () => {
  const { clock, driver, ended, hasEnded } = world({ maxWindows: 4 });
  for (let turn = 0; !hasEnded(); turn += 1) {
    driver.latencyMs = turn % 2 === 0 ? 10 : 30;
    await clock.advance(1200);
  }
  const { state, note, windows } = ended();
  expect([state, windows.length]).toEqual(['unstable', 4]);
  expect(note).toMatch(/^Not stable: the last 3 windows differ by \d+ % \(limit 10 %\)/);
});

test('fewer windows than are compared cannot tell, and that is said', async () => {
  const { clock, ended } = world({ maxWindows: 2 });
  await clock.advance(3000);
  expect(ended()).toMatchObject({
    state: 'unstable',
    note: 'Not stable: 2 windows are too few to tell.',
  });
});

test('asynchronous loads need a stable throughput only, and a latency that drifts is told', async () => {
  const { clock, driver, ended, hasEnded } = world({}, { isAsync: true });
  for (let turn = 1; !hasEnded(); turn += 1) {
    driver.latencyMs = turn * 10;
    await clock.advance(1200);
  }
  expect(ended()).toMatchObject({
    state: 'stable',
    note: 'Request latency is not stabilizing. Please try lowering the request rate.',
  });
});

test('a latency above the limit ends the level', async () => {
  const { clock, ended } = world({ latencyLimitMs: 5 });
  await clock.advance(4000);
  expect(ended()).toMatchObject({
    state: 'over-limit',
    note: 'Measured latency went over the set limit of 5 msec.',
  });
});

test('windows of a number of requests end when these were answered', async () => {
  const { clock, ended } = world({ mode: 'count', requestCount: 150 });
  await clock.advance(7000);
  const { state, windows } = ended();
  expect(state).toBe('stable');
  for (const { requestCount } of windows) expect(requestCount).toBeGreaterThanOrEqual(150);
});

test('a fixed number of requests is one window that ends with the last of them', async () => {
  const { clock, driver, ended, hasEnded } = world({ fixedRequestCount: 20 }, { isSingleWindow: true });
  await clock.advance(205);
  expect(hasEnded()).toBe(false);
  driver.isExhausted = true;
  await clock.advance(500);
  const { state, result, windows } = ended();
  expect([state, result.requestCount, windows.length]).toEqual(['stable', 20, 1]);
  expect(result.durationMs).toBe(200);
});

test('when every request fails, the level fails with the first reason', async () => {
  const { clock, driver, ended } = world();
  driver.error = 'no such model';
  await clock.advance(1300);
  expect(ended()).toMatchObject({
    state: 'failed',
    note: 'Every request failed.',
    firstError: 'no such model',
    result: { requestCount: 0, minUs: 0, maxUs: 0, inferPerSecond: 0 },
  });
});

test('a window in which nothing was answered fails with advice', async () => {
  const { clock, driver, ended } = world();
  driver.isExhausted = true;
  await clock.advance(1300);
  expect(ended().note).toContain('Please use a larger time window');
});

test.each(['skip', 'stop'] as const)(
  'a %s ends the level at once and keeps what was measured',
  async (verb) => {
    const { clock, control, ended } = world();
    await clock.advance(1700);
    control[verb]();
    await settle();
    const { state, windows, result, note } = ended();
    expect(state).toBe(verb === 'skip' ? 'skipped' : 'stopped');
    expect(note).toContain('what was measured until then is kept');
    expect(windows.map(({ durationMs }) => durationMs)).toEqual([1200, 500]);
    expect(result.requestCount).toBeGreaterThan(100);
  },
);

test('a stop before the first answer keeps nothing, and is no failure', async () => {
  const { control, ended } = world();
  await settle();
  control.stop();
  await settle();
  expect(ended()).toMatchObject({
    state: 'stopped',
    windows: [],
    result: { requestCount: 0 },
    firstError: '',
  });
});

test('a pause holds the load; the window it broke is measured again', async () => {
  const { clock, control, driver, ended, told, hasEnded } = world();
  await clock.advance(1700);
  control.pause(true);
  await clock.advance(60_000);
  expect([driver.isHeld, hasEnded()]).toEqual([true, false]);
  control.pause(false);
  await clock.advance(3000);
  const { state, windows } = ended();
  expect(state).toBe('stable');
  expect(windows.map(({ durationMs }) => durationMs)).toEqual([1200, 1200, 1200]);
  expect(told).toEqual([
    expect.stringMatching(/^1/),
    'paused',
    'resumed',
    expect.anything(),
    expect.anything(),
  ]);
  expect(driver.isHeld).toBe(false);
});

test.each([
  ['skip', 'skipped'],
  ['stop', 'stopped'],
] as const)(
  'a %s during a pause ends the level without waiting for the end of the pause',
  async (verb, state) => {
    const { clock, control, ended } = world();
    await clock.advance(1700);
    control.pause(true);
    await clock.advance(100);
    control[verb]();
    await clock.advance(1);
    expect(ended()).toMatchObject({ state, windows: [{ durationMs: 1200 }] });
  },
);

test('a control tells a skip once, and a stop before everything else', () => {
  const control = new RunControl();
  let woken = 0;
  const listening = control.onChange(() => (woken += 1));
  control.pause(true);
  control.skip();
  expect([control.takeInterruption(), control.takeInterruption()]).toEqual(['skip', 'pause']);
  control.stop();
  expect([control.takeInterruption(), control.isStopped, control.isHolding]).toEqual(['stop', true, false]);
  listening[Symbol.dispose]();
  control.pause(false);
  expect(woken).toBe(3);
});
