// Ensembles over models that add up int32 tensors: the models, a request, and what came of it.

import type { OutputTensor } from '../inference/inference-response.ts';
import { contiguous } from '../inference/tensor-bytes.ts';
import type { EnsembleWorld } from './ensemble-world.ts';
import type { FakeScript } from './fake-backend.ts';
import type { SchedulerWorld } from './scheduler-world.ts';
import { int32Input, int32Values, type Answer } from './tensors.ts';

/** An output of datatype INT32 with `values` in `shape`. */
export function int32Output(name: string, shape: readonly number[], values: readonly number[]): OutputTensor {
  return { name, datatype: 'INT32', shape, bytes: new Uint8Array(Int32Array.from(values).buffer) };
}

/** Every requested output = the sum of all inputs, element by element, plus `offset`, after `delayMs` milliseconds. */
export const adds = (offset: number, delayMs = 0): FakeScript => ({
  delayMs,
  compute: (request) => {
    const all = request.inputs.map(({ bytes }) => int32Values(contiguous(bytes)));
    const shape = request.inputs[0]?.clientShape ?? [0];
    const sums = (all[0] ?? []).map((_, at) => all.reduce((sum, values) => sum + (values[at] ?? 0), offset));
    return request.requestedOutputs.map((name) => int32Output(name, shape, sums));
  },
});

/** Sends `value`, in shape [1], as every input of the ensemble, unless `init` says otherwise. */
export function ask(
  ensemble: SchedulerWorld,
  value: number,
  init: Parameters<SchedulerWorld['submit']>[0] = {},
): Answer {
  const names = ensemble.config.input.map(({ name }) => name);
  return ensemble.submit({ inputs: names.map((name) => int32Input(name, [1], [value])), ...init });
}

/** The first element of OUT in the first response; undefined without one. */
export function firstValue({ responses }: Answer): number | undefined {
  const bytes = responses[0]?.outputs.find(({ name }) => name === 'OUT')?.bytes;
  return bytes && int32Values(bytes)[0];
}

/** How often each model of the world executed, by its name. */
export const executions = (world: EnsembleWorld): Record<string, number> =>
  Object.fromEntries([...world.models].map(([name, { statistics }]) => [name, statistics.executionCount]));
