// A seeded fuzzer of the HTTP/2 layer below gRPC, without sockets: connections of well-formed frames, bent in random places
// and cut at random places. Whatever comes, what the server sends must be frames, and the connection must end with its
// socket, every call on it told.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

import { FLAG, FRAME, PREFACE } from '../http2/codes.ts';
import { FrameReader } from '../http2/frame-reader.ts';
import { frame, numberFrame, settingsFrame } from '../http2/frame-writer.ts';
import { encodeHeaderBlock } from '../http2/header-block.ts';
import { Random } from './http-fuzz.ts';

/** More than a server ever sends in one frame here. */
const MAX_SENT_FRAME_BYTES = 2 ** 24 - 1;
/** Of frames that are no whole call: mostly such that calls may have. */
const STREAMS = [1, 1, 1, 3, 3, 3, 5, 5, 7, 9, 0, 2, 2 ** 31 - 1];

/** What a run of the fuzzer came to. */
export interface Http2FuzzReport {
  readonly connectionCount: number;
  readonly frameCount: number;
  /** Frames that the server sent, by type. */
  readonly sentByType: Readonly<Record<number, number>>;
  /** Connections that went wrong, with the bytes that did it. */
  readonly faults: readonly string[];
}

/** Stands in for a socket: what is fed is received, what is written is kept. */
class FakeSocket extends Duplex {
  readonly written: Buffer[] = [];
  bytesWritten = 0;

  override _read(): void {
    // Chunks are pushed.
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.written.push(chunk);
    this.bytesWritten += chunk.length;
    done();
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }
}

const REQUEST = [':method', 'POST', ':scheme', 'http', ':authority', 'a'];
const GRPC = ['content-type', 'application/grpc', 'te', 'trailers'];

function headers(random: Random, path: string): Uint8Array {
  const more = random.pick<string[]>([
    [],
    ['grpc-timeout', '1S'],
    ['x', 'y'.repeat(random.below(300))],
    ['grpc-encoding', 'gzip'],
    ['Upper', 'case'],
    [':late', 'x'],
  ]);
  return encodeHeaderBlock([...REQUEST, ':path', path, ...GRPC, ...more]);
}

function message(random: Random): Buffer {
  const body = Buffer.alloc(random.below(200), random.below(256));
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(body.length, 1);
  return Buffer.concat([prefix, body]);
}

function someFrames(random: Random, path: string, next: number): Buffer[] {
  const block = headers(random, path);
  if (random.below(3) === 0) {
    const call = frame(FRAME.headers, FLAG.endHeaders, next, block);
    return [call, frame(FRAME.data, FLAG.endStream, next, message(random))];
  }
  const stream = random.pick(STREAMS);
  const ends = random.pick([0, FLAG.endStream]);
  const half = random.below(block.byteLength);
  const kinds: (() => Buffer[])[] = [
    () => [frame(FRAME.headers, FLAG.endHeaders | ends, stream, block)],
    () => [
      frame(FRAME.headers, ends, stream, block.subarray(0, half)),
      frame(FRAME.continuation, FLAG.endHeaders, stream, block.subarray(half)),
    ],
    () => [frame(FRAME.data, ends, stream, message(random))],
    () => [
      frame(
        FRAME.data,
        FLAG.padded | ends,
        stream,
        Buffer.concat([Buffer.of(random.below(9)), message(random)]),
      ),
    ],
    () => [numberFrame(FRAME.windowUpdate, stream, random.pick([0, 1, 65_535, 2 ** 31 - 1]))],
    () => [numberFrame(FRAME.reset, stream, random.below(14))],
    () => [frame(FRAME.ping, random.pick([0, FLAG.ack]), 0, Buffer.alloc(8, 1))],
    () => [settingsFrame([[1 + random.below(7), random.pick([0, 1, 16_384, 65_535, 2 ** 31])]])],
    () => [frame(FRAME.priority, 0, stream, Buffer.of(0, 0, 0, random.below(9), 16))],
    () => [frame(FRAME.goaway, 0, 0, Buffer.alloc(8))],
    () => [frame(random.below(256), random.below(256), stream, Buffer.alloc(random.below(40), 7))],
  ];
  return random.pick(kinds)();
}

/** One thing wrong with the frames. */
function bend(frames: Buffer[], random: Random): void {
  const at = random.below(frames.length);
  const bent = Buffer.from(frames[at] ?? Buffer.alloc(0));
  switch (random.below(7)) {
    case 0:
      bent[random.below(Math.max(1, bent.length))] = random.below(256);
      break;
    case 1:
      bent[random.below(Math.min(9, bent.length))] = random.below(256);
      break;
    case 2:
      frames[at] = bent.subarray(0, random.below(bent.length + 1));
      return;
    case 3:
      frames.splice(at, 0, bent);
      return;
    case 4:
      frames.splice(at, 1);
      return;
    case 5:
      frames.splice(at, 0, Buffer.alloc(random.below(20), random.below(256)));
      return;
    default:
      frames.push(...frames.splice(at, 1));
      return;
  }
  frames[at] = bent;
}

function connection(random: Random, path: string): Buffer[] {
  const frames = [PREFACE, settingsFrame([])];
  const count = 1 + random.below(12);
  for (let index = 0; index < count; index += 1) frames.push(...someFrames(random, path, 1 + 2 * index));
  for (let bends = random.below(4); bends > 0; bends -= 1) bend(frames, random);
  return frames;
}

/** Throws unless `bytes` are whole frames. */
function countFrames(bytes: Buffer, byType: Record<number, number>): void {
  let end = 0;
  const note = (type: number, byteSize: number): void => {
    byType[type] = (byType[type] ?? 0) + 1;
    end += 9 + byteSize;
  };
  let dataBytes = 0;
  new FrameReader(
    {
      onFrame: (type, _flags, _stream, payload) => note(type, payload.length),
      onData: (_flags, _stream, part, isLast) => {
        dataBytes += part.length;
        if (isLast) note(FRAME.data, dataBytes);
        if (isLast) dataBytes = 0;
        return true;
      },
    },
    MAX_SENT_FRAME_BYTES,
  ).read(bytes);
  if (end !== bytes.length) throw new Error(`${bytes.length - end} bytes behind the last frame`);
}

/**
 * Feeds `frameCount` frames or more. `open` serves a connection on the socket it is given, and calls back when the connection
 * has ended. `path` is a call that the server knows.
 */
export async function fuzzHttp2(
  open: (socket: Socket, closed: () => void) => void,
  path: string,
  frameCount: number,
  seed: number,
): Promise<Http2FuzzReport> {
  const random = new Random(seed);
  const report = {
    connectionCount: 0,
    frameCount: 0,
    sentByType: {} as Record<number, number>,
    faults: [] as string[],
  };
  while (report.frameCount < frameCount) {
    const frames = connection(random, path);
    const bytes = Buffer.concat(frames);
    report.connectionCount += 1;
    report.frameCount += frames.length;
    try {
      await feed(open, bytes, random, report.sentByType);
    } catch (thrown) {
      report.faults.push(`${String(thrown)}: ${bytes.toString('hex')}`);
    }
  }
  return report;
}

async function feed(
  open: (socket: Socket, closed: () => void) => void,
  bytes: Buffer,
  random: Random,
  sentByType: Record<number, number>,
): Promise<void> {
  const socket = new FakeSocket();
  let closedCount = 0;
  open(socket as unknown as Socket, () => (closedCount += 1));
  const gone = once(socket, 'close');
  for (let at = 0; at < bytes.length;) {
    const size = random.pick([1, 5, 9, 40, bytes.length]);
    socket.push(Buffer.from(bytes.subarray(at, at + size)));
    at += size;
  }
  socket.push(null);
  await gone;
  if (closedCount !== 1) throw new Error(`the end was told ${closedCount} times`);
  countFrames(Buffer.concat(socket.written), sentByType);
}
