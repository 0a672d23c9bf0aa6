import { expect, test } from 'vitest';

import type { GpuUseReading } from './gpu-use.ts';
import { gpuUseOf } from './gpu-use.ts';

const reading = (utilization: number, memoryUsedBytes: number | undefined): GpuUseReading => ({
  name: 'card0',
  source: 'sysfs',
  utilization,
  memoryUsedBytes,
  memoryTotalBytes: undefined,
});

test('all GPUs are one by their mean and their sum, and each is kept', () => {
  const use = gpuUseOf([reading(0.5, 100), reading(1, 20)]);
  expect(use).toMatchObject({ utilizationPercent: 75, memoryBytes: 120 });
  expect(use?.devices.map(({ utilizationPercent }) => utilizationPercent)).toEqual([50, 100]);
});

test('memory that no GPU tells of is not known, and not zero; without a GPU there is nothing', () => {
  expect(gpuUseOf([reading(0.5, undefined)])?.memoryBytes).toBeUndefined();
  expect(gpuUseOf([reading(0.5, undefined), reading(0.5, 7)])?.memoryBytes).toBe(7);
  expect(gpuUseOf([])).toBeUndefined();
});
