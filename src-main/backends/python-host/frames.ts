// What passes between engine and Python host: frames over one socket, tensors of requests and responses in blocks. The
// other side, and the layout byte by byte, is resources/python/conch_python/frames.py.

import { pythonHostErrors } from './host-errors.ts';

/** Of the head of a frame. */
export const FRAME_BYTES = 16;
/** Of the head of a block. */
export const BLOCK_BYTES = 24;

/** Kinds of frames, engine to host. */
export const TO_HOST = {
  setup: 1,
  execute: 2,
  cancel: 3,
  sent: 4,
  callResponse: 5,
  reply: 6,
  finalize: 7,
  isReady: 8,
  free: 9,
} as const;

/** Kinds of frames, host to engine. */
export const FROM_HOST = {
  ready: 1,
  failed: 2,
  executed: 3,
  response: 4,
  call: 5,
  cancelCall: 6,
  log: 7,
  ask: 8,
  freed: 9,
  finalized: 10,
  readiness: 11,
  completed: 12,
} as const;

/** Bits of a frame's flags. */
export const FRAME_FLAG = { final: 1, hasBlock: 2, batchFailed: 4, decoupled: 8 } as const;

/** What became of a request, in the blocks of `executed`. */
export const BLOCK_FLAG = { answered: 0, open: 1, rescheduled: 2 } as const;

/** One message between engine and Python process; what `a` and `b` mean follows from `kind`. */
export interface Frame {
  readonly kind: number;
  readonly flags: number;
  readonly a: number;
  readonly b: number;
  /** View of received memory. */
  readonly payload: Buffer;
}

/** The header of a frame of `byteSize`, itself included. */
export function writeFrameHeader(
  target: Buffer,
  offset: number,
  byteSize: number,
  kind: number,
  a: number,
  b: number,
  flags: number,
): void {
  target.writeUInt32LE(byteSize, offset);
  target.writeUInt16LE(kind, offset + 4);
  target.writeUInt16LE(flags, offset + 6);
  target.writeUInt32LE(a, offset + 8);
  target.writeUInt32LE(b, offset + 12);
}

/** The header of a frame with `payloadBytes`, a multiple of eight. */
export function frameHeader(kind: number, payloadBytes: number, a = 0, b = 0, flags = 0): Buffer {
  const header = Buffer.allocUnsafe(FRAME_BYTES);
  writeFrameHeader(header, 0, FRAME_BYTES + payloadBytes, kind, a, b, flags);
  return header;
}

/** A frame whose payload is JSON, or empty. */
export function jsonFrame(kind: number, value: unknown, a = 0, b = 0): Buffer {
  if (value === undefined) return frameHeader(kind, 0, a, b);
  const text = JSON.stringify(value);
  const byteSize = Buffer.byteLength(text);
  const payloadBytes = 4 + byteSize;
  const frame = Buffer.alloc(FRAME_BYTES + payloadBytes + (-payloadBytes & 7));
  frameHeader(kind, frame.byteLength - FRAME_BYTES, a, b).copy(frame);
  frame.writeUInt32LE(byteSize, FRAME_BYTES);
  frame.write(text, FRAME_BYTES + 4);
  return frame;
}

/** The JSON of a payload; undefined when it is empty. */
export function payloadJson(payload: Buffer): unknown {
  if (payload.byteLength < 4) return undefined;
  const byteSize = payload.readUInt32LE(0);
  return byteSize === 0 ? undefined : JSON.parse(payload.toString('utf8', 4, 4 + byteSize));
}

/** A frame that gives places in the shared file back: its payload are their offsets, in bytes. */
export function offsetsFrame(kind: number, offsets: readonly number[]): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES + 8 * offsets.length);
  frameHeader(kind, 8 * offsets.length, offsets.length).copy(frame);
  offsets.forEach((offset, index) => frame.writeBigUInt64LE(BigInt(offset), FRAME_BYTES + 8 * index));
  return frame;
}

/** The offsets, in bytes, that such a frame gives back. */
export function payloadOffsets({ payload, a }: Frame): number[] {
  return Array.from({ length: a }, (_, index) => Number(payload.readBigUInt64LE(8 * index)));
}

/** Nobody sends frames as large as this: large tensors go through shared files. */
const LARGEST_FRAME_BYTES = 1 << 30;

/** Cuts what a socket delivers into frames. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** Throws when the bytes cannot be a frame; nothing that follows can be read then. */
  push(chunk: Buffer): void {
    let data = chunk;
    if (this.#waitingBytes > 0) {
      this.#waiting.push(chunk);
      this.#waitingBytes += chunk.byteLength;
      if (this.#waitingBytes < this.#neededBytes()) return;
      data = Buffer.concat(this.#waiting, this.#waitingBytes);
      this.#waiting = [];
      this.#waitingBytes = 0;
    }
    let at = 0;
    while (data.byteLength - at >= FRAME_BYTES) {
      const byteSize = frameSize(data, at);
      if (data.byteLength - at < byteSize) break;
      this.#onFrame({
        kind: data.readUInt16LE(at + 4),
        flags: data.readUInt16LE(at + 6),
        a: data.readUInt32LE(at + 8),
        b: data.readUInt32LE(at + 12),
        payload: data.subarray(at + FRAME_BYTES, at + byteSize),
      });
      at += byteSize;
    }
    if (at < data.byteLength) {
      this.#waiting = [data.subarray(at)];
      this.#waitingBytes = data.byteLength - at;
    }
  }

  /** Bytes that the frame in front has; a header when that is not known yet. */
  #neededBytes(): number {
    const [first] = this.#waiting;
    return first !== undefined && first.byteLength >= 4 ? frameSize(first, 0) : FRAME_BYTES;
  }
}

function frameSize(data: Buffer, at: number): number {
  const byteSize = data.readUInt32LE(at);
  if (byteSize < FRAME_BYTES || byteSize > LARGEST_FRAME_BYTES || byteSize % 8 !== 0) {
    throw pythonHostErrors.frameSize({ size: byteSize });
  }
  return byteSize;
}
