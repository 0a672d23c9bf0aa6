// One batch as a custom strategy sees it. Collecting may start over many times before a batch leaves; each time the
// strategy gets a fresh state into which the requests already in the batch are counted again.

import { getLogger } from '../base/log.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { CustomBatching } from './custom-batching.ts';

const log = getLogger('scheduling');

export class CustomBatch {
  readonly #strategy: CustomBatching;
  #state: unknown;
  #isStarted = false;

  constructor(strategy: CustomBatching) {
    this.#strategy = strategy;
  }

  /** Begins a walk behind the requests that are in the batch. */
  restart(requests: readonly InferenceRequest[]): void {
    this.end();
    this.#state = this.#strategy.startBatch();
    this.#isStarted = true;
    for (const request of requests) this.include(request);
  }

  /** A strategy that throws refuses the request. */
  readonly include = (request: InferenceRequest): boolean => {
    try {
      return this.#strategy.include(request, this.#state);
    } catch (thrown) {
      log.error(`custom batching strategy failed: ${String(thrown)}`, { model: request.modelName });
      return false;
    }
  };

  end(): void {
    if (this.#isStarted) this.#strategy.endBatch(this.#state);
    this.#isStarted = false;
  }
}
