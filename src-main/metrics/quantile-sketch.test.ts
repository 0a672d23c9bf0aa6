// Quantiles as the reference estimates them.

import { describe, expect, test, vi } from 'vitest';
import { defaultMetricsConfig } from './metrics-config.ts';
import { QuantileSketch, WindowQuantiles } from './quantile-sketch.ts';

const QUANTILES = defaultMetricsConfig.summaryQuantiles;
const sketchOf = (values: readonly number[]): QuantileSketch => {
  const sketch = new QuantileSketch(QUANTILES);
  for (const value of values) sketch.insert(value);
  return sketch;
};
const allOf = (values: readonly number[]): number[] => {
  const sketch = sketchOf(values);
  return QUANTILES.map(({ rank }) => sketch.get(rank));
};

describe('a sketch', () => {
  test('has nothing to say without values', () => {
    expect(allOf([])).toEqual(QUANTILES.map(() => Number.NaN));
    const sketch = sketchOf([1, 2]);
    sketch.reset();
    expect(sketch.get(0.5)).toBeNaN();
    sketch.insert(7);
    expect(sketch.get(0.5)).toBe(7);
  });

  // What the reference says of requests that took as many seconds.
  test.each([
    [[2], [2, 2, 2, 2, 2]],
    [
      [2, 1],
      [1, 1, 1, 1, 1],
    ],
    [
      [0, 2],
      [0, 0, 0, 0, 0],
    ],
  ])('names the smaller one of two: %j', (values, expected) => {
    expect(allOf(values)).toEqual(expected);
  });

  test('names the largest value above 1', () => {
    expect(sketchOf([5, 9, 7]).get(2)).toBe(9);
  });

  test('is off by no more than the error of each quantile, and keeps few of many values', () => {
    const count = 20_000;
    // Every value once, in an order that jumps about.
    const values = Array.from({ length: count }, (_, index) => (index * 7919) % count);
    const sketch = sketchOf(values);
    for (const { rank, error } of QUANTILES)
      expect(Math.abs(sketch.get(rank) - rank * count) / count, String(rank)).toBeLessThanOrEqual(error);
  });
});

test('sketches that observe the same requests sort them in at different ones', () => {
  const sorts: number[] = [];
  const sketches = Array.from({ length: 40 }, () => new QuantileSketch(QUANTILES));
  const sorting = vi.spyOn(Array.prototype, 'sort');
  try {
    for (let count = 0; count < 2000; count += 1) {
      sorting.mockClear();
      for (const sketch of sketches) sketch.insert(count);
      sorts.push(sorting.mock.calls.length);
    }
  } finally {
    sorting.mockRestore();
  }
  expect(Math.max(...sorts)).toBeLessThanOrEqual(2);
});

describe('a window', () => {
  const second = 1e9;
  test('keeps values for 48 seconds at least and 60 at most', () => {
    const window = new WindowQuantiles(QUANTILES, 60_000, 5, 0);
    window.insert(4, 11 * second);
    expect(window.get(0.5, 59 * second)).toBe(4);
    expect(window.get(0.5, 61 * second)).toBeNaN();
    window.insert(5, 61 * second);
    window.insert(6, 100 * second);
    expect(window.get(2, 108 * second)).toBe(6);
    expect(window.get(0.5, 108 * second)).toBe(5);
    expect(window.get(0.5, 121 * second)).toBe(6);
    expect(window.get(0.5, 10_000 * second)).toBeNaN();
  });
});
