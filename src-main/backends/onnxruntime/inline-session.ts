// A second session of a small model, on the event loop's own thread: for runs that take less time than handing them to
// the instance's thread and back. It has memory for one job of its own, laid out like a slot of the instance's session.

import type { LargeResult, ServedSession } from '../instance-host/session-server.ts';
import { requireSameFile } from './file-stamp.ts';
import type { FileStamp } from './file-stamp.ts';
import { openOrtSession } from './ort-session.ts';
import type { SessionInit } from './session-messages.ts';

const MIN_BYTE_SIZE = 16 * 1024;
/** Jobs with more data stay with the thread. */
export const MAX_INLINE_BYTE_SIZE = 128 * 1024;

/** The session and the memory of its one job. Close it to give both back. */
export class InlineSession {
  readonly #session: ServedSession;
  #buffer = new SharedArrayBuffer(0);
  words = new Float64Array(this.#buffer);
  bytes = new Uint8Array(this.#buffer);

  /**
   * Blocks for about a millisecond. Throws what the runtime says; throws too when the file is no longer what `stamp`
   * tells of, since the instance then serves what it was.
   */
  constructor(init: SessionInit, stamp: FileStamp) {
    requireSameFile(init.path, stamp);
    const { inspection: _, ...rest } = init;
    // The loop waits for nobody's threads.
    const settings = { ...rest.settings, intraOpNumThreads: 1, interOpNumThreads: 1 };
    this.#session = openOrtSession({ ...rest, settings }).session;
    try {
      requireSameFile(init.path, stamp);
    } catch (thrown) {
      this.#session.close();
      throw thrown;
    }
  }

  /** Makes room for a job. */
  reserve(byteSize: number): void {
    if (this.#buffer.byteLength >= byteSize) return;
    this.#buffer = new SharedArrayBuffer(Math.max(MIN_BYTE_SIZE, 2 ** Math.ceil(Math.log2(byteSize))));
    this.words = new Float64Array(this.#buffer);
    this.bytes = new Uint8Array(this.#buffer);
  }

  /** Runs the job that lies in its memory, and leaves the result there unless it is large. Throws as the runtime does. */
  run(): LargeResult | undefined {
    return this.#session.run(this.#buffer, 0);
  }

  /** Frees the native session; its memory goes with the object. */
  close(): void {
    this.#session.close();
  }
}
