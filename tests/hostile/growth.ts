// Whether what a request costs grows with its size or with its square. Both are measured on the machine at hand: how many
// milliseconds something takes says nothing about a machine that nobody knows.

import { expect } from 'vitest';

import type { Target } from './target.ts';

const SMALLER = 10;
/** Ten times the work costs ten times as much, or a hundred times if each part looks at all parts. */
const FACTOR = 30;
/** Below this the processor time of a process says more about its threads than about a request. */
const FLOOR_MS = 25;

/** CPU milliseconds of the server for an action. */
async function costOf(target: Target, action: () => Promise<unknown>): Promise<number> {
  const before = await target.facts();
  await action();
  return (await target.facts()).cpuMs - before.cpuMs;
}

/** `send` makes and sends a request of so many parts, and checks the answer. */
export async function expectLinear(
  target: Target,
  count: number,
  send: (count: number) => Promise<unknown>,
): Promise<void> {
  const small = await costOf(target, () => send(count / SMALLER));
  const large = await costOf(target, () => send(count));
  const seen = `${count} parts cost ${Math.round(large)} ms of processor time, ${count / SMALLER} cost ${Math.round(small)} ms`;
  expect(large, seen).toBeLessThan(FACTOR * Math.max(small, FLOOR_MS));
}
