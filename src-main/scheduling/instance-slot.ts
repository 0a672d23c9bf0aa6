// One active instance as schedulers see it: its own payload queue, whether it is busy, and its counters. State is
// changed by the InstanceGroup and the rate limiter only.

import type { ModelRateLimiter } from '../../src-shared/config/model-config.ts';
import { Fifo } from '../base/fifo.ts';
import type { InstanceSpec, ModelInstance } from '../inference/backend.ts';
import type { BatchPayload } from './batch-payload.ts';

/** `prepared`: it has not joined its group yet. `staged`: its payload waits for resources of the rate limiter. */
export type SlotState = 'prepared' | 'idle' | 'staged' | 'busy' | 'removed';

/**
 * `startedAtNs` and `finishedBusyNs` are nanoseconds of the server's clock: when the current payload began, and
 * how long finished ones took together.
 */
export class InstanceSlot {
  readonly instance: ModelInstance;
  readonly rateLimiter: ModelRateLimiter | undefined;
  state: SlotState = 'prepared';
  /** Payloads for this instance alone (sequence batchers). */
  readonly queue = new Fifo<BatchPayload>();
  /** The payload that runs now, or waits for resources. */
  current: BatchPayload | undefined;
  /** No new work from the shared queue; leaves once idle, empty and unheld. */
  isRemoving = false;
  /** Finished payloads, and one each for initialisation and warm-up (rate limiter priority). */
  executionCount = 0;
  #preparationCount = 0;
  startedAtNs = 0;
  finishedBusyNs = 0;
  #holdCount = 0;
  onUnheld: (() => void) | undefined;

  constructor(instance: ModelInstance, rateLimiter: ModelRateLimiter | undefined) {
    this.instance = instance;
    this.rateLimiter = rateLimiter;
  }

  /** Its preparations are over and count as that many executions. */
  startCounting(preparationCount: number): void {
    this.#preparationCount = preparationCount;
    this.executionCount = preparationCount;
  }

  /** Finished payloads alone. */
  get payloadCount(): number {
    return this.executionCount - this.#preparationCount;
  }

  /** Name, device and profile of the instance; never changes. */
  get spec(): InstanceSpec {
    return this.instance.spec;
  }

  /** Nanoseconds spent executing until `nowNs`. */
  busyNs(nowNs: number): number {
    return this.finishedBusyNs + (this.state === 'busy' ? nowNs - this.startedAtNs : 0);
  }

  /** A live sequence keeps its instance: removal waits until every hold is given back. */
  hold(): void {
    this.#holdCount += 1;
  }

  /** Gives one hold back; removal goes on with the last. */
  unhold(): void {
    this.#holdCount -= 1;
    if (this.#holdCount === 0) this.onUnheld?.();
  }

  /** A live sequence needs the instance. */
  get isHeld(): boolean {
    return this.#holdCount > 0;
  }
}
