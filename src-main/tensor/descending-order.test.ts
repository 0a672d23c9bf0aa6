// The orders of equal values were taken from a running Triton server.

import { describe, expect, test } from 'vitest';
import { highest } from './descending-order.ts';

const all = (values: readonly number[]): readonly number[] => highest(values, values.length);
const counted = (count: number, value: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, index) => value(index));

/** Each median of three is a bad one, so that partitions get too deep. */
function badMedians(length: number): number[] {
  const values = Array<number>(length).fill(0);
  const half = length / 2;
  for (let index = 1; index <= half; index += 1) {
    if (index % 2 === 1) {
      values[index - 1] = index;
      values[index] = half + index;
    }
    values[half + index - 1] = 2 * index;
  }
  return values.map((value) => -value);
}

describe('the highest values', () => {
  test('come in descending order', () => {
    expect(highest([3, 9, -1, 7], 2)).toEqual([1, 3]);
    expect(highest([3, 9, -1, 7], 9)).toEqual([1, 3, 0, 2]);
    expect(highest(BigInt64Array.of(3n, 9n, -1n), 1)).toEqual([1]);
    expect(highest([], 3)).toEqual([]);
  });

  test('keep the order of up to 16 equal ones', () => {
    expect(all(counted(16, () => 0))).toEqual(counted(16, (index) => index));
    expect(highest([1, 2, 2, 1], 3)).toEqual([1, 2, 0]);
  });

  test('stand among more equal ones as std::sort leaves them', () => {
    expect(all(counted(20, () => 0))).toEqual([
      10, 19, 18, 17, 16, 15, 14, 13, 12, 11, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    expect(all(counted(24, (index) => index % 3))).toEqual([
      23, 2, 20, 5, 17, 8, 14, 11, 1, 22, 19, 16, 13, 10, 7, 4, 12, 15, 9, 18, 6, 21, 3, 0,
    ]);
    expect(
      highest(
        counted(20, () => 0),
        3,
      ),
    ).toEqual([10, 19, 18]);
    expect(highest([5, ...counted(20, () => 0)], 1)).toEqual([0]);
  });

  test('stay where a number that is none keeps them', () => {
    expect(all([1, NaN, -Infinity])).toEqual([0, 1, 2]);
    const odd = counted(60, (index) => (index % 7 === 0 ? NaN : index % 5));
    expect([...all(odd)].toSorted((a, b) => a - b)).toEqual(counted(60, (index) => index));
  });

  test('are found where partitions do not help', () => {
    for (const length of [200, 2000]) {
      const values = badMedians(length);
      const order = all(values);
      const sorted = values.toSorted((a, b) => b - a);
      expect(order.map((index) => values[index])).toEqual(sorted);
      expect(new Set(order).size).toBe(length);
    }
  });

  test('are the same, asked for few or many', () => {
    const values = counted(300, (index) => (index * 7919) % 83);
    for (const count of [1, 5, 16, 17, 200])
      expect(highest(values, count)).toEqual(all(values).slice(0, count));
  });
});
