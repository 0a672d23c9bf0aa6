// Payloads about load tests: what was measured at each load, stored runs, comparisons, progress. Durations are means
// in microseconds unless a name says otherwise; percentiles always come from merged histograms.

import type { PerfPlan } from './perf-plan.ts';
import type { TraceRow } from './trace-row.ts';

/** Differences of the server's statistics over the measured time, means per request. */
export interface PerfServerTimes {
  readonly model: string;
  readonly version: string;
  readonly isEnsemble: boolean;
  readonly hasCache: boolean;
  readonly inferenceCount: number;
  readonly executionCount: number;
  readonly successCount: number;
  readonly requestUs: number;
  readonly queueUs: number;
  readonly inputUs: number;
  readonly inferUs: number;
  readonly outputUs: number;
  /** Request without queue, compute and cache. */
  readonly overheadUs: number;
  readonly cacheHitCount: number;
  readonly cacheHitUs: number;
  readonly cacheMissCount: number;
  readonly cacheMissUs: number;
  /** Executions by total batch size. */
  readonly batches: readonly { readonly batchSize: number; readonly count: number }[];
  readonly composing: readonly PerfServerTimes[];
}

/** One measurement window, or several merged. */
export interface PerfMeasured {
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly requestCount: number;
  readonly errorCount: number;
  readonly inferPerSecond: number;
  readonly responsePerSecond: number;
  readonly sequenceCount: number;
  readonly meanUs: number;
  readonly deviationUs: number;
  readonly minUs: number;
  readonly maxUs: number;
  /** By percentile: 50, 90, 95, 99 and the chosen one. */
  readonly percentilesUs: Readonly<Record<string, number>>;
  /** Rate modes: latency from the moment the request was due, so that waiting to be sent counts. */
  readonly fromDueUs: Readonly<Record<string, number>> | undefined;
  readonly sendUs: number;
  readonly receiveUs: number;
  /** Requests that started more than 1 ms after they were due. */
  readonly lateCount: number;
  readonly sentCount: number;
  /** 100 = one core. */
  readonly generatorCpuPercent: number;
  readonly serverCpuPercent: number | undefined;
  /** Share of the time the generator was busy. */
  readonly overheadPercent: number;
  /** Latency counts: value in us, count, value, count, ... ascending. */
  readonly histogram: readonly number[];
  readonly server: PerfServerTimes | undefined;
}

/**
 * stable: the last three windows agreed. unstable: they never did; kept and marked. over-limit: slower than the
 * latency limit. skipped, stopped: ended by the user. failed: no request was answered with success.
 */
export type PerfLevelState = 'stable' | 'unstable' | 'over-limit' | 'skipped' | 'stopped' | 'failed';

/** One load of a run, such as a concurrency of 4, and what was measured at it. */
export interface PerfLevel {
  readonly unit: 'concurrency' | 'request-rate';
  /** In flight at once, or per second. */
  readonly value: number;
  readonly state: PerfLevelState;
  /** A sentence for the user; "" when there is nothing to say. */
  readonly note: string;
  /** First error message of the server or transport, "" = none. */
  readonly firstError: string;
  /** The last three windows merged. */
  readonly result: PerfMeasured;
  /** In the order of their time. */
  readonly windows: readonly PerfMeasured[];
  /** At most twenty requests, the slowest first. */
  readonly slowest: readonly PerfSlowRequest[];
  /** The load generator, not the server, set the result. */
  readonly isGeneratorLimit: boolean;
  readonly gpus: readonly PerfGpu[];
}

/** One of the slowest requests of a level. */
export interface PerfSlowRequest {
  /** Wall clock of its sending. */
  readonly atMs: number;
  readonly latencyUs: number;
  /** The server's trace that fits it, its steps behind it; missing where the run kept none. */
  readonly trace?: readonly TraceRow[];
}

/** One GPU while a level was measured, as the server's metrics page tells: means of use and power, the most memory. */
export interface PerfGpu {
  readonly uuid: string;
  /** 0..100. */
  readonly utilizationPercent: number;
  readonly powerWatts: number;
  readonly usedByteSize: number;
  readonly totalByteSize: number;
}

/** Where a run was measured: runs of different machines are compared with a warning. */
export interface PerfFingerprint {
  readonly cpuModel: string;
  readonly cpuCount: number;
  readonly memoryByteSize: number;
  readonly platform: string;
  /** "CPU", "CUDA:0"; "" = not known. */
  readonly device: string;
  /** "AC", "battery" or "" when it cannot be told. */
  readonly powerSource: string;
  readonly appVersion: string;
  readonly serverName: string;
}

/** Where a run stands; the last four are ends. */
export type PerfRunState = 'queued' | 'running' | 'done' | 'stopped' | 'interrupted' | 'failed';

/** Which run of a sweep this is: number `index`, from 0, of `count`. `id` is that of the sweep. */
export interface PerfSweepPlace {
  readonly id: string;
  readonly index: number;
  readonly count: number;
  /** What differs from the file: "instances 2, max batch 8"; "" = the file as it is. */
  readonly title: string;
}

/** One stored run without its levels' details. */
interface PerfRunHead {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly state: PerfRunState;
  /** Why it failed or was interrupted, "" otherwise. */
  readonly error: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly configHash: string;
  /** Ran with a configuration that is not in the file. */
  readonly isOverride: boolean;
  readonly note: string;
  readonly isStarred: boolean;
  readonly levelCount: number;
  readonly bestInferPerSecond: number;
  readonly sweep: PerfSweepPlace | undefined;
  readonly fingerprint: PerfFingerprint;
}

/** A run in a list. */
export interface PerfRunSummary extends PerfRunHead {
  /** Levels whose windows did not agree. */
  readonly unstableCount: number;
}

/** A run with everything that was measured; PerfRunHead is what lists have of it. */
export interface PerfRun extends PerfRunHead {
  readonly plan: PerfPlan;
  /** Configuration the model ran with, canonical text. */
  readonly configText: string;
  /** About fairness: generator at its limit, battery, other traffic. */
  readonly warnings: readonly string[];
  readonly levels: readonly PerfLevel[];
  /** Index of the level beyond which only the queue grows; -1 = none seen. */
  readonly kneeIndex: number;
}

/** Two runs at the same load. A difference is clear when it is larger than what windows of one run differ by. */
export interface PerfDifference {
  readonly unit: PerfLevel['unit'];
  readonly value: number;
  /** Against the first run, in percent; positive = higher. */
  readonly throughputPercent: number;
  readonly isThroughputClear: boolean;
  readonly p99DifferenceUs: number;
  readonly isP99Clear: boolean;
  /** "+18 % inf/s, p99 -2.1 ms, clear" */
  readonly sentence: string;
}

/** Several runs beside each other; the first is what the others are compared with. */
export interface PerfComparison {
  readonly runs: readonly PerfRun[];
  /** For each run after the first: differences at the loads both measured. */
  readonly differences: readonly { readonly runId: string; readonly levels: readonly PerfDifference[] }[];
  /** Configuration fields that differ, one value per run, "" = not set. */
  readonly configChanges: readonly { readonly path: string; readonly values: readonly string[] }[];
  /** Why the machines or circumstances differ, empty = same. */
  readonly warnings: readonly string[];
}

/** One model measured with several configurations, each of them a run of its own. */
export interface PerfSweepResult {
  readonly id: string;
  readonly model: string;
  readonly isRunning: boolean;
  readonly rows: readonly {
    readonly runId: string;
    /** "instances 2, max batch 8"; "" = as served, without one of the values that were tried. */
    readonly title: string;
    /** The configuration that serves: what the others are compared with. */
    readonly isServed: boolean;
    readonly state: PerfRunState;
    readonly error: string;
    readonly load: number;
    /** Its windows agreed; other numbers are only a hint. */
    readonly isStable: boolean;
    readonly inferPerSecond: number;
    readonly p99Us: number;
    /** Throughput against what serves at the same load; undefined when there is nothing to compare with. */
    readonly gain: { readonly percent: number; readonly isClear: boolean } | undefined;
    /** Not beaten in both throughput and p99 by another row. */
    readonly isPareto: boolean;
  }[];
  /** Run with the highest throughput among those clearly better than what serves; "" = no clear winner. */
  readonly bestRunId: string;
  readonly bestConfigText: string;
}

/** At most four a second while a run goes on. */
export interface PerfProgress {
  readonly runId: string;
  /** draining: nothing more is sent, the last answers of a level are awaited. preparing: before the next level. */
  readonly state: 'preparing' | 'warming-up' | 'measuring' | 'paused' | 'draining';
  /** The level that goes on; undefined between levels. */
  readonly level: { readonly unit: PerfLevel['unit']; readonly value: number } | undefined;
  /** Levels that ended. */
  readonly levelIndex: number;
  /** 0 = not known in advance. */
  readonly levelCount: number;
  /** Of the whole run, 0..1; undefined where the number of levels is not known. It never goes back. */
  readonly share: number | undefined;
  readonly remainingMs: number | undefined;
  /** The window that is being measured, so far. */
  readonly live:
    | {
        readonly inferPerSecond: number;
        readonly meanUs: number;
        readonly percentilesUs: Readonly<Record<string, number>>;
        readonly errorCount: number;
        readonly lateCount: number;
      }
    | undefined;
  /** New points since the last message, 250 ms each. */
  readonly points: readonly {
    readonly atMs: number;
    readonly inferPerSecond: number;
    readonly p99Us: number | undefined;
  }[];
  /** Ends of windows since the last message. */
  readonly windowEndsMs: readonly number[];
  /** "Window 4: +-3.1 % over the last 3, limit 10 %: stable" */
  readonly stability: string;
  readonly finishedLevels: readonly PerfLevel[];
}

/** A run's configuration was written to the model's file; perf/undoApply takes it back by `applyId`. */
export interface PerfApplied {
  readonly applyId: string;
  /** Field by field: "max_batch_size 8 -> 16". */
  readonly changes: readonly string[];
  /** undefined when no verification was asked for. */
  readonly verification:
    | {
        readonly durationMs: number;
        readonly before: { readonly inferPerSecond: number; readonly p99Us: number };
        readonly after: { readonly inferPerSecond: number; readonly p99Us: number };
        /** Their throughputs differ by more than their windows do. */
        readonly isClear: boolean;
      }
    | undefined;
  /** "Applied: max_batch_size 8 -> 16. Checked for 20 s: 412 -> 655 inf/s, p99 14 -> 12 ms (clear)." */
  readonly sentence: string;
}
