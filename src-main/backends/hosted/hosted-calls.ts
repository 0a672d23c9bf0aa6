// Requests that the code of a model makes to other models: ordinary in-process requests through the ModelInvoker. When
// the code ends, what it had asked for is cancelled. (docs/reference/requests.md#requests-by-models)

import { checkedCorrelationId } from '../../inference/correlation-id.ts';
import { ChurningMap } from '../../base/churning-map.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { CorrelationId, ResponseCallback } from '../../inference/inference-request.ts';
import { InferenceRequest, InferInput } from '../../inference/inference-request.ts';
import type { InferenceResponse, ParameterValue } from '../../inference/inference-response.ts';
import { NO_PARAMETERS } from '../../inference/inference-response.ts';
import type { ModelInvoker, ModelUse } from '../../inference/model-invoker.ts';
import type { RequestTrace } from '../../inference/request-trace.ts';
import { singleResponse } from '../../inference/single-response.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import type { HostedTensor } from './hosted-code.ts';
import { hostedErrors } from './hosted-errors.ts';

/** A request that the code of a model makes to another model; `timeoutUs` 0 = none. */
export interface HostedCall {
  /** Unique within the code that calls. */
  readonly call: number;
  readonly model: string;
  /** -1 = the newest ready version. */
  readonly version: number;
  readonly id: string;
  readonly correlationId: CorrelationId;
  readonly flags: number;
  readonly priority: bigint;
  readonly timeoutUs: number;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly requestedOutputs: readonly string[];
  readonly inputs: readonly HostedTensor[];
  /** The trace that the call becomes a part of. */
  readonly trace?: RequestTrace | undefined;
}

/** `response` is undefined for a final flag alone. */
export type AnswerCall = (call: number, response: InferenceResponse | undefined, isFinal: boolean) => void;

/** How such requests reach their model, and their answers the code. */
export interface HostedCallsOptions {
  /** undefined where the model runs without a server. */
  readonly invoker: ModelInvoker | undefined;
  readonly answer: AnswerCall;
  /** The error of a call that did not reach the model; `isFound`: the model is ready. Default: as it was thrown. */
  readonly refusal?: (call: HostedCall, error: ServerError, isFound: boolean) => ServerError;
}

/**
 * One for each piece of running code, which chooses the numbers of its calls. Its owner calls `cancelAll` when
 * the code has ended.
 */
export class HostedCalls {
  readonly #options: HostedCallsOptions;
  readonly #open = new ChurningMap<number, InferenceRequest>();

  constructor(options: HostedCallsOptions) {
    this.#options = options;
  }

  /** `check` may refuse the model that was found; what it throws is the answer. */
  call(message: HostedCall, check?: (use: ModelUse) => void): void {
    const { invoker, refusal } = this.#options;
    let use: ModelUse | undefined;
    try {
      if (invoker === undefined) {
        throw hostedErrors.withoutServer();
      }
      use = invoker.use(message.model, message.version);
      check?.(use);
      const request = this.#request(message, use);
      this.#open.set(message.call, request);
      use.infer(request);
    } catch (thrown) {
      this.#open.get(message.call)?.trace?.end();
      this.#open.delete(message.call);
      use?.release();
      const error = toServerError(thrown);
      const refused = refusal?.(message, error, use !== undefined) ?? error;
      this.#options.answer(message.call, errorResponse(refused), true);
    }
  }

  /** Cancels the request; its final response still goes to the code. Does nothing for a call that is over. */
  cancel(call: number): void {
    this.#open.get(call)?.cancel();
  }

  /** Cancels every request that is under way. */
  cancelAll(): void {
    for (const request of this.#open.values()) request.cancel();
  }

  #request(message: HostedCall, use: ModelUse): InferenceRequest {
    const answer: ResponseCallback = (response, isFinal) => {
      if (isFinal) {
        this.#open.delete(message.call);
        trace?.end();
        use.release();
      }
      this.#options.answer(message.call, response, isFinal);
    };
    const trace = message.trace?.child(use.name, use.version);
    return new InferenceRequest({
      modelName: message.model,
      modelVersion: message.version,
      id: message.id,
      correlationId:
        typeof message.correlationId === 'string'
          ? checkedCorrelationId(message.correlationId)
          : message.correlationId,
      flags: message.flags,
      priority: message.priority,
      timeoutUs: message.timeoutUs,
      parameters: message.parameters,
      requestedOutputs: message.requestedOutputs,
      ...(trace === undefined ? {} : { trace }),
      inputs: message.inputs.map(
        ({ name, datatype, shape, bytes }) => new InferInput(name, datatype, shape, bytesOf(bytes)),
      ),
      onResponse: use.isDecoupled ? answer : singleResponse(answer),
    });
  }
}

function errorResponse(error: ServerError): InferenceResponse {
  return { modelName: '', modelVersion: '', id: '', parameters: NO_PARAMETERS, outputs: [], error };
}
