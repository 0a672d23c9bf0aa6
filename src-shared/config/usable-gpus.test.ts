// Which GPUs a backend is given: ONNX Runtime's providers do not reach those that processes of models reach, nor the other
// way round.
import { describe, expect, test } from 'vitest';

import { describeBackend } from './backend-description.ts';
import { emptyModelConfig } from './config-defaults.ts';
import { normalizeInstanceGroups } from './config-normalize.ts';
import { inventoryOf, usableGpus } from './usable-gpus.ts';

const COMMON = { title: '', summary: '', format: 'binary', artefacts: [] } as const;
const backends = [
  describeBackend({ ...COMMON, name: 'onnxruntime' }),
  describeBackend({ ...COMMON, name: 'pytorch', instances: { reachesGpusItself: true } }),
];
const CUDA = [{ id: 0, provider: 'cuda' }];
const DRIVER_ALONE = [{ id: 0, provider: 'cuda', isForProcessesOnly: true }];
const WEBGPU = [{ id: 0, provider: 'webgpu' }];

describe('the kind of a group that leaves it open', () => {
  test.each([
    ['onnxruntime', 'where CUDA works', CUDA, 'KIND_GPU'],
    ['pytorch', 'where CUDA works', CUDA, 'KIND_GPU'],
    ['onnxruntime', 'with a driver and no libraries of ONNX Runtime', DRIVER_ALONE, 'KIND_CPU'],
    ['pytorch', 'with a driver and no libraries of ONNX Runtime', DRIVER_ALONE, 'KIND_GPU'],
    ['onnxruntime', 'on a GPU that WebGPU alone reaches', WEBGPU, 'KIND_GPU'],
    ['pytorch', 'on a GPU that WebGPU alone reaches', WEBGPU, 'KIND_CPU'],
    ['pytorch', 'on a GPU for each of them', [...WEBGPU, ...DRIVER_ALONE], 'KIND_GPU'],
  ])('of %s %s', (backend, _where, gpuInventory, kind) => {
    const { config } = normalizeInstanceGroups(emptyModelConfig({ name: 'm', backend }), {
      gpuInventory,
      backends,
    });
    expect(config.instanceGroup).toMatchObject([{ kind, gpus: kind === 'KIND_GPU' ? [0] : [] }]);
  });
});

test('numbers alone make the same choice', () => {
  const ids = (backend: string, ...numbers: Parameters<typeof inventoryOf>): number[] =>
    usableGpus({ gpuInventory: inventoryOf(...numbers), backends }, backend).map(({ id }) => id);
  expect([ids('onnxruntime', [0, 1]), ids('pytorch', [0, 1])]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect([ids('onnxruntime', [], [0]), ids('pytorch', [], [0])]).toEqual([[], [0]]);
  expect([ids('onnxruntime', [0], []), ids('pytorch', [0], [])]).toEqual([[0], []]);
});
