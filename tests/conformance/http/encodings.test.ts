// Compressed requests and replies, and those that cannot be unpacked.

import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { HttpFixture } from '../../../src-main/testing/http-fixture.ts';
import { BODY, MODELS, PATH, echoServer } from './echo-server.ts';

const fixture = await echoServer();

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
