// Our client against Node's own HTTP/2 server, which answers as a gRPC server would.

import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import net from 'node:net';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { GrpcWireChannel } from './grpc-wire-channel.ts';

type Answer = (stream: http2.ServerHttp2Stream, message: Buffer, headers: http2.IncomingHttpHeaders) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const framed = (bytes: Uint8Array): Buffer => {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(bytes.byteLength, 1);
  return Buffer.concat([prefix, bytes]);
};

/** Ends a call with what gRPC says at the end. */
function end(stream: http2.ServerHttp2Stream, body: Buffer, trailers: Record<string, string>): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}

const echo: Answer = (stream, message) => end(stream, framed(message), { 'grpc-status': '0' });

async function served(
  answer: Answer,
  settings: http2.Settings = {},
  headers: readonly { readonly name: string; readonly value: string }[] = [],
): Promise<{ readonly channel: GrpcWireChannel; readonly server: http2.Http2Server }> {
  const server = http2.createServer({ settings });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream: http2.ServerHttp2Stream, fields: http2.IncomingHttpHeaders) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => answer(stream, Buffer.concat(chunks).subarray(5), fields));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const channel = new GrpcWireChannel({ host: '127.0.0.1', port, headers });
  closing.push(() => {
    channel.close();
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { channel, server };
}

interface Reply {
  readonly error: string | undefined;
  readonly response: Buffer | undefined;
  readonly isTransport: boolean;
}

const ask = (channel: GrpcWireChannel, bytes: Buffer): Promise<Reply> =>
  new Promise((resolve) => {
    channel.unary(bytes, (error, response, isTransport) => resolve({ error, response, isTransport }));
  });

describe('a unary call', () => {
  test('brings the answer of its own request, hundreds at a time', async () => {
    const { channel } = await served(echo);
    const messages = Array.from({ length: 300 }, (_, at) => Buffer.from(`message ${at}`));
    const replies = await Promise.all(messages.map((message) => ask(channel, message)));
    expect(replies.map(({ response }) => response?.toString())).toEqual(messages.map(String));
    expect(replies.every(({ error, isTransport }) => error === undefined && !isTransport)).toBe(true);
  });

  test('keeps to the windows and frame sizes of the server, both ways', async () => {
    const { channel } = await served(echo, { initialWindowSize: 1000, maxFrameSize: 16_384 });
    const large = Buffer.alloc(3_000_000, 'abcdefg');
    const replies = await Promise.all([
      ask(channel, large),
      ask(channel, Buffer.from('small')),
      ask(channel, large),
    ]);
    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(replies[0]?.response?.equals(large)).toBe(true);
    expect(replies[1]?.response?.toString()).toBe('small');
    expect(replies[2]?.response?.equals(large)).toBe(true);
  });

  test('waits for its turn where the server takes few at a time', async () => {
    let running = 0;
    let most = 0;
    const answer: Answer = (stream, message, headers) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        echo(stream, message, headers);
      }, 2);
    };
    const { channel } = await served(answer, { maxConcurrentStreams: 3 });
    // The first answer comes behind the settings of the server.
    await ask(channel, Buffer.from('first'));
    const messages = Array.from({ length: 40 }, (_, at) => Buffer.from(`message ${at}`));
    const replies = Promise.all(messages.map((message) => ask(channel, message)));
    // Given up before its turn came.
    const cancelled = channel.unary(Buffer.from('never'), () => expect.fail('a cancelled call was answered'));
    cancelled.cancel();
    expect((await replies).filter(({ error }) => error !== undefined)).toEqual([]);
    expect((await replies).map(({ response }) => response?.toString())).toEqual(messages.map(String));
    expect(most).toBeLessThanOrEqual(3);
  });

  test('tells the status of the server in words', async () => {
    const { channel } = await served((stream) =>
      end(stream, Buffer.alloc(0), { 'grpc-status': '5', 'grpc-message': 'no such model: %27x%27' }),
    );
    expect(await ask(channel, Buffer.from('x'))).toEqual({
      error: "[NOT_FOUND] no such model: 'x'",
      response: undefined,
      isTransport: false,
    });
  });

  test('sends the headers it was given', async () => {
    let seen: http2.IncomingHttpHeaders = {};
    const answer: Answer = (stream, message, headers) => {
      seen = headers;
      echo(stream, message, headers);
    };
    const { channel } = await served(answer, {}, [{ name: 'X-Key', value: 'secret' }]);
    await ask(channel, Buffer.from('x'));
    expect(seen).toMatchObject({
      ':path': '/inference.GRPCInferenceService/ModelInfer',
      'content-type': 'application/grpc',
      te: 'trailers',
      'x-key': 'secret',
    });
  });

  test('that the server resets, or answers as plain HTTP, fails alone', async () => {
    let count = 0;
    const { channel } = await served((stream, message, headers) => {
      count += 1;
      if (count === 1) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      else if (count === 2) stream.respond({ ':status': 503 }, { endStream: true });
      else echo(stream, message, headers);
    });
    expect((await ask(channel, Buffer.from('x'))).error).toBe(
      '[UNAVAILABLE] the server reset the call (code 7)',
    );
    expect((await ask(channel, Buffer.from('x'))).error).toBe(
      '[UNKNOWN] the server answered with HTTP status 503',
    );
    expect((await ask(channel, Buffer.from('y'))).response?.toString()).toBe('y');
  });

  test('that was cancelled is heard of no more', async () => {
    const arrived = Promise.withResolvers<void>();
    const { channel } = await served((stream, message, headers) => {
      if (message.toString() !== 'x') return echo(stream, message, headers);
      arrived.resolve();
    });
    let calls = 0;
    const call = channel.unary(Buffer.from('x'), () => (calls += 1));
    await arrived.promise;
    call.cancel();
    // What the server sends to a later call comes behind whatever it still sends to the cancelled one.
    await ask(channel, Buffer.from('later'));
    expect(calls).toBe(0);
  });
});

describe('a connection', () => {
  test('that cannot be made fails its calls, and is tried again by the next', async () => {
    const holder = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as AddressInfo;
    await new Promise((resolve) => holder.close(resolve));
    const channel = new GrpcWireChannel({ host: '127.0.0.1', port, headers: [] });
    closing.push(() => channel.close());
    for (let round = 0; round < 2; round += 1) {
      const { error, isTransport } = await ask(channel, Buffer.from('x'));
      expect([error, isTransport]).toEqual([expect.stringMatching(/^\[UNAVAILABLE\] .*ECONNREFUSED/), true]);
    }
  });

  test('that the server ends takes its calls along; the next call has another one', async () => {
    let count = 0;
    const { channel } = await served((stream, message, headers) => {
      count += 1;
      if (count === 1) stream.session?.destroy();
      else echo(stream, message, headers);
    });
    const { error, isTransport } = await ask(channel, Buffer.from('x'));
    expect([error, isTransport]).toEqual([expect.stringMatching(/^\[UNAVAILABLE\]/), true]);
    expect((await ask(channel, Buffer.from('y'))).response?.toString()).toBe('y');
  });

  test('that is being closed finishes its calls and takes no further one', async () => {
    let finish: (() => void) | undefined;
    const connections = new Set<unknown>();
    const { channel } = await served((stream, message, headers) => {
      connections.add(stream.session);
      if (finish !== undefined) return echo(stream, message, headers);
      stream.session?.goaway(0, stream.id);
      finish = () => echo(stream, message, headers);
    });
    const first = ask(channel, Buffer.from('a'));
    await vi.waitFor(() => expect(finish).toBeDefined());
    // The first call goes on until another connection has been made for one that comes after the end was told.
    const later: string[] = [];
    await vi.waitFor(async () => {
      later.push((await ask(channel, Buffer.from('b'))).response?.toString() ?? '');
      expect(connections.size).toBe(2);
    });
    expect(new Set(later)).toEqual(new Set(['b']));
    finish?.();
    expect((await first).response?.toString()).toBe('a');
  });

  test.each([
    ['a frame that is too long', Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])],
    ['no HTTP/2 at all', Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
    ['a header block that is none', Buffer.from([0, 0, 1, 1, 4, 0, 0, 0, 1, 0xff])],
  ])('on which the server sends %s fails its calls', async (_, bytes) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const channel = new GrpcWireChannel({ host: '127.0.0.1', port, headers: [] });
    closing.push(() => {
      channel.close();
      server.close();
    });
    const { error, isTransport } = await ask(channel, Buffer.from('x'));
    expect([error, isTransport]).toEqual([expect.stringMatching(/^\[UNAVAILABLE\] \S/), true]);
  });
});
