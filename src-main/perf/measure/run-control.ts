// What the user may do to a run while it goes on. Waiting sides are woken at once.

/** What the user asked of a run. */
export type Interruption = 'skip' | 'stop' | 'pause';

/** Shared by whoever commands a run and whoever carries it out; a stop holds for all of it. */
export class RunControl {
  #isPaused = false;
  #isSkipping = false;
  #isStopped = false;
  readonly #listeners = new Set<() => void>();

  /** For good: no level begins any more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The level that is held has to go on, were it only to end. */
  get isHolding(): boolean {
    return this.#isPaused && !this.#isSkipping && !this.#isStopped;
  }

  /** False goes on with the level that was held. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#wake();
  }

  /** Ends the level that is being measured. */
  skip(): void {
    this.#isSkipping = true;
    this.#wake();
  }

  /** Ends the level that is measured with what it has, and the run behind it. Idempotent. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  /** What interrupts a window now; a skip is taken once. */
  takeInterruption(): Interruption | undefined {
    if (this.#isStopped) return 'stop';
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return 'skip';
    }
    return this.#isPaused ? 'pause' : undefined;
  }

  /** Calls `listener` at every change until the returned switch is used. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
