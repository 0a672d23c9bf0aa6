// Measured levels and runs of load tests with believable numbers, for tests of both sides.

import { defaultPerfPlan } from '../contract/perf-plan.ts';
import type { PerfLevel, PerfMeasured, PerfRun, PerfServerTimes } from '../contract/perf-views.ts';

/** A window of one second with 100 requests of 10 ms each. */
export function fakeMeasured(changes: Partial<PerfMeasured> = {}): PerfMeasured {
  return {
    startedAtMs: Date.UTC(2026, 4, 4, 12),
    durationMs: 1000,
    requestCount: 100,
    errorCount: 0,
    inferPerSecond: 100,
    responsePerSecond: 100,
    sequenceCount: 0,
    meanUs: 10_000,
    deviationUs: 500,
    minUs: 9000,
    maxUs: 12_000,
    percentilesUs: { '50': 10_000, '90': 10_800, '95': 11_000, '99': 11_900 },
    fromDueUs: undefined,
    sendUs: 20,
    receiveUs: 30,
    lateCount: 0,
    sentCount: 100,
    generatorCpuPercent: 5,
    serverCpuPercent: undefined,
    overheadPercent: 5,
    histogram: [10_000, 100],
    server: undefined,
    ...changes,
  };
}

/** What a server says of 100 requests that waited 2 ms and ran for 7 ms. */
export function fakeServerTimes(changes: Partial<PerfServerTimes> = {}): PerfServerTimes {
  return {
    model: 'm',
    version: '1',
    isEnsemble: false,
    hasCache: false,
    inferenceCount: 100,
    executionCount: 50,
    successCount: 100,
    requestUs: 9500,
    queueUs: 2000,
    inputUs: 100,
    inferUs: 7000,
    outputUs: 50,
    overheadUs: 350,
    cacheHitCount: 0,
    cacheHitUs: 0,
    cacheMissCount: 0,
    cacheMissUs: 0,
    batches: [{ batchSize: 2, count: 50 }],
    composing: [],
    ...changes,
  };
}

/** A stable level of three windows that agree; `result` changes all of them. */
export function fakeLevel(
  value: number,
  result: Partial<PerfMeasured> = {},
  changes: Partial<PerfLevel> = {},
): PerfLevel {
  const measured = fakeMeasured(result);
  return {
    unit: 'concurrency',
    value,
    state: 'stable',
    note: '',
    firstError: '',
    result: measured,
    windows: [0.995, 1, 1.005].map((share) => ({
      ...measured,
      inferPerSecond: measured.inferPerSecond * share,
    })),
    slowest: [],
    isGeneratorLimit: false,
    gpus: [],
    ...changes,
  };
}

/** A run that is done, of the levels given. */
export function fakeRun(id: string, levels: readonly PerfLevel[], changes: Partial<PerfRun> = {}): PerfRun {
  return {
    id,
    name: '',
    model: 'm',
    state: 'done',
    error: '',
    startedAtMs: Date.UTC(2026, 4, 4, 12, 30, 5),
    endedAtMs: Date.UTC(2026, 4, 4, 12, 31),
    configHash: 'abc123',
    isOverride: false,
    note: '',
    isStarred: false,
    levelCount: levels.length,
    bestInferPerSecond: Math.max(0, ...levels.map(({ result }) => result.inferPerSecond)),
    sweep: undefined,
    fingerprint: {
      cpuModel: 'AMD Ryzen 7 7840U',
      cpuCount: 8,
      memoryByteSize: 32 * 2 ** 30,
      platform: 'linux 6.8 x64',
      device: 'CPU',
      powerSource: 'AC',
      appVersion: '0.1.0',
      serverName: 'triton',
    },
    plan: defaultPerfPlan('m'),
    configText: 'name: "m"\nmax_batch_size: 8\n',
    warnings: [],
    levels,
    kneeIndex: -1,
    ...changes,
  };
}
