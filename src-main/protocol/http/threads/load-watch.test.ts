import { expect, test } from 'vitest';

import { FakeClock } from '../../../testing/fake-clock.ts';
import { watchLoad } from './load-watch.ts';

function watched(): {
  second: (activeMs: number, requests: number) => Promise<void>;
  told: () => number;
} {
  const clock = new FakeClock();
  let active = 0;
  let count = 0;
  let told = 0;
  watchLoad({
    clock,
    requestCount: () => count,
    activeMs: () => active,
    onBusy: () => (told += 1),
  });
  const second = async (activeMs: number, requests: number): Promise<void> => {
    active += activeMs;
    count += requests;
    await clock.advance(1000);
  };
  return { second, told: () => told };
}

test('a loop that is busy with requests for two seconds is told of, once', async () => {
  const { second, told } = watched();
  await second(900, 20_000);
  expect(told()).toBe(0);
  await second(900, 20_000);
  expect(told()).toBe(1);
  await second(900, 20_000);
  await second(900, 20_000);
  expect(told()).toBe(1);
});

test('a busy moment, work without requests, and requests that leave time are not', async () => {
  const { second, told } = watched();
  await second(900, 20_000);
  await second(500, 20_000);
  await second(900, 20_000);
  await second(1000, 10);
  await second(900, 20_000);
  await second(790, 50_000);
  expect(told()).toBe(0);
});
