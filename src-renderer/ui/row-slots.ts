// Which element shows which row of a virtual list. A row keeps its element while it is rendered; an element that its row
// has left takes the next new row and stays where it is among the others, so that scrolling changes texts and neither
// makes nor moves elements. The element of the row with the focus is never handed on: what has the focus must not
// silently become another row.

/** The element that a row is drawn in. */
export interface RowSlot {
  readonly slot: number;
  /** Place among the elements: that of the row when the list last changed. */
  readonly rank: number;
}

/** Gives rows their elements, so that scrolling makes no new ones. */
export interface RowSlots {
  /**
   * The slot of every key, for the keys that are rendered now, in their order. For another `list` the elements are
   * ranked anew. The same arguments give the same answer.
   */
  assign(keys: readonly string[], focusKey: string | undefined, list: unknown): ReadonlyMap<string, RowSlot>;
}

/**
 * For one list. `assign` must be called once for each drawing; the row with `focusKey` keeps its element even
 * when it is out of sight.
 */
export function createRowSlots(): RowSlots {
  let current: ReadonlyMap<string, RowSlot> = new Map();
  let currentList: unknown;
  let count = 0;
  return {
    assign: (keys, focusKey, list) => {
      const wanted = new Set(keys);
      const free = [...current].flatMap(([key, slot]) => (wanted.has(key) || key === focusKey ? [] : [slot]));
      const next = new Map<string, RowSlot>();
      for (const key of wanted) {
        const taken = current.get(key) ?? free.shift();
        if (taken === undefined) {
          next.set(key, { slot: count, rank: count });
          count += 1;
        } else next.set(key, taken);
      }
      if (list !== currentList) [...next].forEach(([key, { slot }], rank) => next.set(key, { slot, rank }));
      current = next;
      currentList = list;
      return next;
    },
  };
}
