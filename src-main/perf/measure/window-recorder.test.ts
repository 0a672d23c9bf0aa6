// What a window counts, how windows add up, and the numbers made of them.

import { expect, test } from 'vitest';

import { fakeLevel, fakeMeasured } from '../../../src-shared/testing/fake-runs.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { HandLane } from '../../testing/perf-fakes.ts';
import type { LoadModel } from '../data/load-model.ts';
import { NO_MESSAGE } from '../load/lane.ts';
import type { ModelCounters } from '../server/model-counters.ts';
import { measuredOf, percentilesOf } from './measured.ts';
import { fairnessWarnings, isGeneratorLimit, lateShare } from './verdicts.ts';
import { mergeWindows, WindowRecorder } from './window-recorder.ts';

const OPTIONS = { percentile: 0, hasDueTimes: false, wallMs: (ns: number) => ns / 1e6 };

function world(hasDueTimes = false) {
  const lane = new HandLane(new FakeClock());
  const recorder = new WindowRecorder({ startNs: 0, hasDueTimes });
  /** A request from `startMs` on that took `tookMs`. */
  const request = (startMs: number, tookMs: number, more: Partial<HandLane> = {}): void => {
    Object.assign(lane, {
      startNs: startMs * 1e6,
      dueNs: startMs * 1e6,
      sentNs: startMs * 1e6,
      firstNs: (startMs + tookMs) * 1e6,
      endNs: (startMs + tookMs) * 1e6,
      error: undefined,
      responseCount: 1,
      message: NO_MESSAGE,
      ...more,
    });
    recorder.sent(lane);
    recorder.done(lane);
  };
  return { recorder, request };
}

const none = { generatorCpuMs: 0, generatorBusyMs: 0, serverCpuMs: undefined };

test('mean, deviation, extremes and rates of a window', () => {
  const { recorder, request } = world();
  // Captured requests have batches of their own.
  const rowCounts = [1, 2, 4, 5];
  for (const [at, took] of [10, 20, 30, 40].entries())
    request(at * 100, took, { message: { ...NO_MESSAGE, rowCount: rowCounts[at] ?? 0 } });
  const measured = measuredOf([recorder.take(2e9)], [none], undefined, OPTIONS);
  expect(measured).toMatchObject({
    durationMs: 2000,
    requestCount: 4,
    inferPerSecond: 6,
    responsePerSecond: 2,
    meanUs: 25_000,
    minUs: 10_000,
    maxUs: 40_000,
    serverCpuPercent: undefined,
    fromDueUs: undefined,
  });
  expect(measured.deviationUs).toBeCloseTo(12_909.9, 0);
});

test('a request belongs to the window in which it ended; the next window starts empty', () => {
  const { recorder, request } = world();
  request(0, 10);
  const first = recorder.take(1e9);
  request(900, 200);
  const second = recorder.take(2e9);
  expect([first.requestCount, second.requestCount, second.startNs, second.maxNs]).toEqual([1, 1, 1e9, 200e6]);
  expect(recorder.take(3e9)).toMatchObject({ requestCount: 0, minNs: 0, maxNs: 0, slowest: [] });
});

test('failures are counted apart, with the first reason of the window and the last of all', () => {
  const { recorder, request } = world();
  request(0, 10, { error: 'first' });
  request(1, 10, { error: 'second' });
  request(2, 10);
  expect([recorder.doneCount, recorder.successCount, recorder.lastError]).toEqual([3, 1, 'second']);
  expect(recorder.take(1e9)).toMatchObject({ requestCount: 1, errorCount: 2, firstError: 'first' });
});

test('a request that had to wait is as slow as it was for whoever asked', () => {
  const { recorder, request } = world(true);
  request(500, 10, { dueNs: 100e6 });
  request(700, 10);
  const data = recorder.take(1e9);
  expect([data.sentCount, data.lateCount]).toEqual([2, 1]);
  const measured = measuredOf([data], [none], undefined, { ...OPTIONS, hasDueTimes: true });
  expect(measured.maxUs).toBe(10_000);
  expect(Math.abs((measured.fromDueUs?.['99'] ?? 0) / 410_000 - 1)).toBeLessThan(0.01);
});

test('the slowest requests are kept, twenty of them, the slowest first', () => {
  const { recorder, request } = world();
  for (let index = 0; index < 200; index += 1) request(index, ((index * 37) % 200) + 1);
  const { slowest } = mergeWindows([recorder.take(1e9)]);
  expect(slowest.map(({ latencyNs }) => latencyNs / 1e6)).toEqual(
    Array.from({ length: 20 }, (_, at) => 200 - at),
  );
});

test('sequences, responses and the time to send and to receive are summed up', () => {
  const { recorder, request } = world();
  const message = {
    bytes: Buffer.alloc(0),
    stream: 0,
    step: 0,
    sequenceId: 1,
    isSequenceEnd: true,
    rowCount: 1,
  };
  request(0, 10, { message, responseCount: 3, sentNs: 1e6, firstNs: 4e6 });
  const measured = measuredOf([recorder.take(1e9)], [none], undefined, OPTIONS);
  expect(measured).toMatchObject({ sequenceCount: 1, responsePerSecond: 3, sendUs: 1000, receiveUs: 6000 });
});

test('what is looked at for the live view does not change the window', () => {
  const { recorder, request } = world();
  request(0, 10);
  expect(recorder.peek(5e8).requestCount).toBe(1);
  expect(recorder.bucket()).not.toEqual([]);
  expect(recorder.bucket()).toEqual([]);
  request(20, 10);
  expect(recorder.peek(6e8).requestCount).toBe(2);
  expect(recorder.take(1e9).requestCount).toBe(2);
});

test('windows with a pause between them count the time of the windows only', () => {
  const { recorder, request } = world();
  request(0, 10);
  const first = recorder.take(1e9);
  recorder.take(50e9);
  request(50_100, 30);
  const merged = mergeWindows([first, recorder.take(51e9)]);
  expect(merged).toMatchObject({
    durationNs: 2e9,
    requestCount: 2,
    minNs: 10e6,
    maxNs: 30e6,
    startNs: 0,
    endNs: 51e9,
  });
});

test('nothing measured gives zeros, not infinities', () => {
  const measured = measuredOf([], [], undefined, OPTIONS);
  expect(
    Object.values(measured).filter((value) => typeof value === 'number' && !Number.isFinite(value)),
  ).toEqual([]);
  expect(measured).toMatchObject({ requestCount: 0, meanUs: 0, minUs: 0, maxUs: 0, inferPerSecond: 0 });
});

test('percentiles come with the one that was chosen, in order', () => {
  expect(Object.keys(percentilesOf([1000, 10], 75))).toEqual(['50', '75', '90', '95', '99']);
  expect(Object.keys(percentilesOf([1000, 10], 95))).toEqual(['50', '90', '95', '99']);
  expect(percentilesOf([], 0)).toEqual({ '50': 0, '90': 0, '95': 0, '99': 0 });
});

test('shares of the processor are of the time that was measured', () => {
  const { recorder } = world();
  const around = { generatorCpuMs: 500, generatorBusyMs: 3000, serverCpuMs: 4000 };
  const measured = measuredOf([recorder.take(2e9)], [around], undefined, OPTIONS);
  expect(measured).toMatchObject({ generatorCpuPercent: 25, overheadPercent: 100, serverCpuPercent: 200 });
});

test.each([
  ['a busy generator', 'concurrency', { generatorCpuPercent: 90 }, true],
  [
    'a busy generator in a window too short to tell',
    'concurrency',
    { generatorCpuPercent: 90, durationMs: 50 },
    false,
  ],
  ['late and busy', 'request-rate', { lateCount: 5, overheadPercent: 90 }, true],
  ['late, but idle: the server is slow', 'request-rate', { lateCount: 5, overheadPercent: 20 }, false],
  ['late without due times', 'concurrency', { lateCount: 5, overheadPercent: 90 }, false],
  ['neither', 'request-rate', {}, false],
] as const)('%s', (_name, unit, changes, isLimit) => {
  expect(isGeneratorLimit(fakeMeasured(changes), unit)).toBe(isLimit);
});

test('the share of late requests of none is none', () => {
  expect(lateShare(fakeMeasured({ sentCount: 0, lateCount: 0 }))).toBe(0);
  expect(lateShare(fakeMeasured({ sentCount: 50, lateCount: 5 }))).toBe(0.1);
});

test('requests to other models are named when they are worth it; steps of an ensemble are no others', () => {
  const counters = (model: string, count: number) =>
    ({ model, version: '1', success: { count, ns: 0 } }) as unknown as ModelCounters;
  const model = { name: 'm', composing: [{ name: 'step', composing: [] }] } as unknown as LoadModel;
  const levels = [fakeLevel(1)];
  const warn = (after: readonly ModelCounters[]) =>
    fairnessWarnings(model, levels, { before: [counters('other', 10)], after });
  expect(warn([counters('other', 13), counters('step', 900), counters('m', 900)])).toEqual([]);
  expect(warn([counters('other', 30), counters('third', 1)])).toEqual([
    'Other models received requests meanwhile: other, third.',
  ]);
});

test('levels at which the generator was the limit are named', () => {
  const model = { name: 'm', composing: [] } as unknown as LoadModel;
  const levels = [
    fakeLevel(1),
    fakeLevel(8, {}, { isGeneratorLimit: true }),
    fakeLevel(16, {}, { isGeneratorLimit: true }),
  ];
  expect(fairnessWarnings(model, levels, { before: [], after: [] })[0]).toContain('80 % of a core at 8, 16:');
});
