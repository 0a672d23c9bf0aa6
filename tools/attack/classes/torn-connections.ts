// Connections that end at any moment of their life, in every way a connection can end, on every port.

import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';
import type { Victim } from '../victim.ts';
import { conversation } from './conversations.ts';

const ENDS = ['reset', 'reset', 'close', 'half', 'deaf'] as const;
const MOMENTS = ['at once', 'next turn', 'later', 'first byte'] as const;

interface Torn {
  readonly random: Random;
  /** 0..1 of the conversation is sent. */
  readonly part: number;
  readonly end: (typeof ENDS)[number];
  readonly moment: (typeof MOMENTS)[number];
  /** Pieces that it is sent in. */
  readonly pieces: number;
}

export const tornConnections = attackClass<Torn>({
  name: 'torn-connections',
  sends: 'conversations with every port that are reset, closed or half-closed at any byte and moment',
  inputs: 60_000,
  width: 32,
  make: (random) => ({
    part: random.below(4) === 0 ? 1 : random.below(1001) / 1000,
    end: random.pick(ENDS),
    moment: random.pick(MOMENTS),
    pieces: random.pick([1, 1, 1, 2, 5]),
    random,
  }),
  send: tear,
});

/** Nothing is wrong as long as it ends; who suffers is found by looking at the server. */
async function tear(
  { random, part, end, moment, pieces }: Torn,
  victim: Victim,
): Promise<string | undefined> {
  const { port, bytes } = conversation(random, victim);
  const sent = bytes.subarray(0, Math.ceil(bytes.length * part));
  const socket = net.connect({
    port: victim.ports[port],
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const firstByte = new Promise<void>((resolve) => socket.once('readable', () => resolve()));
  socket.on('error', () => undefined);
  for (let at = 0; at < sent.length; at += Math.ceil(sent.length / pieces)) {
    socket.write(sent.subarray(at, at + Math.ceil(sent.length / pieces)));
    if (pieces > 1) await new Promise(setImmediate);
  }
  if (moment === 'next turn') await new Promise(setImmediate);
  if (moment === 'later') await pause(random.below(6));
  if (moment === 'first byte') await Promise.race([firstByte, closed, pause(30)]);
  if (end === 'half') {
    socket.end();
    socket.resume();
    await Promise.race([closed, pause(100)]);
    socket.destroy();
  } else if (end === 'deaf') {
    // Reads nothing, then goes.
    socket.pause();
    await pause(random.below(20));
    socket.resetAndDestroy();
  } else if (end === 'reset') socket.resetAndDestroy();
  else socket.destroy();
  // A reset waits for what was written, which a server that is not read from may never take.
  await Promise.race([closed, pause(200)]);
  socket.destroy();
  await closed;
  return undefined;
}
