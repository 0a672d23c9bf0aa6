// The loads that are under way, so that one can be ended from outside: a model whose code never comes back would
// keep its name locked for ever.

import type { ModelKey } from './model-identity.ts';
import { loadErrors } from './load-errors.ts';

/** The locks of the repository see to it that a model has one load at a time. */
export class RunningLoads {
  readonly #running = new Map<ModelKey, AbortController>();

  /** Runs `job` with a signal that aborts with `signal`, or when the load is stopped. */
  async run<T>(key: ModelKey, signal: AbortSignal, job: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    this.#running.set(key, stop);
    try {
      return await job(AbortSignal.any([signal, stop.signal]));
    } finally {
      this.#running.delete(key);
    }
  }

  /** Does nothing when no load of the model is under way. */
  stop(key: ModelKey): void {
    this.#running.get(key)?.abort(loadErrors.stopped());
  }
}
