// A request that is traced twice: as the trace setting of the server asks for, and for the window; or for the window and for
// a load test. Neither knows of the other.

import type { ServerError } from '../../src-shared/errors.ts';
import type { RequestTrace, TraceActivity, TracedPayload } from '../inference/request-trace.ts';

/** Tensors and contexts are the first one's; its number in the window, where it has one. */
export class PairedTrace implements RequestTrace {
  readonly #set: RequestTrace;
  readonly #live: RequestTrace;
  readonly tensors: RequestTrace['tensors'];

  constructor(set: RequestTrace, live: RequestTrace) {
    this.#set = set;
    this.#live = live;
    this.tensors = set.tensors;
  }

  get windowId(): number | undefined {
    return this.#set.windowId ?? this.#live.windowId;
  }

  get context(): string | undefined {
    return this.#set.context;
  }

  activity(activity: TraceActivity, atNs: number): void {
    this.#set.activity(activity, atNs);
    this.#live.activity(activity, atNs);
  }

  customActivity(name: string, atNs: number): void {
    this.#set.customActivity(name, atNs);
    this.#live.customActivity(name, atNs);
  }

  child(modelName: string, modelVersion: string): RequestTrace {
    return new PairedTrace(
      this.#set.child(modelName, modelVersion),
      this.#live.child(modelName, modelVersion),
    );
  }

  executes(payload: TracedPayload, instanceName: string): void {
    this.#set.executes?.(payload, instanceName);
    this.#live.executes?.(payload, instanceName);
  }

  failed(error: ServerError): void {
    this.#set.failed?.(error);
    this.#live.failed?.(error);
  }

  setModel(modelName: string, modelVersion: string, requestId: string): void {
    this.#set.setModel(modelName, modelVersion, requestId);
    this.#live.setModel(modelName, modelVersion, requestId);
  }

  refused(): void {
    this.#set.refused();
    this.#live.refused();
  }

  end(): void {
    this.#set.end();
    this.#live.end();
  }
}
