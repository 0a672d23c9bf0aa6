// Names whose files changed, read again a few at a time: thousands of folders may change at once, and whoever loads a
// model meanwhile waits for the same disk. A name that comes again before it was read is read once.

/** At most `parallel` names are read at once. Nobody can wait for it: the refresh itself tells what it found. */
export class RefreshQueue {
  readonly #parallel: number;
  readonly #refresh: (name: string) => Promise<void>;
  readonly #stale = new Set<string>();
  #running = 0;

  /** `refresh` must not reject. */
  constructor(parallel: number, refresh: (name: string) => Promise<void>) {
    this.#parallel = parallel;
    this.#refresh = refresh;
  }

  /** Read as soon as there is room; nothing more happens for a name that waits already. */
  add(name: string): void {
    this.#stale.add(name);
    if (this.#running === this.#parallel) return;
    this.#running += 1;
    void this.#drain().finally(() => (this.#running -= 1));
  }

  async #drain(): Promise<void> {
    for (const name of this.#stale) {
      this.#stale.delete(name);
      await this.#refresh(name);
    }
  }
}
