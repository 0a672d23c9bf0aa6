// Which GPUs the instances of a model are on, for whoever measures memory there.

import type { DeviceRuns } from '../gpu/device-activity.ts';
import type { GpuTenant, PlacedOnGpu } from '../gpu/memory-meter.ts';
import type { InstanceSpec, ModelInstance } from '../inference/backend.ts';
import { isForGpu } from '../inference/gpu-instances.ts';
import type { LoadStopwatch } from './load-stopwatch.ts';
import type { ModelRuntime, PlannedInstance } from './model-runtime.ts';

/** Devices that instances are asked for; a fallback may leave them for the CPU. */
export function gpuDevices(plans: readonly { readonly spec: InstanceSpec }[]): readonly number[] {
  return plans.filter(({ spec }) => isForGpu(spec)).map(({ spec }) => spec.deviceId);
}

/** Instances that really are on a GPU, or whose process may have put them there. */
export function placedOnGpu(instances: readonly ModelInstance[]): readonly PlacedOnGpu[] {
  return instances
    .filter(({ spec, gpuProvider, host }) => isForGpu(spec) && (gpuProvider ?? host) !== undefined)
    .map(({ spec, gpuProvider, host }) => ({
      device: spec.deviceId,
      provider: gpuProvider,
      pid: host?.pid,
    }));
}

/** What a model has run and runs, for those that measure others beside it. */
export function deviceRuns({ statistics, inflightCount }: ModelRuntime): DeviceRuns {
  return { executionCount: statistics.executionCount, inFlightCount: inflightCount };
}

/** The instances of a load are ready: what they took of GPUs is looked at. */
export async function settleOnGpu(
  gpu: GpuTenant,
  runtime: ModelRuntime,
  instances: readonly PlannedInstance[],
  stopwatch: LoadStopwatch,
): Promise<void> {
  const placed = placedOnGpu(instances.map(({ instance }) => instance));
  if (placed.length > 0) stopwatch.enter('looking at GPU memory');
  await gpu.settle(placed, () => deviceRuns(runtime));
}
