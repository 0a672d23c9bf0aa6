// GPU detection from what the driver prints and what the runtime can load.
import { describe, expect, it } from 'vitest';
import { detectGpus } from './gpu-inventory.ts';

const withProviders =
  (...names: string[]) =>
  () =>
    Promise.resolve(new Set(names));

describe('detectGpus', () => {
  it('lists capable GPUs in order when CUDA can be loaded', async () => {
    const query = (): Promise<string> => Promise.resolve('1, 9.0\n0, 8.6\n2, 6.1\n');
    const gpus = await detectGpus({
      minComputeCapability: 7.5,
      providers: withProviders('cpu', 'cuda'),
      query,
    });
    expect(gpus).toEqual([{ id: 0 }, { id: 1 }]);
  });

  it('finds none without the CUDA provider, and none without a driver', async () => {
    const query = (): Promise<string> => Promise.resolve('0, 9.0\n');
    expect(await detectGpus({ minComputeCapability: 7.5, providers: withProviders('cpu'), query })).toEqual(
      [],
    );
    const missing = (): Promise<string> => Promise.reject(new Error('spawn nvidia-smi ENOENT'));
    const unasked = (): Promise<ReadonlySet<string>> => Promise.reject(new Error('must not be asked'));
    expect(await detectGpus({ minComputeCapability: 7.5, providers: unasked, query: missing })).toEqual([]);
  });
});
