// Texts of traced tensors. A large one takes seconds to print (half a microsecond per number), so it is printed by a
// thread, which is started by the first of them. What waits there is bounded: beyond that, printing holds up the request as
// it does in the reference, and no trace is lost.

import { Worker } from 'node:worker_threads';

import type { DataType } from '../../src-shared/datatypes.ts';
import { getLogger } from '../base/log.ts';
import { workerEntryUrl } from '../base/worker-entry.ts';
import { copied } from '../inference/tensor-bytes.ts';
import { tensorText } from './tensor-text.ts';
import type { TextJob } from './tensor-text-worker.ts';

/** Bytes of a tensor that are printed at once: about a millisecond. */
const MAX_INLINE_BYTES = 8 * 1024;
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

interface Waiting extends TextJob {
  readonly byteSize: number;
  readonly resolve: (text: string) => void;
}

/** One for all traces. Its thread stays once it was needed, and does not keep the process alive. */
export class TensorPrinter {
  #worker: Worker | undefined;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #idle: (() => void)[] = [];

  /** Text as of tensorText(); a promise of it for a large tensor, whose bytes may change or go afterwards. */
  print(bytes: Uint8Array, datatype: DataType): string | Promise<string> {
    const { byteLength: byteSize } = bytes;
    if (byteSize <= MAX_INLINE_BYTES || this.#waitingBytes + byteSize > MAX_WAITING_BYTES) {
      return tensorText(bytes, datatype);
    }
    const copy = copied(bytes);
    this.#waitingBytes += byteSize;
    return new Promise((resolve) => {
      this.#waiting.push({ bytes: copy, datatype, byteSize, resolve });
      if (this.#waiting.length === 1) this.#next();
    });
  }

  /** Resolves once nothing waits to be printed. */
  idle(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#worker?.unref();
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#worker ??= this.#start();
    this.#worker.ref();
    const { bytes, datatype } = first;
    this.#worker.postMessage({ bytes, datatype } satisfies TextJob);
  }

  #start(): Worker {
    const worker = new Worker(workerEntryUrl('tensor-text'), { name: 'tensor-text' });
    worker.on('message', (text: string) => this.#printed(text));
    // A text beyond what a string can hold: the trace goes on without it.
    worker.on('error', (thrown: Error) => {
      getLogger('tracing').error(`failed to print a tensor for its trace: ${thrown.message}`);
      this.#worker = undefined;
      this.#printed('');
    });
    return worker;
  }

  #printed(text: string): void {
    const first = this.#waiting.shift();
    if (first === undefined) return;
    this.#waitingBytes -= first.byteSize;
    first.resolve(text);
    this.#next();
  }
}
