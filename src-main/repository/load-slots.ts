// At most N version loads run at the same time (`--model-load-thread-count`); the others wait in order. Waiting ends at
// once when the signal aborts. A load that shows no progress for a while loses its slot to the others: it goes on, but
// six models that hang do not keep a seventh from being loaded.

import type { Clock, Timer } from '../base/clock.ts';

/** How long a load may hold a slot without progress, and how often it is told after that. */
const PATIENCE_MS = 30_000;

/** What a load that holds a slot tells. */
export interface SlotUse {
  /** The load has come further: its patience starts anew. */
  progressed(): void;
}

/** `limit` counts versions, not models; below 1 it is 1. */
export class LoadSlots {
  readonly #limit: number;
  readonly #clock: Clock;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number, clock: Clock) {
    this.#limit = Math.max(1, limit);
    this.#clock = clock;
  }

  /**
   * Runs `job` in a slot. `onStalled` is called when the job loses it, and again and again while nothing moves, with the
   * seconds that it made no progress for.
   */
  async run<T>(
    signal: AbortSignal,
    job: (use: SlotUse) => Promise<T>,
    onStalled: (seconds: number) => void,
  ): Promise<T> {
    await this.#acquire(signal);
    let timer: Timer | undefined;
    let hasSlot = true;
    const release = (): void => {
      if (!hasSlot) return;
      hasSlot = false;
      this.#busy -= 1;
      this.#waiting.shift()?.();
    };
    const wait = (waitedMs: number): void => {
      timer = this.#clock.after(PATIENCE_MS, () => {
        const soFarMs = waitedMs + PATIENCE_MS;
        onStalled(soFarMs / 1000);
        release();
        wait(soFarMs);
      });
    };
    const progressed = (): void => {
      timer?.cancel();
      wait(0);
    };
    progressed();
    try {
      return await job({ progressed });
    } finally {
      timer?.cancel();
      release();
    }
  }

  #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < this.#limit && this.#waiting.length === 0) {
      this.#busy += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.#busy += 1;
        resolve();
      };
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(admit);
    });
  }
}
