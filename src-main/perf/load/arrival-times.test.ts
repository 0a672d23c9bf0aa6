// When requests are due: gaps that add up to the load that was asked for.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Arrivals } from './arrival-times.ts';
import {
  constantArrivals,
  intervalArrivals,
  poissonArrivals,
  rateOfIntervals,
  scheduledArrivals,
} from './arrival-times.ts';

const take = (arrivals: Arrivals, count: number): number[] =>
  Array.from({ length: count }, () => arrivals() ?? NaN);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('rounding of a constant rate never adds up, whatever the rate', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 1e6, noNaN: true }),
      fc.integer({ min: 1, max: 500 }),
      (rate, count) => {
        const gaps = take(constantArrivals(rate), count);
        expect(Math.abs(sum(gaps) - (count * 1e9) / rate)).toBeLessThanOrEqual(1);
        expect(gaps.every((gap) => Number.isInteger(gap) && gap >= 0)).toBe(true);
      },
    ),
  );
});

test('Poisson arrivals have the rate on average, are the same in every run, and vary as they should', () => {
  const gaps = take(poissonArrivals(200), 20_000);
  const meanNs = sum(gaps) / gaps.length;
  expect(Math.abs(meanNs / 5e6 - 1)).toBeLessThan(0.03);
  const deviation = Math.sqrt(sum(gaps.map((gap) => (gap - meanNs) ** 2)) / gaps.length);
  // Of an exponential distribution both are the same.
  expect(Math.abs(deviation / meanNs - 1)).toBeLessThan(0.05);
  expect(take(poissonArrivals(200), 50)).toEqual(gaps.slice(0, 50));
});

test('given gaps come again and again', () => {
  expect(take(intervalArrivals([100, 250]), 5)).toEqual([100e3, 250e3, 100e3, 250e3, 100e3]);
  expect(rateOfIntervals([100, 300])).toBe(5000);
  expect(rateOfIntervals([3000])).toBe(333);
});

test('a schedule ends, and an entry that is out of order is sent at once', () => {
  const arrivals = scheduledArrivals([0, 10, 5, 12]);
  expect(take(arrivals, 4)).toEqual([0, 10e6, 0, 2e6]);
  expect(arrivals()).toBeUndefined();
  expect(arrivals()).toBeUndefined();
});
