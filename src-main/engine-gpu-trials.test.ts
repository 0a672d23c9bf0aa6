import { expect, test } from 'vitest';

import type { GpuTrial } from '../src-shared/contract/gpu-trial.ts';
import { EventBus } from './base/event-bus.ts';
import type { GpuPolicy } from './options/engine-options.ts';
import type { RepositoryEvents } from './repository/repository-events.ts';
import { GpuTrials } from './backends/onnxruntime/gpu-trial/gpu-trials.ts';
import type { TrialListener } from './backends/onnxruntime/gpu-trial/gpu-trials.ts';
import { useGpuTrials } from './engine-gpu-trials.ts';

const TRIAL: GpuTrial = {
  provider: 'webgpu',
  verdict: 'wrong',
  problem: undefined,
  timings: [{ batchSize: 1, cpuMs: 2, gpuMs: 1 }],
  outputs: [{ name: 'OUT', difference: 0.4, allowed: 0.01 }],
  operators: [],
};

/** What is done when `trial` of model "m" ends. */
function actsFor(policy: GpuPolicy, trial: GpuTrial, isFromFile = true): readonly string[] {
  const acts: string[] = [];
  const events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown;
  });
  events.subscribe('modelChanged', ({ id }) => acts.push(`tell ${id.name}`));
  const trials = new GpuTrials();
  let listener: TrialListener | undefined;
  trials.watch = (given) => (listener = given);
  useGpuTrials(
    policy,
    { trials, leaveOut: (model, provider, reason) => acts.push(`without ${provider}: ${reason}`) },
    {
      events,
      isFromFile: () => isFromFile,
      load: (name, options) => {
        acts.push(`load ${name} ${JSON.stringify(options)}`);
        return Promise.resolve();
      },
    },
  );
  listener?.('m', trial);
  return acts;
}

test('a GPU that answers wrongly is left out, and the model loaded again', () => {
  expect(actsFor('fallback', TRIAL)).toEqual([
    'tell m',
    expect.stringMatching(/^without webgpu: 'webgpu' answers wrongly: output 'OUT' differs .* 40 %/),
    'load m {"isForced":true}',
  ]);
});

test('with the policy "strict" it stays where its configuration puts it', () => {
  expect(actsFor('strict', TRIAL)).toEqual(['tell m']);
});

test('what a load call gave is not loaded again without the call', () => {
  expect(actsFor('fallback', TRIAL, false)).toEqual(['tell m', expect.stringMatching(/^without webgpu/)]);
});

test('a slower GPU is told of and kept', () => {
  expect(actsFor('fallback', { ...TRIAL, verdict: 'slower', outputs: [] })).toEqual(['tell m']);
});
