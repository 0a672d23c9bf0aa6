// The backend interface: how a kind of model is described, loaded and executed. One Backend per backend name, one
// BackendModel per loaded model version, one ModelInstance per instance of its instance groups.
//
// Contract of ModelInstance.execute(): it owns the requests until it has released each of them; it answers each with
// one final response (0..n responses then final for decoupled models), reports statistics, and resolves when the
// instance can take the next payload (responses of decoupled models may still follow). It rejects only when no request
// was answered or released; the caller then answers all of them with that error (failure reason BACKEND).

import type { BackendDescription } from '../../src-shared/config/backend-description.ts';
import type { GpuTrial } from '../../src-shared/contract/gpu-trial.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposer } from '../base/disposer.ts';
import type { ExecutionReporter, Payload } from './execution.ts';
import type { ModelFiles } from './model-files.ts';
import type { ModelInvoker } from './model-invoker.ts';
import type { ModelServices } from './model-services.ts';

/** Where an instance runs; KIND_AUTO has become one of these before an instance is made. */
export type InstanceKind = 'KIND_CPU' | 'KIND_GPU' | 'KIND_MODEL';

/** One instance to create (docs/reference/requests.md#instances). */
export interface InstanceSpec {
  /** `<group name>_<ordinal>`. */
  readonly name: string;
  readonly kind: InstanceKind;
  /** -1 unless KIND_GPU. As the configuration says, also where no GPU is there. */
  readonly deviceId: number;
  /** Of KIND_GPU, and the machine has no GPU for its backend: it runs on the CPU. */
  readonly lacksGpu?: boolean;
  /** Ordinal among all instances of the model, 0-based. */
  readonly ordinal: number;
  readonly isPassive: boolean;
  readonly hostPolicy: string;
}

/** What a backend gets to load one version of a model. It is valid until the model is closed. */
export interface ModelLoadContext extends ModelFiles {
  /** Complete, validated config. */
  readonly config: ModelConfig;
  readonly clock: Clock;
  /** `--backend-config=<backend>,<key>=<value>` entries for this backend and for all. */
  readonly backendConfig: ReadonlyMap<string, string>;
  readonly reporter: ExecutionReporter;
  /** Requests to other models (JavaScript models); absent where a backend is used without a server. */
  readonly invoker: ModelInvoker | undefined;
  /** What completing the configuration left; instances may take of it until they are made. */
  readonly handover?: CompletionHandover | undefined;
  readonly signal: AbortSignal;
}

/** Phases shown in the window while a model loads. */
export type LoadPhase = (text: string) => void;

/** Loads models of one kind. Made once for a server; its models are closed by whoever loaded them. */
export interface Backend {
  readonly description: BackendDescription;
  /** Its instances on a GPU live in this process. */
  readonly usesGpuHere?: boolean;
  /** What completing a configuration does, for people who wait for it: "its process reads the file". */
  readonly completing?: string | undefined;
  /**
   * Completes a config from the model file (type of model, inputs, outputs, batch size). Returns a new config plus
   * why each field was set; throws INVALID_ARG when file and config contradict. Absent: nothing can be derived.
   */
  autoComplete?(
    files: ModelFiles,
    config: ModelConfig,
    options: AutoCompleteOptions,
  ): Promise<AutoCompletion>;
  /**
   * What is told of a configuration without opening anything: throws what a load would refuse, returns what will have no
   * effect. Absent: nothing.
   */
  check?(config: ModelConfig): readonly string[];
  /** One version, without instances. Rejects with a ServerError and leaves nothing behind; the caller closes what it gets. */
  load(context: ModelLoadContext): Promise<BackendModel>;
}

/** What a backend gets when the engine is built. */
export interface BackendTools {
  /** `--backend-config=<backend>,<key>=<value>` entries for a backend and for all; the last of a key counts. */
  readonly settingsOf: (backend: string) => ReadonlyMap<string, string>;
  /** `--backend-directory`. */
  readonly directory: string;
  /** What code of models may ask of the server; undefined where there is none (`conch check`) or not yet. */
  readonly services: () => ModelServices | undefined;
  /** Closes what the backend shares between models when the engine ends: threads, processes. */
  readonly owned: Disposer;
}

/** A backend, or how to make it when the engine is built. */
export type BackendEntry = Backend | ((tools: BackendTools) => Backend);

/**
 * `defaultMaxBatchSize`: `--backend-config=default-max-batch-size`, for a model file that can batch and does not
 * say how much. `backendConfig`: the settings of this backend, all texts. Completion ends with the signal's
 * reason when it aborts.
 */
export interface AutoCompleteOptions {
  readonly defaultMaxBatchSize: number;
  readonly backendConfig: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** A configuration as the model file completes it. */
export interface AutoCompletion {
  /** undefined: what the model says of itself cannot be read; what is written of it counts, if anything is. */
  readonly config: ModelConfig | undefined;
  /** Field path ("input[0].dims") -> sentence saying where the value came from. */
  readonly origins: ReadonlyMap<string, string>;
  /** What a `load` of the same version by the same backend goes on with. */
  readonly handover?: CompletionHandover | undefined;
}

/** Known to its backend only. */
export interface CompletionHandover {
  /** Told once the instances are there, or the load has failed. Idempotent. */
  close(): Promise<void>;
}

/**
 * One loaded version. `createInstance` rejects with a ServerError and leaves nothing behind; whoever loaded it closes
 * it, after its instances.
 */
export interface BackendModel {
  /**
   * May be called for several instances at a time. When the signal aborts it rejects with its reason and leaves nothing
   * behind.
   */
  createInstance(spec: InstanceSpec, options: { readonly signal: AbortSignal }): Promise<ModelInstance>;
  /** What making an instance waits for, where that is code which may take its time: "initialize() runs". */
  readonly creation?: string;
  /** What the user should know although loading succeeded ("runs on CPU: no usable GPU"). */
  readonly notices: readonly string[];
  /** What a comparison of its GPU with the CPU showed. Absent: it is on no GPU, or nothing is compared. */
  readonly gpuTrial?: GpuTrial | undefined;
  /** Unloading has begun: what was accepted still comes, `close` follows when it is done. Code that may hang is bounded from here. */
  unloading?(): void;
  /** Called once, when all instances are closed. Resolves when nothing of the version is left. */
  close(): Promise<void>;
}

/** One copy of a model, which runs one payload at a time. It answers every request of a payload and releases it. */
export interface ModelInstance {
  readonly spec: InstanceSpec;
  /** Settles when the instance is free again. When it rejects, requests that were not answered yet get that error. */
  execute(payload: Payload): Promise<void>;
  /** Rejects with UNAVAILABLE, saying why, while the instance is in no state to answer. Absent: it always is. */
  isReady?(): Promise<void>;
  /** Resident bytes if known, for memory_usage. */
  readonly memoryByteSize: number | undefined;
  /** The execution provider that runs it on a GPU: "cuda". Absent: the CPU does, or its own process knows. */
  readonly gpuProvider?: string | undefined;
  /** The process that runs it now. Absent: it runs in this one. */
  readonly host?: InstanceHost | undefined;
  /** Called once, when no payload runs. Resolves when its memory, thread or process is given back. */
  close(): Promise<void>;
}

/** A process of its own behind an instance. */
export interface InstanceHost {
  /** undefined while it is being started. */
  readonly pid: number | undefined;
  /** How often it was lost and started again since the instance was made. */
  readonly restartCount: number;
}
