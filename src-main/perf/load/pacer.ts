// Wakes the sender at a moment that timers of the event loop cannot hit: a thread sleeps until then and posts a
// message. Going round the loop instead would be as exact, but would take a whole core away from what is measured.

import { Worker } from 'node:worker_threads';

import type { Clock, Timer } from '../../base/clock.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';

/** One pending wake-up at a time; a new one replaces it. */
export interface Pacer {
  /** `dueNs`: time of the clock that the pacer was made with; a moment that has passed wakes as soon as it can. */
  wakeAt(dueNs: number, callback: () => void): void;
  /** Forgets the pending wake-up, if there is one. */
  cancel(): void;
  /** Nothing wakes any more; resolves when what the pacer held is gone. */
  close(): Promise<void>;
}

/** Wakes by the timers of the clock: exact enough for tests and for slow loads. */
export class ClockPacer implements Pacer {
  readonly #clock: Clock;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wakeAt(dueNs: number, callback: () => void): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(Math.max(0, dueNs - this.#clock.nowNs()) / 1e6, callback);
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  close(): Promise<void> {
    this.cancel();
    return Promise.resolve();
  }
}

/** Waits shorter than this go round the event loop: waking a thread takes about as long. */
const SPIN_NS = 60_000;

/** Wakes by a thread that sleeps until the moment and posts a message; only one moment at a time. */
export class PacerThread implements Pacer {
  readonly #clock: Clock;
  readonly #shared = new SharedArrayBuffer(16);
  readonly #order = new Int32Array(this.#shared, 0, 1);
  readonly #due = new Float64Array(this.#shared, 8, 1);
  readonly #worker: Worker;
  #callback: (() => void) | undefined;
  #spin: Timer | undefined;
  #current = 0;

  /** `clock` must be the system's: the thread compares with the same monotonic time. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.#worker = new Worker(workerEntryUrl('perf-pacer'), {
      workerData: this.#shared,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    this.#worker.unref();
    this.#worker.on('message', (order: number) => {
      if (order === this.#current) this.#fire();
    });
  }

  wakeAt(dueNs: number, callback: () => void): void {
    this.cancel();
    this.#callback = callback;
    const leftNs = dueNs - this.#clock.nowNs();
    if (leftNs < SPIN_NS) {
      this.#spin = this.#clock.after(Math.max(0, leftNs) / 1e6, () => this.#fire());
      return;
    }
    this.#current += 1;
    this.#due[0] = dueNs;
    Atomics.store(this.#order, 0, this.#current);
    Atomics.notify(this.#order, 0);
  }

  cancel(): void {
    this.#spin?.cancel();
    this.#spin = undefined;
    this.#callback = undefined;
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#worker.terminate();
  }

  #fire(): void {
    const callback = this.#callback;
    this.#callback = undefined;
    callback?.();
  }
}
