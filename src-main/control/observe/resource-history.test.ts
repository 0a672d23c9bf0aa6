import { expect, test } from 'vitest';

import { ResourceHistory } from './resource-history.ts';

const reading = (cpuPercent: number) => ({ cpuPercent, rssBytes: 100, loopDelayMs: 0 });

test('coarser windows hold means, and a page is sent only what it has not seen', () => {
  const history = new ResourceHistory();
  for (let second = 0; second < 30; second += 1) {
    history.add(second * 1000, 1000, reading(second), {
      utilizationPercent: second,
      memoryBytes: 7,
      devices: [],
    });
  }
  expect(history.points('5m', 27_500).map(({ atMs }) => atMs)).toEqual([28_000, 29_000]);
  expect(history.points('15m', -1).map(({ cpuPercent }) => cpuPercent)).toEqual([2, 7, 12, 17, 22, 27]);
  expect(history.points('1h', -1)).toEqual([
    { atMs: 0, bucketMs: 15_000, cpuPercent: 7, rssBytes: 100, gpuPercent: 7, gpuMemoryBytes: 7 },
    { atMs: 15_000, bucketMs: 15_000, cpuPercent: 22, rssBytes: 100, gpuPercent: 22, gpuMemoryBytes: 7 },
  ]);
  expect(history.latest).toMatchObject({ cpuPercent: 29, gpu: { utilizationPercent: 29 } });
});

test('a machine without a GPU has no GPU values, not zeros', () => {
  const history = new ResourceHistory();
  history.add(1, 1000, reading(5), undefined);
  expect(history.points('1m', 0)[0]).toMatchObject({ gpuPercent: undefined, gpuMemoryBytes: undefined });
});
