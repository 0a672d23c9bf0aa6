import { expect, test } from 'vitest';

import type { GpuMemoryShare, GpuMemoryUnknown } from '../../src-shared/contract/gpu-memory.ts';
import { gpuMemoryBytes, gpuMemoryLines, gpuMemoryShort } from './gpu-memory.ts';

const MIB = 1024 * 1024;
const KNOWN: GpuMemoryShare = {
  device: 0,
  bytes: 512 * MIB,
  unknown: undefined,
  way: 'process',
  tool: 'nvidia-smi',
  isFirst: false,
};
const unknown = (device: number, reason: GpuMemoryUnknown): GpuMemoryShare => ({
  device,
  bytes: undefined,
  unknown: reason,
  way: undefined,
  tool: undefined,
  isFirst: false,
});

test('a number says how it was measured', () => {
  expect(gpuMemoryLines([KNOWN])).toEqual([
    'GPU 0: 512 MiB: what the server had of it after the load, less what it had before (nvidia-smi).',
  ]);
  const [device] = gpuMemoryLines([{ ...KNOWN, way: 'device', isFirst: true }]);
  expect(device).toContain('Other programs count in.');
  expect(device).toContain('what the provider takes for itself is in the number');
  const [host] = gpuMemoryLines([{ ...KNOWN, way: 'host', tool: 'fdinfo', isFirst: true }]);
  expect(host).toBe(
    'GPU 0: 512 MiB: all that the processes of the model had of it when it was loaded (fdinfo).',
  );
});

const REASONS: readonly GpuMemoryUnknown[] = [
  'overlap',
  'busy',
  'software',
  'several',
  'untold',
  'silent',
  'failed',
  'not-grown',
  'not-listed',
  'changed',
];

test.each(REASONS)('without a number the reason is told: %s', (reason) => {
  const [line = ''] = gpuMemoryLines([unknown(1, reason)]);
  expect(line).toMatch(/^GPU 1: memory not known: [a-z].{20,}\.$/);
  expect(line).not.toContain('model.gpuMemory');
});

test('a cell has the sum, the least it can be, or a dash; never a zero for what is not known', () => {
  expect(gpuMemoryShort([KNOWN, { ...KNOWN, device: 1 }])).toBe('1.0 GiB');
  expect(gpuMemoryShort([KNOWN, unknown(1, 'busy')])).toBe('≥ 512 MiB');
  expect(gpuMemoryShort([unknown(0, 'busy')])).toBe('–');
  expect(gpuMemoryBytes([])).toBeUndefined();
});
