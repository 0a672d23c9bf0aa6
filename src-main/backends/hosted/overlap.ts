// How many payloads code may have at once. Code that answers in a moment is handed the next payload while the one before
// is still on its way: a hop to a thread or a process then costs no pause. Code that takes its time gets one at a time, so
// that whatever waits can still be cancelled, time out, or go to another instance.

/** Payloads on their way at most, and the time that they may take together. */
const MOST = 16;
const LONGEST_NS = 1e6;

/**
 * For one instance. `isAllowed` false: one payload at a time. Times are nanoseconds; the average leans to the
 * latest runs, and begins with one at a time until a run was seen.
 */
export class Overlap {
  readonly #isAllowed: boolean;
  #count = 0;
  #averageNs = Infinity;
  #lastDoneNs = 0;
  #waiting: (() => void) | undefined;

  constructor(isAllowed: boolean) {
    this.#isAllowed = isAllowed;
  }

  /** A payload is handed over; `done` follows for each. */
  begin(): void {
    this.#count += 1;
  }

  /** A payload is done that was handed over at `sinceNs`; behind others it ran only since they were done. */
  done(sinceNs: number, nowNs: number): void {
    const runNs = nowNs - Math.max(sinceNs, this.#lastDoneNs);
    this.#lastDoneNs = nowNs;
    this.#averageNs = this.#averageNs === Infinity ? runNs : this.#averageNs + (runNs - this.#averageNs) / 8;
    this.#count -= 1;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }

  /** Resolves when the next payload may be handed over; `done` is that of the one just begun. */
  async room(done: Promise<void>): Promise<void> {
    if (!this.#isAllowed || this.#averageNs * 2 > LONGEST_NS) return done;
    if (this.#count < MOST && this.#count * this.#averageNs <= LONGEST_NS) return undefined;
    return new Promise<void>((resolve) => (this.#waiting = resolve));
  }
}
