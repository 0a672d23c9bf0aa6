// What is read from the processor, the memory and the GPUs of the machine.

import { describe, expect, test } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { parseCpuTimes, parseMemory, utilizationBetween } from './cpu-sampler.ts';
import { H100 } from '../testing/nvidia-outputs.ts';
import { GpuSampler, isVisible, parseGpuLine } from './gpu-sampler.ts';

describe('readings', () => {
  test('compute CPU use between two polls', () => {
    const before = parseCpuTimes('cpu  10 0 10 70 10 0 0 0 0 0\ncpu0 1 1');
    const after = parseCpuTimes('cpu  20 0 20 80 20 0 0 0 0 0\n');
    expect(utilizationBetween(before, after)).toBe(0.5);
    expect(utilizationBetween(after, before)).toBe(0);
    expect(parseMemory('MemTotal:  100 kB\nMemFree: 1 kB\nMemAvailable:  40 kB\n')).toEqual({
      totalBytes: 102_400,
      usedBytes: 61_440,
    });
  });

  test('read GPU lines and sum up energy', async () => {
    const line = '0, GPU-aa, NVIDIA, Big One, 50, 1000, 10, 100.0, [N/A]';
    expect(parseGpuLine(line)).toEqual({
      index: 0,
      uuid: 'GPU-aa',
      name: 'NVIDIA, Big One',
      utilization: 0.5,
      memoryTotalBytes: 1000 * 1_048_576,
      memoryUsedBytes: 10 * 1_048_576,
      powerUsageWatts: 100,
      powerLimitWatts: 0,
    });
    expect(parseGpuLine(H100.use)).toEqual({
      index: 0,
      uuid: H100.uuid,
      name: 'NVIDIA H100 80GB HBM3',
      utilization: 0.03,
      memoryTotalBytes: 81_559 * 1_048_576,
      memoryUsedBytes: 891 * 1_048_576,
      powerUsageWatts: 123.3,
      powerLimitWatts: 700,
    });
    expect(parseGpuLine('No devices were found')).toBeUndefined();
    const clock = new FakeClock();
    const sampler = new GpuSampler({ clock, intervalMs: 1000, visibleDevices: '0' });
    sampler.take(line);
    await clock.advance(2000);
    sampler.take(line);
    sampler.take(line.replace('0, GPU-aa', '1, GPU-bb'));
    expect(sampler.readings().map(({ uuid, energyJoules }) => [uuid, energyJoules])).toEqual([
      ['GPU-aa', 200],
    ]);
  });

  test.each([
    [undefined, true],
    ['0,1', true],
    ['1', false],
    ['GPU-a', true],
    ['GPU-b', false],
    ['', false],
    ['-1,0', false],
  ])('CUDA_VISIBLE_DEVICES=%s shows GPU 0: %s', (visible, isShown) => {
    expect(isVisible({ index: 0, uuid: 'GPU-aa' }, visible)).toBe(isShown);
  });
});
