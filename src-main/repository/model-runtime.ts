// What a loaded model version needs from scheduling, as one object: statistics intake, the scheduler over its
// instances, and request admission. The repository builds versions against this interface only, so lifecycle rules can
// be tested without any scheduler.

import type { GpuMemoryShare } from '../../src-shared/contract/gpu-memory.ts';
import type { ModelConfig, ModelRateLimiter } from '../../src-shared/config/model-config.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import type { EnsembleRunRecord, ExecutionRecord, Payload } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { InstanceSlot } from '../scheduling/instance-slot.ts';

/** What the runtime of a version is made of. */
export interface ModelRuntimeInit {
  readonly files: ModelFiles;
  /** Complete, validated config. */
  readonly config: ModelConfig;
  readonly invoker: ModelInvoker;
  /** Whether its outputs renew implicit states (BackendDescription). */
  readonly keepsStates: boolean;
}

/** An instance with what its group says about scheduling it. */
export interface PlannedInstance {
  readonly instance: ModelInstance;
  readonly rateLimiter: ModelRateLimiter | undefined;
}

/** An instance that leaves a serving model. */
export interface InstanceRemoval {
  readonly instance: ModelInstance;
  /** Running sequences keep it until they end. */
  readonly isHeld: boolean;
  /** Resolves when nothing runs on it any more and it may be closed. */
  readonly whenIdle: Promise<void>;
}

/** Warms an instance up; rejects when the model shall not serve. */
export type PrepareInstance = (instance: ModelInstance) => Promise<void>;

/**
 * What runs requests of one version: scheduler, queue and statistics. Closed with the version, after its last request.
 */
export interface ModelRuntime {
  /** Counters of this version; the backend reports into it. */
  readonly statistics: StatisticsCollector;
  /** Takes ns from each request's start to its first response; set by the metrics when they want it. */
  firstResponse: ((ns: number) => void) | undefined;
  /** What the model takes of GPUs, for its statistics; set by the loader. */
  gpuMemory: () => readonly GpuMemoryShare[];
  /**
   * Registers the instances, each with the settings of its group, and lets them work once `prepare` (warm-up) is done. Throws INVALID_ARG when the scheduler cannot be built or resources can never
   * suffice; the caller then closes the runtime.
   */
  start(instances: readonly PlannedInstance[], prepare: PrepareInstance): Promise<void>;
  /**
   * Exchanges instances while serving: once all of `added` are prepared they work, then `removed` get no new work.
   * Resolves when the added ones work. Throws, with nothing changed, when the new set cannot be scheduled.
   */
  exchange(
    added: readonly PlannedInstance[],
    removed: readonly ModelInstance[],
    prepare: PrepareInstance,
  ): Promise<readonly InstanceRemoval[]>;
  /** Runs a payload on one instance in service, between the payloads of requests. Resolves like `execute`. */
  executeOn(instance: ModelInstance, payload: Payload): Promise<void>;
  /** Normalises and enqueues. Throws synchronously on refusal. */
  infer(request: InferenceRequest): void;
  /** Checks and completes a request as `infer` does, without queueing it. */
  readonly normalize: (request: InferenceRequest) => void;
  readonly inflightCount: number;
  readonly queuedCount: number;
  /** Latest executions of all instances together. */
  recentExecutions(): readonly ExecutionRecord[];
  /** Latest requests of an ensemble, oldest first; empty for other models. */
  recentRuns(): readonly EnsembleRunRecord[];
  /** Active instances as the scheduler sees them. */
  readonly slots: readonly InstanceSlot[];
  /** Refuses new work. */
  stop(): void;
  /** After `stop`: answers with UNAVAILABLE what is still queued, and waits for what executes. */
  close(): Promise<void>;
}

/** Makes the runtime of a version, before its instances are there. */
export type ModelRuntimeFactory = (init: ModelRuntimeInit) => ModelRuntime;
