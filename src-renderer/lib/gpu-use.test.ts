import { expect, test } from 'vitest';

import type { GpuDeviceUse } from '../../src-shared/contract/gpu-use.ts';
import { gpuUseLines, gpuUseShort } from './gpu-use.ts';

const GIB = 1024 ** 3;
const APPLE: GpuDeviceUse = {
  name: 'Apple M3',
  source: 'ioreg',
  utilizationPercent: 36.6,
  memoryBytes: 2 * GIB,
  memoryTotalBytes: 16 * GIB,
};
const INTEL: GpuDeviceUse = {
  name: 'card0',
  source: 'sysfs',
  utilizationPercent: 5,
  memoryBytes: undefined,
  memoryTotalBytes: undefined,
};

test('the status bar has use and memory, and no zero where memory is not told', () => {
  expect(gpuUseShort({ utilizationPercent: 36.6, memoryBytes: 2 * GIB, devices: [APPLE] })).toBe(
    '37 %  2.0 GiB',
  );
  expect(gpuUseShort({ utilizationPercent: 5, memoryBytes: undefined, devices: [INTEL] })).toBe('5 %');
});

test('each GPU has a line with what told it', () => {
  const lines = gpuUseLines({
    utilizationPercent: 20,
    memoryBytes: 2 * GIB,
    devices: [APPLE, INTEL, { ...INTEL, name: 'card1', memoryBytes: GIB }],
  });
  expect(lines).toEqual([
    'Apple M3: 37 % busy, 2.0 GiB of 16.0 GiB in use (ioreg)',
    'card0: 5 % busy, memory not told (files of the driver)',
    'card1: 5 % busy, 1.0 GiB in use (files of the driver)',
  ]);
});
