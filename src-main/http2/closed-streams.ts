// Streams that this side has reset: the other side may not know yet, so what it sends for them is no fault.

const MAX_REMEMBERED = 1024;

/** Remembers the latest ones; a client that sends for an older one is at fault. */
export class ClosedStreams {
  readonly #reset = new Set<number>();

  resetByUs(id: number): void {
    this.#reset.add(id);
    if (this.#reset.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#reset) {
      this.#reset.delete(oldest);
      return;
    }
  }

  mayHearOf(id: number): boolean {
    return this.#reset.has(id);
  }
}
