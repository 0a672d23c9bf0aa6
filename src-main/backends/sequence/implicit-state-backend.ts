// The `implicit_state` backend: the accumulator lives in the implicit state the scheduler carries between requests.
// INPUT and the optional TEST_CASE -> OUTPUT = state + INPUT, INT32. TEST_CASE selects what is shown of the state rules:
//   0 stores a state the configuration does not have     1 never updates the state
//   2 updates the state in the buffer it was given       3 asks for growable memory, which only GPUs have
//   4 appends to the state at every request (of our own)
// Any other value, or none, accumulates. (docs/reference/sequences.md#state)

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import type { Backend } from '../../inference/backend.ts';
import type { InferenceRequest, InferInput } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { contiguous } from '../../inference/tensor-bytes.ts';
import { EXECUTE_DELAY, numberParameter, runBatch, teachingBackend } from '../teaching/teaching-backend.ts';
import { teachingErrors } from '../teaching/teaching-errors.ts';
import { findInput, int32Output, int32Values, needInput } from '../teaching/teaching-tensors.ts';

const UNKNOWN_STATE = 0;
const NO_UPDATE = 1;
const SAME_BUFFER = 2;
const GROWABLE_MEMORY = 3;
const GROWING = 4;

const description = describeBackend({
  name: 'implicit_state',
  title: 'Implicit state',
  summary: 'Adds up the inputs of a sequence in the implicit state that the scheduler carries.',
  parameters: [EXECUTE_DELAY],
});

/** INPUT and OUTPUT INT32; needs a state in the configuration. */
export const implicitStateBackend: Backend = teachingBackend(description, (context) => {
  const { config } = context;
  const [state] = config.sequenceBatching?.state ?? [];
  const delayMs = numberParameter(config, 'execute_delay_ms', 0);
  return Promise.resolve(() => ({
    execute: (payload) =>
      runBatch(context, payload, {
        delayMs,
        compute: (request) => {
          if (request.isNull) return [];
          const testCase = readTestCase(request);
          if (testCase === GROWABLE_MEMORY) {
            throw teachingErrors.growableMemory();
          }
          if (state === undefined || testCase === UNKNOWN_STATE) {
            store(request, int32Output('undefined_state', [1], [0]));
            return [];
          }
          const current = needInput(request, state.inputName);
          const values = int32Values(current);
          const sum = int32Values(needInput(request, 'INPUT')).reduce((total, value) => total + value, 0);
          const total = (values.at(-1) ?? 0) + sum;
          const next = nextState(state.outputName, current, total, testCase);
          if (next !== undefined) store(request, next);
          const shape = needInput(request, 'INPUT').shapeWithBatch;
          const count = shape.reduce((product, dim) => product * dim, 1);
          const outputs = [int32Output('OUTPUT', shape, new Int32Array(count).fill(total))];
          if (next !== undefined) outputs.push(next);
          return outputs.filter(({ name }) => request.requestedOutputs.includes(name));
        },
      }),
  }));
});

function readTestCase(request: InferenceRequest): number | undefined {
  const input = findInput(request, 'TEST_CASE');
  return input && int32Values(input)[0];
}

function store(request: InferenceRequest, output: OutputTensor): void {
  if (request.onStateOutput === undefined) {
    throw teachingErrors.withoutState({ state: output.name, model: request.modelName });
  }
  request.onStateOutput(output);
}

function nextState(
  name: string,
  current: InferInput,
  total: number,
  testCase: number | undefined,
): OutputTensor | undefined {
  const shape = current.shapeWithBatch;
  const values = int32Values(current);
  if (testCase === NO_UPDATE) return undefined;
  if (testCase === GROWING) {
    const grown = [...shape.slice(0, -1), (shape.at(-1) ?? 0) + 1];
    return int32Output(name, grown, [...values, total]);
  }
  if (testCase === SAME_BUFFER) {
    const bytes = contiguous(current.bytes);
    new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setInt32(
      bytes.byteLength - 4,
      total,
      true,
    );
    return { name, datatype: 'INT32', shape, bytes };
  }
  return int32Output(name, shape, new Int32Array(values.length).fill(total));
}
