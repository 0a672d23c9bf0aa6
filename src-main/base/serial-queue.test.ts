import { expect, test, vi } from 'vitest';

import { SerialQueue } from './serial-queue.ts';

test('jobs of one key never overlap and keep their order, failures included', async () => {
  const queue = new SerialQueue();
  const events: string[] = [];
  const job =
    (name: string, fail = false) =>
    async () => {
      events.push(`${name}+`);
      await Promise.resolve();
      events.push(`${name}-`);
      if (fail) throw new Error(name);
    };
  const first = queue.run('k', job('a', true));
  const second = queue.run('k', job('b'));
  await expect(first).rejects.toThrow('a');
  await second;
  expect(events).toEqual(['a+', 'a-', 'b+', 'b-']);
});

test('keys do not wait for each other, and none is kept when idle', async () => {
  const queue = new SerialQueue();
  let open: (() => void) | undefined;
  const blocked = queue.run('a', () => new Promise<void>((resolve) => (open = resolve)));
  await queue.run('b', () => Promise.resolve());
  open?.();
  await blocked;
  await vi.waitFor(() => expect(queue.activeCount).toBe(0));
});
