// The `square` backend, decoupled: IN = n is answered with n responses OUT = n, then the final flag alone. Parameters
// CUSTOM_INFER_DELAY_NS, CUSTOM_OUTPUT_DELAY_NS and CUSTOM_CANCEL_DELAY_NS time each response, CUSTOM_FAIL_COUNT and
// CUSTOM_EMPTY_COUNT turn the last ones into failures and empties. Every response is reported for response statistics.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { Backend, ModelLoadContext } from '../../inference/backend.ts';
import type { ComputeTimes, Payload, ResponseReport } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import { ResponseSender } from '../../inference/response-sender.ts';
import { numberParameter, teachingBackend, type TeachingInstance } from '../teaching/teaching-backend.ts';
import { teachingErrors } from '../teaching/teaching-errors.ts';
import { int32Output, int32Values, needInput } from '../teaching/teaching-tensors.ts';

const description = describeBackend({
  name: 'square',
  title: 'Square',
  summary: 'Decoupled: answers IN = n with n responses. For tests and demonstrations.',
  parameters: [
    { name: 'CUSTOM_INFER_DELAY_NS', summary: 'Nanoseconds of inference for each response; default 0.' },
    { name: 'CUSTOM_OUTPUT_DELAY_NS', summary: 'Nanoseconds of output for each response; default 0.' },
    { name: 'CUSTOM_CANCEL_DELAY_NS', summary: 'Nanoseconds until a cancellation is noticed; default 0.' },
    { name: 'CUSTOM_FAIL_COUNT', summary: 'The last so many responses are errors; default 0.' },
    { name: 'CUSTOM_EMPTY_COUNT', summary: 'So many responses are empty; default 0.' },
  ],
});

/** IN and OUT INT32; delays are nanoseconds. */
export const squareBackend: Backend = teachingBackend(description, (context) =>
  Promise.resolve(() => new SquareInstance(context)),
);

/** When a response was begun, and when its outputs were; the second absent = now. */
interface ResponseTimes {
  readonly startNs: number;
  readonly inferEndNs?: number;
}

class SquareInstance implements TeachingInstance {
  readonly #context: ModelLoadContext;
  readonly #inferDelayMs: number;
  readonly #outputDelayMs: number;
  readonly #cancelDelayMs: number;
  readonly #failCount: number;
  readonly #emptyCount: number;

  constructor(context: ModelLoadContext) {
    this.#context = context;
    const milliseconds = (key: string): number => numberParameter(context.config, key, 0) / 1e6;
    this.#inferDelayMs = milliseconds('CUSTOM_INFER_DELAY_NS');
    this.#outputDelayMs = milliseconds('CUSTOM_OUTPUT_DELAY_NS');
    this.#cancelDelayMs = milliseconds('CUSTOM_CANCEL_DELAY_NS');
    this.#failCount = numberParameter(context.config, 'CUSTOM_FAIL_COUNT', 0);
    this.#emptyCount = numberParameter(context.config, 'CUSTOM_EMPTY_COUNT', 0);
  }

  async execute(payload: Payload): Promise<void> {
    const { clock, reporter } = this.#context;
    const computeStartNs = clock.nowNs();
    const outcomes = await Promise.all(payload.requests.map((request) => this.#answer(request)));
    const endNs = clock.nowNs();
    const times: ComputeTimes = {
      computeStartNs,
      computeInputEndNs: computeStartNs,
      computeOutputStartNs: endNs,
      computeEndNs: endNs,
    };
    payload.requests.forEach((request, index) => {
      const isSuccess = outcomes[index] === true;
      reporter.request(request, isSuccess, times, isSuccess ? undefined : 'BACKEND');
      request.release();
    });
    if (outcomes.includes(true)) reporter.execution(payload.batchSize, times);
  }

  /** Resolves to whether the request counts as a success. */
  async #answer(request: InferenceRequest): Promise<boolean> {
    const sender = new ResponseSender(request);
    try {
      const count = int32Values(needInput(request, 'IN'))[0] ?? 0;
      let startNs = this.#context.clock.nowNs();
      for (let index = 0; index < count; index += 1) {
        startNs = this.#context.clock.nowNs();
        if (!(await this.#respond(request, sender, index, count))) return false;
      }
      // The last of the empties is the final flag itself; without empties it is a response of its own.
      const isLastEmpty = this.#emptyCount > 0 && count > 0;
      if (!isLastEmpty) startNs = this.#context.clock.nowNs();
      const sent = sender.end();
      this.#report(request, isLastEmpty ? count - 1 : count, 'empty', { startNs });
      await sent;
      return true;
    } catch (thrown) {
      if (!sender.isEnded) await sender.fail(toServerError(thrown));
      return false;
    }
  }

  /** Response number `index` of `count`; false when the request was cancelled and has been answered. */
  async #respond(
    request: InferenceRequest,
    sender: ResponseSender,
    index: number,
    count: number,
  ): Promise<boolean> {
    const { clock, config } = this.#context;
    const startNs = clock.nowNs();
    if (request.isCancelled) {
      await clock.wait(this.#cancelDelayMs);
      this.#report(request, index, 'cancel', { startNs });
      await sender.fail(teachingErrors.cancelled({ prefix: request.logPrefix }));
      return false;
    }
    await clock.wait(this.#inferDelayMs);
    const inferEndNs = clock.nowNs();
    if (index >= count - this.#emptyCount) {
      if (index < count - 1) this.#report(request, index, 'empty', { startNs, inferEndNs });
      return true;
    }
    await clock.wait(this.#outputDelayMs);
    const isFailure = index >= count - this.#emptyCount - this.#failCount;
    this.#report(request, index, isFailure ? 'fail' : 'success', { startNs, inferEndNs });
    if (isFailure) await sender.fail(teachingErrors.simulated(), { isFinal: false });
    else {
      const shape = config.maxBatchSize > 0 ? [1, 1] : [1];
      await sender.send([int32Output('OUT', shape, [count])], { isFinal: false });
    }
    return true;
  }

  #report(
    request: InferenceRequest,
    index: number,
    kind: ResponseReport['kind'],
    { startNs, inferEndNs = this.#context.clock.nowNs() }: ResponseTimes,
  ): void {
    const outputNs = this.#context.clock.nowNs() - inferEndNs;
    this.#context.reporter.response(request, { index, kind, inferNs: inferEndNs - startNs, outputNs });
  }
}
