// More connections at once than the loop takes in a moment: the system keeps them until it does. Those that find no room
// are dropped in silence, and their clients try again a second later at the earliest.

import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { Target } from './target.ts';
import { PORTS } from './target-facts.ts';

/** More than Node has listeners keep by itself. */
const BURST = 1500;
const LIMIT_MS = 8000;

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target[Symbol.asyncDispose]());

/** What the system keeps at most for one listener. */
function systemLimit(): number {
  return process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 0;
}

test.skipIf(systemLimit() < BURST).each(PORTS)(
  '%s: connections that come while the loop is held wait, none is dropped',
  async (name) => {
    target.pause();
    let connected = 0;
    const sockets = Array.from({ length: BURST }, () => net.connect(target.ports[name], '127.0.0.1'));
    try {
      for (const socket of sockets) socket.on('connect', () => (connected += 1)).on('error', () => undefined);
      // There is no more room than this for as long as the server stands still, however often a client tries again.
      for (let waitedMs = 0; connected < BURST && waitedMs < LIMIT_MS; waitedMs += 20) await pause(20);
      expect(connected).toBe(BURST);
    } finally {
      target.resume();
      for (const socket of sockets) socket.resetAndDestroy();
    }
    await target.expectAlive();
  },
  3 * LIMIT_MS,
);
