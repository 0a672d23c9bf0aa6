import { expect, test } from 'vitest';

import { RefreshQueue } from './refresh-queue.ts';

test('reads a few at a time, each name once', async () => {
  const read: string[] = [];
  let running = 0;
  let most = 0;
  const queue = new RefreshQueue(3, async (name) => {
    read.push(name);
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
  });
  const names = Array.from({ length: 100 }, (_, i) => `m${i}`);
  for (const name of names) queue.add(name);
  queue.add('m99');
  await expect.poll(() => read.length).toBe(100);
  expect([most, new Set(read).size]).toEqual([3, 100]);
  queue.add('m0');
  await expect.poll(() => read.at(-1)).toBe('m0');
});
