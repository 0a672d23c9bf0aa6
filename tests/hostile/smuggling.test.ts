// Requests whose length two readers could take differently: one is answered at most, and nothing behind it is read.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { echo } from '../conformance/checklist/checklist-models.ts';
import { rawExchange, RawSocket } from './raw-socket.ts';
import { Target } from './target.ts';

let target: Target;
beforeAll(async () => {
  target = await Target.start(echo('m', 'INT32', [1]));
});
afterAll(() => target[Symbol.asyncDispose]());

const BODY = '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[7]}]}';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const BEHIND = 'GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
const head = (...headers: string[]): string =>
  ['POST /v2/models/m/infer HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');

const answers = (received: string): string[] => received.match(/HTTP\/1\.1 \d+/g) ?? [];

describe('both lengths at once', () => {
  const BOTH = [
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', `Content-Length: ${BODY.length}`],
    ['transfer-encoding:Chunked', 'X-A: b', 'content-length:  0', 'Connection: keep-alive'],
    ['Content-Length: 99999999999', 'Transfer-Encoding: chunked'],
  ];

  test.each(BOTH)('%s, %s: the chunks count, the rest is not read', async (...headers) => {
    const { received, state } = await rawExchange(target.ports.http, head(...headers) + CHUNKS + BEHIND);
    expect([answers(received), state]).toEqual([['HTTP/1.1 200'], 'ended']);
    expect(received).toContain('"data":[7]');
    expect(received.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });

  test('also in packets of their own, on a connection that served before', async () => {
    using socket = await RawSocket.connect(target.ports.http);
    await socket.write(BEHIND);
    await socket.until(/\r\n\r\n/);
    await socket.write(head(...(BOTH[0] ?? [])));
    await socket.until(/(?!)/, 50);
    for (const part of [CHUNKS.slice(0, 10), CHUNKS.slice(10, 40), CHUNKS.slice(40) + BEHIND, BEHIND]) {
      await socket.write(part);
      await new Promise(setImmediate);
    }
    expect(await socket.closed()).toBe('ended');
    expect(answers(socket.received)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  });

  test('behind a request that is not answered yet: refused', async () => {
    const whole = head('Content-Length: 4', 'Transfer-Encoding: chunked') + CHUNKS;
    const first = [`Content-Length: ${BODY.length}`, 'Accept-Encoding: gzip'];
    const behind = await rawExchange(target.ports.http, head(...first) + BODY + whole);
    expect([answers(behind.received).length, behind.state]).toEqual([1, 'ended']);
    // Behind a plain request it waits for that one's answer, and is then the first that the parser sees.
    const plain = await rawExchange(target.ports.http, head(`Content-Length: ${BODY.length}`) + BODY + whole);
    expect([answers(plain.received).length, plain.state]).toEqual([2, 'ended']);
  });

  test('a head in pieces changes nothing', async () => {
    const whole = head('Content-Length: 4', 'Transfer-Encoding: chunked') + CHUNKS + BEHIND;
    for (const cuts of [[40, 60], [1, 2, 3, 90], [whole.indexOf('\r\n\r\n') + 2]]) {
      using socket = await RawSocket.connect(target.ports.http);
      for (const [index, from] of [0, ...cuts].entries()) {
        await socket.write(whole.slice(from, cuts[index]));
        await socket.until(/(?!)/, 50);
      }
      expect(await socket.closed()).toBe('ended');
      expect(answers(socket.received)).toEqual(['HTTP/1.1 200']);
    }
  });

  test('broken chunks, a client that leaves, and too many chunks end like any other body', async () => {
    const both = head('Content-Length: 4', 'Transfer-Encoding: chunked');
    const broken = await rawExchange(target.ports.http, `${both}zz\r\n${BEHIND}`);
    expect([answers(broken.received), broken.state]).toEqual([['HTTP/1.1 400'], 'ended']);
    const many = await rawExchange(target.ports.http, both + '1\r\nx\r\n'.repeat(70_000) + BEHIND);
    expect([answers(many.received), many.state]).toEqual([['HTTP/1.1 400'], 'ended']);
    for (const end of ['reset', 'halfClose'] as const) {
      const socket = await RawSocket.connect(target.ports.http);
      await socket.write(both + CHUNKS.slice(0, 20));
      await socket.until(/(?!)/, 20);
      socket[end]();
      expect(await socket.closed(end === 'reset' ? 100 : undefined)).toBe(end === 'reset' ? 'open' : 'ended');
    }
    await target.expectAlive();
  });
});

describe.each(['http', 'metrics', 'ui'] as const)('on the port %s', (port) => {
  test.each([
    ['a folded encoding', 'Transfer-Encoding:\r\n chunked'],
    ['a list of encodings', 'Transfer-Encoding: gzip, chunked'],
    ['an encoding in two lines', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked'],
    ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
    ['chunked, not last', 'Transfer-Encoding: chunked, identity'],
    ['a word like chunked', 'Transfer-Encoding: xchunked'],
    ['a quoted word', 'Transfer-Encoding: "chunked"'],
    ['a parameter', 'Transfer-Encoding: chunked;q=1'],
    ['a blank before the colon', 'Transfer-Encoding : chunked'],
    ['a control character', 'Transfer-Encoding: \x0bchunked'],
    ['nothing', 'Transfer-Encoding:'],
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5'],
    ['the same length twice', 'Content-Length: 4\r\nContent-Length: 4'],
    ['a list of lengths', 'Content-Length: 4, 4'],
    ['a signed length', 'Content-Length: +4'],
    ['a length in hexadecimal', 'Content-Length: 0x4'],
    ['an unknown encoding and a length', 'Content-Length: 4\r\nTransfer-Encoding: identity'],
    ['a folded header', 'X-A: b\r\n Content-Length: 4'],
    ['a header without an end of line of its own', 'X-A: b\nContent-Length: 4'],
    ['a NUL in a header', 'X-A: b\0c'],
  ])('%s is refused, nothing behind it is read', async (_, headers) => {
    const { received, state } = await rawExchange(target.ports[port], head(headers) + CHUNKS + BEHIND);
    expect([answers(received), state]).toEqual([['HTTP/1.1 400'], 'ended']);
  });

  test.each([
    ['a chunk size that is none', 'xyz\r\n'],
    ['a negative chunk size', '-1\r\n'],
    ['a chunk longer than its size', '2\r\nabcdef\r\n0\r\n\r\n'],
    ['a chunk size of 2^64', '10000000000000000\r\na\r\n0\r\n\r\n'],
    ['blanks behind a chunk size', '2  \r\n{}\r\n0\r\n\r\n'],
    ['lines that end with LF only', '2\n{}\n0\n\n'],
  ])('%s is refused, nothing behind it is read', async (_, chunks) => {
    const { received, state } = await rawExchange(
      target.ports[port],
      head('Transfer-Encoding: chunked') + chunks + BEHIND,
    );
    expect(answers(received).length).toBeLessThanOrEqual(1);
    expect(received).not.toContain('HTTP/1.1 200');
    expect(state).not.toBe('open');
  });
});
