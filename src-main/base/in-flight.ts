// What is under way, by number. A Map would do, but a Map that lives long and whose entries come and go keeps garbage
// alive in V8: each of its outgrown tables refers to the next one, and once the collector has moved one of them to the
// old generation, everything that was in the map since is moved there too instead of being dropped. With some thousand
// requests a second each minor collection then takes milliseconds instead of tenths.
// Invariant: no two entries have one number, and a number is not given again before 2^31 others were.

const FIRST_LENGTH = 32;
const LARGEST_NUMBER = 0x7fff_ffff;

/** Numbers are given in order and come again after 2^31 - 1; one that is still under way is passed over. */
export class InFlight<T> {
  /** The entry with number n stands at n modulo the length, which is a power of two. */
  #entries: (T | undefined)[] = emptyPlaces(FIRST_LENGTH);
  /** 0 = the place is free. */
  #numbers = new Uint32Array(FIRST_LENGTH);
  #size = 0;
  #last: number;

  /** `last`: the number before the first one that is given. */
  constructor(last = 0) {
    this.#last = last;
  }

  /** Entries added and not yet taken. */
  get size(): number {
    return this.#size;
  }

  /** Adds what `make` returns for the number that the entry gets, 1 to 2^31 - 1. */
  add(make: (number: number) => T): T {
    if (2 * this.#size >= this.#entries.length) this.#grow();
    const number = this.#nextNumber();
    const entry = make(number);
    this.#place(number, entry);
    this.#size += 1;
    return entry;
  }

  /** The entry, left in place; `undefined` when there is none of that number. */
  get(number: number): T | undefined {
    const at = number & (this.#entries.length - 1);
    return this.#numbers[at] === number ? this.#entries[at] : undefined;
  }

  /** Takes an entry out; undefined when there is none of that number. */
  take(number: number): T | undefined {
    const entry = this.get(number);
    if (entry === undefined) return undefined;
    const at = number & (this.#entries.length - 1);
    this.#entries[at] = undefined;
    this.#numbers[at] = 0;
    this.#size -= 1;
    return entry;
  }

  /** All entries as they are now, in the order of their numbers. */
  values(): readonly T[] {
    const numbers = [...this.#numbers].filter((number) => number !== 0).toSorted((a, b) => a - b);
    return numbers.map((number) => this.get(number) as T);
  }

  #nextNumber(): number {
    do this.#last = this.#last === LARGEST_NUMBER ? 1 : this.#last + 1;
    while (this.#numbers[this.#last & (this.#numbers.length - 1)] !== 0);
    return this.#last;
  }

  #place(number: number, entry: T | undefined): void {
    const at = number & (this.#entries.length - 1);
    this.#entries[at] = entry;
    this.#numbers[at] = number;
  }

  /** Entries that had places of their own before have them in twice the length too. */
  #grow(): void {
    const entries = this.#entries;
    const numbers = this.#numbers;
    this.#entries = emptyPlaces(2 * entries.length);
    this.#numbers = new Uint32Array(2 * entries.length);
    numbers.forEach((number, at) => {
      if (number !== 0) this.#place(number, entries[at]);
    });
  }
}

function emptyPlaces<T>(length: number): (T | undefined)[] {
  return Array.from<T | undefined>({ length });
}
