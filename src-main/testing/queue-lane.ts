// A server of known service time in virtual time, as lanes of a load generator: one request is served at a time, in
// order of arrival, each taking exactly as long as told. What queueing theory says about it can be checked exactly.

import type { Clock } from '../base/clock.ts';
import type { LoadMessage } from '../perf/load/lane.ts';
import { Lane } from '../perf/load/lane.ts';

/** `serviceMs` is exact; lanes of one queue share its only server. */
export class ServiceQueue {
  readonly #clock: Clock;
  readonly #serviceMs: number;
  #freeAtNs = 0;

  constructor(clock: Clock, serviceMs: number) {
    this.#clock = clock;
    this.#serviceMs = serviceMs;
  }

  /** A new lane to this server. */
  lane(): Lane {
    return new QueueLane(this.#clock, (done) => {
      const nowNs = this.#clock.nowNs();
      this.#freeAtNs = Math.max(nowNs, this.#freeAtNs) + this.#serviceMs * 1e6;
      this.#clock.after((this.#freeAtNs - nowNs) / 1e6, done);
    });
  }
}

class QueueLane extends Lane {
  readonly #clock: Clock;
  readonly #serve: (done: () => void) => void;

  constructor(clock: Clock, serve: (done: () => void) => void) {
    super();
    this.#clock = clock;
    this.#serve = serve;
  }

  send(message: LoadMessage): void {
    this.begin(message, this.#clock.nowNs());
    this.sentNs = this.startNs;
    this.#serve(() => {
      this.endNs = this.#clock.nowNs();
      this.firstNs = this.endNs;
      this.responseCount = 1;
      this.onDone(this);
    });
  }

  close(): void {
    this.onDone = () => undefined;
  }
}
