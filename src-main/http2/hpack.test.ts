// The coder against itself and against Node's HTTP/2, which has another one.

import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

import { FRAME, PREFACE } from './codes.ts';
import { FrameReader } from './frame-reader.ts';
import { encodeHeaderBlock } from './header-block.ts';
import { HpackDecoder } from './hpack-decoder.ts';

const decoder = (): HpackDecoder => new HpackDecoder(4096, 65_536);

test('what is encoded is decoded again', () => {
  const fields = [
    ':status',
    '200',
    ':path',
    '/a',
    'content-type',
    'application/grpc',
    'x',
    'é'.repeat(300),
    'y',
    '',
  ];
  expect(decoder().decode(encodeHeaderBlock(fields))).toEqual({ fields, overflow: undefined });
});

test('examples of the standard: requests with Huffman coding and a table that grows', () => {
  const one = decoder();
  const blocks = [
    '828684418cf1e3c2e5f23a6ba0ab90f4ff',
    '828684be5886a8eb10649cbf',
    '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
  ];
  const authority = [':authority', 'www.example.com'];
  expect(blocks.map((block) => one.decode(Buffer.from(block, 'hex')).fields)).toEqual([
    [':method', 'GET', ':scheme', 'http', ':path', '/', ...authority],
    [':method', 'GET', ':scheme', 'http', ':path', '/', ...authority, 'cache-control', 'no-cache'],
    [
      ':method',
      'GET',
      ':scheme',
      'https',
      ':path',
      '/index.html',
      ...authority,
      'custom-key',
      'custom-value',
    ],
  ]);
});

test('everything that Node sends is understood, however often it repeats', async () => {
  const values = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter((char) =>
    /[\t\x20-\x7e\x80-\xff]/.test(char),
  );
  const sent = Array.from({ length: 60 }, (_, round) => ({
    ':method': 'POST',
    ':path': `/r/${round % 7}`,
    'x-same': 'a value that stays the same over all rounds',
    'x-round': String(round),
    [`x-${round % 11}`]: `a${values.join('').slice(round * 3, round * 3 + 90)}z`,
    'x-long': '7'.repeat(round * 50),
  }));
  const lists: (readonly string[])[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = net.createServer((socket) => {
    const own = decoder();
    let isOpen = false;
    const reader = new FrameReader(
      {
        onFrame: (type, _, __, payload) => {
          if (type === FRAME.headers) lists.push(own.decode(payload).fields);
          if (lists.length === sent.length) resolve();
        },
        onData: () => true,
      },
      1 << 20,
    );
    socket.write(Buffer.from('000000040000000000', 'hex'));
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      reader.read(isOpen ? chunk : chunk.subarray(PREFACE.length));
      isOpen = true;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  session.on('error', () => undefined);
  for (const headers of sent) session.request(headers, { endStream: true }).on('error', () => undefined);
  await promise;
  session.destroy();
  server.close();
  for (const [index, headers] of sent.entries()) {
    const got = new Map<string, string>();
    const list = lists[index] ?? [];
    for (let at = 0; at < list.length; at += 2) got.set(list[at] ?? '', list[at + 1] ?? '');
    for (const [name, value] of Object.entries(headers))
      expect([name, got.get(name)]).toEqual([name, value.trim()]);
  }
});

test.each([
  ['index 0', '80'],
  ['an index nobody has', 'c5'],
  ['an integer without end', 'ffffffffffffffff'],
  ['a text that is cut', '400a61'],
  ['Huffman padding of a whole byte', '4081ffff0161'],
  ['Huffman padding of zeros', '408118' + '0161'],
  ['the end mark', '4084ffffffff0161'],
  ['a table larger than allowed', '3fe21f'],
  ['a size update behind a field', '8220'],
])('%s is refused', (_, hex) => {
  expect(() => decoder().decode(Buffer.from(hex, 'hex'))).toThrow();
});

test('a list above the limit is told, and the table stays right', () => {
  const own = new HpackDecoder(4096, 100);
  const large = Buffer.concat([Buffer.from('400161', 'hex'), Buffer.from([127, 0]), Buffer.alloc(127, 0x62)]);
  expect(own.decode(large)).toEqual({
    fields: [],
    overflow: { name: 'a', byteSize: 160, listByteSize: 160 },
  });
  expect(own.decode(Buffer.from('be', 'hex')).overflow).toBeDefined();
  expect(own.decode(Buffer.from('82', 'hex'))).toEqual({
    fields: [':method', 'GET'],
    overflow: undefined,
  });
});
