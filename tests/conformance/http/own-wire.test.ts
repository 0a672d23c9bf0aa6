// Hot requests are read from the socket by the port itself. Whatever is sent, the answers are those that Node's parser
// and server would have given.

import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';
import { exchange, fuzzRequest, Random } from '../../../src-main/testing/http-fuzz.ts';
import { RawSocket } from '../../hostile/raw-socket.ts';

const held: InferenceRequest[] = [];
const models = [
  { config: echoConfig('m', ['TYPE_INT32', 'TYPE_STRING', 'TYPE_FP32']) },
  { config: echoConfig('one', ['TYPE_INT32']) },
  {
    config: echoConfig('held', ['TYPE_INT32']),
    respond: (request: InferenceRequest) => void held.push(request),
  },
];
const options = { models, headerForwardPattern: 'my_header', maxInputByteSize: 1_000_000 };

const readers = {
  'the event loop': { count: 0, waitForLoad: false },
  'threads in front of it': { count: 2, waitForLoad: false },
};
let own: HttpFixture;
let parsed: HttpFixture;

const JSON_BODY = (value: number): string =>
  `{"id":"${value}","inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[${value}]}]}`;
const request = (model: string, value: number, ...headers: string[]): string => {
  const body = JSON_BODY(value);
  const lines = [`POST /v2/models/${model}/infer HTTP/1.1`, 'Host: localhost', ...headers];
  return [...lines, `Content-Length: ${body.length}`, '', body].join('\r\n');
};
const undated = (bytes: Buffer | string): string =>
  bytes.toString('latin1').replaceAll(/\r\nDate: [^\r]*/g, '');
const ids = (received: string): string[] => [...received.matchAll(/"id":"(\d+)"/g)].map(([, id]) => id ?? '');

/** Answers to the same bytes, read by the port itself and by Node's parser. */
async function both(bytes: string | Buffer): Promise<readonly [string, string]> {
  const sent = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  const [ours, theirs] = await Promise.all([
    exchange(own.server.port, sent),
    exchange(parsed.server.port, sent),
  ]);
  return [undated(ours), undated(theirs)];
}

/**
 * Whether bytes that are no request are refused at once, or behind the answers before them, is a matter of timing; so
 * is which answer is then the last.
 */
const settled = (answers: string): string =>
  answers
    .replace(/HTTP\/1\.1 400 Bad Request\r\n[^{}]*\{"error":"malformed HTTP request"\}$/, '')
    .replaceAll(/\r\nConnection: [^\r]*/g, '')
    .replaceAll(/\r\nKeep-Alive: [^\r]*/g, '');

/** A body is inflated elsewhere, and its client closes its half meanwhile: whether it is answered is a matter of timing. */
const isRace = (bytes: Buffer, ours: string, theirs: string): boolean =>
  /^content-encoding:/im.test(bytes.toString('latin1')) && (ours === '' || theirs === '');

describe.each(Object.entries(readers))('read by %s', (_reader, wireThreads) => {
  beforeAll(async () => {
    own = await HttpFixture.start({ ...options, wireThreads });
    parsed = await HttpFixture.start({ ...options, readsHotRequests: false });
  });
  afterAll(() => Promise.all([own.close(), parsed.close()]));

  test('thousands of bent requests: the same answers as from the parser', async () => {
    const random = new Random(20_261_122);
    let answered = 0;
    // What one request does to the next, in another lane, is in order only where one loop reads both.
    const laneCount = wireThreads.count === 0 ? 8 : 1;
    const lane = async (): Promise<void> => {
      for (let left = 3200 / laneCount; left > 0; left -= 1) {
        const bytes = fuzzRequest(random);
        const [ours, theirs] = await both(bytes);
        if (settled(ours) !== settled(theirs) && !isRace(bytes, ours, theirs)) {
          expect({ sent: bytes.toString('latin1'), ours: settled(ours) }).toEqual({ ours: settled(theirs) });
        }
        if (ours !== '') answered += 1;
      }
    };
    await Promise.all(Array.from({ length: laneCount }, lane));
    expect(answered).toBeGreaterThan(2000);
  });

  describe('forms of one request', () => {
    const plain = request('one', 7);
    test.each([
      ['as clients send it', plain],
      ['with a version', plain.replace('/infer', '/versions/1/infer')],
      ['of an unknown version', plain.replace('/infer', '/versions/9/infer')],
      ['of an unknown model', plain.replace('/one/', '/none/')],
      ['kept alive by name', request('one', 7, 'Connection: Keep-Alive')],
      ['that ends its connection', request('one', 7, 'Connection: close') + plain],
      ['with an unknown connection option', request('one', 7, 'Connection: x, close')],
      ['in HTTP/1.0', plain.replace('HTTP/1.1', 'HTTP/1.0')],
      ['with a query', plain.replace('/infer', '/infer?a=b')],
      ['with an escaped name', plain.replace('/one/', '/%6fne/')],
      ['with an absolute target', plain.replace(' /v2', ' http://localhost/v2')],
      ['with a lower-case method', plain.replace('POST', 'post')],
      ['with two blanks in its first line', plain.replace('POST ', 'POST  ')],
      ['behind an empty line', `\r\n${plain}`],
      ['with bare line feeds', plain.replaceAll('\r\n', '\n')],
      ['with a folded field', request('one', 7, 'X-A: b\r\n c')],
      ['with a blank in front of a colon', request('one', 7, 'X-A : b')],
      ['with a field without a name', request('one', 7, ': b')],
      ['with a control character in a value', request('one', 7, 'X-A: b\x01c')],
      ['with a Latin-1 value', request('one', 7, 'X-A: \xe9')],
      ['with an empty value', request('one', 7, 'X-A:')],
      ['with a header twice', request('one', 7, 'X-A: b', 'x-a: c')],
      ['with two equal lengths', request('one', 7, `Content-Length: ${JSON_BODY(7).length}`)],
      ['with two lengths', request('one', 7, 'Content-Length: 3')],
      ['with a signed length', plain.replace(/Content-Length: /, 'Content-Length: +')],
      ['with a length in two parts', plain.replace(/Content-Length: (.)/, 'Content-Length: $1 ')],
      ['with a length of zeros', plain.replace(/Content-Length: /, 'Content-Length: 000')],
      ['with a hexadecimal length', plain.replace(/Content-Length: \d+/, 'Content-Length: 0x40')],
      ['without a length', plain.replace(/Content-Length: \d+\r\n/, '')],
      ['without a body', plain.replace(/Content-Length: \d+\r\n\r\n.*/, 'Content-Length: 0\r\n\r\n')],
      ['with more body than it takes', plain.replace(/Content-Length: \d+/, 'Content-Length: 9000000') + 'x'],
      [
        'larger than is kept',
        `${plain.replace(/Content-Length: \d+/, 'Content-Length: 1000001')}`.padEnd(1_000_400),
      ],
      ['in chunks', request('one', 7, 'Transfer-Encoding: chunked')],
      ['that expects 100', request('one', 7, 'Expect: 100-continue')],
      ['that expects something else', request('one', 7, 'Expect: much')],
      ['that upgrades', request('one', 7, 'Connection: Upgrade', 'Upgrade: websocket')],
      ['from a web page', request('one', 7, 'Origin: http://example.com')],
      ['that a page of another origin starts', request('one', 7, 'Sec-Fetch-Site: cross-site')],
      ['to a strange host', plain.replace('localhost', 'example.com')],
      ['without a host', plain.replace('Host: localhost\r\n', '')],
      ['that takes gzip', request('one', 7, 'Accept-Encoding: gzip')],
      ['that takes anything', request('one', 7, 'Accept-Encoding: *')],
      [
        'with a header to forward',
        request('one', 7, 'my_header: value') + request('one', 8) + request('one', 9, 'My_Header: b'),
      ],
      ['with a header that must not be forwarded', request('one', 7, 'triton_my_header: value')],
      ['with a JSON length', request('one', 7, `Inference-Header-Content-Length: ${JSON_BODY(7).length}`)],
      ['with a wrong JSON length', request('one', 7, 'Inference-Header-Content-Length: 10')],
      ['with a negative JSON length', request('one', 7, 'Inference-Header-Content-Length: -1')],
      [
        'by another route behind it',
        plain + 'GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n' + plain,
      ],
      ['with rubbish behind it', plain + 'rubbish\r\n\r\n'],
      ['many times', plain.repeat(100)],
      ['cut in its head', plain.slice(0, 30)],
      ['cut in its body', plain.slice(0, -3)],
      ['with too many headers', request('one', 7, ...Array.from({ length: 100 }, (_, i) => `X-${i}: y`))],
      ['with a header that is too large', request('one', 7, `X-A: ${'y'.repeat(70_000)}`)],
    ])('%s', async (_, bytes) => {
      const [ours, theirs] = await both(bytes);
      expect(settled(ours)).toEqual(settled(theirs));
      if (!ours.includes('malformed')) expect(ours).toBe(theirs);
    });

    test('in packets of any size', async () => {
      const bytes =
        request('one', 1) +
        request('one', 2) +
        'GET /v2/health/live HTTP/1.1\r\nHost: a.localhost\r\n\r\n' +
        request('one', 3);
      const expected = undated(await exchange(parsed.server.port, Buffer.from(bytes)));
      for (const size of [1, 2, 7, 50, 97, 150, 300]) {
        using socket = await RawSocket.connect(own.server.port);
        for (let at = 0; at < bytes.length; at += size) {
          await socket.write(bytes.slice(at, at + size));
          if (at % 5 === 0) await new Promise(setImmediate);
        }
        await socket.until(/"id":"3".*\}$/s);
        expect(undated(socket.received)).toBe(expected);
      }
    });
  });

  describe('order and life of a connection', () => {
    const answer = (id: string): void => {
      const found = held.find((request_) => request_.id === id) as InferenceRequest;
      void found.respondOutputs([], true);
      found.release();
    };

    /** Whatever was going to be sent by now has been: another connection asked later and has its answer. */
    const otherAnswered = async (): Promise<void> => {
      using other = await RawSocket.connect(own.server.port);
      await other.write('GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await other.until(/200 OK[\s\S]*\r\n\r\n/);
    };

    test('requests run side by side, answers leave in order, and what is foreign waits for them', async () => {
      held.length = 0;
      using socket = await RawSocket.connect(own.server.port);
      const health = 'GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
      await socket.write(request('held', 1) + request('held', 2) + request('held', 3) + health);
      await vi.waitFor(() => expect(held).toHaveLength(3));
      answer('3');
      answer('2');
      await otherAnswered();
      expect(socket.received).toBe('');
      answer('1');
      await socket.until(/"id":"3"[\s\S]*HTTP\/1\.1 200 OK[\s\S]*\r\n\r\n/);
      expect(ids(socket.received)).toEqual(['1', '2', '3']);
      expect(socket.received.match(/HTTP\/1\.1 200/g)).toHaveLength(4);
    });

    test('a client that leaves: its requests are cancelled', async () => {
      held.length = 0;
      const socket = await RawSocket.connect(own.server.port);
      await socket.write(request('held', 1) + request('held', 2));
      await vi.waitFor(() => expect(held).toHaveLength(2));
      socket.reset();
      await vi.waitFor(() => expect(held.map(({ isCancelled }) => isCancelled)).toEqual([true, true]));
      for (const request_ of held) {
        void request_.respondOutputs([], true);
        request_.release();
      }
    });

    test('no more than 32 requests of a connection are taken at a time', async () => {
      held.length = 0;
      using socket = await RawSocket.connect(own.server.port);
      await socket.write(Array.from({ length: 40 }, (_, index) => request('held', index)).join(''));
      await vi.waitFor(() => expect(held).toHaveLength(32));
      await otherAnswered();
      expect(held).toHaveLength(32);
      for (let id = 0; id < 40; id += 1) {
        await vi.waitFor(() => expect(held.length).toBeGreaterThan(id));
        answer(String(id));
      }
      await socket.until(/"id":"39"/);
      expect(ids(socket.received)).toEqual(Array.from({ length: 40 }, (_, index) => String(index)));
    });

    test('a client that does not read is not read from', async () => {
      const texts = `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[20000],"data":[${'1,'.repeat(19_999)}1]}]}`;
      const large = `POST /v2/models/one/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${texts.length}\r\n\r\n${texts}`;
      using socket = await RawSocket.connect(own.server.port);
      socket.socket.pause();
      const before = own.server.requestCount;
      for (let sent = 0; sent < 1000; sent += 1) socket.socket.write(large);
      await vi.waitFor(() => expect(own.server.requestCount).toBeGreaterThan(before));
      await wait(500);
      const taken = own.server.requestCount - before;
      expect(taken).toBeLessThan(900);
      socket.socket.resume();
      await vi.waitFor(() => expect(own.server.requestCount - before).toBe(1000), { timeout: 20_000 });
    });
  });
});
