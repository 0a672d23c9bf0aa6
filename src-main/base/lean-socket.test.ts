// What was read and is still referred to stays as it came; what is not may be read over.

import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { leanSocket, readSocket } from './lean-socket.ts';
import type { TakeChunk } from './lean-socket.ts';

let server: net.Server | undefined;
afterEach(() => server?.close());

/** A connected client; the server's side of it hands what comes to `take`. */
async function connect(take: TakeChunk): Promise<{ client: net.Socket; accepted: net.Socket }> {
  const opened = Promise.withResolvers<net.Socket>();
  server = net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (plain) => {
    const socket = leanSocket(plain);
    expect(socket).not.toBe(plain);
    readSocket(socket, take);
    opened.resolve(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  return { client, accepted: await opened.promise };
}

const SENT = Buffer.from(Uint8Array.from({ length: 2_000_000 }, (_, index) => (index * 7) % 251));

/** All that comes until the client ends, kept as the chunks that were handed on. */
async function receive(isFree: boolean): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  const { client, accepted } = await connect((chunk) => {
    chunks.push(chunk);
    return isFree;
  });
  client.end(SENT);
  await once(accepted, 'end');
  accepted.end();
  return chunks;
}

test('chunks that are kept are not read over', async () => {
  expect(Buffer.concat(await receive(false)).equals(SENT)).toBe(true);
});

test('long chunks that nobody keeps lie in one and the same memory', async () => {
  const long = (await receive(true)).filter(({ length }) => length > 16 * 1024);
  expect(long.length).toBeGreaterThan(1);
  expect(new Set(long.map(({ buffer }) => buffer)).size).toBe(1);
});

test('short chunks are copies, whoever keeps them', async () => {
  const chunks: Buffer[] = [];
  const { client, accepted } = await connect((chunk) => {
    chunks.push(chunk);
    accepted.write('.');
    return true;
  });
  for (const word of ['one', 'two', 'three']) {
    client.write(word);
    await once(client, 'data');
  }
  client.destroy();
  expect(chunks.map(String)).toEqual(['one', 'two', 'three']);
});

test('whoever takes over has what comes from then on, and the server waits for the connection', async () => {
  const first: string[] = [];
  const { client, accepted } = await connect((chunk) => {
    first.push(String(chunk));
    readSocket(accepted, (next) => {
      accepted.end(`second: ${String(next)}`);
      return true;
    });
    accepted.write('.');
    return true;
  });
  client.write('a');
  await once(client, 'data');
  client.write('b');
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect([first, String(answer)]).toEqual([['a'], 'second: b']);
  const closed = once(server as net.Server, 'close');
  server?.close();
  client.end();
  await closed;
});
