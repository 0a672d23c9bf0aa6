// Where the contents of ring entries lie: memory that two threads share, taken in order by the thread that puts entries
// in, given back in the same order by the one that takes them out. Invariant: a piece lies in one run of memory and is
// not written to again before it was given back.

const CONTROL_BYTES = 64;
const USED_FROM = 0;
const WORD_BYTES = 8;

/** Memory for pieces of `byteSize` together. */
export function createArenaMemory(byteSize: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(CONTROL_BYTES + roundUp(byteSize));
  new Int32Array(memory)[USED_FROM] = CONTROL_BYTES;
  return memory;
}

const roundUp = (byteSize: number): number => Math.ceil(byteSize / WORD_BYTES) * WORD_BYTES;

/** The side that fills pieces. */
export class ArenaWriter {
  readonly #words: Int32Array;
  readonly #end: number;
  /** Behind the last piece. */
  #usedTo = CONTROL_BYTES;
  #previous = CONTROL_BYTES;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
    this.#end = memory.byteLength;
  }

  /** Where a piece of `byteSize` begins, a multiple of 8 that is never 0; undefined while there is no room. */
  take(byteSize: number): number | undefined {
    const size = roundUp(byteSize);
    const usedFrom = Atomics.load(this.#words, USED_FROM);
    const at = this.#place(size, usedFrom);
    if (at === undefined) return undefined;
    this.#previous = this.#usedTo;
    this.#usedTo = at + size;
    return at;
  }

  /** The piece that was taken last is not needed; nobody else has heard of it. */
  undo(): void {
    this.#usedTo = this.#previous;
  }

  /** Pieces never fill what is free to its last byte, so that nothing free and nothing used are told apart. */
  #place(size: number, usedFrom: number): number | undefined {
    const at = this.#usedTo;
    if (usedFrom > at) return at + size < usedFrom ? at : undefined;
    if (at + size <= this.#end) return at;
    return CONTROL_BYTES + size < usedFrom ? CONTROL_BYTES : undefined;
  }
}

/** The side that reads them. */
export class ArenaReader {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** The piece of `byteSize` at `at`, and all before it, may be filled anew. */
  giveBack(at: number, byteSize: number): void {
    Atomics.store(this.#words, USED_FROM, at + roundUp(byteSize));
  }
}
