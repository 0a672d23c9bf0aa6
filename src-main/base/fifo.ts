// A first-in first-out list with constant-time push and shift. Removal from the middle is linear and meant for the
// rare case (cancelled payloads, drained instances).

export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** The oldest item, left in place. */
  peek(): T | undefined {
    return this.#items[this.#head];
  }

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

  /** Takes one item out wherever it stands; false when it is not there. */
  remove(item: T): boolean {
    const at = this.#items.indexOf(item, this.#head);
    if (at < 0) return false;
    this.#items.splice(at, 1);
    return true;
  }
}
