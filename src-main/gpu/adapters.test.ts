// Adapters out of made-up sysfs folders, Vulkan manifests and outputs of the systems' tools.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { H100 } from '../testing/nvidia-outputs.ts';
import { macAdapters, windowsAdapters } from './desktop-adapters.ts';
import { adapterText } from './gpu-adapter.ts';
import { linuxAdapters } from './linux-adapters.ts';
import { nvidiaAdapters } from './nvidia-adapters.ts';
import type { RunTool } from './run-tool.ts';

let folder = '';
const noTool: RunTool = (program) => Promise.reject(new Error(`spawn ${program} ENOENT`));
const tool =
  (answers: Readonly<Record<string, string>>): RunTool =>
  (program, args) =>
    answers[program] === undefined ? noTool(program, args) : Promise.resolve(answers[program]);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'adapters-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function card(name: string, bus: string, driver: string, files: Readonly<Record<string, string>>) {
  const device = path.join(folder, 'devices', bus);
  await mkdir(device, { recursive: true });
  await mkdir(path.join(folder, 'drivers', driver), { recursive: true });
  await mkdir(path.join(folder, 'drm', name), { recursive: true });
  await symlink(path.join(folder, 'drivers', driver), path.join(device, 'driver'));
  await symlink(device, path.join(folder, 'drm', name, 'device'));
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(device, file), `${text}\n`);
}

async function manifest(name: string, library: string): Promise<string> {
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ ICD: { library_path: `/usr/lib/${library}` } }));
  return file;
}

describe('linux', () => {
  it('an H100 is read as its driver lists it', async () => {
    expect(await nvidiaAdapters(() => Promise.resolve(H100.adapters), true)).toEqual([
      {
        name: 'NVIDIA H100 80GB HBM3',
        vendor: 'NVIDIA',
        driver: 'nvidia 580.159.04',
        kind: 'discrete',
        memoryBytes: 81_559 * 1024 ** 2,
        hasWebGpu: true,
        cuda: { index: 0, uuid: H100.uuid, capability: 9 },
      },
    ]);
  });

  it('reads cards, drivers and memory, and knows which of them Vulkan drives', async () => {
    await card('card0', '0000:00:02.0', 'i915', { vendor: '0x8086', device: '0x46a6' });
    await card('card1', '0000:03:00.0', 'amdgpu', {
      vendor: '0x1002',
      device: '0x744c',
      product_name: 'Radeon RX 7900',
      mem_info_vram_total: String(20 * 1024 ** 3),
    });
    await mkdir(path.join(folder, 'drm', 'card1-HDMI-A-1'));
    const files = [
      await manifest('radeon', 'libvulkan_radeon.so'),
      await manifest('lvp', 'libvulkan_lvp.so'),
    ];
    const adapters = await linuxAdapters({
      run: noTool,
      drm: path.join(folder, 'drm'),
      environment: { VK_DRIVER_FILES: files.join(':') },
    });
    expect(adapters).toEqual([
      expect.objectContaining({ vendor: 'Intel', driver: 'i915', kind: 'integrated', hasWebGpu: false }),
      {
        name: 'Radeon RX 7900',
        vendor: 'AMD',
        driver: 'amdgpu',
        kind: 'discrete',
        memoryBytes: 20 * 1024 ** 3,
        hasWebGpu: true,
        pci: '0000:03:00.0',
      },
      expect.objectContaining({ name: 'llvmpipe', kind: 'software' }),
    ]);
  });

  it('lets the tool of NVIDIA speak for its GPUs', async () => {
    const adapters = await linuxAdapters({
      run: tool({ 'nvidia-smi': '0, GPU-aa, 9.0, 580.65.06, 81559, NVIDIA H100, 80GB\n' }),
      drm: path.join(folder, 'none'),
      environment: { VK_DRIVER_FILES: path.join(folder, 'absent.json') },
    });
    expect(adapters.map(adapterText)).toEqual([
      'NVIDIA H100, 80GB (NVIDIA, discrete, driver nvidia 580.65.06, 81559 MiB)',
    ]);
    expect(adapters[0]).toMatchObject({
      hasWebGpu: false,
      cuda: { index: 0, uuid: 'GPU-aa', capability: 9 },
    });
  });

  it('finds nothing on a machine without any', async () => {
    const environment = { VK_DRIVER_FILES: path.join(folder, 'absent.json') };
    expect(await linuxAdapters({ run: noTool, drm: path.join(folder, 'none'), environment })).toEqual([]);
  });
});

describe('windows and macOS', () => {
  it('tells real adapters of Windows from those that draw on the processor', async () => {
    const listed = [
      {
        Name: 'Intel(R) Iris(R) Xe',
        AdapterCompatibility: 'Intel Corporation',
        DriverVersion: '31.0',
        AdapterRAM: 1024 ** 3,
      },
      { Name: 'Microsoft Basic Display Adapter', AdapterCompatibility: '(Standard display types)' },
    ];
    const adapters = await windowsAdapters(tool({ 'powershell.exe': JSON.stringify(listed) }));
    expect(adapters.map(({ vendor, kind }) => [vendor, kind])).toEqual([
      ['Intel', 'unknown'],
      ['(Standard display types)', 'software'],
    ]);
    const one = await windowsAdapters(tool({ 'powershell.exe': JSON.stringify(listed[0]) }));
    expect(one).toHaveLength(1);
    expect(await windowsAdapters(noTool)).toEqual([]);
  });

  it('reads the displays of macOS', async () => {
    const text = JSON.stringify({
      SPDisplaysDataType: [
        {
          sppci_model: 'Apple M3',
          sppci_cores: '10',
          spdisplays_vendor: 'sppci_vendor_Apple',
          spdisplays_mtlgpufamilysupport: 'metal3',
        },
        {
          sppci_model: 'Radeon Pro 560',
          spdisplays_vendor: 'AMD (0x1002)',
          spdisplays_vram: '4 GB',
          spdisplays_mtlgpufamilysupport: 'metal3',
        },
      ],
    });
    expect((await macAdapters(tool({ system_profiler: text }), 16 * 1024 ** 3)).map(adapterText)).toEqual([
      'Apple M3 (Apple, integrated, driver Metal, 10 cores, 16384 MiB shared with the processor)',
      'Radeon Pro 560 (AMD, discrete, driver Metal, 4096 MiB)',
    ]);
    expect(await macAdapters(noTool, 1)).toEqual([]);
  });
});
