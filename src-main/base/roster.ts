// Those who are here now, where many come and go: who leaves is replaced by the last one. A Set would do, but each of its
// tables refers to the next one when it grows or is cleaned, so that a table that outlives two collections keeps alive
// all that came after it, and everything they held, until the next full collection.

/** Where its owner keeps an entry's place. */
export interface RosterEntry {
  /** Place in the one roster that it is in; -1 = in none. */
  rosterIndex: number;
}

/** Keeps no order. An entry carries its own place, so it can be in one roster at a time. */
export class Roster<T extends RosterEntry> {
  readonly #entries: T[] = [];

  /** Entries that are here now. */
  get length(): number {
    return this.#entries.length;
  }

  /** The entry must be in no other roster, nor here already. */
  add(entry: T): void {
    entry.rosterIndex = this.#entries.length;
    this.#entries.push(entry);
  }

  /** Takes the entry out; nothing happens when it is not here. */
  remove(entry: T): void {
    const at = entry.rosterIndex;
    if (this.#entries[at] !== entry) return;
    entry.rosterIndex = -1;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#entries[at] = last;
    last.rosterIndex = at;
  }

  /** In no order. */
  toArray(): readonly T[] {
    return [...this.#entries];
  }
}
