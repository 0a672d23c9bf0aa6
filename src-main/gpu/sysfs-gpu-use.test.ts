// Readings out of made-up sysfs folders.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { FakeClock } from '../testing/fake-clock.ts';
import { SysfsGpuUse } from './sysfs-gpu-use.ts';

let drm = '';

beforeEach(async () => {
  drm = await mkdtemp(path.join(tmpdir(), 'conch-drm-'));
});
afterEach(() => rm(drm, { recursive: true, force: true }));

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(drm, file)), { recursive: true });
  await writeFile(path.join(drm, file), text);
}

test("AMD's driver says how busy it is, and what memory is taken", async () => {
  await put('card1/device/gpu_busy_percent', '37\n');
  await put('card1/device/mem_info_vram_used', '1048576\n');
  await put('card1/device/mem_info_vram_total', '4194304\n');
  await put('card1-HDMI-A-1/device/gpu_busy_percent', '99\n');
  const use = new SysfsGpuUse({ clock: new FakeClock(), drm });
  await use.read();
  expect(use.latest()).toEqual([
    {
      name: 'card1',
      source: 'sysfs',
      utilization: 0.37,
      memoryUsedBytes: 1_048_576,
      memoryTotalBytes: 4_194_304,
    },
  ]);
});

test.each(['gt/gt0/rc6_residency_ms', 'device/tile0/gt0/gtidle/idle_residency_ms'])(
  "Intel's driver counts sleep (%s): the rest of the time it was awake",
  async (counter) => {
    const clock = new FakeClock();
    await put(`card0/${counter}`, '5000\n');
    const use = new SysfsGpuUse({ clock, drm });
    await use.read();
    expect(use.latest()).toEqual([]);
    await use.read();
    await clock.advance(1000);
    await put(`card0/${counter}`, '5250\n');
    await use.read();
    await clock.advance(1000);
    await put(`card0/${counter}`, '5500\n');
    await use.read();
    expect(use.latest()).toMatchObject([{ name: 'card0', utilization: 0.75, memoryUsedBytes: undefined }]);
  },
);

test('what cannot be read is left out, and a machine without such a device is asked once', async () => {
  await put('card0/device/gpu_busy_percent', 'N/A\n');
  const use = new SysfsGpuUse({ clock: new FakeClock(), drm });
  await use.read();
  await put('card0/device/gpu_busy_percent', '10\n');
  expect(use.latest()).toEqual([]);
  expect(use.latest()).toEqual([]);
});
