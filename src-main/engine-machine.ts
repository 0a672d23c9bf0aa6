// What an engine knows of the machine it runs on; GPUs are looked for at the start, before models are loaded.

import type { BackendDescription } from '../src-shared/config/backend-description.ts';
import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import type { EngineBackends } from './engine-backends.ts';
import type { GpuAdapter } from './gpu/gpu-adapter.ts';
import type { MemorySources } from './gpu/memory-sources.ts';
import { memorySources } from './gpu/memory-sources.ts';
import { runTool } from './gpu/run-tool.ts';
import type { GpuInventory } from './gpu-inventory.ts';
import { NO_GPUS } from './gpu-inventory.ts';
import type { BackendOptions, GpuPolicy } from './options/engine-options.ts';
import type { ConfigMachine } from './repository/triton-config-rules.ts';

/** Facts that rules and loads ask for, in one place; what it knows of GPUs does not change after the start. */
export class EngineMachine implements ConfigMachine {
  readonly minComputeCapability: number;
  readonly gpuPolicy: GpuPolicy;
  readonly #backends: EngineBackends;
  readonly #given: readonly GpuDevice[] | undefined;
  #found: GpuInventory = NO_GPUS;
  #memorySources: MemorySources = memorySourcesOf([]);

  /** `given` = usable GPUs, ascending by id; undefined = those that this machine has. */
  constructor(
    { minComputeCapability, gpuPolicy }: BackendOptions,
    backends: EngineBackends,
    given: readonly GpuDevice[] | undefined,
  ) {
    this.minComputeCapability = minComputeCapability;
    this.gpuPolicy = gpuPolicy;
    this.#backends = backends;
    this.#given = given;
  }

  /** Empty until they were looked for. */
  get gpuInventory(): readonly GpuDevice[] {
    return this.#given ?? this.#found.devices;
  }

  /** Every graphics adapter of the machine, usable or not. */
  get adapters(): readonly GpuAdapter[] {
    return this.#found.adapters;
  }

  /** What tells of the memory of its GPUs; nothing until they were looked for. */
  get memorySources(): MemorySources {
    return this.#memorySources;
  }

  /** The backends that models can ask for. */
  get backends(): readonly BackendDescription[] {
    return this.#backends.registry.descriptions;
  }

  /** Backends that a model was to be loaded with, successfully or not. */
  get backendsAsked(): ReadonlySet<string> {
    return this.#backends.asked;
  }

  /** Before models load. Never rejects for a machine without GPUs; does nothing where they were given. */
  async findGpus(): Promise<void> {
    if (this.#given !== undefined) return;
    this.#found = await this.#backends.findGpus(this.minComputeCapability);
    this.#memorySources = memorySourcesOf(this.#found.adapters);
  }
}

function memorySourcesOf(adapters: readonly GpuAdapter[]): MemorySources {
  return memorySources({
    adapters,
    platform: process.platform,
    environment: process.env,
    run: runTool,
  });
}
