// How much of its time the event loop gives to runs of models: half at most, so that many models that each have one
// client are run side by side by their threads, and sockets are read meanwhile. All models of a backend share it.

const WINDOW_NS = 10_000_000;
const MAX_SPENT_NS = WINDOW_NS / 2;

/** Time that was spent in the present window of 10 ms; stamps are monotonic. */
export class LoopBudget {
  #windowStartNs = 0;
  #spentNs = 0;

  /** True when a run may begin now. */
  hasRoom(nowNs: number): boolean {
    if (nowNs - this.#windowStartNs >= WINDOW_NS) {
      this.#windowStartNs = nowNs;
      this.#spentNs = 0;
    }
    return this.#spentNs < MAX_SPENT_NS;
  }

  /** A run took `runNs` of the loop, in the window that `hasRoom` was asked about last. */
  spend(runNs: number): void {
    this.#spentNs += runNs;
  }
}
