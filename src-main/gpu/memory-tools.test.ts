// Made-up answers of the tools that tell of GPU memory, and which of them is asked for which GPU.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { H100 } from '../testing/nvidia-outputs.ts';
import { drmMemory, parseFdinfo } from './drm-memory.ts';
import type { GpuAdapter } from './gpu-adapter.ts';
import { memorySources } from './memory-sources.ts';
import { nvidiaMemory } from './nvidia-memory.ts';
import type { RunTool } from './run-tool.ts';

const MIB = 1024 ** 2;

describe("NVIDIA's tool", () => {
  const GPUS = '0, GPU-aa, 1500\n1, GPU-bb, [N/A]\n';
  const smi =
    (apps: string | Error): RunTool =>
    (_program, args) => {
      if (args[0]?.startsWith('--query-gpu=') === true) return Promise.resolve(GPUS);
      return apps instanceof Error ? Promise.reject(apps) : Promise.resolve(apps);
    };

  test('tells of devices and of the processes that were asked for', async () => {
    const apps = '11, GPU-aa, 300\n12, GPU-aa, 40\n99, GPU-aa, 1000\n11, GPU-bb, 7\n';
    const looks = await nvidiaMemory(smi(apps)).look([11, 12]);
    expect([...looks]).toEqual([
      ['0', { processBytes: 340 * MIB, deviceBytes: 1500 * MIB }],
      ['1', { processBytes: 7 * MIB, deviceBytes: undefined }],
    ]);
  });

  test.each([
    ['lists the process without a number', '11, GPU-aa, [N/A]\n', undefined],
    ['lists no process', 'No running processes found\n', 0],
    ['fails for processes', new Error('not supported'), undefined],
  ])('%s', async (_what, apps, processBytes) => {
    const looks = await nvidiaMemory(smi(apps)).look([11]);
    expect(looks.get('0')).toEqual({ processBytes, deviceBytes: 1500 * MIB });
  });

  test('is read as a machine with an H100 has it', async () => {
    const run: RunTool = (_program, [question = '']) =>
      Promise.resolve(question.startsWith('--query-gpu=') ? H100.memory : H100.processes);
    expect([...(await nvidiaMemory(run).look([1924]))]).toEqual([
      ['0', { processBytes: 796 * MIB, deviceBytes: 2087 * MIB }],
    ]);
  });

  test('that is missing rejects', async () => {
    const missing: RunTool = () => Promise.reject(new Error('spawn nvidia-smi ENOENT'));
    await expect(nvidiaMemory(missing).look([1])).rejects.toThrow('ENOENT');
  });
});

describe('DRM clients', () => {
  const PCI = '0000:03:00.0';
  const fdinfo = (...lines: readonly string[]): string =>
    ['pos:\t0', 'drm-driver:\tamdgpu', `drm-pdev:\t${PCI}`, ...lines, ''].join('\n');
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'conch-drm-memory-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function file(pid: number, fd: number, target: string, text: string): Promise<void> {
    const process = path.join(folder, 'proc', String(pid));
    await mkdir(path.join(process, 'fd'), { recursive: true });
    await mkdir(path.join(process, 'fdinfo'), { recursive: true });
    await symlink(target, path.join(process, 'fd', String(fd)));
    await writeFile(path.join(process, 'fdinfo', String(fd)), text);
  }

  const look = async (isIntegrated: boolean) => {
    const tool = drmMemory([{ pci: PCI, isIntegrated }], {
      proc: path.join(folder, 'proc'),
      pci: path.join(folder, 'pci'),
    });
    return (await tool.look([5, 6])).get(PCI);
  };

  test('are counted once each, with what is in memory now before what was ever made', async () => {
    const one = fdinfo('drm-client-id:\t7', 'drm-total-vram:\t900 KiB', 'drm-resident-vram:\t600 KiB');
    await file(5, 20, '/dev/dri/renderD128', one);
    await file(5, 21, '/dev/dri/renderD128', one);
    await file(6, 4, '/dev/dri/card0', fdinfo('drm-client-id:\t8', 'drm-memory-vram:\t1 MiB'));
    await file(6, 5, 'socket:[1]', fdinfo('drm-client-id:\t9', 'drm-memory-vram:\t5 MiB'));
    await mkdir(path.join(folder, 'pci', PCI), { recursive: true });
    await writeFile(path.join(folder, 'pci', PCI, 'mem_info_vram_used'), '9000000\n');
    expect(await look(false)).toEqual({ processBytes: 600 * 1024 + MIB, deviceBytes: 9_000_000 });
  });

  test('of a card count its own memory, of an integrated GPU all that it reaches', async () => {
    const client = fdinfo(
      'drm-client-id:\t7',
      'drm-memory-vram:\t2 MiB',
      'drm-memory-gtt:\t3 MiB',
      'drm-memory-cpu:\t50 MiB',
    );
    await file(5, 20, '/dev/dri/renderD128', client);
    expect(await look(false)).toEqual({ processBytes: 2 * MIB, deviceBytes: undefined });
    expect(await look(true)).toEqual({ processBytes: 5 * MIB, deviceBytes: undefined });
  });

  test('none is zero, and a driver that tells nothing is not', async () => {
    expect(await look(false)).toEqual({ processBytes: 0, deviceBytes: undefined });
    await file(5, 20, '/dev/dri/renderD128', fdinfo('drm-client-id:\t7', 'drm-engine-gfx:\t12 ns'));
    expect(await look(false)).toEqual({ processBytes: undefined, deviceBytes: undefined });
  });

  test('of xe are read without its counters of time', () => {
    const text = fdinfo(
      'drm-client-id: 4',
      'drm-total-vram0: 51200 KiB',
      'drm-resident-vram0: 0',
      'drm-total-cycles-rcs: 9000000000',
    );
    expect([...(parseFdinfo(text)?.regions ?? [])]).toEqual([['vram0', 0]]);
    expect(parseFdinfo('pos: 0\nflags: 02\n')).toBeUndefined();
  });
});

describe('which tool', () => {
  const adapter = (change: Partial<GpuAdapter>): GpuAdapter => ({
    name: 'a GPU',
    vendor: 'AMD',
    driver: undefined,
    kind: 'discrete',
    memoryBytes: undefined,
    hasWebGpu: true,
    ...change,
  });
  const nvidia = (index: number, name = 'Card'): GpuAdapter =>
    adapter({ name, vendor: 'NVIDIA', cuda: { index, uuid: `GPU-${'ab'[index]}a`, capability: 9 } });
  const AMD = adapter({ pci: '0000:03:00.0' });
  const SOFTWARE = adapter({ vendor: 'none', kind: 'software' });
  const found = (
    adapters: readonly GpuAdapter[],
    provider: string | undefined,
    device = 0,
    environment: Readonly<Record<string, string>> = {},
    platform: NodeJS.Platform = 'linux',
  ): string => {
    const run: RunTool = () => Promise.resolve('');
    const source = memorySources({ adapters, platform, environment, run }).sourceOf(device, provider);
    return typeof source === 'string' ? source : `${source.tool.name} ${source.key}`;
  };

  const CASES: readonly (readonly [string, string, ...Parameters<typeof found>])[] = [
    ['CUDA', 'nvidia-smi 1', [nvidia(0), nvidia(1)], 'cuda', 1],
    ['TensorRT', 'nvidia-smi 0', [nvidia(0)], 'tensorrt'],
    ['a framework', 'nvidia-smi 0', [AMD, nvidia(0)], undefined],
    ['a device that is not there', 'several', [nvidia(0)], 'cuda', 3],
    ['visible devices', 'nvidia-smi 1', [nvidia(0), nvidia(1)], 'cuda', 0, { CUDA_VISIBLE_DEVICES: '1' }],
    [
      'visible by name',
      'nvidia-smi 1',
      [nvidia(0), nvidia(1)],
      'cuda',
      0,
      { CUDA_VISIBLE_DEVICES: 'GPU-ba' },
    ],
    ['invisible', 'several', [nvidia(0), nvidia(1)], 'cuda', 1, { CUDA_VISIBLE_DEVICES: '1' }],
    ['cards that differ', 'several', [nvidia(0, 'Old'), nvidia(1, 'New')], 'cuda'],
    [
      'cards in the order of the bus',
      'nvidia-smi 0',
      [nvidia(0, 'Old'), nvidia(1, 'New')],
      'cuda',
      0,
      { CUDA_DEVICE_ORDER: 'PCI_BUS_ID' },
    ],
    ['CUDA without NVIDIA', 'untold', [AMD], 'cuda'],
    ['WebGPU on AMD', 'fdinfo 0000:03:00.0', [AMD, SOFTWARE], 'webgpu'],
    ['WebGPU on NVIDIA', 'nvidia-smi 0', [nvidia(0)], 'webgpu'],
    ['WebGPU on one of two', 'several', [AMD, nvidia(0)], 'webgpu'],
    ['WebGPU on the processor', 'software', [SOFTWARE], 'webgpu'],
    [
      'WebGPU past a GPU without a Vulkan driver',
      'software',
      [adapter({ hasWebGpu: false }), SOFTWARE],
      'webgpu',
    ],
    ['no adapter', 'untold', [], 'webgpu'],
    ['DirectML on AMD', 'untold', [adapter({})], 'dml', 0, {}, 'win32'],
    ['CoreML', 'ioreg apple', [adapter({ vendor: 'Apple' })], 'coreml', 0, {}, 'darwin'],
  ];
  for (const [what, expected, ...asked] of CASES) {
    test(`${what}: ${expected}`, () => expect(found(...asked)).toBe(expected));
  }
});
