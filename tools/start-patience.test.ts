// A start may take long, but not in silence, nor for ever.

import { expect, test } from 'vitest';

import { FakeClock } from '../src-main/testing/fake-clock.ts';
import { startPatience } from './start-patience.ts';

function waiting() {
  const clock = new FakeClock();
  const reasons: string[] = [];
  const patience = startPatience(clock, (reason) => reasons.push(reason));
  return { clock, reasons, patience };
}

test('a server that goes on saying something is waited for', async () => {
  const { clock, reasons, patience } = waiting();
  for (let minute = 0; minute < 10; minute += 1) {
    await clock.advance(60_000);
    patience.heard();
  }
  expect(reasons).toEqual([]);
  await clock.advance(120_000);
  expect(reasons).toEqual(['no listeners, and nothing said for 120 s']);
});

test('one that never comes to an end is given up once', async () => {
  const { clock, reasons, patience } = waiting();
  for (let minute = 0; minute < 40; minute += 1) {
    await clock.advance(60_000);
    if (reasons.length === 0) patience.heard();
  }
  expect(reasons).toEqual(['no listeners after 1800 s']);
});

test('nothing comes once it listens', async () => {
  const { clock, reasons, patience } = waiting();
  patience.end();
  await clock.advance(3_600_000);
  expect(reasons).toEqual([]);
});
