// How the memory of the response cache is given out, in counts alone: Triton's local cache keeps its entries in one piece
// of memory, the smallest hole that is large enough first. What fits beside what, and so what is evicted, follows from
// it. A block is a multiple of 16 bytes.

const UNIT = 16;
/** Of each block, for its own size. */
const HEAD_BYTES = 8;
/** What keeps the memory in order; never given out. */
const OWN_BYTES = 128;
/** At the end of the memory; counts as free and is never given out. */
const END_BYTES = 16;
/** A rest smaller than this stays with the block before it. */
const SMALLEST_BLOCK = 48;

/** The smallest memory that can be given out. */
export const SMALLEST_ROOM = OWN_BYTES + END_BYTES + SMALLEST_BLOCK;

/** What `take` gave out, for `give`. Its size is a whole number of units, its head included. */
export interface RoomBlock {
  readonly byteSize: number;
}

interface Block {
  byteSize: number;
  isFree: boolean;
  before: Block | undefined;
  after: Block | undefined;
}

/** `byteSize` is at least `SMALLEST_ROOM`. */
export class CacheRoom {
  readonly #byteSize: number;
  /** Holes by size; of the same size the oldest first. */
  readonly #holes = new Map<number, Set<Block>>();
  /** The sizes of the holes, ascending. */
  readonly #sizes: number[] = [];
  #usedByteSize = OWN_BYTES;

  constructor(byteSize: number) {
    this.#byteSize = byteSize;
    const room = Math.floor(byteSize / UNIT) * UNIT - OWN_BYTES - END_BYTES;
    this.#addHole({ byteSize: room, isFree: true, before: undefined, after: undefined });
  }

  /** Share of the memory in use, from 0 to 1. */
  get utilization(): number {
    return this.#usedByteSize / this.#byteSize;
  }

  /** undefined when no hole is large enough. */
  take(byteSize: number): RoomBlock | undefined {
    const needed = Math.max(SMALLEST_BLOCK, Math.ceil((byteSize + HEAD_BYTES) / UNIT) * UNIT);
    const size = this.#sizes[this.#firstSize(needed)];
    const [block] = size === undefined ? [] : (this.#holes.get(size) ?? []);
    if (block === undefined) return undefined;
    this.#dropHole(block);
    const rest = block.byteSize - needed;
    if (rest >= SMALLEST_BLOCK) {
      block.byteSize = needed;
      const hole: Block = { byteSize: rest, isFree: true, before: block, after: block.after };
      if (block.after !== undefined) block.after.before = hole;
      block.after = hole;
      this.#addHole(hole);
    }
    block.isFree = false;
    this.#usedByteSize += block.byteSize;
    return block;
  }

  /** Gives back what `take` gave; neighbouring holes become one. */
  give(taken: RoomBlock): void {
    let block = taken as Block;
    this.#usedByteSize -= block.byteSize;
    block.isFree = true;
    const { before, after } = block;
    if (after?.isFree === true) {
      this.#dropHole(after);
      join(block, after);
    }
    if (before?.isFree === true) {
      this.#dropHole(before);
      join(before, block);
      block = before;
    }
    this.#addHole(block);
  }

  #addHole(block: Block): void {
    const same = this.#holes.get(block.byteSize);
    if (same !== undefined) {
      same.add(block);
      return;
    }
    this.#holes.set(block.byteSize, new Set([block]));
    this.#sizes.splice(this.#firstSize(block.byteSize), 0, block.byteSize);
  }

  #dropHole(block: Block): void {
    const same = this.#holes.get(block.byteSize);
    same?.delete(block);
    if (same?.size !== 0) return;
    this.#holes.delete(block.byteSize);
    this.#sizes.splice(this.#firstSize(block.byteSize), 1);
  }

  /** Place of the first size that is not smaller. */
  #firstSize(byteSize: number): number {
    let [low, high] = [0, this.#sizes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sizes[middle] ?? 0) < byteSize) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function join(block: Block, next: Block): void {
  block.byteSize += next.byteSize;
  block.after = next.after;
  if (next.after !== undefined) next.after.before = block;
}
