// The hook through which the parts of a request's life report to tracing. The sampler that decides whether a request
// has a trace, and the writers of trace files, live elsewhere; untraced requests carry no object at all.

import type { DataType } from '../../src-shared/datatypes.ts';
import type { ServerError } from '../../src-shared/errors.ts';

/** Activity names as they stand in Triton's trace files (docs/reference/statistics.md#names-in-traces). */
export type TraceActivity =
  | 'HTTP_RECV_START'
  | 'HTTP_RECV_END'
  | 'HTTP_SEND_START'
  | 'HTTP_SEND_END'
  | 'GRPC_WAITREAD_START'
  | 'GRPC_WAITREAD_END'
  | 'GRPC_SEND_START'
  | 'GRPC_SEND_END'
  | 'REQUEST_START'
  | 'QUEUE_START'
  | 'COMPUTE_START'
  | 'COMPUTE_INPUT_END'
  | 'COMPUTE_OUTPUT_START'
  | 'COMPUTE_END'
  | 'REQUEST_END'
  | 'INFER_RESPONSE_COMPLETE';

/**
 * A tensor as the client knows it, with the batch dimension. `bytes` is lent for the call: a writer that keeps
 * it copies it.
 */
export interface TracedTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Requests that run together, as far as a trace is concerned. Another object for each run. */
export interface TracedPayload {
  readonly requests: { readonly length: number };
  /** Rows of all of them. */
  readonly batchSize: number;
  /** A word of BatchCloseReason. */
  readonly closeReason: string;
}

/** The trace of one sampled request, written to by every room on its way. */
export interface RequestTrace {
  /** `atNs` is monotonic (Clock.nowNs). */
  activity(activity: TraceActivity, atNs: number): void;
  /**
   * A step of a backend, under any name. As a span it lasts from `<name>_START` to the next name that ends in `_END`;
   * any other name is an event.
   */
  customActivity(name: string, atNs: number): void;
  /** Present when the trace level includes tensors. */
  readonly tensors:
    | ((kind: 'TENSOR_QUEUE_INPUT' | 'TENSOR_BACKEND_OUTPUT', tensor: TracedTensor, atNs: number) => void)
    | undefined;
  /** A trace for a request made on behalf of this one (ensemble step). */
  child(modelName: string, modelVersion: string): RequestTrace;
  /** W3C context of the model's span as JSON text, for backends; undefined unless contexts are propagated. */
  readonly context?: string | undefined;
  /** The model that runs, known after lookup. */
  setModel(modelName: string, modelVersion: string, requestId: string): void;
  /** Its number in the window; missing where the window does not trace it. */
  readonly windowId?: number | undefined;
  /** An instance begins to run it together with the other requests of the payload. Missing where nobody wants to know. */
  readonly executes?: ((payload: TracedPayload, instanceName: string) => void) | undefined;
  /** It was answered with this error, or refused with it. Missing where nobody wants to know. */
  readonly failed?: ((error: ServerError) => void) | undefined;
  /** The model took the request and refuses it: there is no REQUEST_END to wait for. */
  refused(): void;
  /** No further activity follows; the trace may be written. Called by whoever asked for the trace or made the child. */
  end(): void;
}
