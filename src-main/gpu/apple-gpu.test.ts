// Made-up texts in the form of macOS's `ioreg`.

import { expect, test } from 'vitest';

import { FakeClock } from '../testing/fake-clock.ts';
import { APPLE_GPU, appleMemory, AppleGpuUse, parseAccelerators } from './apple-gpu.ts';
import type { RunTool } from './run-tool.ts';

const GIB = 1024 ** 3;

const APPLE = (
  percent: number,
  bytes: number,
): string => `+-o AGXAcceleratorG15X  <class AGXAcceleratorG15X, id 0x1000004a5, registered, matched, active, busy 0 (12 ms), retain 90>
    {
      "IOClass" = "AGXAcceleratorG15X"
      "gpu-core-count" = 10
      "model" = "Apple M3"
      "PerformanceStatistics" = {"In use system memory (driver)"=0,"Alloc system memory"=4272832512,"Tiler Utilization %"=3,"recoveryCount"=0,"Renderer Utilization %"=5,"Device Utilization %"=${percent},"SplitSceneCount"=0,"In use system memory"=${bytes}}
      "IOMatchCategory" = "IOAccelerator"
    }
`;
const BARE = `+-o IntelAccelerator  <class IntelAccelerator, id 0x100000412, registered, matched, active, busy 0 (14 ms), retain 106>
    {
      "IOGeneralInterest" = "IOCommand is not serializable"
    }
`;
/** An older driver with other keys. */
const OLD = `+-o ATIAccelerator  <class ATIAccelerator, id 0x100000413, registered, matched, active, busy 0 (1 ms), retain 8>
    {
      "PerformanceStatistics" = {"vramUsedBytes"=1048576,"GPU Core Utilization"=0}
    }
`;

test('use, memory and name are read; the keys that begin alike are not taken for them', () => {
  expect(parseAccelerators(APPLE(57, 1_200_357_376))).toEqual([
    { name: 'Apple M3', utilization: 0.57, memoryUsedBytes: 1_200_357_376 },
  ]);
});

test('an accelerator without statistics is left out, and one with others tells nothing', () => {
  expect(parseAccelerators(BARE + OLD)).toEqual([
    { name: 'ATIAccelerator', utilization: undefined, memoryUsedBytes: undefined },
  ]);
  expect(parseAccelerators('')).toEqual([]);
});

test('memory is told of all programs together', async () => {
  const run: RunTool = (program, args) =>
    Promise.resolve(program === 'ioreg' && args.includes('IOAccelerator') ? APPLE(1, 777) : '');
  expect((await appleMemory(run).look([1])).get(APPLE_GPU)).toEqual({
    processBytes: undefined,
    deviceBytes: 777,
  });
});

function watched(...answers: readonly (string | Error)[]) {
  const clock = new FakeClock();
  let count = 0;
  const run: RunTool = () => {
    const answer = answers[Math.min(count, answers.length - 1)] ?? '';
    count += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { clock, use: new AppleGpuUse({ clock, run, totalBytes: 16 * GIB }), count: () => count };
}

test('the charts get readings with the memory of the machine, one program for two seconds', async () => {
  const { clock, use, count } = watched(APPLE(10, 1), APPLE(90, 2));
  await use.read();
  expect(use.latest()).toEqual([
    {
      name: 'Apple M3',
      source: 'ioreg',
      utilization: 0.1,
      memoryUsedBytes: 1,
      memoryTotalBytes: 16 * GIB,
    },
  ]);
  await clock.advance(1999);
  use.latest();
  expect(count()).toBe(1);
  await clock.advance(1);
  use.latest();
  await use.read();
  expect(count()).toBe(2);
  expect(use.latest()).toMatchObject([{ utilization: 0.9, memoryUsedBytes: 2 }]);
});

test.each([
  ['fails', new Error('spawn ioreg ENOENT')],
  ['tells nothing', BARE],
])('a Mac whose registry %s is asked once', async (_what, answer) => {
  const { clock, use, count } = watched(answer);
  await use.read();
  await clock.advance(10_000);
  expect(use.latest()).toEqual([]);
  expect(count()).toBe(1);
});
