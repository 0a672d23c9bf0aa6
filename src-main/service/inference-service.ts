// The protocol-neutral operations of the server. HTTP, gRPC and the contract are thin codecs over this interface;
// it owns lookup messages, statuses and admission, and none of the wire forms.

import type { VersionState } from '../repository/lifecycle-state.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import type { ModelStatisticsSnapshot } from '../metrics/infer-statistics.ts';
import type { LogSettingsService, TraceSettingsService } from './settings.ts';
import type { SharedMemoryService } from './shared-memory.ts';

/**
 * `version` is the Triton version that the server is compatible with; `extensions` are Triton's names of the
 * protocol extensions it serves.
 */
export interface ServerMetadata {
  readonly name: string;
  readonly version: string;
  readonly extensions: readonly string[];
}

/** An input or output in the metadata of a model. */
export interface TensorMetadata {
  readonly name: string;
  /** Wire name ("FP32"). */
  readonly datatype: string;
  /** Batch dimension (-1) in front for batching models. */
  readonly shape: readonly number[];
}

/** `versions`: those that are ready, as texts. Shapes begin with -1 for a model that batches. */
export interface ModelMetadata {
  readonly name: string;
  readonly versions: readonly string[];
  readonly platform: string;
  readonly inputs: readonly TensorMetadata[];
  readonly outputs: readonly TensorMetadata[];
}

/** One row of the repository index. */
export interface ModelIndexEntry {
  readonly name: string;
  /** Absent fields are left out on HTTP and empty on gRPC (docs/reference/management.md#repository-index). */
  readonly version?: string;
  readonly state?: VersionState;
  readonly reason?: string;
}

/** What a load call brings besides the name. */
export interface LoadParameters {
  /** Text form (JSON) of an overriding model configuration. */
  readonly configJson?: string;
  /** "file:<version>/<name>" keys without the "file:" prefix -> content. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/**
 * What clients may ask of the server, whichever protocol they speak. Refusals are ServerErrors with the words of the
 * wire.
 */
export interface InferenceService {
  /** False once stopping began ("Server exiting"). */
  isExiting(): boolean;
  /** True while starting and once ready; models do not count. */
  isLive(): boolean;
  /** False until the start is done and once stopping began; with strict readiness also while a version is not ready. */
  isReady(): boolean;
  /** What probes are told: ready, and with strict readiness every instance of every ready model is too. */
  isHealthy(): Promise<boolean>;
  /** True for a model that is or was to be loaded, whatever became of it. */
  hasModel(name: string): boolean;
  /**
   * False for a model that is unknown or not loaded to its end. `version` is decimal text or "" for the server's choice.
   * Throws INVALID_ARG for a malformed version, UNAVAILABLE where no repository could be opened.
   */
  isModelReady(name: string, version: string): Promise<boolean>;
  /** Name, version and extensions; answered while exiting too. */
  serverMetadata(): ServerMetadata;
  /** `version` as in `isModelReady`. Throws for a model that is not ready. */
  modelMetadata(name: string, version: string): ModelMetadata;
  /** The complete configuration that serves, shared: read only. Throws for a model that is not ready. */
  modelConfig(name: string, version: string): ModelConfig;
  /** `name` "" = all models. */
  statistics(name: string, version: string): readonly ModelStatisticsSnapshot[];
  /** Reads the repository folders as they are now. */
  repositoryIndex(options: { readonly readyOnly: boolean }): Promise<readonly ModelIndexEntry[]>;
  /**
   * Resolves when the load is done. Rejects with UNAVAILABLE where clients may not load, and with the reference's text
   * when it fails.
   */
  loadModel(name: string, parameters: LoadParameters): Promise<void>;
  /** Resolves when unloading has begun. `unloadDependents`: models of an ensemble go with it. */
  unloadModel(name: string, options: { readonly unloadDependents: boolean }): Promise<void>;
  /** Adds a repository whose folders are served under the names given, by folder. */
  registerRepository(path: string, names: ReadonlyMap<string, string>): Promise<void>;
  /** Forgets a repository; what is loaded from it stays. */
  unregisterRepository(path: string): void;
  /**
   * Found and ready, or throws with the messages of docs/reference/management.md#finding-a-model. The caller releases
   * the use.
   */
  useModel(name: string, version: string): ModelUse;
  /** Admission of a request to a model in use: server state, then normalise and enqueue. Throws synchronously on refusal. */
  infer(use: ModelUse, request: InferenceRequest): void;
  readonly traceSettings: TraceSettingsService;
  readonly logSettings: LogSettingsService;
  readonly systemSharedMemory: SharedMemoryService;
  readonly cudaSharedMemory: SharedMemoryService;
  /**
   * Label of a class index for classification, a character for each of its bytes; undefined when the output has no labels
   * or the index none.
   */
  label(use: ModelUse, outputName: string, classIndex: number): string | undefined;
}
