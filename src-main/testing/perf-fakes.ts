// Parts of load tests from memory: measured levels and runs with believable numbers, and lanes that are answered by
// hand.

import { defaultPerfPlan } from '../../src-shared/contract/perf-plan.ts';
import type {
  PerfLevel,
  PerfMeasured,
  PerfRun,
  PerfServerTimes,
} from '../../src-shared/contract/perf-views.ts';
import type { Clock } from '../base/clock.ts';
import type { LoadMessage } from '../perf/load/lane.ts';
import { Lane, NO_MESSAGE } from '../perf/load/lane.ts';
import type { MessageSource } from '../perf/load/load-driver.ts';

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

/** A lane whose answers come when a test says so. */
export class HandLane extends Lane {
  readonly #clock: Clock;
  isWaiting = false;
  isClosed = false;
  /** All that was sent, in order. */
  readonly sentMessages: LoadMessage[] = [];

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  send(message: LoadMessage): void {
    if (this.isWaiting) throw new Error('the lane has a request outstanding already');
    this.begin(message, this.#clock.nowNs());
    this.sentNs = this.startNs;
    this.isWaiting = true;
    this.sentMessages.push(message);
  }

  /** A response of a request that will have more. */
  respond(): void {
    this.responseCount += 1;
  }

  /** The last response; with an error the request failed, in transport or by the server's word. */
  answer(error = '', isTransportError = false): void {
    this.isWaiting = false;
    this.endNs = this.#clock.nowNs();
    this.firstNs = this.endNs;
    this.responseCount += 1;
    this.error = error;
    this.isTransportError = isTransportError;
    this.onDone(this);
  }

  close(): void {
    this.isClosed = true;
    this.isWaiting = false;
  }
}

/** Messages of which each names its slot as the stream and its number as the step. */
export class CountingSource implements MessageSource {
  /** Slots whose sequence is open, so that a drain ends it. */
  readonly open = new Set<number>();
  #step = 0;
  readonly #isSequence: boolean;

  constructor({ isSequence = false } = {}) {
    this.#isSequence = isSequence;
  }

  next(slot: number): LoadMessage {
    this.#step += 1;
    if (this.#isSequence) this.open.add(slot);
    return { ...NO_MESSAGE, stream: slot, step: this.#step };
  }

  finish(slot: number): LoadMessage | undefined {
    return this.open.delete(slot) ? { ...NO_MESSAGE, stream: slot, isSequenceEnd: true } : undefined;
  }
}
