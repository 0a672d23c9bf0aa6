// What a model costs, on its card and in the list: memory of the process, and of the GPUs that it is on.

import { afterEach, expect, test } from 'vitest';

import type { GpuMemoryShare } from '../../../src-shared/contract/gpu-memory.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import { ModelCard } from './components/model-card.tsx';

const MIB = 1024 * 1024;
const MEASURED: GpuMemoryShare = {
  device: 0,
  bytes: 512 * MIB,
  unknown: undefined,
  way: 'process',
  tool: 'nvidia-smi',
  isFirst: true,
};
const OVERLAPPED: GpuMemoryShare = {
  device: 1,
  bytes: undefined,
  unknown: 'overlap',
  way: undefined,
  tool: undefined,
  isFirst: false,
};

let page: Rendered | undefined;
afterEach(() => page?.close());

async function cost(gpuMemory: readonly GpuMemoryShare[]): Promise<readonly string[]> {
  const model = fakeModel('m', { gpuMemory, device: gpuMemory.length > 0 ? 'GPU 0' : 'CPU' });
  page = await renderWithHosts(<ModelCard model={model} version="1" io={undefined} />, new FakeEngine());
  const list = await until(() => (page as Rendered).get('model-cost'));
  return [...list.querySelectorAll('li')].map(({ textContent }) => textContent);
}

test('the memory of a GPU stands beside that of the process, with how it was measured', async () => {
  const lines = await cost([MEASURED, OVERLAPPED]);
  expect(lines[1]).toMatch(/^GPU 0: 512 MiB: what the server had of it after the load.*\(nvidia-smi\)/);
  expect(lines[2]).toMatch(/^GPU 1: memory not known: something else was loaded.* Reload the model alone/);
});

test('a model on no GPU has no such line', async () => {
  expect((await cost([])).filter((line) => line.includes('GPU'))).toEqual([]);
});
