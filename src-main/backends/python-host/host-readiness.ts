// Asks a model whether it is ready. One question is on its way at a time, and whoever asks meanwhile shares its answer;
// one that takes too long goes on in the model, so the next question may get its late answer.

import type { Clock } from '../../base/clock.ts';
import { pythonHostErrors } from './host-errors.ts';

const ANSWER_TIMEOUT_MS = 5000;

/** What the host says: a value, or why there is none. */
export interface ReadinessAnswer {
  readonly value?: boolean;
  readonly error?: string;
}

/** For one instance whose model defines `is_ready()`. */
export class HostReadiness {
  readonly #clock: Clock;
  readonly #instance: string;
  readonly #send: () => void;
  #asked: PromiseWithResolvers<ReadinessAnswer> | undefined;

  /** `send` asks the host; its answer comes through `answered`. */
  constructor(clock: Clock, instance: string, send: () => void) {
    this.#clock = clock;
    this.#instance = instance;
    this.#send = send;
  }

  /** Rejects with UNAVAILABLE, saying why, when the model says that it is not ready, or nothing. */
  async check(): Promise<void> {
    if (this.#asked === undefined) {
      this.#asked = Promise.withResolvers();
      this.#send();
    }
    const late = Promise.withResolvers<never>();
    const timer = this.#clock.after(ANSWER_TIMEOUT_MS, () => late.reject(pythonHostErrors.readyTimedOut()));
    try {
      const { value, error } = await Promise.race([this.#asked.promise, late.promise]);
      if (error !== undefined) throw pythonHostErrors.notReadyError({ reason: error });
      if (value !== true) {
        throw pythonHostErrors.notReady({ instance: this.#instance });
      }
    } finally {
      timer.cancel();
    }
  }

  /** Settles whoever asks. An answer that nobody waits for is dropped. */
  answered(answer: ReadinessAnswer): void {
    this.#asked?.resolve(answer);
    this.#asked = undefined;
  }
}
