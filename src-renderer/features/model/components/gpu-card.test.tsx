import { afterEach, expect, test } from 'vitest';

import type { GpuTrial } from '../../../../src-shared/contract/gpu-trial.ts';
import { fakeModel } from '../../../testing/fake-models.ts';
import type { Rendered } from '../../../testing/render.tsx';
import { renderView } from '../../../testing/render.tsx';
import { GpuCard } from './gpu-card.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

const TRIAL: GpuTrial = {
  provider: 'webgpu',
  verdict: 'slower',
  problem: undefined,
  timings: [{ batchSize: 1, cpuMs: 0.5, gpuMs: 2 }],
  outputs: [{ name: 'OUT', difference: 0.001, allowed: 0.01 }],
  operators: [
    { provider: 'webgpu', opType: 'Conv', count: 3, ms: 1.5 },
    { provider: 'cpu', opType: 'NonZero', count: 1, ms: 0.2 },
  ],
};

async function shown(trial: GpuTrial | undefined): Promise<string> {
  page = await renderView(<GpuCard model={fakeModel('m', { gpuTrial: trial, device: 'GPU 0' })} />);
  return document.querySelector('[data-testid="gpu-card"]')?.textContent ?? '';
}
const isOffered = (): boolean => document.querySelector('[data-testid="gpu-use-cpu"]') !== null;

test('a model on no GPU has no such card', async () => {
  expect(await shown(undefined)).toBe('');
});

test('a slower GPU is told with both numbers, and the CPU is offered', async () => {
  const text = await shown(TRIAL);
  expect(text).toContain('webgpu is slower than the CPU');
  expect(text).toMatch(/2\s?ms/);
  expect(text).toMatch(/500\s?µs|0\.5\s?ms/);
  expect(text).toContain('1 of 4 operators run on the CPU: NonZero.');
  expect(isOffered()).toBe(true);
});

test('a faster GPU leaves nothing to do', async () => {
  expect(await shown({ ...TRIAL, verdict: 'faster' })).toContain('webgpu is faster');
  expect(isOffered()).toBe(false);
});

test('wrong answers name the outputs', async () => {
  const outputs = [{ name: 'BAD', difference: 0.7, allowed: 0.01 }];
  expect(await shown({ ...TRIAL, verdict: 'wrong', outputs })).toContain('webgpu answers wrongly: BAD.');
  expect(isOffered()).toBe(true);
});

test('a comparison that runs, and one that failed, say so', async () => {
  const nothing = { ...TRIAL, verdict: undefined, timings: [], outputs: [], operators: [] };
  expect(await shown(nothing)).toContain('Comparing webgpu with the CPU');
  await page?.close();
  expect(await shown({ ...nothing, problem: 'It took too long.' })).toContain('It took too long.');
});
