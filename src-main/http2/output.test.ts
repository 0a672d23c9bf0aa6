// What waits for a client that does not read now: data up to a bound, and answers to its pings beside it up to another.

import type { Socket } from 'node:net';

import { beforeEach, expect, test } from 'vitest';

import { MAX_WINDOW } from './codes.ts';
import { LIMITS } from './limits.ts';
import { Output } from './output.ts';

const PONG = Buffer.alloc(17);

let written = 0;
let output: Output;

beforeEach(() => {
  written = 0;
  const socket = {
    writable: true,
    get writableLength() {
      return written;
    },
    write: (bytes: Uint8Array) => (written += bytes.byteLength),
    cork: () => undefined,
    uncork: () => undefined,
  };
  output = new Output(socket as unknown as Socket);
  output.maxFrameBytes = LIMITS.sentFrameBytes;
  output.openConnection(MAX_WINDOW - 65_535);
});

/** Data of a call until no more is taken. */
function fill(): void {
  const pieces = Array.from({ length: 16 }, () => Buffer.alloc(900 * 1024));
  output.pump({ id: 1, window: MAX_WINDOW, pieces, trailers: undefined, sent: () => undefined });
  output.flush();
}

function ping(count: number): void {
  for (let at = 0; at < count; at += 1) output.pushControl(PONG);
  output.flush();
}

const MOST = Math.floor(LIMITS.waitingControlBytes / PONG.length);

test('a client that is behind by as much data as may wait is answered its pings', () => {
  fill();
  expect(written).toBeGreaterThan(LIMITS.waitingBytes + LIMITS.waitingControlBytes);
  ping(MOST);
});

test('one that never reads and pings on is given up', () => {
  fill();
  ping(MOST);
  expect(() => ping(1)).toThrow('answers are not read');
});

test('pings alone wait up to both bounds', () => {
  const all = Math.floor((LIMITS.waitingBytes + LIMITS.waitingControlBytes) / PONG.length);
  ping(all - 2);
  expect(() => ping(4)).toThrow('answers are not read');
});

test('a client that reads between its pings may go on for ever', () => {
  for (let round = 0; round < 5; round += 1) {
    fill();
    ping(MOST);
    written = 0;
    output.pumpAll();
  }
});
