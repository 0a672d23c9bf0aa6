// Payloads about what the server does: samples, series, statistics, executions, logs, server state, tasks, settings.

export const WINDOWS = ['1m', '5m', '15m', '1h', 'load'] as const;
export type SeriesWindow = (typeof WINDOWS)[number];

/** One bucket of one model's history. Latencies come from merged histograms; undefined = no request in it. */
export interface SeriesPoint {
  readonly atMs: number;
  readonly bucketMs: number;
  readonly inferences: number;
  readonly executions: number;
  readonly successes: number;
  readonly failures: number;
  readonly rejected: number;
  readonly p50Us: number | undefined;
  readonly p90Us: number | undefined;
  readonly p99Us: number | undefined;
  readonly maxUs: number | undefined;
  /** Means per request of this bucket. */
  readonly queueUs: number;
  readonly inputUs: number;
  readonly inferUs: number;
  readonly outputUs: number;
  readonly overheadUs: number;
  /** Maxima of the bucket. */
  readonly waiting: number;
  readonly inFlight: number;
  /** Busy share 0..1 per instance, in instance order. */
  readonly busy: readonly number[];
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

export interface SeriesMarker {
  readonly atMs: number;
  readonly text: string;
}

/** One row of the packed snapshot. */
export interface ModelSample {
  readonly model: string;
  readonly version: string;
  readonly inferPerSecond: number;
  readonly p99Us: number | undefined;
  readonly waiting: number;
  readonly inFlight: number;
  readonly lastRequestAtMs: number;
  readonly successCount: number;
  readonly failureCount: number;
}

export interface ServerSample {
  readonly atMs: number;
  readonly inferPerSecond: number;
  readonly p99Us: number | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  readonly cpuPercent: number;
  readonly rssBytes: number;
  readonly gpu: { readonly utilizationPercent: number; readonly memoryBytes: number } | undefined;
  readonly loopDelayMs: number;
  readonly models: readonly ModelSample[];
  /** Snapshots dropped because the page did not keep up. */
  readonly droppedCount: number;
}

export interface StatisticsView {
  readonly version: string;
  readonly inferenceCount: number;
  readonly executionCount: number;
  readonly successCount: number;
  readonly failureCount: number;
  readonly rejectedCount: number;
  readonly cancelledCount: number;
  readonly meanUs: {
    readonly request: number;
    readonly queue: number;
    readonly input: number;
    readonly infer: number;
    readonly output: number;
  };
  readonly percentilesUs:
    | {
        readonly p50: number;
        readonly p90: number;
        readonly p95: number;
        readonly p99: number;
        readonly max: number;
      }
    | undefined;
  readonly batches: readonly { readonly batchSize: number; readonly count: number }[];
  readonly closeReasons: readonly { readonly reason: string; readonly count: number }[];
  readonly cacheHitCount: number;
  readonly cacheMissCount: number;
  readonly lastInferenceMs: number;
  readonly instances: readonly {
    readonly name: string;
    readonly device: string;
    readonly executionCount: number;
  }[];
}

export interface ExecutionView {
  readonly atMs: number;
  readonly instance: string;
  readonly requestCount: number;
  readonly batchSize: number;
  readonly closeReason: string;
  readonly queueLength: number;
  readonly oldestQueueUs: number;
  readonly inferUs: number;
}

/** One sentence, its evidence and a fix that can be tried. */
export interface DoctorVerdict {
  readonly code: string;
  readonly sentence: string;
  readonly evidence: readonly { readonly label: string; readonly value: string }[];
  readonly advice: string;
  /** Config text to try without saving; "" when the fix is not in the config. */
  readonly tryConfigText: string;
  readonly tryTitle: string;
}

export interface LogLine {
  readonly sequence: number;
  readonly atMs: number;
  readonly level: 'error' | 'warn' | 'info' | 'verbose';
  readonly room: string;
  readonly message: string;
  readonly model: string;
  readonly requestId: string;
}

export interface EndpointView {
  readonly kind: 'http' | 'grpc' | 'metrics' | 'ui';
  /** "127.0.0.1:8000"; "" when it is off. */
  readonly address: string;
  readonly isListening: boolean;
  readonly error: string;
  readonly requestCount: number;
}

export interface ServerView {
  readonly state: 'starting' | 'serving' | 'stopping' | 'stopped' | 'port-problem';
  readonly isReady: boolean;
  /** Models that keep the server from being ready. */
  readonly notReady: readonly string[];
  readonly version: string;
  readonly id: string;
  readonly startedAtMs: number;
  readonly endpoints: readonly EndpointView[];
  /** Set when a port is taken: who holds it, and what is free. */
  readonly portConflict:
    { readonly port: number; readonly holder: string; readonly freePorts: readonly number[] } | undefined;
  readonly controlMode: 'none' | 'explicit' | 'poll';
  readonly strictReadiness: boolean;
  /** Equivalent tritonserver command line. */
  readonly commandLine: string;
  readonly providers: readonly string[];
  readonly gpus: readonly string[];
  readonly gpuPolicy: 'fallback' | 'strict';
  readonly cpuModel: string;
  readonly cpuCount: number;
  readonly runtimeVersions: Readonly<Record<string, string>>;
  /** Restarts of the engine after crashes in this run of the app. */
  readonly crashes: readonly { readonly atMs: number; readonly detail: string; readonly model: string }[];
  readonly userDataPath: string;
  /** The app's own log, of which older parts lie beside it. */
  readonly logFile: string;
  /** Below this folder the page's own picker may look; "" = no picker. */
  readonly uiRoot: string;
}

/** Long work the user started: imports, loads, perf runs, downloads. */
export interface TaskView {
  readonly id: string;
  readonly title: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** 0..1, undefined = unknown. */
  readonly progress: number | undefined;
  readonly detail: string;
  readonly startedAtMs: number;
}

/** One setting as the Settings screen shows it. */
export interface SettingView {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  readonly help: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'choice';
  readonly choices: readonly string[];
  readonly value: string | number | boolean;
  readonly defaultValue: string | number | boolean;
  readonly needsRestart: boolean;
}

export interface SettingsView {
  readonly path: string;
  readonly settings: readonly SettingView[];
}
