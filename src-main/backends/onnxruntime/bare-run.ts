// A model file run alone in a worker of its own. Whoever opens a session closes it; the worker ends then.

import './no-telemetry.ts';
import { Worker } from 'node:worker_threads';

import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { BareTensor, BareRun, BareAnswer } from './bare-run-messages.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';

/** On the CPU with one thread and without batching: what the runtime itself answers, to compare with. */
export class BareSession {
  readonly #worker: Worker;

  /** Loading happens in the worker; a file that cannot be loaded fails the first run. */
  constructor(path: string) {
    this.#worker = new Worker(workerEntryUrl('bare-run'), { workerData: { path } });
  }

  /** One run at a time. Rejects with INTERNAL and the runtime's words, or with the signal's reason. */
  run(job: BareRun, signal: AbortSignal): Promise<readonly BareTensor[]> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      const settle = (): void => {
        worker.off('message', onMessage);
        worker.off('error', onError);
        signal.removeEventListener('abort', onAbort);
      };
      const onMessage = (answer: BareAnswer): void => {
        settle();
        if ('error' in answer) reject(onnxruntimeErrors.comparisonFailed({ reason: answer.error }));
        else resolve(answer.outputs);
      };
      const onError = (error: Error): void => {
        settle();
        reject(onnxruntimeErrors.comparisonEnded({ reason: error.message }, { cause: error }));
      };
      const onAbort = (): void => {
        settle();
        reject(signal.reason as Error);
      };
      worker.on('message', onMessage);
      worker.on('error', onError);
      signal.addEventListener('abort', onAbort, { once: true });
      worker.postMessage(job);
    });
  }

  /** Ends the worker at once; a run under way rejects. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
