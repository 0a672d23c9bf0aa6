// The files of saved requests that were deleted lately, in memory, so that a deletion can be taken back.

import { randomUUID } from 'node:crypto';

/** Larger ones are not kept; older ones make room. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A file that is gone from the disk: where it was, and all of it. */
export interface DeletedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const sizeOf = (files: readonly DeletedFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);

/** Keeps what was deleted until it is taken, for as long as all of it together takes 256 MiB at most. */
export class DeletedRequests {
  readonly #kept = new Map<string, readonly DeletedFile[]>();

  /** Returns what `take` knows the files by; undefined when there are none, or they are too large to keep. */
  keep(files: readonly DeletedFile[]): string | undefined {
    if (files.length === 0 || sizeOf(files) > MAX_BYTES) return undefined;
    const undo = randomUUID();
    this.#kept.set(undo, files);
    let total = [...this.#kept.values()].reduce((sum, kept) => sum + sizeOf(kept), 0);
    for (const [oldest, kept] of this.#kept) {
      if (total <= MAX_BYTES) break;
      this.#kept.delete(oldest);
      total -= sizeOf(kept);
    }
    return undo;
  }

  /** The files, once; undefined when they are not kept any more. */
  take(undo: string): readonly DeletedFile[] | undefined {
    const files = this.#kept.get(undo);
    this.#kept.delete(undo);
    return files;
  }
}
