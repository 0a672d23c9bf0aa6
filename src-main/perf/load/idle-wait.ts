// The end of a load: until the last answer has come, or the time for it is over.

import type { Clock } from '../../base/clock.ts';

/** One wait at a time. */
export class IdleWait {
  readonly #clock: Clock;
  #onIdle: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the next reached(), after `timeoutMs` at the latest. */
  async within(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.#clock.after(timeoutMs, resolve);
      this.#onIdle = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#onIdle = undefined;
  }

  /** Nothing is outstanding any more. */
  reached(): void {
    this.#onIdle?.();
  }
}
