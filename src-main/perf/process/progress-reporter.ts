// Tells how a test goes, at most four times a second: what the current window shows so far, new points for the chart,
// how much is left.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel, PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { histogramCount, histogramPercentiles } from '../../metrics/latency-histogram.ts';
import { levelCount } from '../measure/level-plan.ts';
import { percentilesOf } from '../measure/measured.ts';
import { TIME_STRETCH } from '../measure/stability.ts';
import type { WindowRecorder } from '../measure/window-recorder.ts';
import type { SessionEvents } from '../perf-session.ts';

const PERIOD_MS = 250;
const WINDOWS_PER_LEVEL = 3;

/** The progress of a run, before it is known which run it is. */
export type ProgressPart = Omit<PerfProgress, 'runId'>;

/** Tells from its making until `close`; each point, window end and level is told once. */
export class ProgressReporter implements SessionEvents {
  readonly #plan: PerfPlan;
  readonly #clock: Clock;
  readonly #send: (progress: ProgressPart) => void;
  readonly #onPrepared: (serverName: string) => void;
  readonly #onLevel: (level: PerfLevel) => void;
  readonly #timer: Timer;
  readonly #points: { atMs: number; inferPerSecond: number; p99Us: number | undefined }[] = [];
  readonly #windowEndsMs: number[] = [];
  readonly #finished: PerfLevel[] = [];
  #recorder: WindowRecorder | undefined;
  #level: ProgressPart['level'];
  #levelIndex = 0;
  #levelStartedNs = 0;
  #windowIndex = 0;
  #stability = '';
  /** Since when; undefined while it goes on. */
  #pausedSinceNs: number | undefined;
  #phase: ProgressPart['state'] = 'preparing';
  #bucketNs = 0;

  constructor(options: {
    readonly plan: PerfPlan;
    readonly clock: Clock;
    readonly send: (progress: ProgressPart) => void;
    readonly onPrepared: (serverName: string) => void;
    readonly onLevel: (level: PerfLevel) => void;
  }) {
    this.#plan = options.plan;
    this.#clock = options.clock;
    this.#send = options.send;
    this.#onPrepared = options.onPrepared;
    this.#onLevel = options.onLevel;
    this.#timer = options.clock.every(PERIOD_MS, () => this.#tick());
  }

  prepared({ serverName }: { readonly serverName: string }): void {
    this.#onPrepared(serverName);
  }

  levelStarted(unit: PerfLevel['unit'], value: number, recorder: WindowRecorder): void {
    this.#level = { unit, value };
    this.#recorder = recorder;
    this.#phase = 'measuring';
    this.#windowIndex = 0;
    this.#stability = '';
    this.#levelStartedNs = this.#clock.nowNs();
    this.#bucketNs = this.#levelStartedNs;
  }

  windowEnded(windowIndex: number, _atNs: number, stability: string): void {
    this.#windowIndex = windowIndex;
    this.#stability = stability;
    this.#windowEndsMs.push(this.#clock.wallMs());
  }

  /** Time in a pause is neither measured nor does it bring the end nearer. */
  pauseChanged(isPaused: boolean): void {
    const nowNs = this.#clock.nowNs();
    if (this.#pausedSinceNs !== undefined) {
      this.#levelStartedNs += nowNs - this.#pausedSinceNs;
      this.#bucketNs = nowNs;
    }
    this.#pausedSinceNs = isPaused ? nowNs : undefined;
  }

  phaseChanged(phase: 'warming-up' | 'draining'): void {
    this.#phase = phase;
    this.#tick();
  }

  levelEnded(level: PerfLevel): void {
    // Windows keep their percentiles; their histograms are in the level's.
    const slim = { ...level, windows: level.windows.map((window) => ({ ...window, histogram: [] })) };
    this.#recorder = undefined;
    this.#level = undefined;
    this.#phase = 'preparing';
    this.#levelIndex += 1;
    this.#finished.push(slim);
    this.#onLevel(slim);
    this.#tick();
  }

  /** Stops telling; what is new since the last time is not told any more. */
  close(): void {
    this.#timer.cancel();
  }

  #tick(): void {
    const nowNs = this.#clock.nowNs();
    this.#addPoint(nowNs);
    this.#send({
      state: this.#state(),
      level: this.#level,
      levelIndex: this.#levelIndex,
      levelCount: 'levels' in this.#plan.load ? levelCount(this.#plan.load.levels) : 1,
      share: this.#share(),
      remainingMs: this.#remainingMs(nowNs),
      live: this.#live(nowNs),
      points: this.#points.splice(0),
      windowEndsMs: this.#windowEndsMs.splice(0),
      stability: this.#stability,
      finishedLevels: this.#finished.splice(0),
    });
  }

  #state(): ProgressPart['state'] {
    return this.#pausedSinceNs === undefined ? this.#phase : 'paused';
  }

  #addPoint(nowNs: number): void {
    const recorder = this.#recorder;
    const seconds = (nowNs - this.#bucketNs) / 1e9;
    if (recorder === undefined || this.#pausedSinceNs !== undefined || seconds <= 0) return;
    this.#bucketNs = nowNs;
    const bucket = recorder.bucket();
    this.#points.push({
      atMs: this.#clock.wallMs(),
      inferPerSecond: (histogramCount(bucket) * rowsPerRequest(recorder)) / seconds,
      p99Us: histogramPercentiles(bucket, [99])?.[0],
    });
  }

  #live(nowNs: number): ProgressPart['live'] {
    if (this.#recorder === undefined) return undefined;
    const data = this.#recorder.peek(nowNs);
    const seconds = (nowNs - data.startNs) / 1e9;
    const count = data.requestCount;
    return {
      inferPerSecond: seconds <= 0 ? 0 : data.inferenceCount / seconds,
      meanUs: count === 0 ? 0 : data.latencyNs / count / 1000,
      percentilesUs: percentilesOf(data.histogram, this.#plan.measurement.percentile),
      errorCount: data.errorCount,
      lateCount: data.lateCount,
    };
  }

  /** A level is over after three windows, or after more: each brings its end nearer, and none says that it is there. */
  #share(): number | undefined {
    const { load } = this.#plan;
    const count = 'levels' in load ? levelCount(load.levels) : 1;
    if (count === 0) return undefined;
    const ofLevel =
      this.#level === undefined ? 0 : this.#windowIndex / (this.#windowIndex + WINDOWS_PER_LEVEL);
    return Math.min(1, (this.#levelIndex + ofLevel) / count);
  }

  /** At least this much: levels may need more windows than three. */
  #remainingMs(nowNs: number): number | undefined {
    const { load, measurement } = this.#plan;
    const count = 'levels' in load ? levelCount(load.levels) : 1;
    if (count === 0 || measurement.mode !== 'time' || measurement.fixedRequestCount > 0) return undefined;
    const windows = Math.min(WINDOWS_PER_LEVEL, measurement.maxWindows);
    const perLevelMs = windows * measurement.intervalMs * TIME_STRETCH;
    const spentNs = (this.#pausedSinceNs ?? nowNs) - this.#levelStartedNs;
    const spentMs = this.#recorder === undefined ? 0 : spentNs / 1e6;
    const current = this.#recorder === undefined ? 0 : Math.max(0, perLevelMs - spentMs);
    const later = Math.max(0, count - this.#levelIndex - (this.#recorder === undefined ? 0 : 1));
    return current + later * perLevelMs;
  }
}

/** Captured requests have batches of their own: the mean of the window that goes on. */
function rowsPerRequest({ inferenceCount, successCount }: WindowRecorder): number {
  return successCount === 0 ? 0 : inferenceCount / successCount;
}
