// Measurements by a load generator that answers what a test wants.

import { expect, test } from 'vitest';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import { systemClock } from '../../base/clock.ts';
import type { ProcessSpawner } from '../../base/process-spawner.ts';
import type { FromGenerator, ToGenerator } from '../../perf/process/perf-messages.ts';
import { Measurer } from './measurer.ts';
import type { MeasurerOptions } from './measurer.ts';

/** What of a level decides. */
interface Told {
  readonly state: PerfLevel['state'];
  readonly requestCount: number;
  readonly firstError?: string;
  readonly note?: string;
}

const SILENT: Told = { state: 'failed', requestCount: 0, note: 'Please use a larger time window.' };
const UNSTEADY: Told = { state: 'unstable', requestCount: 20 };
const STEADY: Told = { state: 'stable', requestCount: 20 };

/** Each run of the generator tells the next level; `windowsMs` are those that it was asked for. */
function measuring(levels: readonly Told[], options: Partial<MeasurerOptions> = {}) {
  const windowsMs: number[] = [];
  const notes: string[] = [];
  const spawner: ProcessSpawner = {
    spawn: () => {
      let hear: (message: FromGenerator) => void = () => undefined;
      return {
        pid: 1,
        send: (message) => {
          const sent = message as ToGenerator;
          if (sent.type !== 'start') return;
          const told = levels[windowsMs.length] ?? SILENT;
          windowsMs.push(intervalOf(sent.plan));
          queueMicrotask(() => {
            hear({ type: 'level', level: levelOf(told) });
            hear({ type: 'done', warnings: [] });
          });
        },
        onMessage: (listener) => {
          hear = listener;
          queueMicrotask(() => hear({ type: 'ready' }));
        },
        onExit: () => undefined,
        kill: () => undefined,
      };
    },
  };
  const measurer = new Measurer({
    ...{ spawner, clock: systemClock, protocol: 'http', monitoringMs: 1000, timeoutMs: 60_000 },
    note: (text) => void notes.push(text),
    ...{ maxAdjusts: 2, keepsUnstable: false, readsMemory: false, ...options },
  });
  // Nobody listens at its address of metrics.
  const nowhere = '127.0.0.1:1';
  const endpoints = { http: nowhere, grpc: nowhere, metricsUrl: `http://${nowhere}/metrics` };
  const done = measurer.measure({ endpoints, pid: undefined } as never, {
    ...{ served: 'mlp', variant: 'mlp_config_0', batchSize: 1, load: { unit: 'concurrency', value: 1 } },
    perfFlags: { 'measurement-mode': 'time_windows', 'measurement-interval': 60 },
  });
  return { done, windowsMs, notes };
}

function intervalOf({ measurement }: PerfPlan): number {
  return measurement.mode === 'time' ? measurement.intervalMs : NaN;
}

function levelOf({ state, requestCount, firstError = '', note = '' }: Told): PerfLevel {
  const result = { requestCount, inferPerSecond: requestCount, percentilesUs: {}, histogram: [] };
  return {
    unit: 'concurrency',
    value: 1,
    state,
    note,
    firstError,
    result,
    windows: [],
    slowest: [],
  } as never;
}

test('windows without an answer, or that do not agree, are repeated, each time longer, and that is said', async () => {
  const { done, windowsMs, notes } = measuring([SILENT, UNSTEADY, STEADY]);
  await expect(done).resolves.toMatchObject({ variant: 'mlp_config_0', level: { state: 'stable' } });
  expect(windowsMs).toEqual([60, 1060, 2060]);
  expect(notes).toEqual([
    'mlp_config_0, concurrency 1: no request was answered within a window; measured once more, with windows of 1.06 s',
    'mlp_config_0, concurrency 1: the windows do not agree; measured once more, with windows of 2.06 s',
  ]);
});

test('a search that keeps what is not steady repeats them as well', async () => {
  const { done, windowsMs } = measuring([SILENT, UNSTEADY], { keepsUnstable: true });
  await expect(done).resolves.toMatchObject({ level: { state: 'unstable' } });
  expect(windowsMs).toEqual([60, 1060]);
});

test('what was never answered says why', async () => {
  const { done, windowsMs } = measuring([]);
  await expect(done).rejects.toThrow('no request was answered: Please use a larger time window.');
  expect(windowsMs).toHaveLength(3);
});

test('errors are not repeated', async () => {
  const { done, windowsMs } = measuring([{ state: 'failed', requestCount: 0, firstError: 'no such model' }]);
  await expect(done).rejects.toThrow('no request was answered: no such model');
  expect(windowsMs).toHaveLength(1);
});

test('what is not steady is repeated, and given up', async () => {
  const { done, windowsMs } = measuring([UNSTEADY, UNSTEADY, UNSTEADY]);
  await expect(done).rejects.toThrow('no stable measurement after 3 tries');
  expect(windowsMs).toEqual([60, 1060, 2060]);
});
