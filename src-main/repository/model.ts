// One loaded version of a model: configuration, labels, instances, runtime. Built complete by model-loader.ts, so no
// half-loaded model exists. Invariant: nothing is closed while a handle is held or a request is unfinished.

import type { ConfigOrigins } from '../../src-shared/config/config-origins.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { BackendModel, ModelInstance } from '../inference/backend.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { Disposer } from '../base/disposer.ts';
import type { GpuTenant } from '../gpu/memory-meter.ts';
import type { ExplainedConfig } from './config-rules.ts';
import { tellInstanceEnds, tellModelEnds } from './life-records.ts';
import type { LoadTimings } from './load-timings.ts';
import type { ModelId } from './model-identity.ts';
import type { LabelTable } from './model-labels.ts';
import type { ModelRuntime } from './model-runtime.ts';
import type { OwnFolder } from './source-lease.ts';

/** A loaded version and what it was made of; closing the model closes them. */
export interface ModelParts {
  readonly id: ModelId;
  /** Decimal text. */
  readonly version: string;
  /** Folder the model was built from; agents and file overrides may have moved it. */
  readonly modelDir: string;
  readonly config: ModelConfig;
  /** Config field path -> where the value comes from. */
  readonly origins: ConfigOrigins;
  readonly labels: LabelTable;
  readonly runtime: ModelRuntime;
  /** Undefined for ensembles. */
  readonly backendModel: BackendModel | undefined;
  /** What it has of the memory of GPUs. */
  readonly gpu: GpuTenant;
  /** The copy that it was built from where its repository is in a store. */
  readonly copy?: OwnFolder | undefined;
  readonly instances: readonly ModelInstance[];
  readonly timings: LoadTimings;
  readonly loadedAtMs: number;
}

/** `version` is the number as text. The first `close` counts; every caller waits for the same end. */
export class Model {
  readonly id: ModelId;
  readonly version: string;
  readonly modelDir: string;
  readonly labels: LabelTable;
  readonly runtime: ModelRuntime;
  readonly backendModel: BackendModel | undefined;
  readonly gpu: GpuTenant;
  readonly timings: LoadTimings;
  readonly loadedAtMs: number;
  #explained: ExplainedConfig;
  #instances: readonly ModelInstance[];
  readonly #copy: OwnFolder | undefined;
  #useCount = 0;
  #whenUnused: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #isClosed = false;
  readonly #whenClosed: (() => void)[] = [];
  /** Instances of earlier updates that are still finishing their work. */
  #retired: Promise<unknown> = Promise.resolve();

  constructor(parts: ModelParts) {
    this.id = parts.id;
    this.version = parts.version;
    this.modelDir = parts.modelDir;
    this.labels = parts.labels;
    this.runtime = parts.runtime;
    this.backendModel = parts.backendModel;
    this.gpu = parts.gpu;
    this.timings = parts.timings;
    this.loadedAtMs = parts.loadedAtMs;
    this.#copy = parts.copy;
    this.#explained = { config: parts.config, origins: parts.origins };
    this.#instances = parts.instances;
  }

  /** Complete, as it serves; another object after an in-place update. Read only. */
  get config(): ModelConfig {
    return this.#explained.config;
  }

  /** Where each value of `config` comes from: the file, the backend, a default. */
  get origins(): ConfigOrigins {
    return this.#explained.origins;
  }

  /** Those in service now; other ones after an in-place update. The model closes them. */
  get instances(): readonly ModelInstance[] {
    return this.#instances;
  }

  /** A request may have any number of responses. */
  get isDecoupled(): boolean {
    return this.config.modelTransactionPolicy?.decoupled === true;
  }

  /** Handles held plus requests unfinished. */
  get useCount(): number {
    return this.#useCount;
  }

  /** Counts one use more; what it returns ends that use, and is called once. */
  beginUse(): () => void {
    this.#useCount += 1;
    return () => this.#endUse();
  }

  /** Normalises and enqueues; the request keeps the version alive until it is released. Throws on refusal. */
  infer(request: InferenceRequest): void {
    let isHeld = true;
    this.#useCount += 1;
    const endUse = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#endUse();
    };
    request.actualVersion = this.version;
    request.onRelease(endUse);
    try {
      this.runtime.infer(request);
    } catch (thrown) {
      endUse();
      throw thrown;
    }
  }

  /** Takes over instances and configuration after an in-place update; `retired` ends when the old ones are closed. */
  adopt(
    config: ExplainedConfig,
    instances: readonly ModelInstance[],
    retired: readonly Promise<void>[],
  ): void {
    this.#explained = config;
    this.#instances = instances;
    this.#retired = Promise.allSettled([this.#retired, ...retired]);
  }

  /** Resolves when the instances of earlier in-place updates are closed. */
  async retired(): Promise<void> {
    await this.#retired;
  }

  /** Calls `action` once the version is closed, at once where it is; not before its last request was released. */
  whenClosed(action: () => void): void {
    if (this.#isClosed) action();
    else this.#whenClosed.push(action);
  }

  /** Waits until nobody uses the version, then closes scheduler, instances and backend. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndClose().finally(() => {
      this.#isClosed = true;
      for (const action of this.#whenClosed) action();
    });
    return this.#closing;
  }

  async #drainAndClose(): Promise<void> {
    this.backendModel?.unloading?.();
    if (this.#useCount > 0) await new Promise<void>((resolve) => (this.#whenUnused = resolve));
    this.runtime.stop();
    const disposer = new Disposer();
    disposer.defer(() => this.#copy?.remove());
    disposer.defer(this.gpu.closing());
    const { backend } = this.config;
    if (this.backendModel !== undefined) {
      disposer.add(this.backendModel);
      disposer.defer(() => tellModelEnds(backend));
    }
    for (const instance of this.#instances) {
      disposer.add(instance);
      disposer.defer(() => tellInstanceEnds(backend, instance.spec));
    }
    disposer.defer(async () => void (await this.#retired));
    disposer.add(this.runtime);
    await disposer.close();
  }

  #endUse(): void {
    this.#useCount -= 1;
    if (this.#useCount === 0) this.#whenUnused?.();
  }
}
