// preserve_ordering: responses leave in the order in which requests were taken into batches. Every tracked request has
// a slot in a list; only the head slot may send, later ones keep their responses until the slots before are final.

import { Fifo } from '../base/fifo.ts';
import type { InferenceRequest, ResponseCallback } from '../inference/inference-request.ts';
import type { InferenceResponse } from '../inference/inference-response.ts';

interface OrderSlot {
  readonly send: ResponseCallback;
  readonly kept: { readonly response: InferenceResponse | undefined; readonly isFinal: boolean }[];
}

/**
 * Keeps the responses of requests that ran early in memory, with no bound of its own: the queue policy bounds
 * how many requests there are.
 */
export class ResponseOrderer {
  readonly #slots = new Fifo<OrderSlot>();

  /** Gives the request the last place in the order. Must be called once, before anything is answered. */
  track(request: InferenceRequest): void {
    request.interceptResponses((send) => {
      const slot: OrderSlot = { send, kept: [] };
      this.#slots.push(slot);
      return (response, isFinal) => this.#deliver(slot, response, isFinal);
    });
  }

  /** Requests whose last response has not left yet. */
  get length(): number {
    return this.#slots.length;
  }

  #deliver(slot: OrderSlot, response: InferenceResponse | undefined, isFinal: boolean): void | Promise<void> {
    if (this.#slots.peek() !== slot) {
      slot.kept.push({ response, isFinal });
      return undefined;
    }
    if (isFinal) this.#slots.shift();
    const sent = slot.send(response, isFinal);
    if (isFinal) this.#flush();
    return sent;
  }

  #flush(): void {
    for (let head = this.#slots.peek(); head !== undefined; head = this.#slots.peek()) {
      let isDone = false;
      for (const { response, isFinal } of head.kept.splice(0)) {
        if (isFinal) {
          this.#slots.shift();
          isDone = true;
        }
        void head.send(response, isFinal);
      }
      if (!isDone) return;
    }
  }
}
