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

/** So many values wait to be sorted in. */
const WAITING_LIMIT = 500;

/** Takes values one by one; what it keeps grows with the accuracy that is asked for, not with their number. */
export class QuantileSketch {
  readonly #quantiles: readonly Quantile[];
  readonly #samples: Sample[] = [];
  #waiting: number[] = [];
  #count = 0;

  constructor(quantiles: readonly Quantile[]) {
    this.#quantiles = quantiles;
  }

  insert(value: number): void {
    if (this.#waiting.push(value) < WAITING_LIMIT) return;
    this.#sortIn();
    this.#merge();
  }

  /** NaN without values. */
  get(rank: number): number {
    this.#sortIn();
    this.#merge();
    const wanted = Math.trunc(rank * this.#count);
    const bound = wanted + this.#allowedError(wanted) / 2;
    let before = 0;
    for (const [index, { value, span }] of this.#samples.entries()) {
      const next = this.#samples[index + 1];
      before += span;
      if (next === undefined || before + next.span + next.slack > bound) return value;
    }
    return Number.NaN;
  }

  reset(): void {
    this.#count = 0;
    this.#samples.length = 0;
    this.#waiting = [];
  }

  /** In places: the least that any of the quantiles allows there. */
  #allowedError(place: number): number {
    const size = this.#samples.length;
    let least = size + 1;
    for (const { rank, error } of this.#quantiles) {
      const allowed =
        place <= rank * size ? ((2 * error) / (1 - rank)) * (size - place) : ((2 * error) / rank) * place;
      if (allowed < least) least = allowed;
    }
    return least;
  }

  #sortIn(): void {
    const samples = this.#samples;
    let at = 0;
    for (const value of this.#waiting.sort((a, b) => a - b)) {
      this.#count += 1;
      if (samples.length === 0) {
        samples.push({ value, span: 1, slack: 0 });
        continue;
      }
      let place = at + 1;
      while (place < samples.length && (samples[at]?.value ?? 0) < value) {
        at = place;
        place += 1;
      }
      if ((samples[at]?.value ?? 0) > value) place -= 1;
      const isAtEdge = place === 1 || place + 1 === samples.length;
      const slack = isAtEdge ? 0 : Math.floor(this.#allowedError(place + 1)) + 1;
      samples.splice(place, 0, { value, span: 1, slack });
      at = place;
    }
    this.#waiting = [];
  }

  /** The sample behind one that went is passed over: it is looked at with the next merge. */
  #merge(): void {
    const samples = this.#samples;
    for (let index = 1; index < samples.length; index += 1) {
      const [left, right] = [samples[index - 1], samples[index]];
      if (left === undefined || right === undefined) return;
      if (left.span + right.span + right.slack > this.#allowedError(index)) continue;
      right.span += left.span;
      samples.splice(index - 1, 1);
    }
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
