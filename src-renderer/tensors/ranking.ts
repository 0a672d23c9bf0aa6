// The values of a vector in order, and what they mean as shares. Pure.

/** By value from either end, or as they lie. */
export type RankOrder = 'largest' | 'smallest' | 'index';

/** Indices in the order asked for; values that are no numbers come last, equal values by index. */
export function ranked(values: Float64Array, order: RankOrder): readonly number[] {
  const indices = Array.from(values, (_, index) => index);
  if (order === 'index') return indices;
  const sign = order === 'largest' ? -1 : 1;
  const key = (index: number): number => {
    const value = values[index] ?? Number.NaN;
    return Number.isNaN(value) ? Infinity : sign * value;
  };
  return indices.sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    return left === right ? a - b : left < right ? -1 : 1;
  });
}

/** Shares add up to 1; logits become shares by softmax; other values are neither. */
export type ValueMeaning = 'shares' | 'logits' | 'values';

const NEAR_ONE = 0.01;

/** Shares are 0..1 and add up to 1; numbers below 0 or above 1 may be logits; others are just values. */
export function meaningOf(values: Float64Array): ValueMeaning {
  let [sum, min, max] = [0, Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) return 'values';
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (values.length > 1 && min >= 0 && max <= 1 && Math.abs(sum - 1) < NEAR_ONE) return 'shares';
  return min < 0 || max > 1 ? 'logits' : 'values';
}

/** Softmax of the vector: positive, adding up to 1. */
export function softmax(values: Float64Array): Float64Array {
  const max = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const powers = values.map((value) => Math.exp(value - max));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

/** Where a bar lies. */
export interface Bar {
  /** 0..1 of the width. */
  readonly from: number;
  readonly to: number;
}

/** Where the bar of a value begins and ends when all values share one axis with a zero in it. */
export function barOf(value: number, min: number, max: number): Bar {
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  if (!Number.isFinite(value) || high <= low) return { from: 0, to: 0 };
  const at = (x: number): number => (x - low) / (high - low);
  return { from: at(Math.min(0, value)), to: at(Math.max(0, value)) };
}

/** Length of the vector. */
export function norm(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}

/** Cosine of the angle between two vectors; undefined when one has no length or they differ in size. */
export function cosine(a: Float64Array, b: Float64Array): number | undefined {
  const lengths = norm(a) * norm(b);
  if (a.length !== b.length || !(lengths > 0)) return undefined;
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) / lengths;
}
