// Fixed-size history: the newest `capacity` items, older ones overwritten.

/** Memory grows to `capacity` items and stays there. */
export class RingBuffer<T> {
  readonly #capacity: number;
  readonly #items: T[] = [];
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Overwrites the oldest item when it is full. */
  push(item: T): void {
    if (this.#items.length < this.#capacity) this.#items.push(item);
    else this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Newest first, as far as somebody reads. */
  *newest(): Generator<T> {
    for (let back = 1; back <= this.#items.length; back += 1) {
      const item = this.#items[(this.#next - back + this.#capacity) % this.#capacity];
      if (item !== undefined) yield item;
    }
  }

  /** A copy, oldest first. */
  toArray(): T[] {
    if (this.#items.length < this.#capacity) return [...this.#items];
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}
