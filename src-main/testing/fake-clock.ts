// Time that moves only when told. Timers fire in due order; after each one all microtasks and immediates that were
// queued by then run before the next timer fires, so that a test sees what an idle event loop would do.

import type { Clock, Timer } from '../base/clock.ts';

interface PendingTimer {
  dueNs: number;
  readonly order: number;
  readonly periodNs: number | undefined;
  readonly callback: () => void;
}

/** Lets every microtask and immediate that is due now run. */
export async function settle(rounds = 4): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** Begins at one second of monotonic time, so that 0 stays what it means elsewhere: not stamped. */
export class FakeClock implements Clock {
  #nowNs = 1_000_000_000;
  readonly #startWallMs = 1_700_000_000_000;
  readonly #timers = new Set<PendingTimer>();
  #order = 0;

  nowNs(): number {
    return this.#nowNs;
  }

  wallMs(): number {
    return this.#startWallMs + Math.floor(this.#nowNs / 1e6);
  }

  /** Milliseconds since the clock was made. */
  get elapsedMs(): number {
    return (this.#nowNs - 1_000_000_000) / 1e6;
  }

  /** Timers that have not fired and were not cancelled. */
  get timerCount(): number {
    return this.#timers.size;
  }

  after(delayMs: number, callback: () => void): Timer {
    return this.#add(delayMs, undefined, callback);
  }

  every(periodMs: number, callback: () => void): Timer {
    return this.#add(periodMs, periodMs * 1e6, callback);
  }

  wait(delayMs: number, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason as Error);
      };
      const timer = this.after(delayMs, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Moves time forward, firing what falls due, and lets everything settle. */
  async advance(ms: number): Promise<void> {
    const untilNs = this.#nowNs + ms * 1e6;
    await settle();
    for (let next = this.#next(untilNs); next !== undefined; next = this.#next(untilNs)) {
      this.#nowNs = Math.max(this.#nowNs, next.dueNs);
      if (next.periodNs === undefined) this.#timers.delete(next);
      else next.dueNs += next.periodNs;
      next.callback();
      await settle();
    }
    this.#nowNs = untilNs;
    await settle();
  }

  /** Moves the time alone, as work that takes a moment does; nothing fires. */
  skip(ns: number): void {
    this.#nowNs += ns;
  }

  #add(delayMs: number, periodNs: number | undefined, callback: () => void): Timer {
    const dueNs = this.#nowNs + Math.max(0, delayMs) * 1e6;
    const timer: PendingTimer = { dueNs, order: this.#order++, periodNs, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  #next(untilNs: number): PendingTimer | undefined {
    let first: PendingTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueNs > untilNs) continue;
      const isEarlier =
        first === undefined ||
        timer.dueNs < first.dueNs ||
        (timer.dueNs === first.dueNs && timer.order < first.order);
      if (isEarlier) first = timer;
    }
    return first;
  }
}
