// One request while the model's code has it: its sender, what is reported of it, its release.
// Invariant: it is reported once and released once.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { Clock } from '../../base/clock.ts';
import type { ComputeTimes, ExecutionReporter } from '../../inference/execution.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { OutputTensor } from '../../inference/inference-response.ts';
import { clientOutputShape } from '../../inference/output-shape.ts';
import { ResponseSender } from '../../inference/response-sender.ts';
import type { HostedResponse, HostedStatistics } from './hosted-code.ts';

/** One batch while the code of a model has it. `number` counts the batches of the instance; times are monotonic ns. */
export interface HostedExecution {
  readonly number: number;
  readonly batchSize: number;
  readonly requests: HostedRequest[];
  readonly computeStartNs: number;
  /** When all requests were with the code; compute times count from here. */
  handedOverNs: number;
  /** Set when execute() returned. */
  times: ComputeTimes | undefined;
  isReported: boolean;
  /** To be called once, when the code may be handed another batch in place of this one. */
  readonly done: () => void;
}

/**
 * The same for all requests of an instance. `isDecoupled`: any number of responses is fine; else exactly one is
 * owed.
 */
export interface HostedRequestContext {
  readonly config: ModelConfig;
  readonly clock: Clock;
  readonly reporter: ExecutionReporter;
  readonly isDecoupled: boolean;
  readonly statistics: HostedStatistics;
}

/**
 * `key` is what the code calls it. The compute time of each response counts from the response before it, as in
 * Triton's response statistics.
 */
export class HostedRequest {
  readonly key: number;
  readonly sender: ResponseSender;
  hasFailed = false;
  readonly #request: InferenceRequest;
  readonly #execution: HostedExecution;
  readonly #context: HostedRequestContext;
  #offCancel: (() => void) | undefined;
  #lastResponseNs: number;
  #isReported = false;
  #isReleaseDue = false;

  constructor(
    key: number,
    request: InferenceRequest,
    execution: HostedExecution,
    context: HostedRequestContext,
  ) {
    this.key = key;
    this.#request = request;
    this.#execution = execution;
    this.#context = context;
    this.#lastResponseNs = execution.computeStartNs;
    this.sender = new ResponseSender(request);
  }

  /** Calls `listener` once on cancellation, at once if it already happened. */
  onCancel(listener: () => void): void {
    this.#offCancel = this.#request.onCancel(listener);
  }

  /** The outputs the client asked for; implicit state goes to the scheduler. */
  outputsOf(response: HostedResponse): OutputTensor[] {
    const request = this.#request;
    const outputs: OutputTensor[] = [];
    for (const { name, datatype, shape, bytes } of response.outputs) {
      if (request.stateOutputs.includes(name)) request.onStateOutput?.({ name, datatype, shape, bytes });
      if (!request.requestedOutputs.includes(name)) continue;
      outputs.push({ name, datatype, shape: clientOutputShape(this.#context.config, name, shape), bytes });
    }
    return outputs;
  }

  /** For response statistics of decoupled models. */
  reportResponse(kind: 'success' | 'fail' | 'empty'): void {
    const { isDecoupled, statistics, clock, reporter } = this.#context;
    if (!isDecoupled || !statistics.reportsResponses) return;
    const nowNs = clock.nowNs();
    const inferNs = nowNs - this.#lastResponseNs;
    this.#lastResponseNs = nowNs;
    reporter.response(this.#request, { index: this.sender.count, kind, inferNs, outputNs: 0 });
  }

  /** Backends that count batches report a request when its batch is done, answered or not. */
  reportIfSettled(): void {
    if (!this.#context.statistics.failsByResponse) this.report();
  }

  /** What the request counts for in the statistics; the end of one that was answered before. */
  report(): void {
    if (!this.#isReported) this.#tell();
    if (this.#isReleaseDue) this.release({ reschedule: false });
  }

  #tell(): void {
    this.#isReported = true;
    const { reporter, clock } = this.#context;
    const execution = this.#execution;
    const nowNs = clock.nowNs();
    const times = execution.times ?? {
      computeStartNs: execution.computeStartNs,
      computeInputEndNs: execution.computeStartNs,
      computeOutputStartNs: nowNs,
      computeEndNs: nowNs,
    };
    reporter.request(this.#request, !this.hasFailed, times, this.hasFailed ? 'BACKEND' : undefined);
    // A filler row in front says nothing about the execution: the first request that counts does.
    const { countsBatches } = this.#context.statistics;
    const isCounted = countsBatches === 'all' || (countsBatches === 'answered' && !this.hasFailed);
    if (!isCounted || this.#request.isUncounted || execution.isReported) return;
    execution.isReported = true;
    reporter.execution(execution.batchSize, times);
  }

  /** Its final response was sent. What was answered from inside of execute() is reported when that returns, with its times. */
  finish(): void {
    this.#isReleaseDue = true;
    const { statistics } = this.#context;
    if (statistics.failsByResponse || this.#execution.times !== undefined || this.hasFailed) this.report();
  }

  /** Throws when asked to reschedule what cannot be; the request is still held then. */
  release(release: { readonly reschedule: boolean }): void {
    this.#request.release(release);
    this.#isReleaseDue = false;
    this.#offCancel?.();
  }
}
