// A server's connection against Node's HTTP/2 client, and against frames that were bent at random.

import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { FRAME, PREFACE, SETTING } from './codes.ts';
import { frame, numberFrame, settingsFrame } from './frame-writer.ts';
import { encodeHeaderBlock } from './header-block.ts';
import { LIMITS } from './limits.ts';
import { ServerConnection } from './server-connection.ts';
import type { ServerStream } from './server-stream.ts';

const HEADERS = encodeHeaderBlock([':status', '200', 'content-type', 'text/plain']);
const TRAILERS = encodeHeaderBlock(['x-end', 'yes']);

let server: net.Server;
let port = 0;
const connections = new Set<ServerConnection>();
const failures: unknown[] = [];
let resets = 0;
/** Parts that the users of the streams were given. */
let givenCount = 0;
let isHeld = false;
let isKeeping = false;
/** What the sockets handed over. */
const chunks: Buffer[] = [];
const waiting: (() => void)[] = [];

/** Answers with what it got, of which it keeps copies or the parts themselves. */
function echo(stream: ServerStream) {
  const parts: Buffer[] = [];
  return {
    onData: (part: Buffer) => {
      givenCount += 1;
      parts.push(isKeeping ? part : Buffer.from(part));
      return !isKeeping;
    },
    onEnd: () => {
      const answer = (): void => stream.answer(HEADERS, [Buffer.concat(parts)], TRAILERS);
      if (isHeld) waiting.push(answer);
      else answer();
    },
    onReset: () => void (resets += 1),
    onDrain: () => undefined,
  };
}

beforeEach(async () => {
  isHeld = false;
  isKeeping = false;
  chunks.length = 0;
  resets = 0;
  givenCount = 0;
  failures.length = 0;
  waiting.length = 0;
  server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const connection: ServerConnection = new ServerConnection(
      socket,
      {
        onStream: (stream) => echo(stream),
        onPing: () => false,
        onFault: () => undefined,
        onPong: () => undefined,
        onFailure: (thrown) => void failures.push(thrown),
        onClose: () => void connections.delete(connection),
      },
      () => performance.now(),
    );
    connections.add(connection);
    socket.on('data', (chunk) => chunks.push(chunk));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  for (const { socket } of connections) socket.destroy();
  server.close();
  expect(failures).toEqual([]);
});

async function call(session: http2.ClientHttp2Session, body: Buffer): Promise<Buffer> {
  const stream = session.request({ ':method': 'POST', ':path': '/', 'x-a': 'b'.repeat(50) });
  const chunks: Buffer[] = [];
  let end: unknown;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('trailers', (fields) => (end = fields['x-end']));
  stream.end(body);
  await once(stream, 'close');
  expect(end).toBe('yes');
  return Buffer.concat(chunks);
}

test('bodies of all sizes come back, many calls at a time, with windows of any size', async () => {
  for (const initialWindowSize of [1000, 65_535, 10_000_000]) {
    const session = http2.connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize } });
    const sizes = [0, 1, 999, 1000, 1001, 16_384, 16_385, 70_000, 3_000_000];
    const bodies = sizes.flatMap((size) => [1, 2].map((fill) => Buffer.alloc(size, fill)));
    const answers = await Promise.all(bodies.map((body) => call(session, body)));
    expect(answers.map((answer, index) => answer.equals(bodies[index] as Buffer))).not.toContain(false);
    session.destroy();
  }
}, 20_000);

test.each([
  ['freed at once when they were copied', false],
  ['left alone while somebody has parts of them', true],
])('chunks of a long body are %s', async (_, keeps) => {
  isKeeping = keeps;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const body = Buffer.from(Array.from({ length: 3_000_000 }, (__, index) => index % 251));
  expect((await call(session, body)).equals(body)).toBe(true);
  const freed = chunks.filter(({ buffer }) => (buffer as ArrayBuffer).detached);
  expect(freed.length > 0).toBe(!keeps);
  session.destroy();
});

test('more bytes than all windows together pass over one connection', async () => {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const body = Buffer.alloc(LIMITS.connectionWindow + 1_000_000, 7);
  for (let round = 0; round < 2; round += 1) expect((await call(session, body)).equals(body)).toBe(true);
  session.destroy();
}, 20_000);

test('a client with a smaller table, pings and changed settings is served on', async () => {
  const session = http2.connect(`http://127.0.0.1:${port}`, { settings: { headerTableSize: 100 } });
  await call(session, Buffer.from('a'));
  await new Promise<void>((resolve) =>
    session.settings({ headerTableSize: 0, maxFrameSize: 20_000 }, () => resolve()),
  );
  await new Promise<void>((resolve, reject) =>
    session.ping((error) => (error === null ? resolve() : reject(error))),
  );
  expect((await call(session, Buffer.alloc(100_000, 1))).length).toBe(100_000);
  session.destroy();
});

test('draining: calls under way end, new ones are refused, and the connection with the last', async () => {
  isHeld = true;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const first = call(session, Buffer.from('a'));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  const gone = once(session, 'goaway');
  for (const connection of connections) connection.drain();
  await gone;
  waiting[0]?.();
  expect((await first).toString()).toBe('a');
  await vi.waitFor(() => expect(connections.size).toBe(0));
});

test('a call that sends more than it announced is a fault of its stream, before anybody reads it', async () => {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':method': 'POST', ':path': '/', 'content-length': '3' });
  const failed = once(stream, 'error');
  stream.write(Buffer.alloc(2));
  await vi.waitFor(() => expect(givenCount).toBe(1));
  stream.write(Buffer.alloc(2));
  await failed;
  expect([stream.rstCode, givenCount]).toEqual([http2.constants.NGHTTP2_PROTOCOL_ERROR, 1]);
  expect((await call(session, Buffer.from('a'))).toString()).toBe('a');
  session.destroy();
});

test('a client that leaves takes its calls with it', async () => {
  isHeld = true;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  for (let count = 0; count < 5; count += 1) {
    session.request({ ':method': 'POST', ':path': '/' }, { endStream: true }).on('error', () => undefined);
  }
  await vi.waitFor(() => expect(waiting).toHaveLength(5));
  session.destroy();
  await vi.waitFor(() => expect([resets, connections.size]).toEqual([5, 0]));
  for (const answer of waiting) answer();
});

test('a client that does not read gets no more than it should', async () => {
  const socket = net.connect(port, '127.0.0.1');
  const post = encodeHeaderBlock([':method', 'POST', ':scheme', 'http', ':path', '/']);
  socket.write(Buffer.concat([PREFACE, settingsFrame([[SETTING.initialWindowSize, 2 ** 31 - 1]])]));
  socket.write(numberFrame(FRAME.windowUpdate, 0, 2 ** 31 - 70_000));
  socket.pause();
  await vi.waitFor(() => expect(connections.size).toBe(1));
  const [connection] = connections;
  for (let id = 1; id < 200; id += 2) {
    socket.write(frame(FRAME.headers, 4, id, post));
    for (let part = 0; part < 6; part += 1)
      socket.write(frame(FRAME.data, part === 5 ? 1 : 0, id, Buffer.alloc(16_000)));
  }
  await vi.waitFor(() => expect(connection?.socket.bytesRead).toBeGreaterThan(9_000_000));
  expect(connection?.socket.writableLength).toBeLessThan(2 * LIMITS.waitingBytes + 200_000);
  socket.destroy();
});

test('frames bent at random end their connection or not, and nothing else', async () => {
  let state = 12_345;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const post = encodeHeaderBlock([':method', 'POST', ':scheme', 'http', ':path', '/', 'x-a', 'b']);
  const make = [
    (id: number) => frame(FRAME.headers, 4 + below(2), id, post),
    (id: number) => frame(FRAME.headers, 0, id, post.subarray(0, below(post.length))),
    (id: number) => frame(FRAME.continuation, 4, id, post.subarray(below(post.length))),
    (id: number) => frame(FRAME.data, below(10), id, Buffer.alloc(below(300), below(9))),
    (id: number) => numberFrame(FRAME.reset, id, 8),
    (id: number) => numberFrame(FRAME.windowUpdate, below(2) * id, below(2 ** 31)),
    () => settingsFrame([[below(8), below(2 ** 31)]]),
    () => frame(FRAME.ping, below(2), 0, Buffer.alloc(8)),
    (id: number) => frame(FRAME.priority, 0, id, Buffer.alloc(5, below(3))),
    () => frame(below(256), below(256), below(8), Buffer.alloc(below(40), below(256))),
  ];
  const run = async (): Promise<void> => {
    let id = 1;
    const frames = Array.from({ length: 1 + below(30) }, () => {
      if (below(2) === 0) id += 2 * below(2);
      const bytes = Buffer.from(
        (make[below(4) === 0 ? below(make.length) : below(4) * below(2)] as (id: number) => Buffer)(id),
      );
      if (below(25) === 0 && bytes.length > 0) bytes[below(bytes.length)] = below(256);
      return bytes;
    });
    const whole = Buffer.concat([PREFACE, settingsFrame([]), ...frames]);
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    const cut = below(whole.length);
    socket.write(whole.subarray(0, cut));
    await new Promise(setImmediate);
    socket.end(whole.subarray(cut));
    await once(socket, 'close');
  };
  for (let round = 0; round < 60; round += 1) await Promise.all(Array.from({ length: 20 }, run));
  const session = http2.connect(`http://127.0.0.1:${port}`);
  expect((await call(session, Buffer.from('still there'))).toString()).toBe('still there');
  session.destroy();
}, 30_000);
