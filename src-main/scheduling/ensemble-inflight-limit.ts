// Back-pressure between the steps of an ensemble: at most N requests of one step in flight, over all requests of the
// ensemble. Waiting is first come, first served, and never endless: after five minutes a start goes on over the limit,
// with an error in the log. (docs/reference/ensembles.md#steps-in-flight)

import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';

const LONGEST_WAIT_MS = 300_000;

const log = getLogger('scheduling');

/** The wait of one request for its turn among `max_inflight_requests`. */
export interface InflightWait {
  /** Resolves when the start may go on; the slot is taken then. Never rejects. */
  readonly done: Promise<void>;
  /** Ends the wait at once, over the limit if need be. */
  proceed(): void;
}

interface Waiter {
  readonly proceed: () => void;
  readonly timer: Timer;
}

/** For one step of one ensemble version (`max_inflight_requests`, 1 at least); the steps do not count together. */
export class InflightLimit {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #label: string;
  readonly #waiters: Waiter[] = [];
  #inflight = 0;

  /** `label` names the step in the log. */
  constructor(options: { readonly limit: number; readonly clock: Clock; readonly label: string }) {
    this.#limit = options.limit;
    this.#clock = options.clock;
    this.#label = options.label;
  }

  /** Slots that are taken, those over the limit included. For tests. */
  get inflight(): number {
    return this.#inflight;
  }

  /** Takes a slot; undefined when there was one, else the wait for it. Every slot is given back by `release`. */
  acquire(): InflightWait | undefined {
    if (this.#inflight < this.#limit && this.#waiters.length === 0) {
      this.#inflight += 1;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const proceed = (): void => {
      const at = this.#waiters.indexOf(waiter);
      if (at < 0) return;
      this.#waiters.splice(at, 1);
      waiter.timer.cancel();
      this.#inflight += 1;
      resolve();
    };
    const timer = this.#clock.after(LONGEST_WAIT_MS, () => {
      log.error(
        `${this.#label} waited ${LONGEST_WAIT_MS / 1000} s for a free in-flight slot and goes on without one`,
      );
      proceed();
    });
    const waiter: Waiter = { proceed, timer };
    this.#waiters.push(waiter);
    return { done: promise, proceed };
  }

  /** Gives one slot back; the one that waited longest goes on. */
  release(): void {
    this.#inflight -= 1;
    if (this.#inflight < this.#limit) this.#waiters[0]?.proceed();
  }
}
