import { expect, test } from 'vitest';

import { operatorsOf } from './node-profile.ts';

const kernel = (ts: number, op: string, provider: string, dur: number) => ({
  cat: 'Node',
  name: `${op}_${ts}_kernel_time`,
  ts,
  dur,
  args: { op_name: op, provider },
});

test('kernels of the last run are summed by provider and operator, the longest first', () => {
  const profile = [
    { cat: 'Session', name: 'model_loading_uri', ts: 0, dur: 900 },
    { cat: 'Session', name: 'model_run', ts: 1000, dur: 50_000 },
    kernel(1010, 'Conv', 'WebGpuExecutionProvider', 40_000),
    { cat: 'Session', name: 'model_run', ts: 60_000, dur: 900 },
    kernel(60_010, 'Conv', 'WebGpuExecutionProvider', 100),
    kernel(60_200, 'NonZero', 'CPUExecutionProvider', 400),
    kernel(60_700, 'Conv', 'WebGpuExecutionProvider', 200),
    { cat: 'Node', name: 'Conv_fence_before', ts: 60_009, dur: 5, args: { op_name: 'Conv' } },
  ];
  expect(operatorsOf(JSON.stringify(profile))).toEqual([
    { provider: 'cpu', opType: 'NonZero', count: 1, ms: 0.4 },
    { provider: 'webgpu', opType: 'Conv', count: 2, ms: expect.closeTo(0.3, 6) as number },
  ]);
});
