// Runs async jobs one at a time per key, in the order they were given. A failed job does not stop the next one.

/** Jobs of different keys run side by side. A key that has nothing left takes no memory. */
export class SerialQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as `job` does, once all earlier jobs of `key` have ended. */
  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(job, job);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return result;
  }

  /** Keys with a job running or waiting. */
  get activeCount(): number {
    return this.#tails.size;
  }
}
