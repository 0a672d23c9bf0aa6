// What an engine knows of the machine it runs on; GPUs are looked for at the start, before models are loaded.

import type { BackendDescription } from '../src-shared/config/backend-description.ts';
import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import type { EngineBackends } from './engine-backends.ts';
import { detectGpus } from './gpu-inventory.ts';
import type { BackendOptions, GpuPolicy } from './options/engine-options.ts';
import type { ConfigMachine } from './repository/triton-config-rules.ts';

export class EngineMachine implements ConfigMachine {
  readonly minComputeCapability: number;
  readonly gpuPolicy: GpuPolicy;
  readonly #backends: EngineBackends;
  #gpuInventory: readonly GpuDevice[] | undefined;

  /** `gpuInventory` = usable GPUs, ascending by id; undefined = those that this machine has. */
  constructor(
    { minComputeCapability, gpuPolicy }: BackendOptions,
    backends: EngineBackends,
    gpuInventory: readonly GpuDevice[] | undefined,
  ) {
    this.minComputeCapability = minComputeCapability;
    this.gpuPolicy = gpuPolicy;
    this.#backends = backends;
    this.#gpuInventory = gpuInventory;
  }

  /** Empty until they were looked for. */
  get gpuInventory(): readonly GpuDevice[] {
    return this.#gpuInventory ?? [];
  }

  /** The backends that models can ask for. */
  get backends(): readonly BackendDescription[] {
    return this.#backends.registry.descriptions;
  }

  /** Backends that a model was to be loaded with, successfully or not. */
  get backendsAsked(): ReadonlySet<string> {
    return this.#backends.asked;
  }

  async findGpus(): Promise<void> {
    this.#gpuInventory ??= await detectGpus({
      minComputeCapability: this.minComputeCapability,
      providers: () => this.#backends.onnxruntime.providers(),
    });
  }
}
