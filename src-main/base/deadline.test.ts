// Waiting with a limit, on a clock moved by hand.

import { expect, test } from 'vitest';

import { FakeClock } from '../testing/fake-clock.ts';
import { settledBefore } from './deadline.ts';

const second = 1e9;

test('work in time gives its result, and leaves no timer behind', async () => {
  const clock = new FakeClock();
  expect(await settledBefore(clock, clock.nowNs() + second, Promise.resolve('done'))).toBe('done');
  expect(clock.timerCount).toBe(0);
});

test('late work is given up; that it fails afterwards disturbs nobody', async () => {
  const clock = new FakeClock();
  const { promise, reject } = Promise.withResolvers<string>();
  const result = settledBefore(clock, clock.nowNs() + second, promise);
  await clock.advance(1000);
  expect(await result).toBeUndefined();
  reject(new Error('too late'));
});

test('work that fails in time rejects', async () => {
  const clock = new FakeClock();
  const failing = Promise.reject(new Error('broken'));
  await expect(settledBefore(clock, clock.nowNs() + second, failing)).rejects.toThrow('broken');
});
