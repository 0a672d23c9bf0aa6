// Which GPUs of a machine a backend can use: ONNX Runtime those that a provider of it works on, models in processes of their
// own those that CUDA numbers, whether or not ONNX Runtime's libraries for them are installed.

import { findBackend, type BackendDescription } from './backend-description.ts';
import type { GpuDevice } from './validation-context.ts';

const BY_CUDA = new Set([undefined, 'cuda', 'tensorrt']);

/** A machine's GPUs and the backends that are known on it. */
export interface GpuMachine {
  readonly gpuInventory: readonly GpuDevice[];
  readonly backends?: readonly BackendDescription[] | undefined;
}

/** In the order of the inventory. */
export function usableGpus(
  { gpuInventory, backends = [] }: GpuMachine,
  backend: string,
): readonly GpuDevice[] {
  const isItself = findBackend(backends, backend)?.instances?.reachesGpusItself === true;
  return gpuInventory.filter(({ provider, isForProcessesOnly = false }) =>
    isItself ? BY_CUDA.has(provider) : !isForProcessesOnly,
  );
}

/** An inventory of which the numbers alone are known. */
export function inventoryOf(
  gpuIds: readonly number[],
  gpuIdsOfProcesses: readonly number[] = gpuIds,
): readonly GpuDevice[] {
  return [
    ...gpuIds.map((id) => (gpuIdsOfProcesses.includes(id) ? { id } : { id, provider: 'other' })),
    ...gpuIdsOfProcesses.filter((id) => !gpuIds.includes(id)).map((id) => ({ id, isForProcessesOnly: true })),
  ];
}
