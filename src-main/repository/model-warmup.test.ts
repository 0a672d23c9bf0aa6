// Warm-up of a model that serves.

import { describe, expect, it } from 'vitest';
import { echoWorld, model } from '../testing/echo-world.ts';

const world = echoWorld();

describe('runWarmup', () => {
  it('runs samples on every instance in service and reports each iteration', async () => {
    const { repository } = await world.start({
      files: model('m', 'instance_group [ { kind: KIND_CPU count: 2 } ]'),
    });
    await repository.load('m');
    const seen: string[] = [];
    const sample = {
      name: 'zeros',
      batchSize: 1,
      count: 3,
      inputs: {
        INPUT0: {
          dataType: 'TYPE_FP32',
          dims: [4],
          zeroData: true,
          randomData: undefined,
          inputDataFile: undefined,
        },
      },
    } as const;
    await repository.runWarmup('m', {
      samples: [sample],
      signal: new AbortController().signal,
      onIteration: ({ instanceName, iteration, latencyNs }) => {
        expect(latencyNs).toBeGreaterThanOrEqual(0);
        seen.push(`${instanceName} ${iteration}`);
      },
    });
    expect(seen.sort()).toEqual(['m_0_0 1', 'm_0_0 2', 'm_0_0 3', 'm_0_1 1', 'm_0_1 2', 'm_0_1 3']);
    expect(repository.find('m', -1).runtime.statistics.snapshot().executionCount).toBe(0);
    const bad = { ...sample, inputs: { INPUT0: { ...sample.inputs.INPUT0, dims: [5] } } };
    await expect(
      repository.runWarmup('m', { samples: [bad], signal: new AbortController().signal }),
    ).rejects.toThrow(/failed to run warmup sample 'zeros': .*INPUT0/);
    await expect(
      repository.runWarmup('m', { samples: [sample], signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow('stopped');
  });
});

describe('a sample that says too little', () => {
  const nothing = {
    dataType: 'TYPE_INVALID',
    dims: [4],
    zeroData: undefined,
    randomData: undefined,
    inputDataFile: undefined,
  } as const;
  it.each([
    [nothing, "[request id: <id_unknown>] warmup setting expects input 'INPUT0' to have input_data_type set"],
    [{ ...nothing, zeroData: true }, "warmup setting expects input 'INPUT0' to have data_type set"],
    [
      { ...nothing, dims: [-1] },
      "warmup setting expects all variable-size dimensions are specified for input 'INPUT0'",
    ],
  ])('%j', async (input, message) => {
    const { repository } = await world.start({ files: model('m') });
    await repository.load('m');
    const samples = [{ name: 'w', batchSize: 1, count: 1, inputs: { INPUT0: input } }];
    const { signal } = new AbortController();
    await expect(
      repository.runWarmup('m', { samples, signal, onIteration: () => undefined }),
    ).rejects.toThrow(message);
  });
});
