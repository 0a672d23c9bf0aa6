// What one connection sends: frames are gathered while the loop is at work and leave in one write. Data waits for the
// windows of its call and of the connection, and for a client that does not take what was written.

import type { Socket } from 'node:net';

import {
  ConnectionFault,
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW,
  FAULT,
  FLAG,
  FRAME,
  MAX_WINDOW,
} from './codes.ts';
import { frameHead, headersFrames } from './frame-writer.ts';
import { LIMITS } from './limits.ts';

/** Up to this size copying is cheaper than writing parts. */
const JOIN_BYTES = 64 * 1024;
/** Size update of the peer's table to nothing: the tables here are not used. */
const EMPTY_TABLE = Buffer.from([0x20]);

/** The sending half of a call. */
export interface Sender {
  readonly id: number;
  /** Bytes that may still be sent on this stream; below 0 after the client made its windows smaller. */
  window: number;
  /** Data that waits for a window. */
  readonly pieces: Uint8Array[];
  /** Header block that ends the call behind its data; an empty one ends it without trailers. */
  trailers: Uint8Array | undefined;
  /** All has been written. `isEnd`: and it was the end of the call. */
  sent(isEnd: boolean): void;
}

/** Windows are bytes. What waits has no bound of its own: whoever writes waits until it has left. */
export class Output {
  readonly #socket: Socket;
  #frames: Uint8Array[] = [];
  /** Called when what is in `#frames` has left. */
  #left: (() => void)[] = [];
  #byteSize = 0;
  /** Answers to control frames that were put behind data that may not grow; counted anew once the client has read. */
  #controlByteSize = 0;
  #isScheduled = false;
  #isHeld = false;
  #needsTableUpdate = false;
  #window = DEFAULT_WINDOW;
  readonly #waiting = new Set<Sender>();
  /** The client's settings. */
  maxFrameBytes = DEFAULT_FRAME_BYTES;
  initialWindow = DEFAULT_WINDOW;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Data of a call that would go out now; 0 while the client does not take what was written. */
  room(sender: Sender): number {
    if (this.#isFull) return 0;
    return Math.min(sender.window, this.#window);
  }

  get #isFull(): boolean {
    const isFull = this.#byteSize + this.#socket.writableLength > LIMITS.waitingBytes;
    if (!isFull) this.#controlByteSize = 0;
    return isFull;
  }

  /** Frames that are written whole, whatever the windows say. */
  push(frames: Uint8Array): void {
    this.#frames.push(frames);
    this.#byteSize += frames.byteLength;
    this.#schedule();
  }

  /** Calls `left` when all that was pushed so far has left this process; never, should the connection end before. */
  whenLeft(left: () => void): void {
    this.#left.push(left);
    this.#schedule();
  }

  /** Answers to frames that a client may send without end. Throws when it does not take them. */
  pushControl(frames: Uint8Array): void {
    if (this.#isFull) {
      this.#controlByteSize += frames.byteLength;
      if (this.#controlByteSize > LIMITS.waitingControlBytes)
        throw new ConnectionFault(FAULT.enhanceYourCalm, 'answers are not read');
    }
    this.push(frames);
  }

  /**
   * An encoded header block as HEADERS, and CONTINUATION where it is larger than a frame. Takes no part in flow
   * control. `isEnd`: nothing follows on this stream.
   */
  headers(stream: number, block: Uint8Array, isEnd: boolean): void {
    this.push(headersFrames(stream, this.#updated(block), isEnd, this.maxFrameBytes));
  }

  /** The block as it has to go out now; the same bytes unless the peer made its table smaller. */
  #updated(block: Uint8Array): Uint8Array {
    if (!this.#needsTableUpdate) return block;
    this.#needsTableUpdate = false;
    return Buffer.concat([EMPTY_TABLE, block]);
  }

  /** The client allows a smaller header table than before; the next header block says that we keep to it. */
  tableBecameSmaller(): void {
    this.#needsTableUpdate = true;
  }

  /** `byteSize` bytes of a call's data go out by `push`. */
  charge(sender: Sender, byteSize: number): void {
    sender.window -= byteSize;
    this.#window -= byteSize;
  }

  /** Writes what waits of a call as far as windows go; the rest goes when they open. */
  pump(sender: Sender): void {
    const { pieces } = sender;
    while (pieces.length > 0) {
      const piece = pieces[0] as Uint8Array;
      const count = Math.min(piece.byteLength, this.room(sender), this.maxFrameBytes);
      if (count <= 0 && piece.byteLength > 0) {
        this.#waiting.add(sender);
        return;
      }
      if (count > 0) {
        this.push(frameHead(count, FRAME.data, 0, sender.id));
        this.push(count === piece.byteLength ? piece : piece.subarray(0, count));
        this.charge(sender, count);
      }
      if (count === piece.byteLength) pieces.shift();
      else pieces[0] = piece.subarray(count);
    }
    this.#waiting.delete(sender);
    const { trailers } = sender;
    if (trailers !== undefined) {
      sender.trailers = undefined;
      if (trailers.byteLength > 0) this.headers(sender.id, trailers, true);
      else this.push(frameHead(0, FRAME.data, FLAG.endStream, sender.id));
    }
    sender.sent(trailers !== undefined);
  }

  /** Nothing more of this call goes out. */
  drop(sender: Sender): void {
    this.#waiting.delete(sender);
    sender.pieces.length = 0;
    sender.trailers = undefined;
  }

  /**
   * The client takes `by` more bytes on all streams together. Sends what waited. Throws a ConnectionFault when the
   * window becomes too large.
   */
  openConnection(by: number): void {
    if (this.#window + by > MAX_WINDOW) throw new ConnectionFault(FAULT.flowControl, 'window is too large');
    this.#window += by;
    this.pumpAll();
  }

  /** False when the window would become too large. */
  openStream(sender: Sender, by: number): boolean {
    if (sender.window + by > MAX_WINDOW) return false;
    sender.window += by;
    if (this.#waiting.has(sender)) this.pump(sender);
    return true;
  }

  /** Sends what waits on any stream, as far as windows and the socket go; to be called when either opens. */
  pumpAll(): void {
    for (const sender of [...this.#waiting]) {
      if (this.#window <= 0 || this.#isFull) return;
      this.pump(sender);
    }
  }

  /** While held nothing is written; letting go writes what has gathered. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.flush();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isHeld) return;
    this.#isScheduled = true;
    process.nextTick(() => {
      this.#isScheduled = false;
      if (!this.#isHeld) this.flush();
    });
  }

  /** Writes what has gathered now, instead of at the end of this turn of the loop. */
  flush(): void {
    const frames = this.#frames;
    if (frames.length === 0 && this.#left.length === 0) return;
    const byteSize = this.#byteSize;
    const whenWritten = this.#takeLeft();
    this.#frames = [];
    this.#byteSize = 0;
    const socket = this.#socket;
    if (!socket.writable) return;
    const [first] = frames;
    if (frames.length === 1 && first !== undefined) socket.write(first, whenWritten);
    else if (byteSize <= JOIN_BYTES) socket.write(Buffer.concat(frames, byteSize), whenWritten);
    else {
      socket.cork();
      for (let index = 0; index < frames.length - 1; index += 1) socket.write(frames[index] as Uint8Array);
      socket.write(frames[frames.length - 1] as Uint8Array, whenWritten);
      socket.uncork();
    }
  }

  #takeLeft(): ((failed?: Error | null) => void) | undefined {
    if (this.#left.length === 0) return undefined;
    const left = this.#left;
    this.#left = [];
    return (failed) => {
      if (failed == null) for (const run of left) run();
    };
  }

  /** One frame each of headers, data and trailers, copied together; undefined when windows do not allow it. */
  whole(
    sender: Sender,
    headers: Uint8Array,
    data: readonly Uint8Array[],
    trailers: Uint8Array,
  ): Buffer | undefined {
    const { maxFrameBytes } = this;
    let byteSize = 0;
    for (const piece of data) byteSize += piece.byteLength;
    if (trailers.byteLength === 0 || this.#needsTableUpdate) return undefined;
    if (byteSize > Math.min(this.room(sender), maxFrameBytes, JOIN_BYTES)) return undefined;
    const { id } = sender;
    this.charge(sender, byteSize);
    return Buffer.concat([
      frameHead(headers.byteLength, FRAME.headers, FLAG.endHeaders, id),
      headers,
      frameHead(byteSize, FRAME.data, 0, id),
      ...data,
      frameHead(trailers.byteLength, FRAME.headers, FLAG.endHeaders | FLAG.endStream, id),
      trailers,
    ]);
  }
}
