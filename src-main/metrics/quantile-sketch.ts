// Quantiles of a stream of values, as the reference's metrics library estimates them (CKMS: each quantile has an error
// that it may have, and values that no answer needs are merged). Few values show how it rounds: of two it names the
// smaller one for every quantile below 1. Dashboards compare such numbers, so places and steps are kept to the letter.

/** A quantile that will be asked for. */
export interface Quantile {
  /** From 0 to 1; above 1 is the largest value. */
  readonly rank: number;
  /** By how much the rank of an answer may be off, from 0 to 1. */
  readonly error: number;
}

/** A value that stands for `span` values up to it; their places are known to within `slack`. */
interface Sample {
  readonly value: number;
  span: number;
  readonly slack: number;
}

/** What a quantile allows per place: of those behind the place where it is not behind the quantile's own, else before. */
interface Bound {
  readonly rank: number;
  readonly below: number;
  readonly above: number;
}

/** So many values wait to be sorted in, as in the reference. */
const WAITING_LIMIT = 500;
/** A prime, so that limits repeat after `WAITING_LIMIT` sketches only. */
const STAGGER = 37;

let sketchCount = 0;

/**
 * A request is observed by dozens of sketches, and each takes up to a millisecond to sort in what waits: those that take up to
 * twice as many values do it at different requests. Only estimates of more values than the limit can tell.
 */
function nextLimit(): number {
  sketchCount += 1;
  return WAITING_LIMIT + ((sketchCount * STAGGER) % WAITING_LIMIT);
}

/** Takes values one by one; what it keeps grows with the accuracy that is asked for, not with their number. */
export class QuantileSketch {
  readonly #bounds: readonly Bound[];
  readonly #waitingLimit = nextLimit();
  #samples: Sample[] = [];
  #waiting: number[] = [];
  #count = 0;

  constructor(quantiles: readonly Quantile[]) {
    this.#bounds = quantiles.map(({ rank, error }) => ({
      rank,
      below: (2 * error) / (1 - rank),
      above: (2 * error) / rank,
    }));
  }

  /** Values are gathered first and sorted in together, so one call in many takes longer. */
  insert(value: number): void {
    if (this.#waiting.push(value) < this.#waitingLimit) return;
    this.#sortIn();
    this.#merge();
  }

  /** NaN without values. */
  get(rank: number): number {
    this.#sortIn();
    this.#merge();
    const wanted = Math.trunc(rank * this.#count);
    const bound = wanted + this.#allowedError(wanted, this.#samples.length) / 2;
    let before = 0;
    for (const [index, { value, span }] of this.#samples.entries()) {
      const next = this.#samples[index + 1];
      before += span;
      if (next === undefined || before + next.span + next.slack > bound) return value;
    }
    return Number.NaN;
  }

  /** Forgets all values. */
  reset(): void {
    this.#count = 0;
    this.#samples = [];
    this.#waiting = [];
  }

  /** In places, among so many samples: the least that any of the quantiles allows there. */
  #allowedError(place: number, size: number): number {
    const bounds = this.#bounds;
    let least = size + 1;
    // By index: this is asked for every sample.
    for (let at = 0; at < bounds.length; at += 1) {
      const { rank, below, above } = bounds[at] as Bound;
      const allowed = place <= rank * size ? below * (size - place) : above * place;
      if (allowed < least) least = allowed;
    }
    return least;
  }

  /**
   * One pass for all that wait, since small errors keep many samples. A value comes behind its equal, else before the
   * next greater one, and behind the last sample where none is left to compare it with.
   */
  #sortIn(): void {
    const old = this.#samples;
    const sorted: Sample[] = [];
    let next = 0;
    let current = old[next++];
    for (const value of this.#waiting.sort((a, b) => a - b)) {
      this.#count += 1;
      if (current === undefined) {
        current = { value, span: 1, slack: 0 };
        continue;
      }
      for (let after = old[next]; after !== undefined && current.value < value; after = old[next]) {
        sorted.push(current);
        current = after;
        next += 1;
      }
      const size = sorted.length + 1 + Math.max(0, old.length - next);
      if (current.value > value) next -= 1;
      else sorted.push(current);
      const place = sorted.length;
      const isAtEdge = place === 1 || place + 1 === size;
      const slack = isAtEdge ? 0 : Math.floor(this.#allowedError(place + 1, size)) + 1;
      current = { value, span: 1, slack };
    }
    if (current !== undefined) sorted.push(current);
    for (; next < old.length; next += 1) sorted.push(old[next] as Sample);
    this.#samples = sorted;
    this.#waiting = [];
  }

  /** The sample behind one that went is passed over: it is looked at with the next merge. */
  #merge(): void {
    const samples = this.#samples;
    let [left] = samples;
    let kept = 0;
    let size = samples.length;
    for (let at = 1; left !== undefined; at += 1) {
      const right = samples[at];
      if (right !== undefined && left.span + right.span + right.slack <= this.#allowedError(kept + 1, size)) {
        right.span += left.span;
        samples[kept++] = right;
        size -= 1;
        at += 1;
        left = samples[at];
      } else {
        samples[kept++] = left;
        left = right;
      }
    }
    samples.length = kept;
  }
}

/** Quantiles over a sliding window: sketches that all take each value and are emptied in turn; the oldest answers. */
export class WindowQuantiles {
  readonly #sketches: readonly QuantileSketch[];
  readonly #turnNs: number;
  #oldest = 0;
  #turnedAtNs: number;

  /** `windowMs`: how long a value counts at most; it counts for `1 - 1 / parts` of it at least. */
  constructor(quantiles: readonly Quantile[], windowMs: number, parts: number, nowNs: number) {
    this.#sketches = Array.from({ length: parts }, () => new QuantileSketch(quantiles));
    this.#turnNs = (windowMs * 1e6) / parts;
    this.#turnedAtNs = nowNs;
  }

  /** `nowNs` is monotonic and never less than before. */
  insert(value: number, nowNs: number): void {
    this.#turn(nowNs);
    for (const sketch of this.#sketches) sketch.insert(value);
  }

  /** NaN while the window is empty. */
  get(rank: number, nowNs: number): number {
    this.#turn(nowNs);
    return this.#sketches[this.#oldest]?.get(rank) ?? Number.NaN;
  }

  #turn(nowNs: number): void {
    while (nowNs - this.#turnedAtNs > this.#turnNs) {
      this.#sketches[this.#oldest]?.reset();
      this.#oldest = (this.#oldest + 1) % this.#sketches.length;
      this.#turnedAtNs += this.#turnNs;
    }
  }
}
