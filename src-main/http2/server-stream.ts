// One call of a server's connection: what has come of it, and what goes out.

import { FAULT, FRAME, StreamFault } from './codes.ts';
import { numberFrame } from './frame-writer.ts';
import { LIMITS } from './limits.ts';
import type { Output, Sender } from './output.ts';

/** Whoever serves the call. */
export interface StreamUser {
  /** True = nothing refers to `part` any more. */
  onData(part: Buffer): boolean;
  /** The client has sent all. */
  onEnd(): void;
  /** The client, a fault of it or the end of the connection took the call away. */
  onReset(): void;
  /** What waited for the client has gone out. */
  onDrain(): void;
}

/** The connection of a stream. */
export interface StreamOwner {
  readonly output: Output;
  /** Both halves have ended, or the call was reset. */
  closed(stream: ServerStream): void;
  /** The call ends before the client has sent all of it. */
  reset(stream: ServerStream, code: number): void;
}

/** Its `user` is whoever serves the call; without one what comes is dropped. Windows and sizes are bytes. */
export class ServerStream implements Sender {
  readonly id: number;
  readonly #owner: StreamOwner;
  user: StreamUser | undefined;
  window: number;
  readonly pieces: Uint8Array[] = [];
  trailers: Uint8Array | undefined;
  /** Bytes that the client may send. */
  #receiveWindow: number = LIMITS.streamWindow;
  /** Bytes that came and were not yet given back to it. */
  #unacknowledged = 0;
  /** As announced; undefined = it was not. */
  contentLength: number | undefined;
  #receivedBytes = 0;
  isRemoteClosed = false;
  isLocalClosed = false;
  isReset = false;
  #isWriting = false;
  #left: (() => void) | undefined;

  constructor(owner: StreamOwner, id: number, sendWindow: number) {
    this.#owner = owner;
    this.id = id;
    this.window = sendWindow;
  }

  /** Data waits for the client. */
  get isWaiting(): boolean {
    return this.pieces.length > 0;
  }

  /**
   * Counts data that came, before its user sees it. `byteSize`: with its padding. Throws when the client sends more than
   * it may, or more than it announced (RFC 9113, 8.1.1).
   */
  received(byteSize: number, dataBytes: number, isEnd: boolean): void {
    this.#receiveWindow -= byteSize;
    if (this.#receiveWindow < 0) {
      throw new StreamFault(this.id, FAULT.flowControl, 'more data than the stream takes');
    }
    this.#receivedBytes += dataBytes;
    if (this.contentLength !== undefined && this.#receivedBytes > this.contentLength) {
      throw new StreamFault(this.id, FAULT.protocol, 'more came than content-length says');
    }
    this.#unacknowledged += byteSize;
    if (isEnd || this.#unacknowledged < LIMITS.streamWindow / 2) return;
    this.#owner.output.pushControl(numberFrame(FRAME.windowUpdate, this.id, this.#unacknowledged));
    this.#receiveWindow += this.#unacknowledged;
    this.#unacknowledged = 0;
  }

  /** At the end of what the client sends. Throws when it is less than it announced. */
  requireWhole(): void {
    if (this.contentLength !== undefined && this.#receivedBytes !== this.contentLength) {
      throw new StreamFault(this.id, FAULT.protocol, 'content-length is not what came');
    }
  }

  /**
   * The whole answer. `data` is not touched any more by the caller until `left` is called, which happens when all has left;
   * never, when it did not.
   */
  answer(headers: Uint8Array, data: readonly Uint8Array[], trailers: Uint8Array, left?: () => void): void {
    const { output } = this.#owner;
    if (this.isReset || this.isLocalClosed) return;
    this.#left = left;
    const whole = output.whole(this, headers, data, trailers);
    if (whole !== undefined) {
      output.push(whole);
      this.sent(true);
      return;
    }
    output.headers(this.id, headers, false);
    this.pieces.push(...data);
    this.trailers = trailers;
    output.pump(this);
  }

  /** Sends the fields in front of the data. Does nothing once the stream is over. */
  headers(block: Uint8Array): void {
    if (!this.isReset && !this.isLocalClosed) this.#owner.output.headers(this.id, block, false);
  }

  /** False when it waits for the client; `onDrain` follows. */
  write(data: readonly Uint8Array[]): boolean {
    if (this.isReset || this.isLocalClosed) return true;
    const isFirst = this.pieces.length === 0;
    this.pieces.push(...data);
    if (isFirst) {
      this.#isWriting = true;
      this.#owner.output.pump(this);
      this.#isWriting = false;
    }
    return this.pieces.length === 0;
  }

  /** Ends the call behind its data. */
  end(trailers: Uint8Array): void {
    if (this.isReset || this.isLocalClosed || this.trailers !== undefined) return;
    this.trailers = trailers;
    if (this.pieces.length === 0) this.#owner.output.pump(this);
  }

  sent(isEnd: boolean): void {
    if (!isEnd) {
      if (!this.#isWriting) this.user?.onDrain();
      return;
    }
    this.isLocalClosed = true;
    if (this.#left !== undefined) this.#owner.output.whenLeft(this.#left);
    if (this.isRemoteClosed) this.#owner.closed(this);
    else this.#owner.reset(this, 0);
  }
}
