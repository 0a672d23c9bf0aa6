// Which tool tells of the GPU that a model sits on. CUDA numbers NVIDIA's devices; the other providers use the adapter that
// the system prefers, which is known only where there is one.

import type { GpuMemoryUnknown } from '../../src-shared/contract/gpu-memory.ts';
import { APPLE_GPU, appleMemory } from './apple-gpu.ts';
import { drmMemory } from './drm-memory.ts';
import type { GpuAdapter } from './gpu-adapter.ts';
import type { MemorySource, MemoryTool } from './memory-tool.ts';
import { nvidiaMemory } from './nvidia-memory.ts';
import type { RunTool } from './run-tool.ts';
import { visibleGpus } from './visible-devices.ts';

/** What is known of the machine when it is decided who is asked for memory. */
export interface MemorySourceFacts {
  readonly adapters: readonly GpuAdapter[];
  readonly platform: NodeJS.Platform;
  /** CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly run: RunTool;
}

/** Who tells how much memory of a GPU is in use. */
export interface MemorySources {
  /** Those that tell of a GPU of this machine. */
  readonly tools: readonly MemoryTool[];
  /**
   * Who tells of a device under a provider, or why nobody does. Without a provider the device is one of a framework in
   * another process, which counts as CUDA does.
   */
  sourceOf(device: number, provider: string | undefined): MemorySource | GpuMemoryUnknown;
}

const CUDA_PROVIDERS = new Set<string | undefined>(['cuda', 'tensorrt']);

/** For the adapters of this machine. */
export function memorySources(facts: MemorySourceFacts): MemorySources {
  const { adapters, platform } = facts;
  const nvidia = nvidiaMemory(facts.run);
  const apple = appleMemory(facts.run);
  const drm = drmMemory(
    adapters.flatMap(({ pci, kind }) =>
      pci === undefined ? [] : [{ pci, isIntegrated: kind === 'integrated' }],
    ),
  );
  const sourceOf = ({ cuda, pci, vendor }: GpuAdapter): MemorySource | GpuMemoryUnknown => {
    if (cuda !== undefined) return { tool: nvidia, key: String(cuda.index) };
    if (pci !== undefined) return { tool: drm, key: pci };
    return platform === 'darwin' && vendor === 'Apple' ? { tool: apple, key: APPLE_GPU } : 'untold';
  };
  const all = adapters.map(sourceOf).filter((source) => typeof source !== 'string');
  const hasCuda = adapters.some(({ cuda }) => cuda !== undefined);
  return {
    tools: [...new Set(all.map(({ tool }) => tool))],
    sourceOf: (device, provider) => {
      if (CUDA_PROVIDERS.has(provider) || (provider === undefined && hasCuda)) {
        const index = cudaIndex(device, facts);
        return typeof index === 'number' ? { tool: nvidia, key: String(index) } : index;
      }
      const hardware = adapters.filter(
        ({ kind, hasWebGpu }) => kind !== 'software' && (provider !== 'webgpu' || hasWebGpu),
      );
      const [only] = hardware;
      if (only === undefined) return adapters.length === 0 ? 'untold' : 'software';
      return hardware.length > 1 ? 'several' : sourceOf(only);
    },
  };
}

/** NVIDIA's own number of what CUDA calls `device`: the visible ones are counted anew, and the fastest comes first. */
function cudaIndex(device: number, facts: MemorySourceFacts): number | GpuMemoryUnknown {
  const gpus = facts.adapters.filter(({ cuda }) => cuda !== undefined);
  const { CUDA_VISIBLE_DEVICES: visible, CUDA_DEVICE_ORDER: order } = facts.environment;
  if (gpus.length === 0) return 'untold';
  if (gpus.length > 1 && order !== 'PCI_BUS_ID' && new Set(gpus.map(({ name }) => name)).size > 1) {
    return 'several';
  }
  const shown = visibleGpus(
    gpus.flatMap(({ cuda }) => cuda ?? []),
    visible,
  );
  return shown[device]?.index ?? 'several';
}
