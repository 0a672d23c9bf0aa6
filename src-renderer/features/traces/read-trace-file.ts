// The rows of a file: a small one is read at once, a large one by a worker, which can be ended.

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { readTritonTrace, TraceFileError } from './trace-file.ts';
import type { ReadAnswer } from './read-answer.ts';
import TraceWorker from './trace-worker.ts?worker';

/** Below it a worker would take longer to start than the file to read. */
const WORKER_BYTES = 1024 * 1024;

type ReadWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

/** Rejects with TraceFileError for what is no file of traces, and with the signal's reason once it fires. */
export async function readTraceFile(
  file: File,
  signal: AbortSignal,
  create: () => ReadWorker = () => new TraceWorker(),
): Promise<readonly TraceRow[]> {
  signal.throwIfAborted();
  if (file.size < WORKER_BYTES) {
    const text = await file.text();
    signal.throwIfAborted();
    return readTritonTrace(text);
  }
  const worker = create();
  const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  worker.addEventListener('message', (event) => resolve((event as MessageEvent<ReadAnswer>).data));
  worker.addEventListener('error', (event) => reject(new Error((event as ErrorEvent).message)));
  worker.postMessage(file);
  try {
    const { rows, reason, failure } = await promise;
    if (reason !== undefined) throw new TraceFileError(reason);
    if (rows === undefined) throw new Error(failure);
    return rows;
  } finally {
    signal.removeEventListener('abort', abort);
    worker.terminate();
  }
}
