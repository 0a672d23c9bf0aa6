// Which models an operation is working on. An operation locks everything it may touch at once, or waits until what is
// in its way is free and plans again; so there is no order of locks and no deadlock.

import type { ModelKey } from './model-identity.ts';

/**
 * A lock belongs to no one: `unlock` frees what it names, whoever locked it. Waiters wake together and try
 * again, in no order.
 */
export class ModelLocks {
  readonly #locked = new Set<ModelKey>();
  #waiting: (() => void)[] = [];

  /** True, and everything is locked; or false, and nothing is. */
  tryLock(keys: ReadonlySet<ModelKey>): boolean {
    for (const key of keys) if (this.#locked.has(key)) return false;
    for (const key of keys) this.#locked.add(key);
    return true;
  }

  /** Frees these and wakes whoever waits for a change. */
  unlock(keys: ReadonlySet<ModelKey>): void {
    for (const key of keys) this.#locked.delete(key);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** An operation works on the model. */
  isLocked(key: ModelKey): boolean {
    return this.#locked.has(key);
  }

  /** Models that operations work on. */
  get lockedCount(): number {
    return this.#locked.size;
  }

  /** Resolves at the next unlock; rejects when the signal aborts first. */
  changed(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== wake);
        reject(signal.reason as Error);
      };
      const wake = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(wake);
    });
  }
}
