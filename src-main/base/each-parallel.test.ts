import { expect, test } from 'vitest';

import { eachParallel } from './each-parallel.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each item is worked on once, so many at a time', async () => {
  const seen: string[] = [];
  let running = 0;
  let most = 0;
  await eachParallel(['a', 'b', 'c', 'd', 'e'], 2, async (item, index) => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    seen.push(`${item}${index}`);
    running -= 1;
  });
  expect(seen.toSorted()).toEqual(['a0', 'b1', 'c2', 'd3', 'e4']);
  expect(most).toBe(2);
});

test('nothing is nothing to wait for', async () => {
  await eachParallel([], 4, () => Promise.reject(new Error('asked')));
});

test('the first fault is told, and nothing new begins behind it', async () => {
  const begun: number[] = [];
  const working = eachParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await turn();
    if (item === 0) throw new Error('full');
    await turn();
  });
  await expect(working).rejects.toThrow('full');
  for (let more = 0; more < 10; more += 1) await turn();
  expect(begun).toEqual([0, 1]);
});
