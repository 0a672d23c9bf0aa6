// What surrounds the routes: bodies of all kinds and their limits, and broken requests.

import { describe, expect, test } from 'vitest';
import { wireRaw } from '../../../src-main/testing/wire-http.ts';
import { BODY, PATH, echoServer } from './echo-server.ts';

const fixture = await echoServer({
  allowedOrigins: ['https://good.example'],
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
