// Trace files of one base name F: complete arrays F.0, F.1 ... and the plain file F, which grows until the server
// stops and is closed as an array then. Writes are queued, so that nothing waits for the disk and order holds.

import { appendFile, writeFile } from 'node:fs/promises';
import { getLogger } from '../base/log.ts';

/** A file that cannot be written is said in the log once; requests never fail for it. */
export class TraceFiles {
  readonly #base: string;
  readonly #logger = getLogger('tracing');
  #nextIndex = 0;
  #isPlainOpen = false;
  #queue: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(base: string) {
    this.#base = base;
  }

  /** Writes the next indexed file. `records` are comma-separated. */
  writeIndexed(records: string): void {
    const path = `${this.#base}.${this.#nextIndex}`;
    this.#nextIndex += 1;
    this.#enqueue(() => writeFile(path, `[${records}]`));
  }

  /** Appends to the plain file. */
  append(records: string): void {
    const isFirst = !this.#isPlainOpen;
    this.#isPlainOpen = true;
    this.#enqueue(() =>
      isFirst ? writeFile(this.#base, `[${records}`) : appendFile(this.#base, `,${records}`),
    );
  }

  /** Completes the plain file; resolves when everything is on disk. */
  async close(): Promise<void> {
    if (this.#isPlainOpen) {
      this.#isPlainOpen = false;
      this.#enqueue(() => appendFile(this.#base, ']'));
    }
    await this.#queue;
  }

  #enqueue(write: () => Promise<void>): void {
    this.#queue = this.#queue.then(write).catch((thrown: unknown) => {
      if (!this.#hasFailed) this.#logger.error(`failed to write trace file: ${(thrown as Error).message}`);
      this.#hasFailed = true;
    });
  }
}
