// The backends of the engine by name, and what the command line says to each of them.

import * as builtIn from './backends/built-in.ts';
import { notServedBackends } from './backends/not-served.ts';
import { pythonBasedBackends } from './backends/python/python-backend.ts';
import { OnnxruntimeBackend } from './backends/onnxruntime/onnxruntime-backend.ts';
import { DEFAULT_GPU_PROVIDERS, namedGpuProviders } from './backends/onnxruntime/provider-choice.ts';
import { testProvider } from './backends/onnxruntime/provider-test.ts';
import type { Disposer } from './base/disposer.ts';
import { listAdapters } from './gpu/list-adapters.ts';
import type { GpuInventory } from './gpu-inventory.ts';
import { detectGpus } from './gpu-inventory.ts';
import { BackendRegistry } from './inference/backend-registry.ts';
import type { Backend, BackendEntry } from './inference/backend.ts';
import type { ModelServices } from './inference/model-services.ts';
import type { BackendOptions } from './options/engine-options.ts';

/** The backends of one engine, closed with it. */
export interface EngineBackends {
  readonly onnxruntime: OnnxruntimeBackend;
  /** Looks for GPUs and tells the backends which providers work on them. Never rejects. */
  readonly findGpus: (minComputeCapability: number) => Promise<GpuInventory>;
  readonly registry: BackendRegistry;
  /** Settings for all backends, then those for this one; the last of a key counts. */
  readonly settingsOf: (backend: string) => ReadonlyMap<string, string>;
  /** Backends that a model was to be loaded with, successfully or not. */
  readonly asked: ReadonlySet<string>;
}

/** `owned` closes what backends share (worker threads). */
export function createBackends(
  options: BackendOptions,
  extra: readonly Backend[],
  owned: Disposer,
  services: () => ModelServices | undefined = () => undefined,
): EngineBackends {
  const settingsOf = (backend: string): ReadonlyMap<string, string> => {
    const ofScope = (scope: string): [string, string][] =>
      options.settings.filter((setting) => setting.backend === scope).map(({ key, value }) => [key, value]);
    return new Map([...ofScope(''), ...ofScope(backend)]);
  };
  const onnxruntime = owned.add(
    new OnnxruntimeBackend({ gpuPolicy: options.gpuPolicy, leftOut: options.leftOut ?? [] }),
  );
  const tools = { settingsOf, directory: options.directory, owned, services };
  const entries: readonly BackendEntry[] = Object.values(builtIn);
  const others = entries.map((entry) => (typeof entry === 'function' ? entry(tools) : entry));
  const asked = new Set<string>();
  const starting = new AbortController();
  owned.add({ close: () => starting.abort() });
  return {
    onnxruntime,
    registry: new BackendRegistry([onnxruntime, ...others, ...extra], {
      directory: options.directory,
      fromPython: pythonBasedBackends(tools),
      notServed: notServedBackends,
    }),
    asked,
    findGpus: async (minComputeCapability) => {
      const inventory = await detectGpus({
        minComputeCapability,
        named: namedOrNone(settingsOf('onnxruntime')),
        preferred: DEFAULT_GPU_PROVIDERS,
        adapters: listAdapters,
        visibleDevices: process.env['CUDA_VISIBLE_DEVICES'],
        loadable: () => onnxruntime.providers(),
        attempt: (provider) => testProvider(provider, starting.signal),
      });
      onnxruntime.useGpuProviders(inventory.providers);
      return inventory;
    },
    settingsOf: (backend) => {
      asked.add(backend);
      return settingsOf(backend);
    },
  };
}

/** A wrong name is an error of each model that is loaded; here it only means that nothing is known to be named. */
function namedOrNone(settings: ReadonlyMap<string, string>): readonly string[] {
  try {
    return namedGpuProviders(settings);
  } catch {
    return [];
  }
}
