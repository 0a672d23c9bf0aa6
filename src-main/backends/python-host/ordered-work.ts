// Runs steps in the order in which they were handed in. A step that does not have to wait runs at once, inside of the
// call; only behind one that waits do others queue up.

/** A piece of work; the next one waits for its promise. */
export type Step = () => void | Promise<void>;

/** Has no bound and cannot be emptied. A step must not throw or reject: it deals with its own errors. */
export class OrderedWork {
  readonly #waiting: Step[] = [];
  #isBusy = false;

  /** Returns after the step where nothing had to wait, at once otherwise. */
  add(step: Step): void {
    if (this.#isBusy) this.#waiting.push(step);
    else this.#run(step);
  }

  #run(first: Step): void {
    let step: Step | undefined = first;
    while (step !== undefined) {
      const going = step();
      if (going !== undefined) {
        this.#isBusy = true;
        void going.finally(() => {
          this.#isBusy = false;
          const next = this.#waiting.shift();
          if (next !== undefined) this.#run(next);
        });
        return;
      }
      step = this.#waiting.shift();
    }
  }
}
