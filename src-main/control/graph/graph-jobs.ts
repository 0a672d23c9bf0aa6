// Runs one job of the Graph tab in a worker of its own, so that neither a large file nor its JSON holds up requests.
// The worker ends with its answer, or with the signal.

import { Worker } from 'node:worker_threads';

import type { ConstantView } from '../../../src-shared/contract/graph-calls.ts';
import { errorFromWire } from '../../../src-shared/errors.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import type { GraphAnswer, GraphBytes, GraphJob } from '../../onnx/graph-worker.ts';
import { graphErrors } from './graph-errors.ts';

type ResultOf<J extends GraphJob> = J['kind'] extends 'graph' ? GraphBytes : ConstantView;

const HEAP_MB = 2048;

/** Rejects with the error of the job, INTERNAL when the worker ends early, or the signal's reason. */
export function runGraphJob<J extends GraphJob>(job: J, signal: AbortSignal): Promise<ResultOf<J>> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const worker = new Worker(workerEntryUrl('onnx-graph'), {
      name: 'onnx-graph',
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    const settle = (end: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      void worker.terminate();
      end();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', (answer: GraphAnswer) => {
      settle(() => {
        if ('failure' in answer) reject(errorFromWire(answer.failure));
        else resolve(answer.result as ResultOf<J>);
      });
    });
    worker.on('error', (error: Error) => {
      settle(() => reject(graphErrors.notRead({ reason: error.message }, { cause: error })));
    });
    worker.on('exit', () => settle(() => reject(graphErrors.readerEnded())));
  });
}
