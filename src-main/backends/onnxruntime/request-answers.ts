// Answering one request of an execution: its outputs, its implicit state, its statistics, its release.

import { ServerError, toServerError } from '../../../src-shared/errors.ts';
import { getLogger } from '../../base/log.ts';
import type { ComputeTimes, ExecutionReporter } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { freeMemory } from '../../base/free-memory.ts';
import { OutputCutter, clientOutput } from './batch-scatter.ts';
import type { InterfacePlan } from './interface-plan.ts';
import type { RunOutput } from './job-layout.ts';

const log = getLogger('onnxruntime');

/** One for each output that the run gave, in the order of the plan. */
export function makeCutters(
  plan: InterfacePlan,
  outputs: readonly RunOutput[],
  requestCount: number,
): OutputCutter[] {
  const cutters = plan.outputs.map((output, index) => {
    const run = outputs[index];
    return run === undefined ? undefined : new OutputCutter(output, plan, run, requestCount);
  });
  return cutters.includes(undefined)
    ? cutters.filter((cutter) => cutter !== undefined)
    : (cutters as OutputCutter[]);
}

/**
 * The request's outputs as views of the run's buffers; implicit state is handed over on the way. Every cutter is
 * advanced, asked for or not. Returns the error when an output could not be cut.
 */
export function cutOutputs(
  request: InferenceRequest,
  plan: InterfacePlan,
  cutters: readonly OutputCutter[],
): OutputTensor[] | ServerError {
  const outputs = new Array<OutputTensor>(cutters.length);
  const wanted = request.requestedOutputs;
  let count = 0;
  try {
    for (const cutter of cutters) {
      const piece = cutter.piece(request);
      const { name, datatype, config } = cutter.plan;
      if (request.stateOutputs.includes(name)) {
        request.onStateOutput?.({ name, datatype, shape: piece.dims, bytes: piece.bytes });
      }
      if (config === undefined || (wanted.length > 0 && !wanted.includes(name))) continue;
      outputs[count++] = clientOutput(cutter.plan, plan.maxBatchSize, piece);
    }
  } catch (thrown) {
    return toServerError(thrown);
  }
  outputs.length = count;
  return outputs;
}

/** Sends the final response (outputs or error), reports and releases. `giveBack` as in InferenceResponse. */
export function finishRequest(
  request: InferenceRequest,
  reporter: ExecutionReporter,
  times: ComputeTimes,
  result: readonly OutputTensor[] | ServerError,
  giveBack?: () => void,
): void {
  if (result instanceof ServerError) {
    deliver(() => request.respondError(result));
    reporter.request(request, false, times, result.code === 'CANCELLED' ? 'CANCELED' : 'BACKEND');
  } else {
    deliver(() => request.respondOutputs(result, true, undefined, giveBack));
    reporter.request(request, true, times);
  }
  request.release();
  for (const memory of request.inputMemory ?? []) freeMemory(memory);
}

/** A receiver that fails must not keep the others of its batch from their answers. */
function deliver(send: () => void | Promise<void>): void {
  try {
    const pending = send();
    if (pending instanceof Promise) pending.catch(complain);
  } catch (thrown) {
    complain(thrown);
  }
}

function complain(thrown: unknown): void {
  log.error('a response could not be delivered', { error: toServerError(thrown).message });
}
