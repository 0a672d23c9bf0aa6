// The `repeat` backend, decoupled: element i of IN is answered after DELAY[i] ms with OUT = IN[i] and IDX = i, then the
// final flag follows alone. execute() returns after WAIT ms while responses go on.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { formatShape } from '../../../src-shared/tensor/shape.ts';
import type { Backend, ModelLoadContext } from '../../inference/backend.ts';
import type { ComputeTimes, Payload } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import { ResponseSender } from '../../inference/response-sender.ts';
import { teachingBackend, type TeachingInstance } from '../teaching/teaching-backend.ts';
import { teachingErrors } from '../teaching/teaching-errors.ts';
import { int32Output, int32Values, needInput, uint32Values } from '../teaching/teaching-tensors.ts';

const description = describeBackend({
  name: 'repeat',
  title: 'Repeat',
  summary:
    'Decoupled: answers each element of IN after the DELAY that belongs to it. For tests and demonstrations.',
});

/** IN INT32, DELAY and WAIT UINT32, in milliseconds; one response for each element of IN. */
export const repeatBackend: Backend = teachingBackend(description, (context) =>
  Promise.resolve(() => new RepeatInstance(context)),
);

/** Everything a request asks for; read before the request is released. */
interface Repetition {
  readonly values: Int32Array;
  readonly delaysMs: Uint32Array;
  readonly waitMs: number;
}

class RepeatInstance implements TeachingInstance {
  readonly #context: ModelLoadContext;
  readonly #streams = new Set<Promise<void>>();

  constructor(context: ModelLoadContext) {
    this.#context = context;
  }

  async execute(payload: Payload): Promise<void> {
    const { clock, reporter } = this.#context;
    const computeStartNs = clock.nowNs();
    const started = payload.requests.map((request) => this.#start(request));
    await clock.wait(Math.max(0, ...started.map(({ waitMs }) => waitMs)));
    const endNs = clock.nowNs();
    const times: ComputeTimes = {
      computeStartNs,
      computeInputEndNs: computeStartNs,
      computeOutputStartNs: endNs,
      computeEndNs: endNs,
    };
    for (const { request, isValid } of started) {
      reporter.request(request, isValid, times, isValid ? undefined : 'BACKEND');
      request.release();
    }
    if (started.some(({ isValid }) => isValid)) reporter.execution(payload.batchSize, times);
  }

  async close(): Promise<void> {
    await Promise.all(this.#streams);
  }

  #start(request: InferenceRequest): { request: InferenceRequest; isValid: boolean; waitMs: number } {
    const sender = new ResponseSender(request);
    let repetition: Repetition;
    try {
      repetition = readRepetition(request);
    } catch (thrown) {
      void sender.fail(toServerError(thrown));
      return { request, isValid: false, waitMs: 0 };
    }
    const stream = this.#stream(request, sender, repetition).finally(() => this.#streams.delete(stream));
    this.#streams.add(stream);
    return { request, isValid: true, waitMs: repetition.waitMs };
  }

  async #stream(request: InferenceRequest, sender: ResponseSender, work: Repetition): Promise<void> {
    const { clock, config } = this.#context;
    const shape = config.maxBatchSize > 0 ? [1, 1] : [1];
    for (const [index, value] of work.values.entries()) {
      await clock.wait(work.delaysMs[index] ?? 0);
      if (request.isCancelled) {
        await sender.fail(teachingErrors.cancelled({ prefix: request.logPrefix }));
        return;
      }
      const outputs = [int32Output('OUT', shape, [value]), idxOutput(shape, index)];
      await sender.send(
        outputs.filter(({ name }) => request.requestedOutputs.includes(name)),
        { isFinal: false },
      );
    }
    await sender.end();
  }
}

function idxOutput(shape: readonly number[], index: number): ReturnType<typeof int32Output> {
  return { ...int32Output('IDX', shape, [index]), datatype: 'UINT32' };
}

function readRepetition(request: InferenceRequest): Repetition {
  const values = needInput(request, 'IN');
  const delays = needInput(request, 'DELAY');
  if (formatShape(values.shapeWithBatch) !== formatShape(delays.shapeWithBatch)) {
    throw teachingErrors.shapesDiffer({
      values: formatShape(values.shapeWithBatch),
      delays: formatShape(delays.shapeWithBatch),
    });
  }
  return {
    values: int32Values(values),
    delaysMs: uint32Values(delays),
    waitMs: uint32Values(needInput(request, 'WAIT'))[0] ?? 0,
  };
}
