// ModelStreamInfer: any number of independent requests on one stream. Faults are messages and leave the stream open,
// unless the client asked for gRPC errors (metadata `triton_grpc_error: true`).

import { ChurningMap } from '../../base/churning-map.ts';
import type { Clock } from '../../base/clock.ts';
import type { InferenceRequest, ResponseCallback } from '../../inference/inference-request.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import { NO_PARAMETERS } from '../../inference/inference-response.ts';
import { notSingle } from '../../inference/single-response.ts';
import { decodeInferRequest } from '../../grpc-wire/infer-request-decoder.ts';
import type { MetadataMap } from './calls/call-metadata.ts';
import type { CallHandler, ServerCall } from './calls/server-call.ts';
import type { GrpcFault } from './grpc-error.ts';
import { toGrpcFault } from './grpc-error.ts';
import type { AdmittedRequest, InferContext } from './infer-context.ts';
import { admit, after, logRefusal, responseMessage } from './infer-context.ts';
import { HandlerLog } from './handler-log.ts';
import type { GrpcInferResponse } from '../../grpc-wire/infer-message.ts';
import { encodeStreamResponse } from '../../grpc-wire/infer-response-encoder.ts';
import type { GrpcInferRequest } from '../../grpc-wire/infer-message.ts';
import type { WireMessage } from '../../grpc-wire/wire-message.ts';
import type { ResponseSlot } from './response-queue.ts';
import { ResponseQueue } from './response-queue.ts';

interface StreamOptions {
  readonly maxResponsePoolSize: number;
}

/**
 * Closes once the client has half-closed and every request has sent its final response; requests still open when
 * the client goes are cancelled.
 */
export class InferStream implements CallHandler {
  readonly #context: InferContext;
  readonly #call: ServerCall;
  readonly #queue: ResponseQueue;
  /** Requests under way, with what ends their count. */
  readonly #running = new ChurningMap<InferenceRequest, () => void>();
  readonly #done: () => void;
  readonly #log = new HandlerLog('ModelStreamInferHandler');
  readonly #failsAsGrpc: boolean;
  readonly #metadata: MetadataMap;
  #isHalfClosed = false;
  #isEnded = false;

  constructor(context: InferContext, call: ServerCall, options: StreamOptions) {
    this.#context = context;
    this.#call = call;
    this.#metadata = call.metadata.map();
    this.#failsAsGrpc = this.#metadata['triton_grpc_error'] === 'true';
    this.#queue = new ResponseQueue(call, {
      maxWaitingPerRequest: options.maxResponsePoolSize,
      onIdle: () => this.#endWhenDone(),
    });
    this.#done = context.handlers.open();
  }

  onMessage(message: WireMessage): void {
    if (this.#isEnded || this.#isHalfClosed) return;
    let request: GrpcInferRequest;
    try {
      request = decodeInferRequest(message);
    } catch {
      // What cannot be read ends the reading, as the client's own end does: requests under way are answered.
      this.onHalfClose();
      return;
    }
    this.#take(request);
  }

  onHalfClose(): void {
    this.#isHalfClosed = true;
    this.#endWhenDone();
  }

  onDrain(): void {
    this.#queue.drained();
  }

  onCancelled(): void {
    const { clock, delays } = this.#context;
    this.#log.ended(!this.#isEnded);
    if (!this.#isEnded) after(clock, delays.notificationMs, () => this.#abort());
  }

  #take(message: GrpcInferRequest): void {
    if (this.#isEnded) return;
    this.#log.read();
    let slot: ResponseSlot | undefined;
    let taken: InferenceRequest | undefined;
    try {
      admit(this.#context, message, {
        metadata: this.#metadata,
        allowsDecoupled: true,
        onAdmitted: (admitted) => {
          const opened = admitted.use.isDecoupled ? this.#queue.openFree() : this.#queue.openOrdered();
          slot = opened;
          taken = admitted.request;
          taken.onRelease(() => this.#log.released());
          this.#running.set(admitted.request, this.#context.handlers.open());
          if (!admitted.use.isDecoupled) return this.#takeFirst(admitted, message, opened);
          const respond: ResponseCallback = (response, isFinal) =>
            this.#respond(admitted, message, opened, response, isFinal);
          const { clock, delays } = this.#context;
          return delays.responseMs > 0 ? delayed(respond, clock, delays.responseMs) : respond;
        },
      });
    } catch (thrown) {
      logRefusal(message, thrown);
      if (taken !== undefined) this.#ended(taken);
      const refused = slot ?? this.#queue.openOrdered();
      const fault = toGrpcFault(thrown, 'ModelStreamInfer');
      void refused.send(
        encodeStreamResponse({ errorMessage: fault.details, response: emptyResponse(message.id) }),
      );
      refused.end();
      this.#log.written();
    }
  }

  /** The request is not under way any more. */
  #ended(request: InferenceRequest): void {
    this.#running.get(request)?.();
    this.#running.delete(request);
  }

  /**
   * The answer of a model that is not decoupled: its first response, sent with the final flag; later ones are dropped, as
   * in the reference.
   */
  #takeFirst(admitted: AdmittedRequest, message: GrpcInferRequest, slot: ResponseSlot): ResponseCallback {
    let first: InferenceResponse | undefined;
    let isFlagged = false;
    return (response, isFinal) => {
      this.#log.responded(admitted.request.responseCount, isFinal, response?.outputs);
      if (response !== undefined && first === undefined) {
        first = response;
        isFlagged = isFinal;
      }
      if (!isFinal) return undefined;
      const answer = first ?? notSingle(0);
      const wait = this.#sendResponse(admitted, message, slot, answer, isFlagged || first === undefined);
      this.#finish(admitted, slot);
      this.#log.written();
      return wait;
    };
  }

  #respond(
    admitted: AdmittedRequest,
    message: GrpcInferRequest,
    slot: ResponseSlot,
    response: InferenceResponse | undefined,
    isFinal: boolean,
  ): void | Promise<void> {
    let wait: void | Promise<void> = undefined;
    this.#log.responded(admitted.request.responseCount, isFinal, response?.outputs);
    if (response !== undefined) wait = this.#sendResponse(admitted, message, slot, response, isFinal);
    else if (isFinal && admitted.wantsEmptyFinal) {
      wait = slot.send(encodeStreamResponse({ errorMessage: '', response: finalOnly(message) }));
    }
    if (isFinal) this.#finish(admitted, slot);
    this.#log.written();
    return wait;
  }

  #finish(admitted: AdmittedRequest, slot: ResponseSlot): void {
    this.#ended(admitted.request);
    slot.end();
  }

  #sendResponse(
    admitted: AdmittedRequest,
    message: GrpcInferRequest,
    slot: ResponseSlot,
    response: InferenceResponse,
    isFinal: boolean,
  ): void | Promise<void> {
    try {
      if (response.error !== undefined) throw response.error;
      const body = responseMessage(this.#context, admitted, response);
      const parameters = new Map(body.parameters).set('triton_final_response', isFinal);
      return slot.send(encodeStreamResponse({ errorMessage: '', response: { ...body, parameters } }));
    } catch (thrown) {
      const fault = toGrpcFault(thrown, 'ModelStreamInfer');
      if (this.#failsAsGrpc) {
        this.#fail(fault);
        return undefined;
      }
      const body: GrpcInferResponse = {
        ...emptyResponse(message.id),
        modelName: message.modelName,
        modelVersion: message.modelVersion,
        parameters: new Map([['triton_final_response', isFinal]]),
      };
      return slot.send(encodeStreamResponse({ errorMessage: fault.details, response: body }));
    }
  }

  /** Ends the stream with a status; running requests are cancelled and later responses dropped. */
  #fail(fault: GrpcFault): void {
    if (this.#isEnded) return;
    this.#call.fail(fault);
    this.#abort();
    process.nextTick(() => this.#log.ended(false));
  }

  #abort(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#queue.close();
    this.#done();
    for (const [request, done] of [...this.#running]) {
      done();
      request.cancel();
    }
    this.#running.clear();
  }

  #endWhenDone(): void {
    if (!this.#isHalfClosed || this.#isEnded || this.#queue.openCount > 0) return;
    this.#isEnded = true;
    this.#done();
    this.#call.end();
    process.nextTick(() => this.#log.ended(false));
  }
}

/** Each response waits behind the one before. */
function delayed(respond: ResponseCallback, clock: Clock, delayMs: number): ResponseCallback {
  let last: Promise<void> = Promise.resolve();
  return (response, isFinal) => {
    last = last.then(() => clock.wait(delayMs)).then(() => respond(response, isFinal));
    return last;
  };
}

function emptyResponse(id: string): GrpcInferResponse {
  return { modelName: '', modelVersion: '', id, parameters: NO_PARAMETERS, outputs: [] };
}

function finalOnly(message: GrpcInferRequest): GrpcInferResponse {
  return {
    modelName: message.modelName,
    modelVersion: message.modelVersion,
    id: message.id,
    parameters: new Map([['triton_final_response', true]]),
    outputs: [],
  };
}
