// The open files behind system shared memory. Regions of one file share its descriptor, and files are bounded: whatever
// clients register, connections and models still find descriptors.

import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { memoryErrors } from './memory-errors.ts';

/** Read and written through its descriptor, which whoever opened the file never closes but by releasing it. */
export interface SharedMemoryFile {
  readonly descriptor: number;
}

interface OpenFile extends SharedMemoryFile {
  readonly id: string;
  users: number;
}

/** Whoever opens a file must release it once; the last one closes it. */
export class SharedMemoryFiles {
  readonly #limit: number;
  readonly #files = new Map<string, OpenFile>();

  /** `limit`: files that may be open at a time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws INTERNAL for what cannot be opened, UNAVAILABLE where too many files are open. */
  open(place: string, key: string): SharedMemoryFile {
    const descriptor = openKey(place, key);
    let file: OpenFile | undefined;
    try {
      const { dev, ino } = measure(descriptor, key);
      const id = `${dev}:${ino}`;
      file = this.#files.get(id);
      if (file === undefined) {
        if (this.#files.size >= this.#limit) throw memoryErrors.tooManyFiles({ key, limit: this.#limit });
        file = { descriptor, id, users: 0 };
        this.#files.set(id, file);
      }
      file.users += 1;
      return file;
    } finally {
      if (file?.descriptor !== descriptor) closeSync(descriptor);
    }
  }

  /** Ends one use. Must not be called twice for one `open`. */
  release(given: SharedMemoryFile): void {
    const file = given as OpenFile;
    file.users -= 1;
    if (file.users > 0) return;
    this.#files.delete(file.id);
    closeSync(file.descriptor);
  }
}

function openKey(place: string, key: string): number {
  try {
    return openSync(place, constants.O_RDWR | constants.O_NOFOLLOW);
  } catch (thrown) {
    throw memoryErrors.cannotOpen({ key }, { cause: thrown });
  }
}

function measure(descriptor: number, key: string): { readonly dev: bigint; readonly ino: bigint } {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch (thrown) {
    throw memoryErrors.cannotMeasure({ key }, { cause: thrown });
  }
}
