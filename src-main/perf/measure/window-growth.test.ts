// Windows that grow, on a clock of their own and against a server that stands still now and then.

import { expect, it } from 'vitest';

import { DEFAULT_MEASUREMENT } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfMeasurement } from '../../../src-shared/contract/perf-plan.ts';
import type { Clock } from '../../base/clock.ts';
import type { Lane } from '../load/lane.ts';
import type { LevelParts } from './level-measurement.ts';
import { LevelMeasurement } from './level-measurement.ts';
import { RunControl } from './run-control.ts';
import type { ServerProbe } from './server-probe.ts';
import { windowStretch } from './stability.ts';
import { WindowRecorder } from './window-recorder.ts';

/** One request a millisecond, none in the first 300 ms of every two seconds. */
const PERIOD_MS = 2000;
const PAUSE_MS = 300;

async function measure(measurement: Partial<PerfMeasurement>) {
  const recorder = new WindowRecorder({ startNs: 0, hasDueTimes: false });
  let nowMs = 0;
  const clock = {
    nowNs: () => nowMs * 1e6,
    wait: async (ms: number) => {
      for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 1) {
        if (nowMs % PERIOD_MS >= PAUSE_MS) recorder.done(answeredAt(nowMs));
      }
    },
  } as unknown as Clock;
  const reading = { counters: new Map(), cpuMs: 0, busyMs: 0, serverCpuMs: undefined };
  const level = await new LevelMeasurement({
    clock,
    recorder,
    driver: { start: () => undefined, isExhausted: false } as unknown as LevelParts['driver'],
    probe: { read: async () => reading, timesBetween: () => undefined } as unknown as ServerProbe,
    control: new RunControl(),
    measurement: { ...DEFAULT_MEASUREMENT, intervalMs: 1000, maxWindows: 9, ...measurement },
    isAsync: false,
    isSingleWindow: false,
    measure: { percentile: 0, hasDueTimes: false, wallMs: (ns) => ns / 1e6 },
    events: { windowEnded: () => undefined, pauseChanged: () => undefined },
  }).run();
  const lengths = level.boundariesNs.slice(1).map((end, index) => {
    return Math.round((end - (level.boundariesNs[index] ?? 0)) / 1e6);
  });
  return { state: level.state, lengths };
}

function answeredAt(ms: number): Lane {
  const endNs = ms * 1e6;
  const startNs = endNs - 1e6;
  const message = { isSequenceEnd: false, rowCount: 1 };
  const times = { startNs, dueNs: startNs, sentNs: startNs, firstNs: endNs, endNs };
  return { ...times, error: undefined, responseCount: 1, message } as unknown as Lane;
}

it('goes on with windows of one length, as perf_analyzer does', async () => {
  const { state, lengths } = await measure({});
  expect(state).toBe('unstable');
  expect(new Set(lengths)).toEqual(new Set([1200]));
});

it('becomes stable with longer windows where short ones hold one pause or none', async () => {
  const { state, lengths } = await measure({ growsWindows: true });
  expect(state).toBe('stable');
  expect(lengths).toEqual([1200, 1200, 1200, 2400, 2400, 2400, 4800, 4800]);
});

it.each([
  [0, 1],
  [2, 1],
  [3, 2],
  [5, 2],
  [6, 4],
  [8, 4],
])('after %d windows that did not agree the next is %d times as long', (windowCount, stretch) => {
  expect(windowStretch(windowCount, true)).toBe(stretch);
  expect(windowStretch(windowCount, false)).toBe(1);
});
