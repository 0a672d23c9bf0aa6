// What surrounds the routes: callers, restrictions, encodings, body limits, broken requests, slow clients, drain.

import http from 'node:http';
import net from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FakeClock } from '../../../src-main/testing/fake-clock.ts';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';
import { wireCall, wireRaw } from '../../../src-main/testing/wire-http.ts';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';

const MODELS = [{ config: echoConfig('m', ['TYPE_INT32']) }, { config: echoConfig('big', ['TYPE_FP32']) }];
const BODY = JSON.stringify({ inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [2], data: [1, 2] }] });
const PATH = '/v2/models/m/infer';

let fixture: HttpFixture;

beforeAll(async () => {
  fixture = await HttpFixture.start({
    models: MODELS,
    allowedOrigins: ['https://good.example'],
    allowedHosts: ['Workbench.example'],
  });
});

afterAll(async () => {
  await vi.waitFor(() => expect(fixture.service.openUses).toBe(0));
  await fixture.close();
});

describe('callers', () => {
  test.each([
    ['http://evil.example', undefined, 403],
    ['null', undefined, 403],
    ['http://localhost:1', undefined, 403],
    ['https://good.example', undefined, 200],
    [undefined, 'evil.example', 403],
    [undefined, 'localhost.evil.example:8000', 403],
    [undefined, 'localhost:8000', 200],
    [undefined, 'x.localhost', 200],
    [undefined, 'workbench.example:8000', 200],
    [undefined, 'other.workbench.example', 403],
    [undefined, '127.9.9.9:1', 200],
    [undefined, '[::1]:8000', 200],
    [undefined, 'host.docker.internal:8000', 200],
    [undefined, '10.0.0.1', 403],
  ])('origin %s at host %s: %i', async (origin, host, status) => {
    const headers = {
      ...(origin === undefined ? {} : { Origin: origin }),
      ...(host === undefined ? {} : { Host: host }),
    };
    const reply = await fixture.call({ path: '/v2/health/live', headers });
    expect(reply.status).toBe(status);
    if (status === 403) expect((JSON.parse(reply.text) as { error: string }).error).not.toBe('');
  });

  test('lets an allowed page send what it needs and read the reply', async () => {
    const preflight = await fixture.call({
      path: PATH,
      method: 'OPTIONS',
      headers: {
        Origin: 'https://good.example',
        'Access-Control-Request-Headers': 'inference-header-content-length, x y, x-a',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toBe('inference-header-content-length, x-a');
    const reply = await fixture.call({ path: PATH, body: BODY, headers: { Origin: 'https://good.example' } });
    expect(reply.headers['access-control-allow-origin']).toBe('https://good.example');
    expect(reply.headers['vary']).toBe('Origin');
  });

  test('sends no CORS headers to programs', async () => {
    const reply = await fixture.call({ path: '/v2' });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('restricted APIs', () => {
  test('ask for the header before the method is looked at', async () => {
    await using guarded = await HttpFixture.start({
      models: MODELS,
      restricted: [
        { categories: ['inference', 'health'], header: 'X-Key', value: 'secret' },
        { categories: ['statistics'], header: 'Other', value: 'o' },
      ],
    });
    const refused = `{"error":"This API is restricted, expecting header 'X-Key'"}`;
    for (const headers of [{}, { 'X-Key': 'Secret' }]) {
      const reply = await guarded.call({ path: PATH, method: 'GET', headers });
      expect([reply.status, reply.text]).toEqual([403, refused]);
    }
    expect((await guarded.call({ path: PATH, body: BODY, headers: { 'x-key': 'secret' } })).status).toBe(200);
    expect((await guarded.call({ path: '/v2/models/stats', headers: { other: 'o' } })).status).toBe(200);
    expect((await guarded.call({ path: '/v2' })).status).toBe(200);
  });

  test.each([
    [[{ categories: ['nothing'], header: 'a', value: 'b' }], "unknown restricted api 'nothing'"],
    [
      [
        { categories: ['health'], header: 'a', value: 'b' },
        { categories: ['trace', 'health'], header: 'c', value: 'd' },
      ],
      'can not be specified in multiple config groups',
    ],
  ])('refuse to start with a faulty configuration (%#)', async (restricted, message) => {
    await expect(HttpFixture.start({ restricted })).rejects.toThrow(message);
  });
});

describe('encodings', () => {
  const pack = {
    none: (b: Buffer) => b,
    gzip: (b: Buffer) => zlib.gzipSync(b),
    deflate: (b: Buffer) => zlib.deflateSync(b),
  };
  const unpack = {
    none: (b: Buffer) => b,
    gzip: (b: Buffer) => zlib.gunzipSync(b),
    deflate: (b: Buffer) => zlib.inflateSync(b),
  };
  const kinds = ['none', 'gzip', 'deflate'] as const;

  test.each(kinds.flatMap((sent) => kinds.map((asked) => [sent, asked] as const)))(
    'request %s, reply %s',
    async (sent, asked) => {
      const json = JSON.stringify({
        inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [2], parameters: { binary_data_size: 8 } }],
        parameters: { binary_data_output: true },
      });
      const reply = await fixture.call({
        path: PATH,
        body: pack[sent](Buffer.concat([Buffer.from(json), Buffer.alloc(8, 3)])),
        headers: {
          'Inference-Header-Content-Length': json.length,
          ...(sent === 'none' ? {} : { 'Content-Encoding': sent }),
          ...(asked === 'none' ? {} : { 'Accept-Encoding': asked }),
        },
      });
      expect([reply.status, reply.headers['content-encoding']]).toEqual([
        200,
        asked === 'none' ? undefined : asked,
      ]);
      expect(Number(reply.headers['content-length'])).toBe(reply.body.length);
      const plain = unpack[asked](reply.body);
      expect(
        plain.subarray(Number(reply.headers['inference-header-content-length'])).equals(Buffer.alloc(8, 3)),
      ).toBe(true);
    },
  );

  test.each([
    ['gzip, deflate', 'gzip'],
    ['deflate, gzip', 'deflate'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, deflate;q=0.7', 'deflate'],
    ['gzip;q=x, deflate;q=0.1', 'deflate'],
    ['*', undefined],
    ['br', undefined],
    ['identity, gzip', undefined],
  ])('Accept-Encoding %s gives %s', async (accepted, encoding) => {
    const reply = await fixture.call({ path: PATH, body: BODY, headers: { 'Accept-Encoding': accepted } });
    expect(reply.headers['content-encoding']).toBe(encoding);
  });

  test('compresses large replies and leaves errors plain', async () => {
    const data = Array.from({ length: 5000 }, (_, i) => i);
    const body = JSON.stringify({ inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [5000], data }] });
    const reply = await fixture.call({ path: PATH, body, headers: { 'Accept-Encoding': 'gzip' } });
    expect(zlib.gunzipSync(reply.body).toString()).toContain('4998,4999]');
    const failed = await fixture.call({ path: PATH, body: '{', headers: { 'Accept-Encoding': 'gzip' } });
    expect(failed.headers['content-encoding']).toBeUndefined();
  });

  test.each(['br', 'gzip, deflate', 'GZIP', 'x-gzip'])('refuses Content-Encoding %s', async (encoding) => {
    const reply = await fixture.call({ path: PATH, body: BODY, headers: { 'Content-Encoding': encoding } });
    expect([reply.status, reply.text, reply.headers['accept-encoding']]).toEqual([
      501,
      '{"error":"Unsupported compression type"}',
      'gzip, deflate',
    ]);
  });

  test('refuses empty, corrupt, and exploding bodies', async () => {
    await using small = await HttpFixture.start({ models: MODELS, maxInputByteSize: 1000 });
    const send = (body: Buffer) => small.call({ path: PATH, body, headers: { 'Content-Encoding': 'gzip' } });
    expect((await send(Buffer.alloc(0))).text).toBe('{"error":"nothing to be decompressed"}');
    const corrupt = await send(Buffer.from('no gzip at all'));
    expect([corrupt.status, corrupt.text]).toEqual([
      400,
      expect.stringContaining('inconsistent stream state during decompression'),
    ]);
    const bomb = await send(zlib.gzipSync(Buffer.alloc(100_000)));
    expect([bomb.status, bomb.text]).toEqual([
      400,
      '{"error":"Decompressed data size exceeds the maximum allowed value of 1000 bytes. Use --http-max-input-size to increase the limit."}',
    ]);
    const huge = await send(Buffer.alloc(100_000));
    expect([huge.status, huge.text]).toEqual([
      400,
      expect.stringContaining('Decompressed data size exceeds'),
    ]);
  });

  test('refuses a hundred compressed requests with a wrong header length without keeping their memory', async () => {
    const body = zlib.gzipSync(Buffer.alloc(1_000_000, 'x'));
    const headers = { 'Content-Encoding': 'gzip', 'Inference-Header-Content-Length': 2_000_000 };
    for (let i = 0; i < 100; i += 1) {
      const reply = await fixture.call({ path: PATH, body, headers });
      expect([reply.status, reply.text]).toEqual([
        400,
        '{"error":"inference header size should be in range (0, 1000000), got: 2000000"}',
      ]);
    }
  });
});

describe('bodies', () => {
  test.each([
    ['a byte order mark before', `\ufeff${BODY}`],
    ['a zero byte behind', `${BODY}\0`],
  ])('takes JSON with %s', async (_, body) => {
    const reply = await fixture.call({ path: PATH, body });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"data":[1,2]')]);
  });

  test('refuses an empty content encoding', async () => {
    const reply = await fixture.call({ path: PATH, body: BODY, headers: { 'Content-Encoding': '' } });
    expect([reply.status, reply.text]).toEqual([501, '{"error":"Unsupported compression type"}']);
  });

  test('takes chunked requests, also with Content-Length beside', async () => {
    const chunked = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\nTransfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    expect(await wireRaw(fixture.server.port, chunked)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"data":\[1,2\]/);
  });

  test('refuses more than 65536 tiny chunks and closes', async () => {
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const reply = await wireRaw(fixture.server.port, head + '1\r\nx\r\n'.repeat(65_537) + '0\r\n\r\n');
    expect(reply).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*Chunked request body exceeds maximum of 65536 non-empty chunks\. Send fewer or larger HTTP chunks\./,
    );
    expect((await fixture.call({ path: '/v2/health/live' })).status).toBe(200);
  });

  test('refuses a Content-Length beyond 2 GiB before the body is there', async () => {
    const reply = await wireRaw(
      fixture.server.port,
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000000\r\n\r\n`,
      /got: 3000000000"\}/,
    );
    expect(reply).toContain(
      'Unable to parse Content-Length, value is out of range [ -2147483648, 2147483647 ], got: 3000000000',
    );
  });

  test('answers 100-continue at once', async () => {
    const reply = await wireRaw(
      fixture.server.port,
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
      /100 Continue/,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
  });

  test('parses and prints JSON tensors of a megabyte in workers, exactly', async () => {
    const count = 150_000;
    const values = Float32Array.from({ length: count }, (_, i) => Math.fround(i / 7));
    const body = JSON.stringify({
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [count], data: Array.from(values) }],
    });
    expect(body.length).toBeGreaterThan(1_000_000);
    const reply = await fixture.call({ path: '/v2/models/big/infer', body });
    const json = JSON.parse(reply.text) as { outputs: { data: number[] }[] };
    expect(Float32Array.from(json.outputs[0]?.data ?? [])).toEqual(values);
    const broken = await fixture.call({
      path: '/v2/models/big/infer',
      body: body.replace(`[${count}]`, `[${count + 1}]`),
    });
    expect([broken.status, broken.text]).toEqual([
      500,
      `{"error":"Failed to parse 'data' field: shape does not match true shape"}`,
    ]);
  });

  test('puts binary tensors together from many chunks', async () => {
    const bytes = Buffer.from(Float32Array.from({ length: 100_000 }, (_, i) => i).buffer);
    const json = JSON.stringify({
      inputs: [
        {
          name: 'INPUT0',
          datatype: 'FP32',
          shape: [100_000],
          parameters: { binary_data_size: bytes.length },
        },
      ],
      parameters: { binary_data_output: true },
    });
    const reply = await fixture.call({
      path: '/v2/models/big/infer',
      body: Buffer.concat([Buffer.from(json), bytes]),
      headers: { 'Inference-Header-Content-Length': json.length },
    });
    expect(reply.body.subarray(Number(reply.headers['inference-header-content-length'])).equals(bytes)).toBe(
      true,
    );
  });
});

describe('broken requests', () => {
  test('refuses at once a head whose lines end with a line feed alone', async () => {
    const reply = await wireRaw(fixture.server.port, 'POST /v2/models/m/infer HTTP/1.1\nHost: localhost\n\n');
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each([
    ['nonsense', 'GARBAGE\r\n\r\n', 400],
    ['another protocol', 'GET /v2 JUNK/1.1\r\n\r\n', 400],
    ['headers without end', `GET /v2 HTTP/1.1\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`, 400],
    ['CONNECT to nowhere', 'CONNECT example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 404],
    ['CONNECT to a route', 'CONNECT /v2 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['TRACE', 'TRACE /v2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 405],
    [
      'an upgrade',
      'GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      200,
    ],
    ['no Host header', 'GET /v2/health/live HTTP/1.1\r\nConnection: close\r\n\r\n', 200],
    [
      'a target with an address in front',
      'GET http://localhost:8000/v2/health/live?x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      200,
    ],
    ['HTTP/1.0', 'GET /v2/health/live HTTP/1.0\r\n\r\n', 200],
  ])('%s gets a reply', async (_, bytes, status) => {
    const reply = await wireRaw(fixture.server.port, bytes);
    expect(reply.split('\r\n')[0]).toContain(` ${status} `);
    expect((await fixture.call({ path: '/v2/health/live' })).status).toBe(200);
  });

  test('nothing a client sends can add headers to a reply', async () => {
    const evil = '%0d%0aSet-Cookie:%20a=b';
    const replies = [
      await wireRaw(
        fixture.server.port,
        `GET /v2/models/x${evil} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ),
      await wireRaw(
        fixture.server.port,
        `OPTIONS /v2 HTTP/1.1\r\nHost: localhost\r\nOrigin: https://good.example\r\nAccess-Control-Request-Headers: a\tb, c%0d%0aSet-Cookie: x\r\nConnection: close\r\n\r\n`,
      ),
      await wireRaw(
        fixture.server.port,
        `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nInference-Header-Content-Length: 1%0d%0aSet-Cookie\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
      ),
      (await fixture.call({ path: PATH, body: BODY.replace('{', '{"id":"a\\r\\nSet-Cookie: x",') })).text,
    ];
    for (const reply of replies) expect(reply).not.toMatch(/^set-cookie/im);
  });
});

describe('slow and leaving clients', () => {
  test('cuts off a body that stops arriving, and keeps one that moves', async () => {
    const clock = new FakeClock();
    await using slow = await HttpFixture.start({ models: MODELS, clock });
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`;
    const arrives = (): Promise<void> =>
      new Promise((resolve) => {
        const poll = (): void => void (slow.server.readingCount === 2 ? resolve() : setImmediate(poll));
        poll();
      });
    const stalled = wireRaw(slow.server.port, `${head}{`);
    const moving = wireRaw(slow.server.port, head + 'x'.repeat(900_000), /./);
    await arrives();
    await clock.advance(70_000);
    expect(await stalled).toMatch(/^HTTP\/1\.1 400 [\s\S]*request body arrives too slowly/);
    expect(slow.server.readingCount).toBe(1);
    await slow.close();
    expect(await moving.catch(() => 'cut')).not.toContain('too slowly');
  });

  test('cancels a request whose client goes away', async () => {
    let held: InferenceRequest | undefined;
    const cancelled = new Promise<void>((resolve) => {
      void HttpFixture.start({
        models: [
          {
            config: echoConfig('m', ['TYPE_INT32']),
            respond: (request) => {
              held = request;
              request.onCancel(resolve);
              socket?.destroy();
            },
          },
        ],
      }).then((started) => {
        slow = started;
        socket = net.connect(started.server.port, '127.0.0.1');
        socket.write(
          `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
        );
      });
    });
    let socket: net.Socket | undefined;
    let slow: HttpFixture | undefined;
    await cancelled;
    expect(held?.isCancelled).toBe(true);
    void held?.respondOutputs([], true);
    expect(slow?.service.openUses).toBe(0);
    await slow?.close();
  });

  test('drains: open requests finish, their connections close, new ones are refused', async () => {
    let held: InferenceRequest | undefined;
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (arrived = resolve));
    const draining = await HttpFixture.start({
      models: [
        {
          config: echoConfig('m', ['TYPE_INT32']),
          respond: (request) => {
            held = request;
            arrived();
          },
        },
      ],
    });
    const { port } = draining.server;
    const agent = new http.Agent({ keepAlive: true });
    const reply = new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .request({ port, host: '127.0.0.1', method: 'POST', path: PATH, agent }, resolve)
        .on('error', reject)
        .end(BODY);
    });
    await waiting;
    const closed = draining.server.close();
    // Whoever connects before the listener is gone is still answered.
    const call = (): Promise<unknown> => wireCall(port, { path: '/v2' }).then(() => 'answered', String);
    await expect.poll(call).toContain('ECONNREFUSED');
    expect(draining.server.connectionCount).toBe(1);
    void held?.respondOutputs([], true);
    const response = await reply;
    response.resume();
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    await closed;
    expect(draining.server.connectionCount).toBe(0);
    agent.destroy();
    await draining.close();
  });

  test('says when the port is taken', async () => {
    const { port } = fixture.server;
    await expect(HttpFixture.start({ port })).rejects.toThrow(`Socket '127.0.0.1:${port}' already in use`);
  });
});
