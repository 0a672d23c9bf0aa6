// Owned things closed in reverse order of creation. One failing close never keeps the others open.

interface Closable {
  close(): Promise<void> | void;
}

/** Also an async disposable, so that `await using` closes what a function made, however it ends. */
export class Disposer {
  readonly #owned: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | undefined;

  /** Takes ownership of a closable and hands it back. */
  add<T extends Closable>(closable: T): T {
    this.#owned.push(() => closable.close());
    return closable;
  }

  /** Has `close` called at the end. What is added after `close` began may never be closed. */
  defer(close: () => Promise<void> | void): void {
    this.#owned.push(close);
  }

  /** Closes everything, last added first. Idempotent. Rejects with an AggregateError when some closes failed. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#owned.pop(); close !== undefined; close = this.#owned.pop()) {
      try {
        await close();
      } catch (thrown) {
        failures.push(thrown);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} close(s) failed`);
  }
}
