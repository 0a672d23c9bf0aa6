// The answers of one execution that succeeded: cut from its outputs, and sent in the order of the batch, some first where the
// rest are to wait.

import { freeMemory } from '../../base/free-memory.ts';
import type { ComputeTimes, ExecutionReporter } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { InterfacePlan } from './interface-plan.ts';
import type { RunOutput } from './job-layout.ts';
import { cutOutputs, finishRequest, makeCutters } from './request-answers.ts';

/** Cuts the outputs at once; `computeEndNs` is when that was done. Each request is answered once, by first() or rest(). */
export class ExecutionAnswers {
  readonly #requests: readonly InferenceRequest[];
  readonly #results: readonly ReturnType<typeof cutOutputs>[];
  readonly #times: ComputeTimes;
  readonly #reporter: ExecutionReporter;
  readonly #giveBack: (() => void) | undefined;
  #answered = 0;

  /** `isLarge`: the outputs lie in memory that nobody else has. */
  constructor(
    requests: readonly InferenceRequest[],
    outputs: readonly RunOutput[],
    isLarge: boolean,
    { plan, reporter, times, nowNs }: AnswerParts,
  ) {
    const cutters = makeCutters(plan, outputs, requests.length);
    this.#requests = requests;
    this.#results = requests.map((request) => cutOutputs(request, plan, cutters));
    this.#times = { ...times, computeEndNs: nowNs() };
    this.#reporter = reporter;
    this.#giveBack = isLarge ? wayBack(requests, outputs) : undefined;
  }

  /** Answers the first `count` requests. */
  first(count: number): void {
    for (; this.#answered < count; this.#answered += 1) {
      const [request, result] = [this.#requests[this.#answered], this.#results[this.#answered]];
      if (request === undefined || result === undefined) continue;
      finishRequest(request, this.#reporter, this.#times, result, this.#giveBack);
    }
  }

  /** Answers who is left, and reports the execution of `batchSize` rows: a run that went well, whoever has rows of it. */
  rest(batchSize: number): void {
    this.first(this.#requests.length);
    this.#reporter.execution(batchSize, this.#times);
  }
}

/** What answers are made with; `times` lack their end. */
export interface AnswerParts {
  readonly plan: InterfacePlan;
  readonly reporter: ExecutionReporter;
  readonly times: Omit<ComputeTimes, 'computeEndNs'>;
  /** Monotonic ns, for the end of the compute time. */
  readonly nowNs: () => number;
}

/** What frees the memory of a large result, when one request alone has it: else every few of them cost a full collection. */
function wayBack(
  requests: readonly InferenceRequest[],
  outputs: readonly RunOutput[],
): (() => void) | undefined {
  if (requests.length !== 1 || requests[0]?.stateOutputs.length !== 0) return undefined;
  return () => {
    for (const { bytes } of outputs) freeMemory(bytes.buffer as ArrayBuffer);
  };
}
