// A store that has taken a request and says nothing more. What waits for it ends, where the library of the store would
// wait for ever.

import type { Clock, Timer } from '../base/clock.ts';

/** How long a store may say nothing, in milliseconds; the same for all. */
export const SILENCE_LIMIT_MS = 20_000;

/** Runs from its making on. Whoever makes it pauses it in the end. */
export class SilenceLimit {
  /** Aborts with the caller's signal, and when nothing came for too long. */
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #silent = new AbortController();
  #timer: Timer | undefined;

  constructor(clock: Clock, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.signal = signal === undefined ? this.#silent.signal : AbortSignal.any([signal, this.#silent.signal]);
    this.heard();
  }

  /** True from when nothing came for too long; a signal of the caller does not count. */
  get isOver(): boolean {
    return this.#silent.signal.aborted;
  }

  /** Something came: the time begins anew. */
  heard(): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(SILENCE_LIMIT_MS, () => this.#silent.abort());
  }

  /** Until something is heard again; comes last as well. */
  pause(): void {
    this.#timer?.cancel();
  }
}
