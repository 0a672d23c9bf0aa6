// At most N version loads run at the same time (`--model-load-thread-count`); the others wait in order. Waiting ends at
// once when the signal aborts.

export class LoadSlots {
  readonly #limit: number;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    await this.#acquire(signal);
    try {
      return await job();
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < this.#limit && this.#waiting.length === 0) {
      this.#busy += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.#busy += 1;
        resolve();
      };
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(admit), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(admit);
    });
  }
}
