import { expect, test } from 'vitest';

import { RingBuffer } from './ring-buffer.ts';

test.each([
  [2, [2, 1]],
  [3, [3, 2, 1]],
  [7, [7, 6, 5]],
])('of %i items the newest come first, and no more than are kept', (count, newest) => {
  const ring = new RingBuffer<number>(3);
  for (let item = 1; item <= count; item += 1) ring.push(item);
  expect([...ring.newest()]).toEqual(newest);
  expect(ring.toArray()).toEqual(newest.toReversed());
});

test('an empty one has no newest', () => {
  expect([...new RingBuffer<number>(3).newest()]).toEqual([]);
});
