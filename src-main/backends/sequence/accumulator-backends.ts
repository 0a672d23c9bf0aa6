// The `sequence` backend keeps one accumulator per batch row, for the direct strategy; `dyna_sequence` keeps one per
// correlation id, for the oldest strategy, and adds the id at END. INPUT -> OUTPUT, INT32 [-1]: every output element
// is the accumulator. Parameter: execute_delay_ms.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import type { Backend, ModelLoadContext } from '../../inference/backend.ts';
import type { CorrelationId, InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { clientOutputShape } from '../../inference/output-shape.ts';
import { EXECUTE_DELAY, numberParameter, runBatch, teachingBackend } from '../teaching/teaching-backend.ts';
import {
  int32Output,
  int32Values,
  needInput,
  readControl,
  readCorrelationId,
} from '../teaching/teaching-tensors.ts';

const sequenceDescription = describeBackend({
  name: 'sequence',
  title: 'Sequence',
  summary: 'Adds up the inputs of a sequence, one accumulator per batch row: for the direct strategy.',
  parameters: [EXECUTE_DELAY],
});

const dynaSequenceDescription = describeBackend({
  name: 'dyna_sequence',
  title: 'Dynamic sequence',
  summary: 'Adds up the inputs of a sequence, one accumulator per correlation id: for the oldest strategy.',
  parameters: [EXECUTE_DELAY],
});

/** INPUT and OUTPUT INT32; START and READY are control inputs of the direct strategy. */
export const sequenceBackend: Backend = teachingBackend(sequenceDescription, (context) => {
  const { config } = context;
  const delayMs = numberParameter(config, 'execute_delay_ms', 0);
  return Promise.resolve(() => {
    const accumulators = new Map<number, number>();
    return {
      execute: (payload) =>
        runBatch(context, payload, {
          delayMs,
          compute: (request, row) => {
            if (!readControl(config, request, 'CONTROL_SEQUENCE_READY', true)) return [];
            const isStart = readControl(config, request, 'CONTROL_SEQUENCE_START', false);
            const before = isStart ? 0 : (accumulators.get(row) ?? 0);
            const value = before + inputSum(request);
            accumulators.set(row, value);
            return accumulatorOutput(context, request, value);
          },
        }),
    };
  });
});

/** INPUT and OUTPUT INT32; an accumulator lives until the END of its correlation id. */
export const dynaSequenceBackend: Backend = teachingBackend(dynaSequenceDescription, (context) => {
  const { config } = context;
  const delayMs = numberParameter(config, 'execute_delay_ms', 0);
  const accumulators = new Map<CorrelationId, number>();
  return Promise.resolve(() => ({
    execute: (payload) =>
      runBatch(context, payload, {
        delayMs,
        compute: (request) => {
          if (!readControl(config, request, 'CONTROL_SEQUENCE_READY', true)) return [];
          const id = readCorrelationId(config, request);
          const isStart = readControl(config, request, 'CONTROL_SEQUENCE_START', false);
          const isEnd = readControl(config, request, 'CONTROL_SEQUENCE_END', false);
          const before = isStart ? 0 : (accumulators.get(id) ?? 0);
          const value = before + inputSum(request) + (isEnd ? idNumber(id) : 0);
          if (isEnd) accumulators.delete(id);
          else accumulators.set(id, value);
          return accumulatorOutput(context, request, value);
        },
      }),
  }));
});

function inputSum(request: InferenceRequest): number {
  return int32Values(needInput(request, 'INPUT')).reduce((sum, value) => sum + value, 0);
}

/** Text ids count by the number they spell, else as 0. */
function idNumber(id: CorrelationId): number {
  const value = Number(id);
  return Number.isNaN(value) ? 0 : value;
}

function accumulatorOutput(
  { config }: ModelLoadContext,
  request: InferenceRequest,
  value: number,
): OutputTensor[] {
  if (!request.requestedOutputs.includes('OUTPUT')) return [];
  const { shapeWithBatch } = needInput(request, 'INPUT');
  const count = shapeWithBatch.reduce((product, dim) => product * dim, 1);
  const shape = clientOutputShape(config, 'OUTPUT', shapeWithBatch);
  return [int32Output('OUTPUT', shape, new Int32Array(count).fill(value))];
}
