import { expect, test } from 'vitest';

import { LineHeights } from './line-heights.ts';

const numbered = (from: number, to: number, step = 1): { readonly sequence: number }[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => ({ sequence: from + at * step }));

/** Of the same lines, one after the other. */
function tops(heights: LineHeights, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, index) => heights.topOf(index));
}

test('lines stand below each other, higher ones push what follows', () => {
  const heights = new LineHeights(20);
  heights.show(numbered(1, 5));
  expect(tops(heights, 5)).toEqual([0, 20, 40, 60, 80, 100]);
  expect(heights.measured(3, 60)).toBe(true);
  expect(heights.measured(1, 40)).toBe(true);
  expect(tops(heights, 5)).toEqual([0, 20, 60, 80, 140, 160]);
  expect(heights.totalPx).toBe(160);
  expect(heights.measured(3, 20)).toBe(true);
  expect(heights.measured(1, 40.2)).toBe(false);
  expect(heights.measured(7, 40)).toBe(false);
  expect(tops(heights, 5)).toEqual([0, 20, 60, 80, 100, 120]);
});

test('each height has its line, the ends have what lies beyond', () => {
  const heights = new LineHeights(20);
  expect(heights.indexAt(100)).toBe(0);
  heights.show(numbered(1, 4));
  heights.measured(1, 100);
  expect([-5, 0, 19, 20, 119, 120, 139, 140, 9999].map((px) => heights.indexAt(px))).toEqual([
    0, 0, 0, 1, 1, 2, 2, 3, 3,
  ]);
});

test('a list grows at its end without being looked at again', () => {
  const lines = numbered(1, 100_000);
  let reads = 0;
  const counted = new Proxy(lines, {
    get: (list, key, receiver) => {
      reads += 1;
      return Reflect.get(list, key, receiver) as unknown;
    },
  });
  const heights = new LineHeights(20);
  heights.show(counted);
  heights.measured(50_000, 40);
  reads = 0;
  lines.push({ sequence: 100_001 });
  heights.show(counted);
  heights.measured(100_000, 40);
  expect(heights.totalPx).toBe(100_001 * 20 + 40);
  expect(heights.indexAt(heights.totalPx - 1)).toBe(100_000);
  expect(reads).toBeLessThan(20);
});

test('another list keeps what was measured of the lines that are in it', () => {
  const heights = new LineHeights(20);
  heights.show(numbered(1, 10));
  heights.measured(1, 50);
  heights.measured(8, 70);
  heights.show(numbered(5, 10));
  expect(heights.totalPx).toBe(6 * 20 + 50);
  expect(heights.topOf(heights.indexOf(10))).toBe(5 * 20 + 50);
  heights.show(numbered(2, 10, 2));
  expect(heights.totalPx).toBe(5 * 20);
  expect(heights.indexOf(5)).toBe(2);
  expect(heights.indexOf(11)).toBe(5);
});

test('lines of another height or shape begin anew', () => {
  const heights = new LineHeights(20);
  heights.reshape(20, 'wrapped');
  heights.show(numbered(1, 10));
  heights.measured(1, 50);
  heights.reshape(20, 'wrapped');
  expect(heights.totalPx).toBe(230);
  heights.reshape(24, 'wrapped');
  expect(heights.totalPx).toBe(240);
  heights.measured(1, 54);
  heights.reshape(24, 'single');
  expect(heights.totalPx).toBe(240);
});
