// What loaded versions take of a made-up GPU, from the repository's loads to the statistics.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { GpuMemoryShare } from '../../src-shared/contract/gpu-memory.ts';
import { systemClock } from '../base/clock.ts';
import { GpuMemoryMeter } from '../gpu/memory-meter.ts';
import type { MemoryTool } from '../gpu/memory-tool.ts';
import type { BackendModel, ModelLoadContext } from '../inference/backend.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';
import { echoConfig, inferFloats, repositoryFixture } from '../testing/repository-fixture.ts';
import { tritonConfigRules } from './triton-config-rules.ts';

const MIB = 1024 ** 2;
const GPU = 'instance_group [ { kind: KIND_GPU count: 1 } ]';

/** Each instance takes what `cost` says of its model, and gives it back when it is closed. */
class GpuBackend extends FakeBackend {
  readonly usesGpuHere = true;
  readonly cost = new Map<string, number>();
  /** Instances of these models wait here before they are made. */
  readonly held = new Map<string, Promise<void>>();
  usedBytes = 0;

  override async load(context: ModelLoadContext): Promise<BackendModel> {
    const model = await super.load(context);
    return {
      ...model,
      createInstance: async (spec, options) => {
        await this.held.get(context.modelName);
        const instance = await model.createInstance(spec, options);
        const bytes = this.cost.get(context.modelName) ?? 0;
        this.usedBytes += bytes;
        const close = instance.close.bind(instance);
        return Object.assign(instance, {
          gpuProvider: spec.kind === 'KIND_GPU' ? 'cuda' : undefined,
          close: async () => {
            this.usedBytes -= bytes;
            await close();
          },
        });
      },
    };
  }
}

let backend: GpuBackend;
let fixture: RepositoryFixture;

beforeEach(async () => {
  backend = new GpuBackend();
  backend.cost.set('a', 300 * MIB).set('b', 20 * MIB);
  const tool: MemoryTool = {
    name: 'nvidia-smi',
    look: () => {
      const look = { processBytes: backend.usedBytes, deviceBytes: undefined };
      return Promise.resolve(new Map([['0', look]]));
    },
  };
  const sources = { tools: [tool], sourceOf: () => ({ tool, key: '0' }) };
  fixture = await repositoryFixture({
    files: {
      'a/config.pbtxt': echoConfig(GPU),
      'a/1/': '',
      'b/config.pbtxt': echoConfig(GPU),
      'b/1/': '',
      'cpu/config.pbtxt': echoConfig(),
      'cpu/1/': '',
    },
    backends: [backend],
    deps: {
      rules: tritonConfigRules({
        gpuInventory: [{ id: 0 }],
        minComputeCapability: 7.5,
        gpuPolicy: 'fallback',
      }),
      gpuMemory: new GpuMemoryMeter({ clock: systemClock, sources: () => sources, pid: 1 }),
    },
  });
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  expect(backend.liveInstanceCount).toBe(0);
  expect(backend.usedBytes).toBe(0);
});

function shares(name: string): readonly GpuMemoryShare[] {
  return fixture.repository.find(name, 1).gpu.shares;
}

function usage(name: string): readonly object[] {
  return fixture.repository.find(name, 1).runtime.statistics.snapshot().memoryUsage;
}

test('models that are loaded one after the other have their own numbers, also in the statistics', async () => {
  await fixture.repository.load('a');
  await fixture.repository.load('b');
  await fixture.repository.load('cpu');
  expect(shares('a')).toMatchObject([{ device: 0, bytes: 300 * MIB, way: 'process', isFirst: true }]);
  expect(shares('b')).toMatchObject([{ device: 0, bytes: 20 * MIB, isFirst: false }]);
  expect(shares('cpu')).toEqual([]);
  expect(usage('a')).toEqual([{ type: 'GPU', id: 0, byteSize: 300 * MIB }]);
  expect(usage('cpu')).toEqual([]);
});

test('models that are loaded at the same time have none, until one is reloaded alone', async () => {
  const gate = Promise.withResolvers<void>();
  backend.held.set('a', gate.promise).set('b', gate.promise);
  const loads = [fixture.repository.load('a'), fixture.repository.load('b')];
  while (backend.liveModelCount < 2) await new Promise((resolve) => setImmediate(resolve));
  gate.resolve();
  await Promise.all(loads);
  expect([...shares('a'), ...shares('b')]).toMatchObject([{ unknown: 'overlap' }, { unknown: 'overlap' }]);
  expect(usage('a')).toEqual([]);
  await fixture.repository.load('a', { isForced: true });
  expect(shares('a')).toMatchObject([{ bytes: 300 * MIB }]);
});

test('a model that answers while another one is loaded makes that one unknown', async () => {
  await fixture.repository.load('a');
  const gate = Promise.withResolvers<void>();
  backend.held.set('b', gate.promise);
  const load = fixture.repository.load('b');
  while (backend.liveModelCount < 2) await new Promise((resolve) => setImmediate(resolve));
  await inferFloats(fixture.repository.use('a', -1), [1, 2, 3, 4]);
  gate.resolve();
  await load;
  expect(shares('b')).toMatchObject([{ bytes: undefined, unknown: 'busy' }]);
});

test('after an unload the memory is nobody’s, and a load that fails leaves nothing behind', async () => {
  await fixture.repository.load('a');
  const { gpu } = fixture.repository.find('a', 1);
  await fixture.repository.unload('a', { unloadDependents: false });
  while (backend.liveModelCount > 0) await new Promise((resolve) => setImmediate(resolve));
  backend.scripts.set('b', { createError: () => new Error('out of memory') });
  await expect(fixture.repository.load('b')).rejects.toThrow('out of memory');
  backend.scripts.delete('b');
  await fixture.repository.load('b');
  expect(gpu.shares).toEqual([]);
  expect(shares('b')).toMatchObject([{ bytes: 20 * MIB, isFirst: true }]);
});

test('instances that come while the model serves make its number unknown', async () => {
  await fixture.repository.load('a');
  await fixture.folder.write({ 'a/config.pbtxt': echoConfig(GPU.replace('1', '2')) });
  await fixture.folder.touch('a/config.pbtxt');
  await fixture.repository.load('a');
  expect(backend.liveInstanceCount).toBe(2);
  expect(shares('a')).toMatchObject([{ bytes: undefined, unknown: 'changed' }]);
  await fixture.repository.load('b');
  expect(shares('b')).toMatchObject([{ bytes: 20 * MIB }]);
});
