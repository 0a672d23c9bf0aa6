// How long a connection may keep the serving port waiting.

import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';

import { systemClock } from '../../../src-main/base/clock.ts';
import { getLogger } from '../../../src-main/base/log.ts';
import { RawSocket } from '../../hostile/raw-socket.ts';
import { WireDoor } from '../../../src-main/protocol/http/wire/wire-door.ts';
import type { WireConnection } from '../../../src-main/protocol/http/wire/wire-connection.ts';
import type { WireRequest } from '../../../src-main/protocol/http/wire/wire-rules.ts';

const HEAD_MS = 30_000;
const IDLE_MS = 75_000;

let server: net.Server | undefined;
afterEach(() => server?.close());

/** A client and the server's side of its connection; whatever it asks is answered with an empty 200. */
async function connect(): Promise<{ client: RawSocket; connection: WireConnection<WireRequest> }> {
  const accepted = Promise.withResolvers<WireConnection<WireRequest>>();
  const door = new WireDoor<WireRequest>({
    context: { clock: systemClock, reading: new Set(), forwardPattern: undefined, logger: getLogger('http') },
    note: () => undefined,
    admit: () => ({}) as never,
    isAcceptable: () => true,
    request: (_connection, _match, head) =>
      ({ head, isWaitedFor: false, isKeptAlive: true, parts: undefined, over: () => undefined }) as never,
    start: (request) => {
      Object.assign(request, { parts: [Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')] });
      void accepted.promise.then((connection) => connection.answered(request));
    },
  });
  server = net.createServer((socket) => {
    door.take(socket, () => undefined);
    accepted.resolve(door.connection(socket) as WireConnection<WireRequest>);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const client = await RawSocket.connect((server.address() as net.AddressInfo).port);
  return { client, connection: await accepted.promise };
}

/** Sockets were read since, even where this process had no processor for the whole time; and it is some ms later. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a connection', () => {
  test('on which a head begins and does not end is told so, however often a byte of it comes', async () => {
    const { client, connection } = await connect();
    await client.write('POST /v2/models/m/infer HTTP/1.1\r\nHost');
    await settled();
    const lastMs = performance.now();
    await client.write(': localhost');
    await settled();
    connection.closeIdle(lastMs, HEAD_MS, IDLE_MS);
    await settled();
    expect(client.received).toBe('');
    // Counted from the first byte: the last one is not as old as that.
    connection.closeIdle(lastMs + HEAD_MS - 1, HEAD_MS, IDLE_MS);
    await client.closed();
    expect(client.received).toContain('request headers did not arrive in time');
  });

  test('whose head came behind a body counts from there', async () => {
    const { client, connection } = await connect();
    await client.write('POST /v2/models/m/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab');
    await settled();
    const lastMs = performance.now();
    await client.write('cdPOST /v2');
    await client.until(/200 OK/);
    connection.closeIdle(lastMs + HEAD_MS - 1, HEAD_MS, IDLE_MS);
    await settled();
    expect(client.received.match(/HTTP/g)).toHaveLength(1);
    client[Symbol.dispose]();
  });

  test('that waits for a request, be it its first, is closed later, without a word', async () => {
    const silent = await connect();
    silent.connection.closeIdle(performance.now() + HEAD_MS + 1, HEAD_MS, IDLE_MS);
    await settled();
    expect(silent.client.socket.readableEnded).toBe(false);
    silent.connection.closeIdle(performance.now() + IDLE_MS + 1, HEAD_MS, IDLE_MS);
    await silent.client.closed();
    expect(silent.client.received).toBe('');
    server?.close();
    const { client, connection } = await connect();
    await client.write('POST /v2/models/m/infer HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    await client.until(/200 OK/);
    connection.closeIdle(performance.now() + HEAD_MS + 1, HEAD_MS, IDLE_MS);
    await settled();
    expect(client.socket.readableEnded).toBe(false);
    connection.closeIdle(performance.now() + IDLE_MS + 1, HEAD_MS, IDLE_MS);
    await client.closed();
    expect(client.received.match(/HTTP/g)).toHaveLength(1);
  });
});
