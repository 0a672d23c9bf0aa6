// Where the instances of a model really run, which is not always where its configuration asks. Pure.

import type { InstanceSpec } from '../../inference/backend.ts';
import { isForGpu } from '../../inference/gpu-instances.ts';

/** The device of an instance that runs on no GPU, as the window names it. */
export const CPU = 'CPU';

/** Where the instances of a model ended up. */
export interface Placed {
  /** "CPU", "GPU 0" */
  readonly device: string;
  /** A GPU was asked for, and the CPU is used. */
  readonly isFallback: boolean;
}

/** Where instances run: without a device that is there, or when the backend says so, a GPU instance runs on the CPU. */
export function instancePlacement(
  specs: readonly Pick<InstanceSpec, 'kind' | 'deviceId' | 'lacksGpu'>[],
  notices: readonly string[],
): readonly Placed[] {
  const isRefused = notices.some((notice) => notice.includes('runs on the CPU'));
  return specs.map((spec) => {
    const isOnGpu = isForGpu(spec) && !isRefused;
    return {
      device: isOnGpu ? `GPU ${spec.deviceId}` : CPU,
      isFallback: spec.kind === 'KIND_GPU' && !isOnGpu,
    };
  });
}
