// Payloads about what the server does: samples, series, statistics, executions, logs, server state, tasks, settings.

import type { LogLevel } from '../log-level.ts';
import type { GpuUse, GpuUseSource } from './gpu-use.ts';
import type { PackedPoint } from './series-pack.ts';
import type { SettingDefinition, SettingValue } from './setting-definition.ts';

/** Minutes, an hour, or since the model was loaded. */
export const WINDOWS = ['1m', '5m', '15m', '1h', 'load'] as const;
/** How far back a chart looks. */
export type SeriesWindow = (typeof WINDOWS)[number];

/** The newer part of one version's history. */
export interface SeriesAnswer {
  /** Version the points are of; undefined = none is served. */
  readonly version: string | undefined;
  /** Points, see series-pack.ts; oldest first. */
  readonly rows: readonly PackedPoint[];
  /** They take the place of all points before, instead of following them. */
  readonly isWhole: boolean;
  /** Of the whole window, not only of the newer points; sizes ascending. */
  readonly batches: readonly { readonly batchSize: number; readonly count: number }[];
  /** Busy share 0..1 per instance over the latest second, in instance order. */
  readonly busy: readonly number[];
  readonly markers: readonly SeriesMarker[];
  /** Requests the queue holds at most; 0 = no limit. */
  readonly maxQueueSize: number;
  /** The model answers from a response cache. */
  readonly hasCache: boolean;
}

/** What the server process and the GPUs used; undefined = there is no GPU that can be read. */
export interface ResourcePoint {
  readonly atMs: number;
  readonly bucketMs: number;
  /** 100 = one core. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
  /** Mean over the GPUs. */
  readonly gpuPercent: number | undefined;
  readonly gpuMemoryBytes: number | undefined;
  /** Each GPU by itself; empty without one. */
  readonly gpus: readonly GpuPoint[];
}

/** How busy one GPU was, and what told it. */
export interface GpuPoint {
  readonly name: string;
  readonly source: GpuUseSource;
  /** Of its time, 0..100. */
  readonly percent: number;
}

/** What happened to the model at that moment, drawn as a line across its charts. `text` is one short sentence. */
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
  /** Requests in the queue. */
  readonly waiting: number;
  /** Requests in the queue and in executions. */
  readonly inFlight: number;
  readonly lastRequestAtMs: number;
  readonly successCount: number;
  readonly failureCount: number;
}

/** What the server does, told to every page once a second. Counts are of all models together. */
export interface ServerSample {
  readonly atMs: number;
  readonly inferPerSecond: number;
  readonly p99Us: number | undefined;
  readonly inFlight: number;
  readonly waiting: number;
  /** 100 = one core. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
  /** Undefined where no GPU can be read. */
  readonly gpu: GpuUse | undefined;
  readonly models: readonly ModelSample[];
  /** Snapshots dropped because the page did not keep up. */
  readonly droppedCount: number;
}

/** What was counted of one version of a model. */
export interface StatisticsView {
  readonly version: string;
  /** Counted from here on: the load of the version, or the moment the view was reset. */
  readonly sinceMs: number;
  readonly isReset: boolean;
  /** Rows: a request with a batch of 8 counts 8. */
  readonly inferenceCount: number;
  /** Runs of instances, each of one batch. */
  readonly executionCount: number;
  readonly successCount: number;
  readonly failureCount: number;
  /** Refused at once by a full queue. */
  readonly queueFullCount: number;
  /** Waited in the queue longer than its policy allows. */
  readonly timedOutCount: number;
  readonly cancelledCount: number;
  /** Per request; 0 where nothing was measured. */
  readonly meanUs: {
    readonly request: number;
    readonly queue: number;
    readonly input: number;
    readonly infer: number;
    readonly output: number;
  };
  /** Of whole requests; undefined before the first one. */
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
  /** Why batches took no more requests, the most frequent first; of the latest executions only. */
  readonly closeReasons: readonly { readonly reason: string; readonly count: number }[];
  readonly cacheHitCount: number;
  readonly cacheMissCount: number;
  readonly instances: readonly {
    readonly name: string;
    readonly device: string;
    readonly executionCount: number;
    /** Busy share 0..1 over the latest second. */
    readonly busy: number;
    /** The process of its own that it runs in; undefined when it runs in the server's. */
    readonly host:
      | {
          /** 0 = none runs now: it is being started. */
          readonly pid: number;
          /** Resident; undefined when the system does not tell, or an instance before it told of the same process. */
          readonly memoryBytes: number | undefined;
          readonly restartCount: number;
        }
      | undefined;
  }[];
}

/**
 * One batch that an instance ran. `batchSize` counts rows and can exceed `requestCount`; `closeReason` is why
 * the batch took no more requests; the queue is as the batch left it.
 */
export interface ExecutionView {
  readonly atMs: number;
  readonly instance: string;
  readonly requestCount: number;
  readonly batchSize: number;
  readonly closeReason: string;
  readonly oldestQueueUs: number;
  readonly inferUs: number;
}

/** One sentence, its evidence and a fix that can be tried. */
export interface DoctorVerdict {
  readonly code: string;
  readonly sentence: string;
  readonly evidence: readonly { readonly label: string; readonly value: string }[];
  readonly advice: string;
  /** Changes that can be tried at once without saving; empty when the fix is not in the config. */
  readonly tries: readonly { readonly title: string; readonly configText: string }[];
}

/** One line of the server's log, or of what a model wrote. */
export interface LogLine {
  /** Ascending, over restarts of the engine too. */
  readonly sequence: number;
  readonly atMs: number;
  /** Process id of the server that wrote it, which another start of the engine changes. */
  readonly pid: number;
  readonly level: LogLevel;
  /** The part of the server that wrote it. */
  readonly room: string;
  readonly message: string;
  /** undefined = it is about none. */
  readonly model: string | undefined;
  /** Instance of a model whose code wrote it; undefined = the server did. */
  readonly instance: string | undefined;
  /** As the client named its request; undefined = it is about none, or has no name. */
  readonly requestId: string | undefined;
}

/** One port of the server: where it listens, and how much it is asked. */
export interface EndpointView {
  /** Those behind `metrics` are only told while they are open; requests to the window's own are not counted. */
  readonly kind: 'http' | 'grpc' | 'metrics' | 'openai' | 'sagemaker' | 'vertexAi' | 'ui';
  /** "127.0.0.1:8000"; undefined when it is off. */
  readonly address: string | undefined;
  readonly isListening: boolean;
  /** Why it does not listen; undefined = it does, or is off. */
  readonly error: string | undefined;
  readonly requestCount: number;
  /** Over the last second or so. */
  readonly requestsPerSecond: number;
}

/** What came of asking an endpoint. */
export interface EndpointCheck {
  readonly kind: 'http' | 'grpc' | 'metrics';
  readonly isOk: boolean;
  readonly tookUs: number;
  /** Why not; undefined when it answered. */
  readonly message: string | undefined;
}

/** The state of the server as a whole, told again whenever any of it changes. */
export interface ServerView {
  readonly state: 'starting' | 'serving' | 'stopping' | 'stopped' | 'port-problem';
  readonly isReady: boolean;
  /** Models that keep the server from being ready, each with the reason; "" = it is being loaded. */
  readonly notReady: readonly { readonly model: string; readonly reason: string }[];
  readonly version: string;
  readonly id: string;
  readonly startedAtMs: number;
  readonly endpoints: readonly EndpointView[];
  /** Set when a port is taken: who holds it, and what is free. */
  readonly portConflict:
    | {
        readonly port: number;
        /** "python (pid 4242)"; undefined = not known. */
        readonly holder: string | undefined;
        /** How it was started; undefined = not known. */
        readonly holderCommand: string | undefined;
        readonly freePorts: readonly number[];
      }
    | undefined;
  readonly controlMode: 'none' | 'explicit' | 'poll';
  /** A model that failed keeps the server from being ready. */
  readonly strictReadiness: boolean;
  /** How long a stop waits for requests. */
  readonly exitTimeoutSec: number;
  /** Of the log now, whoever set it: the command line, a setting or a client. 0 = no verbose lines. */
  readonly logVerboseLevel: number;
  /** Equivalent tritonserver command line. */
  readonly commandLine: string;
  /** Of ONNX Runtime, as it names them. */
  readonly providers: readonly string[];
  readonly gpus: readonly string[];
  readonly gpuPolicy: 'fallback' | 'strict';
  readonly cpuModel: string;
  readonly cpuCount: number;
  readonly runtimeVersions: Readonly<Record<string, string>>;
  /** Restarts of the engine after crashes in this run of the app. */
  readonly crashes: readonly {
    readonly atMs: number;
    readonly detail: string;
    /** The model that is held responsible; undefined = not known. */
    readonly model: string | undefined;
  }[];
  readonly userDataPath: string;
  /** Where models go when no folder was chosen; it may not exist yet. */
  readonly defaultRepositoryPath: string;
  /** The app's own log, of which older parts lie beside it. */
  readonly logFile: string;
  /** Below this folder the page's own picker may look; undefined = no picker. */
  readonly uiRoot: string | undefined;
}

/** What a program spoke; those behind gRPC are spoken over HTTP, at ports of their own. */
export type ClientProtocol = 'HTTP' | 'gRPC' | 'OpenAI' | 'SageMaker' | 'Vertex AI';

/** A program that called this server, by protocol and user agent. */
export interface ClientView {
  readonly protocol: ClientProtocol;
  /** undefined = it sent none. */
  readonly userAgent: string | undefined;
  readonly requestCount: number;
  readonly errorCount: number;
  /** Status and message of the newest error; undefined = there was none. */
  readonly lastError: string | undefined;
  readonly lastSeenMs: number;
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
  /** It ended without what it was for, such as numbers that are steady; `detail` says what falls short. */
  readonly fallsShort?: boolean;
  /** What it made so far is thrown away when it ends early: a copy, an upload, a conversion. */
  readonly losesWork: boolean;
}

/** One setting as the Settings screen shows it. */
export interface SettingView extends SettingDefinition {
  readonly value: SettingValue;
  /** Changed since the server started, and counts from its next start on. */
  readonly isPending: boolean;
  /** Option of the command line that outranks the setting, without dashes; undefined = none. */
  readonly flag: string | undefined;
}

/** A tritonserver command line, or a docker run around one, in terms of this app. */
export interface ImportedCommand {
  /** By key of the setting. */
  readonly changes: Readonly<Record<string, SettingValue>>;
  /** Paths on this machine. */
  readonly repositories: readonly string[];
  /** Options without a setting here, as they were written. */
  readonly ignored: readonly string[];
}

/** The server's options in the order of their help, and the file that keeps those which the user changed. */
export interface SettingsView {
  readonly path: string;
  readonly settings: readonly SettingView[];
}
