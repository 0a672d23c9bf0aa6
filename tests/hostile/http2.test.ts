// The gRPC port and frames that no client library sends.

import { once } from 'node:events';
import http2 from 'node:http2';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { echo } from '../conformance/checklist/checklist-models.ts';
import { field, GrpcCaller, int32Request } from '../conformance/checklist/grpc-caller.ts';
import {
  callHeaders,
  dataFrames,
  FLAG,
  FRAME,
  frame,
  grpcMessage,
  headerBlock,
  Http2Socket,
  PREFACE,
} from './http2-frames.ts';
import { RawSocket } from './raw-socket.ts';
import { Target } from './target.ts';

let target: Target;
let grpc: GrpcCaller;
beforeAll(async () => {
  target = await Target.start(echo('m', 'INT32', [-1]), { grpc: { maxDecompressedByteSize: 8_000_000 } });
  grpc = new GrpcCaller(`127.0.0.1:${target.ports.grpc}`);
});
afterAll(async () => {
  grpc.close();
  await target[Symbol.asyncDispose]();
});

const LIVE = headerBlock(callHeaders('ServerLive'));
const OPEN = FLAG.endHeaders;

async function expectServing(): Promise<void> {
  await target.expectAlive();
  expect((await grpc.call('ModelInfer', int32Request('m', [1]))).code).toBe(0);
}

test('a call written by hand is answered', async () => {
  using socket = await Http2Socket.connect(target.ports.grpc);
  await socket.write(frame(FRAME.headers, OPEN, 1, LIVE), dataFrames(1, grpcMessage(Buffer.alloc(0))));
  const frames = await socket.until((f) => f.stream === 1 && (f.flags & FLAG.endStream) !== 0);
  expect(frames.find((f) => f.type === FRAME.data)?.payload).toEqual(grpcMessage(Buffer.from([8, 1])));
});

test.each(['gzip', 'deflate'] as const)(
  'a message of %s that inflates to a thousand times its size is refused',
  async (encoding) => {
    const zeros = Buffer.alloc(128 * 1024 * 1024);
    const name = field(1, Buffer.from('m'));
    const bomb = encoding === 'gzip' ? zlib.gzipSync(zeros) : zlib.deflateSync(zeros);
    const small = encoding === 'gzip' ? zlib.gzipSync(name) : zlib.deflateSync(name);
    const session = http2.connect(`http://127.0.0.1:${target.ports.grpc}`);
    const call = async (body: Buffer): Promise<string> => {
      const headers = Object.fromEntries(callHeaders('ModelInfer', [['grpc-encoding', encoding]]));
      const stream = session.request(headers);
      let status = '';
      for (const event of ['response', 'trailers'] as const) {
        stream.on(
          event,
          (fields: http2.IncomingHttpHeaders) => (status += String(fields['grpc-message'] ?? '')),
        );
      }
      stream.on('error', () => undefined);
      stream.resume().end(body);
      await once(stream, 'close');
      return decodeURIComponent(status);
    };
    const before = await target.facts();
    const replies = await Promise.all(Array.from({ length: 4 }, () => call(grpcMessage(bomb, true))));
    for (const reply of replies) {
      expect(reply).toContain('inflates to more than 8000000 bytes. Use --grpc-max-decompressed-size');
    }
    const after = await target.facts();
    expect(after.residentBytes - before.residentBytes).toBeLessThan(150_000_000);
    expect(await call(grpcMessage(small, true))).toMatch(/expected 1 inputs|got 0 inputs|INPUT0/);
    session.destroy();
    await expectServing();
  },
);

test('frames out of order, of wrong lengths and on wrong streams end their connection only', async () => {
  const attacks: readonly (readonly Buffer[])[] = [
    [frame(FRAME.data, 0, 1, Buffer.from('x'))],
    [frame(FRAME.data, 0, 0, Buffer.from('x'))],
    [frame(FRAME.headers, OPEN, 2, LIVE)],
    [frame(FRAME.headers, OPEN, 0, LIVE)],
    [frame(FRAME.headers, OPEN, 3, LIVE), frame(FRAME.headers, OPEN, 1, LIVE)],
    [frame(FRAME.headers, 0, 1, LIVE), frame(FRAME.data, 0, 1)],
    [frame(FRAME.headers, 0, 1, LIVE), frame(FRAME.continuation, 0, 3, LIVE)],
    [frame(FRAME.continuation, OPEN, 1, LIVE)],
    [frame(FRAME.headers, OPEN | FLAG.padded, 1, Buffer.from([255, 0]))],
    [frame(FRAME.headers, OPEN | FLAG.priority, 1, Buffer.from([0, 0, 0, 1, 0]))],
    [frame(FRAME.headers, OPEN, 1, Buffer.from([0x80]))],
    [frame(FRAME.headers, OPEN, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))],
    [frame(FRAME.headers, OPEN, 1, headerBlock([['', '']]))],
    [frame(FRAME.headers, OPEN, 1, headerBlock([[':path', '/x']]))],
    [frame(FRAME.headers, OPEN, 1, headerBlock([...callHeaders('ServerLive'), [':path', '/y']]))],
    [frame(FRAME.headers, OPEN, 1, headerBlock(callHeaders('ServerLive', [['A', 'b']])))],
    [frame(FRAME.headers, OPEN, 1, headerBlock(callHeaders('ServerLive', [['a', 'b\r\nc: d']])))],
    [frame(FRAME.headers, OPEN, 1, headerBlock(callHeaders('ServerLive', [['content-length', '-1']])))],
    [frame(FRAME.headers, OPEN, 1, headerBlock(callHeaders('ServerLive', [['connection', 'close']])))],
    [
      frame(
        FRAME.headers,
        OPEN,
        1,
        headerBlock(callHeaders('ServerLive', [['grpc-timeout', '99999999999S']])),
      ),
    ],
    [frame(FRAME.headers, OPEN, 1, headerBlock(callHeaders('ServerLive', [['grpc-encoding', '../x']])))],
    [frame(FRAME.settings, 0, 0, Buffer.from([0, 4, 255, 255, 255, 255]))],
    [frame(FRAME.settings, 0, 0, Buffer.from([0, 5, 0, 0, 0, 0]))],
    [frame(FRAME.settings, 0, 1, Buffer.alloc(6))],
    [frame(FRAME.settings, 0, 0, Buffer.alloc(5))],
    [frame(FRAME.settings, FLAG.ack, 0, Buffer.alloc(6))],
    [frame(FRAME.ping, 0, 0, Buffer.alloc(7))],
    [frame(FRAME.ping, 0, 1, Buffer.alloc(8))],
    [frame(FRAME.window, 0, 0, Buffer.alloc(4))],
    [
      frame(FRAME.window, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
      frame(FRAME.window, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff])),
    ],
    [frame(FRAME.window, 0, 9, Buffer.from([0, 0, 0, 1]))],
    [frame(FRAME.reset, 0, 0, Buffer.alloc(4))],
    [frame(FRAME.reset, 0, 1, Buffer.alloc(4))],
    [frame(FRAME.push, OPEN, 1, Buffer.concat([Buffer.from([0, 0, 0, 2]), LIVE]))],
    [frame(FRAME.goaway, 0, 0, Buffer.alloc(3))],
    [frame(FRAME.goaway, 0, 0, Buffer.alloc(8)), frame(FRAME.headers, OPEN, 1, LIVE)],
    [frame(0x7f, 0xff, 0x7fffffff, Buffer.alloc(100))],
    [frame(FRAME.data, 0, 1, Buffer.alloc(0), 0xffffff)],
    [frame(FRAME.headers, OPEN, 1, LIVE), frame(FRAME.data, 0, 1, Buffer.from([0, 255, 255, 255, 255]))],
    [frame(FRAME.headers, OPEN, 1, LIVE), frame(FRAME.data, 0, 1, Buffer.from([7, 0, 0, 0, 0]))],
    [frame(FRAME.headers, OPEN, 1, LIVE), frame(FRAME.data, FLAG.endStream, 1, Buffer.from([0, 0]))],
    [frame(FRAME.headers, OPEN | FLAG.endStream, 1, LIVE)],
    [
      frame(FRAME.headers, OPEN, 1, LIVE),
      dataFrames(1, Buffer.concat([grpcMessage(Buffer.alloc(0)), grpcMessage(Buffer.alloc(0))])),
    ],
  ];
  await Promise.all(
    attacks.flatMap((frames) =>
      (['stay', 'reset', 'half'] as const).map(async (end) => {
        using socket = await Http2Socket.connect(target.ports.grpc);
        await socket.write(...frames);
        if (end === 'half') socket.raw.halfClose();
        await socket.raw.closed(300);
        if (end === 'reset') socket.raw.reset();
      }),
    ),
  );
  await expectServing();
});

test('a preface that is cut, wrong or followed by nothing does no harm', async () => {
  const starts = [
    PREFACE.subarray(0, 10),
    Buffer.concat([PREFACE, PREFACE]),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ];
  for (const bytes of [
    ...starts,
    Buffer.alloc(100_000, 0xff),
    Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]),
  ]) {
    const socket = await RawSocket.connect(target.ports.grpc);
    await socket.write(bytes);
    await socket.closed(200);
    socket.reset();
  }
  await expectServing();
});

test('floods of opened and reset calls, of settings, of pings and of empty frames do not stop the others', async () => {
  const many = (make: (i: number) => Buffer): Buffer =>
    Buffer.concat(Array.from({ length: 5000 }, (_, i) => make(i)));
  const floods: readonly Buffer[] = [
    many((i) =>
      Buffer.concat([
        frame(FRAME.headers, OPEN, 2 * i + 1, LIVE),
        frame(FRAME.reset, 0, 2 * i + 1, Buffer.from([0, 0, 0, 8])),
      ]),
    ),
    many((i) => frame(FRAME.headers, OPEN, 2 * i + 1, LIVE)),
    many(() => frame(FRAME.settings, 0, 0, Buffer.alloc(0))),
    many(() => frame(FRAME.ping, 0, 0, Buffer.alloc(8))),
    many((i) => frame(i === 0 ? FRAME.headers : FRAME.continuation, 0, 1, i === 0 ? LIVE : Buffer.alloc(0))),
    Buffer.concat([frame(FRAME.headers, OPEN, 1, LIVE), many(() => frame(FRAME.data, 0, 1))]),
    many((i) => frame(FRAME.priority, 0, 2 * i + 1, Buffer.from([0, 0, 0, 0, 1]))),
    many(() => frame(FRAME.window, 0, 0, Buffer.from([0, 0, 0, 1]))),
  ];
  const before = await target.facts();
  await Promise.all(
    floods.map(async (flood) => {
      const socket = await Http2Socket.connect(target.ports.grpc);
      await socket.write(flood);
      await socket.raw.closed(500);
      socket.raw.reset();
    }),
  );
  await expectServing();
  const after = await target.facts();
  expect(after.cpuMs - before.cpuMs).toBeLessThan(10_000);
});

test('connections torn down in the middle of calls leave nothing behind', async () => {
  const before = await target.facts();
  const message = dataFrames(1, grpcMessage(Buffer.alloc(50_000)), 0);
  const whole = Buffer.concat([
    frame(FRAME.headers, OPEN, 1, headerBlock(callHeaders('ModelStreamInfer'))),
    message,
  ]);
  for (let round = 0; round < 40; round += 1) {
    const socket = await Http2Socket.connect(target.ports.grpc);
    await socket.write(whole.subarray(0, Math.floor((whole.length * (round + 1)) / 40)));
    if (round % 2 === 1) await socket.raw.until(/(?!)/, 5);
    socket.raw.reset();
  }
  await expectServing();
  await expect.poll(async () => (await target.facts()).descriptors).toBeLessThan(before.descriptors + 8);
});
