// A first-in first-out list with constant-time push and shift; its memory follows its length.

/** Empties itself only from the front. `undefined` cannot be an item: `shift` and `peek` say so of an empty list. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  /** Items pushed and not yet shifted. */
  get length(): number {
    return this.#items.length - this.#head;
  }

  /** Behind all others; there is no bound. */
  push(item: T): void {
    this.#items.push(item);
  }

  /** The oldest item, left in place. */
  peek(): T | undefined {
    return this.#items[this.#head];
  }

  /** Takes the oldest item out. */
  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === this.#items.length) {
      this.#items.length = 0;
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let at = this.#head; at < this.#items.length; at += 1) yield this.#items[at] as T;
  }
}
