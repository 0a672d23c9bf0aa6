import { expect, test } from 'vitest';

import { wireThreadsFor } from './thread-count.ts';

const on = (processors: number, platform = 'linux') => ({ platform, processors });

test.each([
  [1, 0],
  [2, 0],
  [5, 0],
  [6, 2],
  [8, 2],
  [9, 3],
  [16, 4],
  [128, 4],
])('a machine of %i processors has %i threads', (processors, expected) => {
  expect(wireThreadsFor(-1, on(processors))).toEqual({ count: expected, waitForLoad: true });
});

test('a number that was asked for counts on any machine that can', () => {
  expect(wireThreadsFor(3, on(2))).toEqual({ count: 3, waitForLoad: false });
  expect(wireThreadsFor(0, on(64)).count).toBe(0);
  expect(wireThreadsFor(3, on(64, 'darwin')).count).toBe(0);
});
