// Starts with some requests and launches more each time all of the newest ones have had a number of responses, until
// the last one is launched; each request is sent once. For models that answer many times.

import type { Clock } from '../../base/clock.ts';
import type { Lane } from './lane.ts';
import type { LanePool, LoadDriver, LoadListener, MessageSource } from './load-driver.ts';

/** More and more requests in flight, from `start` to `end`. */
export interface PeriodicLoopOptions {
  readonly clock: Clock;
  readonly pool: LanePool;
  readonly source: MessageSource;
  readonly listener: LoadListener;
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** Responses each request of the newest group must have had. */
  readonly requestPeriod: number;
}

const POLL_MS = 1;

/** Each of its `end` requests is sent once; it is exhausted when all of them were answered. */
export class PeriodicLoop implements LoadDriver {
  readonly #options: PeriodicLoopOptions;
  readonly #busy = new Set<Lane>();
  #newest: Lane[] = [];
  #launched = 0;
  #isHeld = false;
  #isEnding = false;

  constructor(options: PeriodicLoopOptions) {
    this.#options = options;
  }

  get isExhausted(): boolean {
    return this.#launched >= this.#options.end && this.#busy.size === 0;
  }

  start(): void {
    this.#launch(this.#options.start);
    this.#watch();
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  async drain(timeoutMs: number): Promise<void> {
    const { clock, pool } = this.#options;
    this.#isEnding = true;
    const untilNs = clock.nowNs() + timeoutMs * 1e6;
    while (this.#busy.size > 0 && clock.nowNs() < untilNs) await clock.wait(POLL_MS);
    for (const lane of this.#busy) pool.discard(lane);
    this.#busy.clear();
  }

  #launch(count: number): void {
    const { pool, source, listener, end } = this.#options;
    this.#newest = [];
    for (let left = Math.min(count, end - this.#launched); left > 0; left -= 1) {
      const lane = pool.take();
      lane.slot = this.#launched;
      lane.onDone = (done) => {
        this.#busy.delete(done);
        listener.done(done);
      };
      this.#launched += 1;
      this.#busy.add(lane);
      this.#newest.push(lane);
      lane.send(source.next(lane.slot));
      lane.dueNs = lane.startNs;
      listener.sent(lane);
    }
  }

  #watch(): void {
    const { clock, step, requestPeriod, end } = this.#options;
    if (this.#isEnding || this.#launched >= end) return;
    const isRipe = this.#newest.every((lane) => lane.responseCount >= requestPeriod || !this.#busy.has(lane));
    if (isRipe && !this.#isHeld) this.#launch(step);
    clock.after(POLL_MS, () => this.#watch());
  }
}
