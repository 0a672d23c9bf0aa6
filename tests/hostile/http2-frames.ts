// HTTP/2 by the frame, for what no client library would send: any frame in any order, with any length and flags, on a
// connection of its own. Header blocks are written without compression.

import { RawSocket } from './raw-socket.ts';

export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** `length`: what the header says, when it is to lie. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function hpackInteger(value: number, prefixBits: number): number[] {
  const max = 2 ** prefixBits - 1;
  if (value < max) return [value];
  const bytes = [max];
  let rest = value - max;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** Literal header fields without indexing and without Huffman codes. */
export function headerBlock(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [
      Buffer.from([0]),
      ...[name, value].flatMap((text) => {
        const bytes = Buffer.from(text, 'latin1');
        return [Buffer.from(hpackInteger(bytes.length, 7)), bytes];
      }),
    ]),
  );
}

export function callHeaders(
  rpc: string,
  more: readonly (readonly [name: string, value: string])[] = [],
): (readonly [string, string])[] {
  return [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', `/inference.GRPCInferenceService/${rpc}`],
    [':authority', 'localhost'],
    ['content-type', 'application/grpc'],
    ['te', 'trailers'],
    ...more,
  ];
}

/** A message with its prefix of five bytes. */
export function grpcMessage(bytes: Uint8Array, isCompressed = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([prefix, bytes]);
}

/** DATA frames of a whole message. */
export function dataFrames(stream: number, bytes: Buffer, endFlags: number = FLAG.endStream): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length || frames.length === 0; at += 16_384) {
    const isLast = at + 16_384 >= bytes.length;
    frames.push(frame(FRAME.data, isLast ? endFlags : 0, stream, bytes.subarray(at, at + 16_384)));
  }
  return Buffer.concat(frames);
}

export class Http2Socket implements Disposable {
  readonly raw: RawSocket;

  private constructor(raw: RawSocket) {
    this.raw = raw;
  }

  /** Connected, with preface and settings sent, which give the server wide windows. */
  static async connect(port: number): Promise<Http2Socket> {
    const socket = new Http2Socket(await RawSocket.connect(port));
    const wide = Buffer.alloc(6);
    wide.writeUInt16BE(4, 0);
    wide.writeUInt32BE(2 ** 31 - 1, 2);
    await socket.write(PREFACE, frame(FRAME.settings, 0, 0, wide));
    return socket;
  }

  async write(...frames: readonly Buffer[]): Promise<void> {
    await this.raw.write(Buffer.concat(frames));
  }

  /** Complete frames received so far. */
  get frames(): Frame[] {
    const { bytes } = this.raw;
    const found: Frame[] = [];
    for (let at = 0; at + 9 <= bytes.length;) {
      const end = at + 9 + bytes.readUIntBE(at, 3);
      if (end > bytes.length) break;
      found.push({
        type: bytes[at + 3] ?? 0,
        flags: bytes[at + 4] ?? 0,
        stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
        payload: bytes.subarray(at + 9, end),
      });
      at = end;
    }
    return found;
  }

  /** Resolves with the frames once one matches, the connection ended, or the time is over. */
  async until(wanted: (frame: Frame) => boolean, timeoutMs = 20_000): Promise<Frame[]> {
    const endAt = performance.now() + timeoutMs;
    while (!this.frames.some(wanted) && this.raw.state === 'open' && performance.now() < endAt) {
      await this.raw.until(/(?!)/, 10);
    }
    return this.frames;
  }

  [Symbol.dispose](): void {
    this.raw[Symbol.dispose]();
  }
}
