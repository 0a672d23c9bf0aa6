// Which values of a tensor are the highest, with the order of equal ones that a client of Triton sees: that of std::sort in
// the GNU C++ library, which is not stable. (Introsort: partitions by the median of three down to 16 elements, a heap where
// they get too deep, and one insertion sort over everything at the end.)

type Values = ArrayLike<number> | ArrayLike<bigint>;

const SMALL = 16;

/** Indexes of the `count` highest values, descending. With NaN among them the order is what comparing makes of it. */
export function highest(values: Values, count: number): readonly number[] {
  return clearlyHighest(values, count) ?? Array.from(new Descending(values).sorted().subarray(0, count));
}

/** The same where no two of the values that matter are equal; one walk. Undefined where the order needs the sort. */
function clearlyHighest(values: Values, count: number): readonly number[] | undefined {
  if (count > SMALL) return undefined;
  // One more than wanted: the last wanted one may equal the next.
  const found: number[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (Number.isNaN(value)) return undefined;
    let at = found.length;
    while (at > 0 && value > (values[found[at - 1] as number] as number)) at -= 1;
    if (at > count) continue;
    found.splice(at, 0, index);
    if (found.length > count + 1) found.pop();
  }
  for (let at = 1; at < found.length; at += 1)
    if (values[found[at - 1] as number] === values[found[at] as number]) return undefined;
  return found.slice(0, count);
}

class Descending {
  readonly #values: Values;
  readonly #order: Int32Array;

  constructor(values: Values) {
    this.#values = values;
    this.#order = Int32Array.from({ length: values.length }, (_, index) => index);
  }

  sorted(): Int32Array {
    const length = this.#order.length;
    this.#partition(0, length, 2 * (31 - Math.clz32(length)));
    for (let at = 1; at < length; at += 1) this.#insert(at);
    return this.#order;
  }

  /** Whether the index `a` stands before the index `b`. */
  #isBefore(a: number, b: number): boolean {
    return (this.#values[a] as number) > (this.#values[b] as number);
  }

  #at(place: number): number {
    return this.#order[place] as number;
  }

  #swap(a: number, b: number): void {
    const kept = this.#at(a);
    this.#order[a] = this.#at(b);
    this.#order[b] = kept;
  }

  #partition(first: number, end: number, depth: number): void {
    let last = end;
    for (let left = depth; last - first > SMALL; left -= 1) {
      if (left === 0) {
        this.#sortByHeap(first, last);
        return;
      }
      this.#medianToFirst(first, first + 1, first + Math.floor((last - first) / 2), last - 1);
      const cut = this.#cut(first + 1, last, first);
      this.#partition(cut, last, left - 1);
      last = cut;
    }
  }

  #medianToFirst(first: number, a: number, b: number, c: number): void {
    const [left, middle, right] = [this.#at(a), this.#at(b), this.#at(c)];
    if (this.#isBefore(left, middle)) {
      if (this.#isBefore(middle, right)) this.#swap(first, b);
      else this.#swap(first, this.#isBefore(left, right) ? c : a);
    } else if (this.#isBefore(left, right)) this.#swap(first, a);
    else this.#swap(first, this.#isBefore(middle, right) ? c : b);
  }

  /** NaN may keep a walk from stopping where it should: the ends of the range stop it. */
  #cut(from: number, end: number, pivotPlace: number): number {
    const pivot = this.#at(pivotPlace);
    let [left, right] = [from, end];
    for (;;) {
      while (left < end && this.#isBefore(this.#at(left), pivot)) left += 1;
      right -= 1;
      while (right > from && this.#isBefore(pivot, this.#at(right))) right -= 1;
      if (left >= right) return left;
      this.#swap(left, right);
      left += 1;
    }
  }

  #insert(place: number): void {
    const index = this.#at(place);
    let at = place;
    // The first 16 look at the very first one before anything else.
    if (place < SMALL && this.#isBefore(index, this.#at(0))) {
      this.#order.copyWithin(1, 0, place);
      this.#order[0] = index;
      return;
    }
    while (at > 0 && this.#isBefore(index, this.#at(at - 1))) {
      this.#order[at] = this.#at(at - 1);
      at -= 1;
    }
    this.#order[at] = index;
  }

  #sortByHeap(first: number, last: number): void {
    const length = last - first;
    for (let parent = Math.floor((length - 2) / 2); parent >= 0; parent -= 1)
      this.#sink(first, parent, length, this.#at(first + parent));
    for (let end = last - 1; end > first; end -= 1) {
      const index = this.#at(end);
      this.#order[end] = this.#at(first);
      this.#sink(first, 0, end - first, index);
    }
  }

  /** Fills the hole from below to its bottom, then lets the index rise to its place. */
  #sink(first: number, top: number, length: number, index: number): void {
    let hole = top;
    let child = top;
    while (child < Math.floor((length - 1) / 2)) {
      child = 2 * (child + 1);
      if (this.#isBefore(this.#at(first + child), this.#at(first + child - 1))) child -= 1;
      this.#order[first + hole] = this.#at(first + child);
      hole = child;
    }
    if (length % 2 === 0 && child === (length - 2) / 2) {
      child = 2 * (child + 1);
      this.#order[first + hole] = this.#at(first + child - 1);
      hole = child - 1;
    }
    while (hole > top) {
      const parent = Math.floor((hole - 1) / 2);
      if (!this.#isBefore(this.#at(first + parent), index)) break;
      this.#order[first + hole] = this.#at(first + parent);
      hole = parent;
    }
    this.#order[first + hole] = index;
  }
}
