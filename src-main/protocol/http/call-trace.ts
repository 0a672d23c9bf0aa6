// The frontend's part of a request trace: stamps of receiving and sending, and its end, which comes after the reply
// has left. Untraced requests cost one comparison.

import { toServerError } from '../../../src-shared/errors.ts';
import type { RequestTrace } from '../../inference/request-trace.ts';
import type { InferExchange } from './infer-exchange.ts';

/**
 * For one inference exchange. `receivedAtNs` 0 means that tracing was off when it came: no trace then, whatever
 * is set since.
 */
export class CallTrace {
  readonly #exchange: InferExchange;
  #trace: RequestTrace | undefined;
  /** Recorded at the end, behind what the model reports after it has answered, as in the reference; 0 = not reached. */
  #sendStartNs = 0;
  #isSentInParts: boolean;
  /** A request that is refused gets a reply, but none that its trace knows of, as in the reference. */
  #hasResponded = false;

  /** `isStream`: the reply has as many parts as there are responses, none included. */
  constructor(exchange: InferExchange, isStream = false) {
    this.#exchange = exchange;
    this.#isSentInParts = isStream;
  }

  /** The one that `start` made and nobody ended. */
  get trace(): RequestTrace | undefined {
    return this.#trace;
  }

  /** Asks the sampler; the trace to hand to the request, if there is one. */
  start(modelName: string): RequestTrace | undefined {
    const { context, receivedAtNs } = this.#exchange;
    if (context.tracer === undefined || receivedAtNs === 0) return undefined;
    const trace = context.tracer.start(modelName, {
      traceparent: this.#exchange.header('traceparent'),
      tracestate: this.#exchange.header('tracestate'),
    });
    trace?.activity('HTTP_RECV_START', receivedAtNs);
    trace?.activity('HTTP_RECV_END', context.clock.nowNs());
    this.#trace = trace;
    return trace;
  }

  /** The core delivered a response, or the flag that none follows. */
  responded(): void {
    this.#hasResponded = true;
    this.#trace?.activity('INFER_RESPONSE_COMPLETE', this.#exchange.context.clock.nowNs());
  }

  /** Stamps the begin of the next `sent`; without a trace it does nothing. */
  sendStarts(): void {
    if (this.#trace !== undefined) this.#sendStartNs = this.#exchange.context.clock.nowNs();
  }

  /** One of several parts of the reply was written, since `sendStarts`. */
  sent(): void {
    this.#trace?.activity('HTTP_SEND_START', this.#sendStartNs);
    this.#trace?.activity('HTTP_SEND_END', this.#exchange.context.clock.nowNs());
    this.#isSentInParts = true;
  }

  /** The reply is this error. */
  failed(thrown: unknown): void {
    if (this.#trace?.failed !== undefined) this.#trace.failed(toServerError(thrown));
  }

  /** Ends the trace once the reply has been written. Idempotent. */
  end(): void {
    const trace = this.#trace;
    if (trace === undefined) return;
    this.#trace = undefined;
    const { clock } = this.#exchange.context;
    // Errors are sent whole: their sending begins here.
    const sendStartNs = this.#sendStartNs === 0 ? clock.nowNs() : this.#sendStartNs;
    this.#exchange.whenSent(() => {
      if (this.#hasResponded && !this.#isSentInParts) {
        trace.activity('HTTP_SEND_START', sendStartNs);
        trace.activity('HTTP_SEND_END', clock.nowNs());
      }
      trace.end();
    });
  }
}
