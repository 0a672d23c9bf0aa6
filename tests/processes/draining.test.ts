// SIGTERM in the middle of traffic: what was sent in full is answered in full, and whoever comes later is refused.

import { once } from 'node:events';
import net from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';

import { TempRepository } from '../../src-main/testing/temp-repository.ts';
import { echo } from '../conformance/checklist/checklist-models.ts';
import { pause, ServerProcess } from './served-process.ts';

const COUNT = 20_000;
const body = JSON.stringify({
  inputs: [
    { name: 'INPUT0', datatype: 'INT32', shape: [COUNT], data: Array.from({ length: COUNT }, (_, i) => i) },
  ],
});
const REQUEST = Buffer.from(
  `POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);

interface Tally {
  answered: number;
  /** Requests sent in full whose answer did not come in full. */
  lost: string[];
  refused: number;
}

/**
 * A server that stops ends connections on which nothing came for half a second. When the clients' own loop stood still
 * for that long, a request may have left behind such an end, as a client finds out who keeps a connection for too long.
 */
const TOO_LATE = 'end after 0 bytes';
const TOO_LATE_AFTER_NS = 300e6;

/** True once the whole answer is in `received`; also tells whether the server keeps the connection. */
function wholeAnswer(received: Buffer): { readonly keeps: boolean; readonly status: string } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end).toLowerCase();
  const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? '0');
  if (received.length < end + 4 + length) return undefined;
  return { keeps: !head.includes('connection: close'), status: head.slice(9, 12) };
}

/** Sends one request after another on one connection until the server ends it, `thinkMs` apart; then on a new one. */
async function client(port: number, thinkMs: number, keepsAlive: boolean, tally: Tally): Promise<void> {
  for (;;) {
    const socket = net.connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
    } catch {
      tally.refused += 1;
      return;
    }
    for (;;) {
      const ended = await request(socket, tally);
      if (ended) break;
      if (!keepsAlive) {
        socket.destroy();
        break;
      }
      await pause(thinkMs);
      if (socket.destroyed || socket.readableEnded) break;
    }
  }
}

/** True when the connection is over. */
async function request(socket: net.Socket, tally: Tally): Promise<boolean> {
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    const done = (isOver: boolean): void => {
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      if (isOver) socket.destroy();
      resolve(isOver);
    };
    const fail =
      (how: string) =>
      (error?: Error): void => {
        tally.lost.push(
          `${how}${error === undefined ? '' : ` ${error.message}`} after ${received.length} bytes`,
        );
        done(true);
      };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = wholeAnswer(received);
      if (answer === undefined) return;
      if (answer.status === '200') tally.answered += 1;
      else tally.lost.push(received.toString());
      done(!answer.keeps);
    });
    socket.on('end', fail('end'));
    socket.on('error', fail('error'));
    socket.write(REQUEST);
  });
}

describe.skipIf(process.platform === 'win32')('SIGTERM under load', () => {
  test.each([
    ['the event loop', 0],
    ['threads in front of it', 2],
  ])('every request that was sent is answered to its last byte by %s', async (_reader, threadCount) => {
    await using repository = await TempRepository.create(echo('m', 'INT32', [-1]));
    await using server = ServerProcess.serve(
      `--model-repository=${repository.path}`,
      `--http-wire-threads=${threadCount}`,
      // What was sent is answered, however long a busy machine takes for it.
      `--exit-timeout-secs=120`,
    );
    const stillness = monitorEventLoopDelay({ resolution: 5 });
    const port = Number((await server.http()).split(':')[1]);
    const tally: Tally = { answered: 0, lost: [], refused: 0 };
    const clients = Array.from({ length: 40 }, (_, i) =>
      client(port, [0, 1, 30, 120][i % 4] ?? 0, i % 8 !== 0, tally),
    );
    // All of them are at it.
    await expect.poll(() => tally.answered, { interval: 5 }).toBeGreaterThan(400);
    stillness.enable();
    const ended = await server.kill('SIGTERM');
    await Promise.all(clients);
    stillness.disable();
    const mayBeLate = stillness.max > TOO_LATE_AFTER_NS;
    // All was drained: an exit timeout that runs out gives code 1.
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(tally.lost.filter((how) => !(mayBeLate && how === TOO_LATE))).toEqual([]);
    expect(tally.refused).toBe(40);
  });
});
