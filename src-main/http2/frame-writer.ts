// Frames to bytes.

import { ANY_STREAM, FAULT, FLAG, FRAME, FRAME_HEAD_BYTES } from './codes.ts';

/** Of the PING behind `lastCallFrames`, to tell its answer from others. */
export const LAST_PING = Buffer.from('the last', 'latin1');

function writeFrameHead(
  target: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): number {
  target.writeUIntBE(length, at, 3);
  target[at + 3] = type;
  target[at + 4] = flags;
  target.writeUInt32BE(stream, at + 5);
  return at + FRAME_HEAD_BYTES;
}

/** The nine bytes in front of a payload of `length` bytes (RFC 9113, 4.1). */
export function frameHead(length: number, type: number, flags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES);
  writeFrameHead(head, 0, length, type, flags, stream);
  return head;
}

/** Head and payload in one buffer. */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.byteLength);
  whole.set(payload, writeFrameHead(whole, 0, payload.byteLength, type, flags, stream));
  return whole;
}

/** A frame whose payload is one or two 32-bit numbers. */
export function numberFrame(type: number, stream: number, ...numbers: readonly number[]): Buffer {
  const whole = Buffer.allocUnsafe(FRAME_HEAD_BYTES + 4 * numbers.length);
  let at = writeFrameHead(whole, 0, 4 * numbers.length, type, 0, stream);
  for (const value of numbers) at = whole.writeUInt32BE(value, at);
  return whole;
}

/** Says which stream was the last that is served, and why the connection ends (RFC 9113, 6.8). */
export function goawayFrame(lastStream: number, code: number, text: string): Buffer {
  const payload = Buffer.alloc(8 + Buffer.byteLength(text));
  payload.writeUInt32BE(lastStream, 0);
  payload.writeUInt32BE(code, 4);
  payload.write(text, 8);
  return frame(FRAME.goaway, 0, 0, payload);
}

/** Asks the client for no more streams, and for a sign that it has read so (RFC 9113, 6.8). */
export function lastCallFrames(): Buffer {
  return Buffer.concat([goawayFrame(ANY_STREAM, FAULT.none, ''), frame(FRAME.ping, 0, 0, LAST_PING)]);
}

/** Pairs of setting and value, six bytes each (RFC 9113, 6.5). */
export function settingsFrame(settings: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.allocUnsafe(6 * settings.length);
  let at = 0;
  for (const [id, value] of settings) {
    at = payload.writeUInt16BE(id, at);
    at = payload.writeUInt32BE(value, at);
  }
  return frame(FRAME.settings, 0, 0, payload);
}

/** HEADERS, and CONTINUATION when the block is longer than a frame may be. */
export function headersFrames(
  stream: number,
  block: Uint8Array,
  isEnd: boolean,
  maxFrameBytes: number,
): Buffer {
  const ends = isEnd ? FLAG.endStream : 0;
  if (block.byteLength <= maxFrameBytes) return frame(FRAME.headers, ends | FLAG.endHeaders, stream, block);
  const frames: Buffer[] = [];
  for (let at = 0; at < block.byteLength; at += maxFrameBytes) {
    const part = block.subarray(at, at + maxFrameBytes);
    const flags = (at === 0 ? ends : 0) | (at + maxFrameBytes >= block.byteLength ? FLAG.endHeaders : 0);
    frames.push(frame(at === 0 ? FRAME.headers : FRAME.continuation, flags, stream, part));
  }
  return Buffer.concat(frames);
}
