// Streams that this side has reset: the other side may not know yet, so what it sends for them is no fault.

const MAX_REMEMBERED = 1024;

/** Remembers the latest ones; a client that sends for an older one is at fault. */
export class ClosedStreams {
  readonly #reset = new Set<number>();

  /** To be told when RST_STREAM goes out for a stream that the client has not ended. */
  resetByUs(id: number): void {
    this.#reset.add(id);
    if (this.#reset.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#reset) {
      this.#reset.delete(oldest);
      return;
    }
  }

  /** True when frames of the stream are to be passed over, false when they are a fault. */
  mayHearOf(id: number): boolean {
    return this.#reset.has(id);
  }
}
