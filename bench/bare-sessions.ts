// Bare sessions in threads: how many runs per second the runtime itself does with all of them at work.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { BareSetup } from './bare-worker.ts';

/** Threads that live until `close`. */
export class BareSessions {
  readonly #workers: Worker[];

  private constructor(workers: Worker[]) {
    this.#workers = workers;
  }

  /** Resolves when every thread has its session. */
  static async start(setup: BareSetup, threadCount: number): Promise<BareSessions> {
    const entry = new URL('./bare-worker.ts', import.meta.url);
    const workers = Array.from({ length: threadCount }, () => new Worker(entry, { workerData: setup }));
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    return new BareSessions(workers);
  }

  /** Runs per second of all threads together. */
  async measure(durationMs: number): Promise<number> {
    const rates = await Promise.all(
      this.#workers.map(async (worker) => {
        worker.postMessage(durationMs);
        const [rate] = (await once(worker, 'message')) as [number];
        return rate;
      }),
    );
    return rates.reduce((sum, rate) => sum + rate, 0);
  }

  /** Ends the threads, also in the middle of a run. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
