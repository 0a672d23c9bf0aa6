// HTTP lanes over real sockets, against servers that answer byte by byte as told; and the reader of their replies.

import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { HttpLane } from './http-lane.ts';
import { HttpReplyReader } from './http-reply-reader.ts';
import { NO_MESSAGE } from './lane.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';

describe('the reader of replies', () => {
  const read = (pieces: readonly (string | Buffer)[], keepsBodies = true) => {
    const reader = new HttpReplyReader({ keepsBodies });
    const ends = pieces.map((piece) => reader.push(Buffer.from(piece)));
    return { reader, ends, body: reader.body.toString() };
  };

  test('one reply in one piece', () => {
    const { reader, ends, body } = read([OK]);
    expect([ends, reader.status, body, reader.closes]).toEqual([[true], 200, 'hello', false]);
  });

  test.each([
    ['a length', OK, 'hello'],
    ['no content', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', ''],
    [
      'chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
      'hello',
    ],
    [
      'chunks of hexadecimal sizes',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`,
      '0123456789',
    ],
    ['a word before the reply', `HTTP/1.1 100 Continue\r\n\r\n${OK}`, 'hello'],
  ])('%s, wherever the pieces are cut', (_name, text, expected) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
        const { ends, body } = read(pieces);
        expect(ends.indexOf(true)).toBe(pieces.length - 1);
        expect(body).toBe(expected);
      }),
    );
  });

  test('bodies of successes are dropped unless they are wanted; those of failures tell why', () => {
    expect(read([OK], false).body).toBe('');
    expect(read(['HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\nno'], false).body).toBe('no');
  });

  test('a reply without a length ends with the connection', () => {
    const { reader, ends } = read(['HTTP/1.0 200 OK\r\n\r\nall', ' of it']);
    expect(ends).toEqual([false, false]);
    expect(reader.end()).toBe(true);
    expect(reader.body.toString()).toBe('all of it');
  });

  test('a connection that ends within a reply of a known length does not complete it', () => {
    const { reader } = read(['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal']);
    expect(reader.end()).toBe(false);
  });

  test('headers are found whatever their case, and the word to close is heard', () => {
    const { reader } = read([
      'HTTP/1.1 200 OK\r\nConnection: close\r\nInference-Header-Content-Length:  12\r\ncontent-length: 0\r\n\r\n',
    ]);
    expect(reader.closes).toBe(true);
    expect(reader.header('inference-header-content-length')).toBe('12');
    expect(reader.header('x-missing')).toBeUndefined();
  });
});

describe('a lane', () => {
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));

  /** A server that does with each request what comes next on the list. */
  async function lane(answers: ((socket: Socket) => void)[], keepsResponses = true) {
    let connections = 0;
    const server = net.createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.on('data', () => answers.shift()?.(socket));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const made = new HttpLane(
      { host: '127.0.0.1', port, tls: undefined },
      { clock: systemClock, keepsResponses },
    );
    closing.push(() => {
      made.close();
      server.close();
    });
    const exchange = async (): Promise<HttpLane> => {
      const done = Promise.withResolvers<void>();
      made.onDone = () => done.resolve();
      made.send({ ...NO_MESSAGE, bytes: Buffer.from('POST / HTTP/1.1\r\n\r\n') });
      await done.promise;
      return made;
    };
    return { made, exchange, connectionCount: () => connections };
  }

  const say = (text: string) => (socket: Socket) => void socket.write(text);

  test('one connection carries one request after another', async () => {
    const { exchange, connectionCount } = await lane([say(OK), say(OK)]);
    const first = await exchange();
    expect(first.error).toBeUndefined();
    expect(first.responses[0]?.subarray(4).toString()).toBe('hello');
    expect(first.endNs).toBeGreaterThanOrEqual(first.firstNs);
    expect(first.firstNs).toBeGreaterThanOrEqual(first.startNs);
    expect((await exchange()).responses).toHaveLength(1);
    expect(connectionCount()).toBe(1);
  });

  test('what the server refuses is an error with its words, on a connection that stays', async () => {
    const refusal = 'HTTP/1.1 400 Bad Request\r\ncontent-length: 18\r\n\r\n{"error":"no such"}'.replace(
      '18',
      '19',
    );
    const { exchange, connectionCount } = await lane([say(refusal), say(OK)], false);
    const first = await exchange();
    expect([first.error, first.isTransportError]).toEqual(['[400] no such', false]);
    expect((await exchange()).error).toBeUndefined();
    expect(connectionCount()).toBe(1);
  });

  test('a server that closes after its reply is called on a new connection', async () => {
    const { exchange, connectionCount } = await lane([
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok'),
      say(OK),
    ]);
    expect((await exchange()).error).toBeUndefined();
    expect((await exchange()).error).toBeUndefined();
    expect(connectionCount()).toBe(2);
  });

  test('a connection that breaks within a reply fails that request, and only that one', async () => {
    const { exchange } = await lane([
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nonly the beg'),
      say('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 4\r\n\r\nbusy'),
      say(OK),
    ]);
    const broken = await exchange();
    expect([broken.isTransportError, broken.error]).toEqual([
      true,
      expect.stringContaining('closed the connection'),
    ]);
    const refused = await exchange();
    expect([refused.isTransportError, refused.error]).toEqual([false, '[503] busy']);
    const fine = await exchange();
    expect([fine.error, fine.responses[0]?.subarray(4).toString()]).toEqual([undefined, 'hello']);
  });

  test('nobody there is a transport error that names the address', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const made = new HttpLane(
      { host: '127.0.0.1', port, tls: undefined },
      { clock: systemClock, keepsResponses: false },
    );
    await expect(made.open()).rejects.toThrow('ECONNREFUSED');
    const done = Promise.withResolvers<void>();
    made.onDone = () => done.resolve();
    made.send({ ...NO_MESSAGE, bytes: Buffer.from('x') });
    await done.promise;
    expect(made.error).toContain(`the HTTP server at 127.0.0.1:${port}`);
    expect(made.isTransportError).toBe(true);
  });

  test('a closed lane hears nothing more', async () => {
    const answered = Promise.withResolvers<Socket>();
    const { made } = await lane([(socket) => answered.resolve(socket)]);
    let doneCount = 0;
    made.onDone = () => (doneCount += 1);
    made.send({ ...NO_MESSAGE, bytes: Buffer.from('x') });
    const socket = await answered.promise;
    const gone = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
    });
    made.close();
    socket.write(OK);
    await gone;
    expect(doneCount).toBe(0);
  });
});
