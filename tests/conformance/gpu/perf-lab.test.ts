// The perf lab against a model on a GPU provider: the load generator's numbers are those of the server. Skipped unless
// CONCH_GPU_PROVIDER names a provider.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { GpuWorld, provider } from './gpu-world.ts';

describe.skipIf(provider === '')(`the load generator on ${provider === '' ? 'a GPU' : provider}`, () => {
  let world: GpuWorld;

  beforeAll(async () => {
    world = await GpuWorld.start();
  }, 180_000);
  afterAll(() => world[Symbol.asyncDispose]());

  const served = async (): Promise<number> => {
    const { model_stats: stats } = await world.get<{
      readonly model_stats: readonly {
        readonly inference_stats: { readonly success: { readonly count: number } };
      }[];
    }>('models/layers/stats');
    return stats[0]?.inference_stats.success.count ?? 0;
  };

  test('measures a level, and every request of it was answered by the model on the GPU', async () => {
    const before = await served();
    const { code, stdout } = await world.perf('layers', [
      '--concurrency-range=2',
      '--measurement-interval=3000',
      // What is asked is whose numbers these are, not whether the machine was quiet.
      '--stability-percentage=1000',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Concurrency: 2, throughput: [\d.]+ infer\/sec, latency \d+ usec/);
    const [, throughput = '0'] = /throughput: ([\d.]+) infer\/sec/.exec(stdout) ?? [];
    expect(Number(throughput)).toBeGreaterThan(0);
    expect(await served()).toBeGreaterThan(before + 3);
  }, 300_000);
});
