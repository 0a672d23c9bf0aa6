// Where instances run, for the window.

import { expect, it } from 'vitest';

import { instancePlacement } from './instance-placement.ts';

it.each([
  ['KIND_CPU', -1, false, [], 'CPU', false],
  ['KIND_GPU', 1, false, [], 'GPU 1', false],
  ['KIND_GPU', -1, true, [], 'CPU', true],
  ['KIND_GPU', 1, true, [], 'CPU', true],
  ['KIND_GPU', 1, false, ['asked for KIND_GPU, runs on the CPU: no driver'], 'CPU', true],
] as const)(
  '%s on device %i, absent: %s, notices %j',
  (kind, deviceId, lacksGpu, notices, device, isFallback) => {
    expect(instancePlacement([{ kind, deviceId, lacksGpu }], notices)).toEqual([{ device, isFallback }]);
  },
);
