// Which instances are really meant for a GPU: a configuration may name GPUs that this machine does not have. Pure.

import type { InstanceSpec } from './backend.ts';

/** The instance is for a GPU that is there. Its backend may still leave it on the CPU. */
export function isForGpu({
  kind,
  deviceId,
  lacksGpu = false,
}: Pick<InstanceSpec, 'kind' | 'deviceId' | 'lacksGpu'>): boolean {
  return kind === 'KIND_GPU' && deviceId >= 0 && !lacksGpu;
}
