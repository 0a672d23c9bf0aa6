// How much of a stream of work the event loop does before it looks at its timers, signals and sockets again. Node hands over
// up to a thousand messages of a port in one turn, and more as they come: somebody who works at each of them, for as long
// as another thread has more, keeps the loop from everything else.

/** Counts what was done since the loop last went round. */
export class TurnBudget {
  readonly #most: number;
  readonly #goOn: () => void;
  #left: number;
  #isWaiting = false;

  /** `most`: pieces of work in one turn; `goOn` is called in a later turn, with all of it left again. */
  constructor(most: number, goOn: () => void) {
    this.#most = most;
    this.#left = most;
    this.#goOn = goOn;
  }

  /** True once for each piece that may be done now. */
  spend(): boolean {
    if (this.#left === 0 || this.#isWaiting) return false;
    this.#left -= 1;
    return true;
  }

  /** All of it is spent: whoever is woken does nothing, but waits for the next turn. */
  get isSpent(): boolean {
    return this.#left === 0 || this.#isWaiting;
  }

  /** Goes on in a later turn. Nothing may be done until then; once asked, asking again changes nothing. */
  waitForTurn(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(() => {
      this.#isWaiting = false;
      this.#left = this.#most;
      this.#goOn();
    });
  }
}
