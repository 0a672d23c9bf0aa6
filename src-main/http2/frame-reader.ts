// Bytes to frames. Frames are handed on as views; only what is split over packets is joined, and payloads of DATA are
// handed on in the parts in which they come. Lengths are checked when a frame begins, so little is ever held back.

import { ConnectionFault, DEFAULT_FRAME_BYTES, FAULT, FLAG, FRAME, FRAME_HEAD_BYTES } from './codes.ts';
import { LIMITS } from './limits.ts';

/** Where frames go, in the order in which they came. Payloads are views of what was received. */
export interface FrameSink {
  /** Every frame but DATA without padding, whole. */
  onFrame(type: number, flags: number, stream: number, payload: Buffer): void;
  /** A part of a DATA frame without padding. `isLast`: the frame ends with it. True = nothing refers to `part` any more. */
  onData(flags: number, stream: number, part: Buffer, isLast: boolean): boolean;
}

/** Lengths of frames that have only one; a settings frame is limited elsewhere. */
const FIXED = new Map<number, number>([
  [FRAME.priority, 5],
  [FRAME.reset, 4],
  [FRAME.ping, 8],
  [FRAME.windowUpdate, 4],
]);
/** Nobody has more to say in one frame of these kinds. */
const MAX_SETTINGS_BYTES = 6 * 64;
/** A header block, padding and priority. */
const MAX_HEADERS_BYTES = LIMITS.headerBlockBytes + 512;

/**
 * Throws a ConnectionFault for a frame that the protocol does not allow. What the sink is handed are views of
 * the received bytes.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #maxFrameBytes: number;
  /** Bytes of a frame that is not complete, joined once it is. */
  #parts: Buffer[] = [];
  #partBytes = 0;
  #neededBytes = 0;
  #flags = 0;
  #stream = 0;
  /** Bytes that are missing of the DATA frame under way. */
  #dataLeft = 0;
  /** Somebody may refer to the bytes that are being read. */
  #isKept = false;

  /** `maxFrameBytes`: as told to the other side. */
  constructor(sink: FrameSink, maxFrameBytes: number) {
    this.#sink = sink;
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * True when nothing refers to `chunk` any more, as happens to long messages, which are copied. Throws ConnectionFault for
   * frames of a wrong length, and whatever the sink throws.
   */
  read(chunk: Buffer): boolean {
    if (this.#parts.length === 0) return this.#readFrames(chunk);
    this.#parts.push(chunk);
    this.#partBytes += chunk.length;
    if (this.#partBytes < this.#neededBytes) return false;
    const bytes = Buffer.concat(this.#parts, this.#partBytes);
    this.#parts = [];
    this.#readFrames(bytes);
    return true;
  }

  #readFrames(bytes: Buffer): boolean {
    this.#isKept = false;
    let needed = FRAME_HEAD_BYTES;
    let at = this.#dataLeft > 0 ? this.#readData(bytes, 0) : 0;
    while (bytes.length - at >= FRAME_HEAD_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      const type = bytes[at + 3] ?? 0;
      const flags = bytes[at + 4] ?? 0;
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      this.#check(type, flags, length);
      if (type === FRAME.data && (flags & FLAG.padded) === 0) {
        this.#flags = flags;
        this.#stream = stream;
        this.#dataLeft = length;
        at = this.#readData(bytes, at + FRAME_HEAD_BYTES);
        continue;
      }
      const end = at + FRAME_HEAD_BYTES + length;
      needed = end - at;
      if (end > bytes.length) break;
      needed = FRAME_HEAD_BYTES;
      this.#isKept = true;
      this.#sink.onFrame(type, flags, stream, bytes.subarray(at + FRAME_HEAD_BYTES, end));
      at = end;
    }
    if (at === bytes.length) return !this.#isKept;
    this.#parts.push(bytes.subarray(at));
    this.#partBytes = bytes.length - at;
    this.#neededBytes = needed;
    return false;
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#dataLeft);
    // A frame whose payload has not begun to come says nothing yet; an empty one does.
    if (end === at && this.#dataLeft > 0) return end;
    this.#dataLeft -= end - at;
    const part = bytes.subarray(at, end);
    if (!this.#sink.onData(this.#flags, this.#stream, part, this.#dataLeft === 0)) this.#isKept = true;
    return end;
  }

  #check(type: number, flags: number, length: number): void {
    if (length > this.#maxFrameBytes) {
      throw new ConnectionFault(
        FAULT.frameSize,
        `frame of ${length} bytes, ${this.#maxFrameBytes} are allowed`,
      );
    }
    const fixed = FIXED.get(type);
    if (fixed !== undefined && length !== fixed) {
      throw new ConnectionFault(FAULT.frameSize, `frame of type ${type} with ${length} bytes`);
    }
    if (type === FRAME.settings) {
      const isWrong = length % 6 !== 0 || ((flags & FLAG.ack) !== 0 && length > 0);
      if (isWrong) throw new ConnectionFault(FAULT.frameSize, `settings of ${length} bytes`);
      if (length > MAX_SETTINGS_BYTES) throw new ConnectionFault(FAULT.enhanceYourCalm, 'too many settings');
    }
    if ((type === FRAME.headers || type === FRAME.continuation) && length > MAX_HEADERS_BYTES) {
      throw new ConnectionFault(FAULT.enhanceYourCalm, 'header block is too large');
    }
    // Whatever else is not understood is thrown away, so nobody needs much of it.
    if ((type > FRAME.continuation || type === FRAME.goaway) && length > DEFAULT_FRAME_BYTES) {
      throw new ConnectionFault(FAULT.frameSize, `frame of type ${type} with ${length} bytes`);
    }
  }
}
