// How busy the GPUs of the machine are, whoever told it, and all of them as one for the charts.

import type { GpuUse, GpuUseSource } from '../../src-shared/contract/gpu-use.ts';

/** How busy a GPU is now, and with how much memory in use (bytes). */
export interface GpuUseReading {
  /** "card0", "Apple M3" */
  readonly name: string;
  readonly source: GpuUseSource;
  /** 0..1 */
  readonly utilization: number;
  /** Undefined where nobody tells. */
  readonly memoryUsedBytes: number | undefined;
  readonly memoryTotalBytes: number | undefined;
}

/** Undefined without a GPU. Memory that no device tells of is not known, and not zero. */
export function gpuUseOf(readings: readonly GpuUseReading[]): GpuUse | undefined {
  if (readings.length === 0) return undefined;
  const memory = readings
    .map(({ memoryUsedBytes }) => memoryUsedBytes)
    .filter((bytes) => bytes !== undefined);
  return {
    utilizationPercent: (sum(readings.map(({ utilization }) => utilization)) / readings.length) * 100,
    memoryBytes: memory.length === 0 ? undefined : sum(memory),
    devices: readings.map(({ name, source, utilization, memoryUsedBytes, memoryTotalBytes }) => ({
      name,
      source,
      utilizationPercent: utilization * 100,
      memoryBytes: memoryUsedBytes,
      memoryTotalBytes,
    })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
