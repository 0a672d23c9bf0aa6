// The `iterative_sequence` backend: INPUT n is answered n-1, then the request is given back to the scheduler to run
// again, until 0 has been answered. One request thus streams n responses, one each half second. Parameter:
// execute_delay_ms.
// (docs/reference/sequences.md#iterative)

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { getLogger } from '../../base/log.ts';
import type { Backend, ModelLoadContext } from '../../inference/backend.ts';
import type { ComputeTimes, Payload } from '../../inference/execution.ts';
import {
  SEQUENCE_START,
  type CorrelationId,
  type InferenceRequest,
} from '../../inference/inference-request.ts';
import { numberParameter, teachingBackend, type TeachingInstance } from '../teaching/teaching-backend.ts';
import { int32Output, int32Values, needInput } from '../teaching/teaching-tensors.ts';

const log = getLogger('backends');

/** What one step takes in the reference. */
const STEP_MS = 500;

const description = describeBackend({
  name: 'iterative_sequence',
  title: 'Iterative sequence',
  summary: 'Counts down from INPUT, one response and one rescheduling per step.',
  parameters: [{ name: 'execute_delay_ms', summary: 'Milliseconds that each step takes; default 500.' }],
});

/** INPUT and OUTPUT INT32; needs iterative sequences in the configuration. */
export const iterativeSequenceBackend: Backend = teachingBackend(description, (context) =>
  Promise.resolve((spec) => new IterativeInstance(context, spec.name)),
);

class IterativeInstance implements TeachingInstance {
  readonly #context: ModelLoadContext;
  readonly #remaining = new Map<CorrelationId, number>();

  readonly #name: string;

  constructor(context: ModelLoadContext, name: string) {
    this.#context = context;
    this.#name = name;
  }

  async execute(payload: Payload): Promise<void> {
    const { clock, reporter, config } = this.#context;
    const computeStartNs = clock.nowNs();
    log.info(`model ${config.name}, instance ${this.#name}, executing ${payload.requests.length} requests`);
    await clock.wait(numberParameter(config, 'execute_delay_ms', STEP_MS));
    const endNs = clock.nowNs();
    const times: ComputeTimes = {
      computeStartNs,
      computeInputEndNs: computeStartNs,
      computeOutputStartNs: endNs,
      computeEndNs: endNs,
    };
    let hasSuccess = false;
    for (const request of payload.requests) {
      if (this.#step(request, times)) hasSuccess = true;
    }
    if (hasSuccess) reporter.execution(payload.batchSize, times);
  }

  /** One run of a request; false when it failed. */
  #step(request: InferenceRequest, times: ComputeTimes): boolean {
    if (request.isNull) {
      request.release();
      return true;
    }
    const { reporter, config } = this.#context;
    const id = request.correlationId;
    try {
      const input = needInput(request, 'INPUT');
      const isStart = (request.flags & SEQUENCE_START) !== 0;
      const before = isStart ? int32Values(input)[0] : this.#remaining.get(id);
      const remaining = (before ?? 0) - 1;
      const output = int32Output('OUTPUT', config.maxBatchSize > 0 ? [1, 1] : [1], [remaining]);
      if (remaining > 0) {
        this.#remaining.set(id, remaining);
        // Checked before the response: a scheduler that cannot run it again turns the request into an error.
        if (request.canReschedule) void request.respondOutputs([output], false);
        request.release({ reschedule: true });
        return true;
      }
      this.#remaining.delete(id);
      reporter.request(request, true, times);
      void request.respondOutputs([output], true);
      request.release();
      return true;
    } catch (thrown) {
      this.#remaining.delete(id);
      reporter.request(request, false, times, 'BACKEND');
      void request.respondError(toServerError(thrown));
      request.release();
      return false;
    }
  }
}
