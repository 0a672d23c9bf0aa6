// The frontend's part of a request trace: stamps of receiving and sending, and its end, which comes after the reply
// has left. Untraced requests cost one comparison.

import type { RequestTrace } from '../../inference/request-trace.ts';
import type { Exchange } from './exchange.ts';

export class CallTrace {
  readonly #exchange: Exchange;
  #trace: RequestTrace | undefined;
  /** Recorded at the end, behind what the model reports after it has answered, as in the reference; 0 = not reached. */
  #sendStartNs = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Asks the sampler; the trace to hand to the request, if there is one. */
  start(modelName: string): RequestTrace | undefined {
    const { context, receivedAtNs, req } = this.#exchange;
    if (context.tracer === undefined || receivedAtNs === 0) return undefined;
    const { traceparent, tracestate } = req.headers;
    const trace = context.tracer.start(modelName, {
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      tracestate: typeof tracestate === 'string' ? tracestate : undefined,
    });
    trace?.activity('HTTP_RECV_START', receivedAtNs);
    trace?.activity('HTTP_RECV_END', context.clock.nowNs());
    this.#trace = trace;
    return trace;
  }

  /** The core delivered a response. */
  responded(): void {
    this.#trace?.activity('INFER_RESPONSE_COMPLETE', this.#exchange.context.clock.nowNs());
  }

  sendStarts(): void {
    if (this.#trace !== undefined) this.#sendStartNs = this.#exchange.context.clock.nowNs();
  }

  /** Ends the trace once the reply has been written. Idempotent. */
  end(): void {
    const trace = this.#trace;
    if (trace === undefined) return;
    this.#trace = undefined;
    const { context, res } = this.#exchange;
    const end = (): void => {
      if (this.#sendStartNs !== 0) trace.activity('HTTP_SEND_START', this.#sendStartNs);
      trace.activity('HTTP_SEND_END', context.clock.nowNs());
      trace.end();
    };
    if (res.writableFinished || res.destroyed) end();
    else res.once('close', end);
  }
}
