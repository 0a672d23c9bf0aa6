// The client's half of one HTTP/2 connection without TLS, as far as gRPC calls need it: any number of calls at a time,
// what is written in one turn goes out in one packet, and both flow controls are kept. For load generation, where the
// library's own work per call would be what is measured; other clients use the gRPC library.

import net from 'node:net';

import {
  ConnectionFault,
  DEFAULT_FRAME_BYTES,
  DEFAULT_WINDOW,
  FAULT,
  FLAG,
  FRAME,
  MAX_WINDOW,
  PREFACE,
  SETTING,
} from './codes.ts';
import { ChurningMap } from '../base/churning-map.ts';
import { unpadded } from './frame-checks.ts';
import type { FrameSink } from './frame-reader.ts';
import { FrameReader } from './frame-reader.ts';
import { frame, frameHead, headersFrames, numberFrame, settingsFrame } from './frame-writer.ts';
import { HeaderBlocks } from './header-blocks.ts';
import { LIMITS } from './limits.ts';
import { readPeerSettings } from './settings.ts';

/** Told to the server when this much has come since it was told last. */
const WINDOW_STEP = 2 ** 29;

/** Joining this much costs less than writing it in parts. */
const MAX_JOINED_BYTES = 128 * 1024;

const FIRST_FRAMES = Buffer.concat([
  PREFACE,
  settingsFrame([
    [SETTING.enablePush, 0],
    [SETTING.initialWindowSize, MAX_WINDOW],
    [SETTING.maxFrameSize, LIMITS.sentFrameBytes],
  ]),
  numberFrame(FRAME.windowUpdate, 0, MAX_WINDOW - DEFAULT_WINDOW),
]);

/** What a call of the client is told. After `isEnd` or the end of the call nothing more is. */
export interface CallListener {
  /** Header fields or trailers: name, value, name, value ... `isEnd`: the server has ended the call with them. */
  onHeaders(fields: readonly string[], isEnd: boolean): void;
  /** Data of the call as it came: parts begin and end anywhere in a message. A view, not a copy. */
  onData(part: Buffer): void;
  /** The call is over without trailers; never called after `isEnd`. `isConnection`: so is the connection. */
  onFailed(reason: string, isConnection: boolean): void;
}

interface Call {
  readonly listener: CallListener;
  /** Bytes that the server takes of this call. */
  window: number;
  /** Not yet sent for want of window. */
  readonly waiting: { readonly bytes: Buffer; readonly isEnd: boolean }[];
  receivedBytes: number;
  /** Header block of a call that waits for others to end; undefined once it is sent. */
  block: Uint8Array | undefined;
}

/**
 * Connects when it is made. Calls fail with the reason once the connection has ended; a new one is the caller's
 * business.
 */
export class ClientConnection implements FrameSink {
  readonly #socket: net.Socket;
  readonly #reader = new FrameReader(this, LIMITS.sentFrameBytes);
  readonly #blocks = new HeaderBlocks(LIMITS.answerListBytes);
  readonly #calls = new ChurningMap<number, Call>();
  #nextStream = 1;
  /** Calls at a time, as the server allows; those that wait stand last in `#calls`. */
  #maxStreams = Infinity;
  #queuedCount = 0;
  #peerWindow = DEFAULT_WINDOW;
  #initialWindow = DEFAULT_WINDOW;
  #maxFrameBytes = DEFAULT_FRAME_BYTES;
  #receivedBytes = 0;
  /** Written in this turn. */
  #output: Uint8Array[] = [];
  #outputBytes = 0;
  #endReason = '';

  constructor(host: string, port: number) {
    this.#socket = net.connect({ host, port, noDelay: true });
    this.#write(FIRST_FRAMES);
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#end(error.message));
    this.#socket.on('close', () => this.#end('the server closed the connection'));
  }

  /** No further call can be begun: the connection has ended, is about to, or has no numbers left. */
  get isUsedUp(): boolean {
    return this.#endReason !== '' || this.#nextStream >= MAX_WINDOW;
  }

  /** Begins a call with an encoded header block; its number is for the calls below. */
  begin(block: Uint8Array, listener: CallListener): number {
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const call: Call = { listener, window: this.#initialWindow, waiting: [], receivedBytes: 0, block };
    this.#calls.set(stream, call);
    this.#queuedCount += 1;
    this.#startQueued();
    return stream;
  }

  /** Data of a call; `isEnd`: the last. Goes out as far as the server takes it, the rest when it takes more. */
  send(stream: number, bytes: Buffer, isEnd: boolean): void {
    const call = this.#calls.get(stream);
    if (call === undefined) return;
    call.waiting.push({ bytes, isEnd });
    if (call.waiting.length === 1) this.#flush(stream, call);
  }

  /** Gives a call up; its listener hears nothing more. */
  cancel(stream: number): void {
    const call = this.#take(stream);
    if (call?.block === undefined && call !== undefined)
      this.#write(numberFrame(FRAME.reset, stream, FAULT.cancel));
    this.#startQueued();
  }

  /** Ends the connection with all of its calls, which hear nothing of it. */
  close(): void {
    this.#calls.clear();
    this.#endReason ||= 'closed';
    this.#socket.destroy();
  }

  onData(flags: number, stream: number, part: Buffer, isLast: boolean): boolean {
    const call = this.#calls.get(stream);
    this.#receivedBytes = this.#acknowledge(0, this.#receivedBytes + part.length);
    if (call === undefined) return true;
    call.receivedBytes = this.#acknowledge(stream, call.receivedBytes + part.length);
    if (part.length > 0) call.listener.onData(part);
    if (isLast && (flags & FLAG.endStream) !== 0)
      this.#fail(stream, 'the server ended the call without a status');
    return false;
  }

  onFrame(type: number, flags: number, stream: number, payload: Buffer): void {
    switch (type) {
      case FRAME.data:
        this.onData(flags, stream, unpadded(payload), true);
        return;
      case FRAME.headers:
      case FRAME.continuation:
        if (this.#blocks.take(type, flags, stream, payload)) this.#headers();
        return;
      case FRAME.settings:
        if ((flags & FLAG.ack) === 0) this.#settings(payload);
        return;
      case FRAME.ping:
        if ((flags & FLAG.ack) === 0) this.#write(frame(FRAME.ping, FLAG.ack, 0, payload));
        return;
      case FRAME.windowUpdate:
        this.#windowUpdate(stream, payload.readUInt32BE(0) & MAX_WINDOW);
        return;
      case FRAME.reset:
        this.#fail(stream, `the server reset the call (code ${payload.readUInt32BE(0)})`);
        return;
      case FRAME.goaway:
        this.#goaway(payload);
        return;
      case FRAME.pushPromise:
        throw new ConnectionFault(FAULT.protocol, 'a push that was not allowed');
      default:
    }
  }

  #read(chunk: Buffer): void {
    try {
      this.#reader.read(chunk);
    } catch (thrown) {
      this.#socket.destroy();
      this.#end((thrown as Error).message);
    }
  }

  #headers(): void {
    const { stream, isEnd, list } = this.#blocks.finish();
    const call = isEnd ? this.#take(stream) : this.#calls.get(stream);
    call?.listener.onHeaders(list.fields, isEnd);
    if (isEnd) this.#startQueued();
  }

  #settings(payload: Buffer): void {
    const { initialWindow, maxFrameBytes, maxStreams } = readPeerSettings(payload);
    this.#maxStreams = maxStreams ?? this.#maxStreams;
    this.#startQueued();
    this.#maxFrameBytes = Math.min(maxFrameBytes ?? this.#maxFrameBytes, LIMITS.sentFrameBytes);
    this.#write(frame(FRAME.settings, FLAG.ack, 0, Buffer.alloc(0)));
    if (initialWindow === undefined) return;
    const change = initialWindow - this.#initialWindow;
    this.#initialWindow = initialWindow;
    for (const call of this.#calls.values()) call.window += change;
    this.#flushAll();
  }

  #windowUpdate(stream: number, byteSize: number): void {
    if (stream === 0) {
      this.#peerWindow += byteSize;
      this.#flushAll();
      return;
    }
    const call = this.#calls.get(stream);
    if (call === undefined) return;
    call.window += byteSize;
    this.#flush(stream, call);
  }

  /** Calls that the server has not looked at are over; the others go on. */
  #goaway(payload: Buffer): void {
    if (payload.length < 8) throw new ConnectionFault(FAULT.frameSize, 'GOAWAY is too short');
    const last = payload.readUInt32BE(0) & MAX_WINDOW;
    this.#endReason ||= 'the server is closing the connection';
    for (const stream of [...this.#calls.keys()])
      if (stream > last) this.#fail(stream, this.#endReason, true);
  }

  #flushAll(): void {
    for (const [stream, call] of this.#calls) {
      if (this.#peerWindow <= 0) return;
      this.#flush(stream, call);
    }
  }

  /** Sends the headers of calls that wait, in their order, as far as the server takes more of them. */
  #startQueued(): void {
    if (this.#queuedCount === 0 || this.#calls.size - this.#queuedCount >= this.#maxStreams) return;
    for (const [stream, call] of this.#calls) {
      if (this.#calls.size - this.#queuedCount >= this.#maxStreams) return;
      if (call.block === undefined) continue;
      this.#write(headersFrames(stream, call.block, false, this.#maxFrameBytes));
      call.block = undefined;
      this.#queuedCount -= 1;
      this.#flush(stream, call);
    }
  }

  /** Ends a call on this side. */
  #take(stream: number): Call | undefined {
    const call = this.#calls.get(stream);
    if (call?.block !== undefined) this.#queuedCount -= 1;
    this.#calls.delete(stream);
    return call;
  }

  #flush(stream: number, call: Call): void {
    if (call.block !== undefined) return;
    for (let next = call.waiting[0]; next !== undefined; next = call.waiting[0]) {
      const room = Math.min(call.window, this.#peerWindow, this.#maxFrameBytes);
      const part = next.bytes.length <= room ? next.bytes : next.bytes.subarray(0, Math.max(0, room));
      if (part.length === 0 && next.bytes.length > 0) return;
      const isWhole = part.length === next.bytes.length;
      this.#write(frameHead(part.length, FRAME.data, isWhole && next.isEnd ? FLAG.endStream : 0, stream));
      this.#write(part);
      call.window -= part.length;
      this.#peerWindow -= part.length;
      if (isWhole) call.waiting.shift();
      else call.waiting[0] = { bytes: next.bytes.subarray(part.length), isEnd: next.isEnd };
    }
  }

  /** Bytes that are not acknowledged yet, after the server was told where there were many. */
  #acknowledge(stream: number, byteSize: number): number {
    if (byteSize < WINDOW_STEP) return byteSize;
    this.#write(numberFrame(FRAME.windowUpdate, stream, byteSize));
    return 0;
  }

  #fail(stream: number, reason: string, isConnection = false): void {
    this.#take(stream)?.listener.onFailed(reason, isConnection);
    if (!isConnection) this.#startQueued();
  }

  #end(reason: string): void {
    this.#endReason ||= reason;
    for (const stream of [...this.#calls.keys()]) this.#fail(stream, reason, true);
  }

  /** All of one turn goes out together. */
  #write(bytes: Uint8Array): void {
    if (this.#output.length === 0) process.nextTick(() => this.#writeOut());
    this.#output.push(bytes);
    this.#outputBytes += bytes.byteLength;
  }

  #writeOut(): void {
    const output = this.#output;
    const isSmall = this.#outputBytes <= MAX_JOINED_BYTES;
    this.#output = [];
    this.#outputBytes = 0;
    if (isSmall) {
      this.#socket.write(Buffer.concat(output));
      return;
    }
    this.#socket.cork();
    for (const bytes of output) this.#socket.write(bytes);
    this.#socket.uncork();
  }
}
