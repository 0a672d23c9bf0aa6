// A Map that lives long and whose entries come and go by the thousand. A plain Map keeps garbage alive in V8 then: each
// of its outgrown tables refers to the next one, and once the collector has moved one of them to the old generation,
// everything that was in the map since is moved there too instead of being dropped. Minor collections then take tens of
// milliseconds. So the entries move to a new Map before any table grows that old. (InFlight gives out numbers too.)

/** Additions to one Map; far fewer than happen between two collections. */
const MOST_ADDED = 1024;

/** Behaves as a Map, order of insertion included, but for iterations (see `set`). What it saves is memory, not time. */
export class ChurningMap<K, V> {
  #map = new Map<K, V>();
  #added = 0;

  /** Entries now. */
  get size(): number {
    return this.#map.size;
  }

  /** `undefined` for a key that is not there. */
  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  /** Iterations that were begun before see neither this nor what happens later. */
  set(key: K, value: V): void {
    this.#added += 1;
    if (this.#added > MOST_ADDED && this.#added > 2 * this.#map.size) {
      this.#map = new Map(this.#map);
      this.#added = 0;
    }
    this.#map.set(key, value);
  }

  /** True when there was an entry. */
  delete(key: K): boolean {
    return this.#map.delete(key);
  }

  /** Takes everything out. An iteration that began before the entries moved goes on with what it had. */
  clear(): void {
    this.#map.clear();
  }

  /** In order of insertion; see `set` for what a change meanwhile does. */
  keys(): MapIterator<K> {
    return this.#map.keys();
  }

  /** As `keys`. */
  values(): MapIterator<V> {
    return this.#map.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#map[Symbol.iterator]();
  }
}
