// What the engine tells the playground: an interface, answers, outputs.

import type { ModelInterface, PlaygroundResult } from '../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';

/** One FP32 input X [4] and one FP32 output Y [2], without batches. */
export function fakeInterface(changes: Partial<ModelInterface> = {}): ModelInterface {
  return {
    inputs: [{ name: 'X', datatype: 'FP32', shape: [4], optional: false, imageLayout: '' }],
    outputs: [{ name: 'Y', datatype: 'FP32', shape: [2], hasLabels: false }],
    maxBatchSize: 0,
    isSequence: false,
    sequenceIdleMs: 0,
    isDecoupled: false,
    ...changes,
  };
}

/** An output whose first values are `preview`, as FP32 [n] in the blob "blob-<name>". */
export function fakeOutput(name: string, preview: readonly string[]): PlaygroundOutput {
  return {
    ...{ name, datatype: 'FP32', shape: [preview.length], byteSize: preview.length * 4 },
    ...{ preview, blob: `blob-${name}`, stats: undefined, classes: [] },
  } as PlaygroundOutput;
}

/** An answer with Y = [1, 2] in 5 ms. */
export function fakeResult(changes: Partial<PlaygroundResult> = {}): PlaygroundResult {
  return {
    ...{
      ok: true,
      status: 200,
      statusText: 'OK',
      error: undefined,
      explanation: undefined,
      faultyInput: undefined,
    },
    responses: [{ outputs: [fakeOutput('Y', ['1', '2'])], error: undefined }],
    ...{ headers: [], rawHead: '', requestByteSize: 100, responseByteSize: 200, totalMs: 5 },
    ...{ timing: [], batchSize: undefined, modelVersion: '1' },
    ...changes,
  };
}

/** The server refused it in these words. */
export function fakeRefusal(error: string, changes: Partial<PlaygroundResult> = {}): PlaygroundResult {
  return fakeResult({ ok: false, status: 400, statusText: 'Bad Request', error, responses: [], ...changes });
}
