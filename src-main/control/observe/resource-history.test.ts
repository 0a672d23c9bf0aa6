import { expect, test } from 'vitest';

import type { GpuDeviceUse } from '../../../src-shared/contract/gpu-use.ts';
import { ResourceHistory } from './resource-history.ts';

const reading = (cpuPercent: number) => ({ cpuPercent, rssBytes: 100 });

const device = (name: string, utilizationPercent: number): GpuDeviceUse => ({
  name,
  source: 'sysfs',
  utilizationPercent,
  memoryBytes: undefined,
  memoryTotalBytes: undefined,
});

test('coarser windows hold means, and a page is sent only what it has not seen', () => {
  const history = new ResourceHistory();
  for (let second = 0; second < 30; second += 1) {
    history.add(second * 1000, 1000, reading(second), {
      utilizationPercent: second,
      memoryBytes: 7,
      devices: [device('a', second), device('b', 2 * second)],
    });
  }
  expect(history.points('5m', 27_500).map(({ atMs }) => atMs)).toEqual([28_000, 29_000]);
  expect(history.points('15m', -1).map(({ cpuPercent }) => cpuPercent)).toEqual([2, 7, 12, 17, 22, 27]);
  const gpus = (mean: number) => [
    { name: 'a', source: 'sysfs', percent: mean },
    { name: 'b', source: 'sysfs', percent: 2 * mean },
  ];
  const means = { bucketMs: 15_000, rssBytes: 100, gpuMemoryBytes: 7 };
  expect(history.points('1h', -1)).toEqual([
    { ...means, atMs: 0, cpuPercent: 7, gpuPercent: 7, gpus: gpus(7) },
    { ...means, atMs: 15_000, cpuPercent: 22, gpuPercent: 22, gpus: gpus(22) },
  ]);
  expect(history.latest).toMatchObject({ cpuPercent: 29, gpu: { utilizationPercent: 29 } });
});

test('a machine without a GPU has no GPU values, not zeros', () => {
  const history = new ResourceHistory();
  history.add(1, 1000, reading(5), undefined);
  expect(history.points('1m', 0)[0]).toMatchObject({
    gpuPercent: undefined,
    gpuMemoryBytes: undefined,
    gpus: [],
  });
});
