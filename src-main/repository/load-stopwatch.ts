// Phases of one load with their durations: each new phase ends the one before.

import type { Clock } from '../base/clock.ts';
import type { LoadTimings } from './load-timings.ts';

/**
 * Starts when it is made. Durations are milliseconds of the monotonic clock; `onPhase` gets the text of each
 * phase as it begins.
 */
export class LoadStopwatch {
  readonly #clock: Clock;
  readonly #onPhase: (text: string) => void;
  readonly #startedAtMs: number;
  readonly #startNs: number;
  readonly #phases: { text: string; ms: number }[] = [];
  #phaseStartNs: number;
  #current = '';

  constructor(clock: Clock, onPhase: (text: string) => void) {
    this.#clock = clock;
    this.#onPhase = onPhase;
    this.#startedAtMs = clock.wallMs();
    this.#startNs = clock.nowNs();
    this.#phaseStartNs = this.#startNs;
  }

  /** Ends the phase before, and begins this one. */
  enter(text: string): void {
    this.#endPhase();
    this.#current = text;
    this.#onPhase(text);
  }

  /** Ends the last phase; milliseconds since the watch was made, and those of each phase. */
  finish(): LoadTimings {
    this.#endPhase();
    this.#current = '';
    return {
      startedAtMs: this.#startedAtMs,
      totalMs: (this.#clock.nowNs() - this.#startNs) / 1e6,
      phases: this.#phases,
    };
  }

  #endPhase(): void {
    const nowNs = this.#clock.nowNs();
    if (this.#current !== '')
      this.#phases.push({ text: this.#current, ms: (nowNs - this.#phaseStartNs) / 1e6 });
    this.#phaseStartNs = nowNs;
  }
}
