// GPU detection from the adapters of a machine, what the runtime can load, and what a trial of each provider showed.
import { describe, expect, it } from 'vitest';
import type { GpuAdapter } from './gpu/gpu-adapter.ts';
import type { GpuDetection, ProviderTrial } from './gpu-inventory.ts';
import { detectGpus } from './gpu-inventory.ts';

const ADAPTER: GpuAdapter = {
  name: 'Arc',
  vendor: 'Intel',
  driver: 'i915',
  kind: 'integrated',
  memoryBytes: undefined,
  hasWebGpu: true,
};
const SOFTWARE: GpuAdapter = { ...ADAPTER, name: 'SwiftShader', vendor: 'none', kind: 'software' };
const nvidia = (index: number, capability: number): GpuAdapter => ({
  ...ADAPTER,
  name: `Card ${index}`,
  vendor: 'NVIDIA',
  kind: 'discrete',
  cuda: { index, uuid: `GPU-${index}`, capability },
});

interface World {
  readonly adapters: readonly GpuAdapter[];
  readonly loadable?: readonly string[];
  readonly named?: readonly string[];
  readonly trials?: Readonly<Record<string, ProviderTrial>>;
  readonly visibleDevices?: string;
}

async function detect(world: World) {
  const asked: string[] = [];
  const detection: GpuDetection = {
    minComputeCapability: 7.5,
    named: world.named ?? [],
    preferred: ['cuda', 'webgpu'],
    adapters: () => Promise.resolve(world.adapters),
    visibleDevices: world.visibleDevices,
    loadable: () => {
      asked.push('library');
      return Promise.resolve(new Set(world.loadable ?? ['cpu', 'webgpu']));
    },
    attempt: (provider) => {
      asked.push(provider);
      return Promise.resolve(world.trials?.[provider] ?? { isOk: true, message: 'It works.' });
    },
  };
  const { devices, providers } = await detectGpus(detection);
  const own = devices.filter(({ isForProcessesOnly }) => isForProcessesOnly !== true);
  return {
    ids: own.map(({ id }) => id),
    idsOfProcesses: devices.filter((device) => !own.includes(device)).map(({ id }) => id),
    names: own.map(({ name }) => name),
    providers,
    asked,
  };
}

describe('detectGpus', () => {
  it('takes capable NVIDIA GPUs by their ids where CUDA works, and tries nothing after it', async () => {
    const found = await detect({
      adapters: [nvidia(1, 9), nvidia(0, 8.6), nvidia(2, 6.1)],
      loadable: ['cpu', 'webgpu', 'cuda'],
    });
    expect(found).toMatchObject({ ids: [0, 1], providers: ['cuda'], asked: ['library', 'cuda'] });
  });

  it.each([
    ['cannot be loaded', { loadable: ['cpu'] }, []],
    ['fails', { loadable: ['cpu', 'cuda'], trials: { cuda: { isOk: false, message: 'no' } } }, []],
    ['cannot be loaded and WebGPU works', {}, ['webgpu']],
  ])(
    'leaves GPUs to models in processes of their own where the CUDA provider %s',
    async (_, world, providers) => {
      const found = await detect({ adapters: [nvidia(0, 9), nvidia(1, 6.1), nvidia(2, 9)], ...world });
      expect(found).toMatchObject({ ids: providers.map(() => 0), idsOfProcesses: [0, 2], providers });
    },
  );

  it('numbers the GPUs that CUDA shows as CUDA does', async () => {
    const found = await detect({
      adapters: [nvidia(0, 9), nvidia(1, 6.1), nvidia(2, 9)],
      loadable: ['cpu', 'cuda'],
      visibleDevices: '2,1,GPU-0',
    });
    expect(found.ids).toEqual([0, 2]);
    expect(found.names.map((name) => name?.slice(0, 6))).toEqual(['Card 2', 'Card 0']);
    expect(
      (await detect({ adapters: [nvidia(0, 9)], visibleDevices: '', loadable: ['cpu', 'cuda'] })).ids,
    ).toEqual([]);
  });

  it('takes WebGPU where CUDA has no libraries or fails its trial', async () => {
    const without = await detect({ adapters: [nvidia(0, 9)] });
    expect(without).toMatchObject({ ids: [0], providers: ['webgpu'], asked: ['library', 'webgpu'] });
    const failing = await detect({
      adapters: [nvidia(0, 9)],
      loadable: ['cpu', 'webgpu', 'cuda'],
      trials: { cuda: { isOk: false, message: 'libcublasLt.so.13: cannot open shared object file' } },
    });
    expect(failing).toMatchObject({ providers: ['webgpu'], asked: ['library', 'cuda', 'webgpu'] });
  });

  it('asks nothing of the library on a machine without adapters, or with software ones only', async () => {
    expect(await detect({ adapters: [] })).toMatchObject({ ids: [], providers: [], asked: [] });
    expect(await detect({ adapters: [SOFTWARE] })).toMatchObject({ ids: [], providers: [], asked: [] });
  });

  it('uses a software adapter only where its provider is named', async () => {
    const onProcessor = { webgpu: { isOk: true, message: 'It works.', usesHardware: false } };
    const named = await detect({ adapters: [SOFTWARE], named: ['webgpu'], trials: onProcessor });
    expect(named).toMatchObject({ ids: [0], providers: ['webgpu'] });
    expect(named.names[0]).toContain('SwiftShader');
    const silent = await detect({ adapters: [ADAPTER, SOFTWARE], trials: onProcessor });
    expect(silent).toMatchObject({ ids: [], providers: [], asked: ['library', 'webgpu'] });
  });

  it('passes over adapters that have no Vulkan driver', async () => {
    expect(await detect({ adapters: [{ ...ADAPTER, hasWebGpu: false }] })).toMatchObject({
      ids: [],
      asked: ['library'],
    });
  });

  it('tries all named providers, in their order', async () => {
    const found = await detect({
      adapters: [nvidia(0, 9)],
      loadable: ['cpu', 'webgpu', 'cuda'],
      named: ['webgpu', 'cuda'],
    });
    expect(found).toMatchObject({ providers: ['webgpu', 'cuda'], asked: ['library', 'webgpu', 'cuda'] });
  });
});
