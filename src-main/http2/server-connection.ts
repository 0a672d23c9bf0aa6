// One HTTP/2 connection of a server (RFC 9113): preface, frames, streams. Strict: what the protocol does not allow ends
// the stream or the connection, with the code it names; what it allows without end is limited (limits.ts).

import type { Socket } from 'node:net';

import { ChurningMap } from '../base/churning-map.ts';
import { readSocket } from '../base/lean-socket.ts';
import { ClosedStreams } from './closed-streams.ts';
import { ConnectionFault, FAULT, FLAG, FRAME, StreamFault } from './codes.ts';
import type { ConnectionUser } from './connection-user.ts';
import { checkPriority, unpadded } from './frame-checks.ts';
import { frame, goawayFrame, LAST_PING, lastCallFrames, numberFrame } from './frame-writer.ts';
import type { FrameSink } from './frame-reader.ts';
import { FrameReader } from './frame-reader.ts';
import { HeaderBlocks } from './header-blocks.ts';
import { FrameBudgets, LIMITS } from './limits.ts';
import { Output } from './output.ts';
import { FIRST_FRAMES } from './settings.ts';
import { applyPeerSettings, applyWindowUpdate } from './peer-windows.ts';
import { PrefaceReader } from './preface.ts';
import { ReceiveWindow } from './receive-window.ts';
import { trailersFault } from './request-fields.ts';
import type { StreamOwner, StreamUser } from './server-stream.ts';
import { ServerStream } from './server-stream.ts';

/** `nowMs` is monotonic. After its end it hands on nothing more, and what is sent goes nowhere. */
export class ServerConnection implements StreamOwner, FrameSink {
  readonly socket: Socket;
  readonly output: Output;
  readonly #user: ConnectionUser;
  readonly #nowMs: () => number;
  readonly #reader = new FrameReader(this, LIMITS.frameBytes);
  readonly #blocks = new HeaderBlocks(LIMITS.headerListBytes);
  readonly #streams = new ChurningMap<number, ServerStream>();
  readonly #closedStreams = new ClosedStreams();
  readonly #budgets: FrameBudgets;
  readonly #preface = new PrefaceReader();
  #hasSettings = false;
  readonly #window: ReceiveWindow;
  #lastStream = 0;
  #isAnnounced = false;
  #isDraining = false;
  #isOver = false;
  /** Monotonic ms of the last bytes of the client. */
  activeAtMs: number;

  constructor(socket: Socket, user: ConnectionUser, nowMs: () => number) {
    this.socket = socket;
    this.output = new Output(socket);
    this.#window = new ReceiveWindow(this.output);
    this.#user = user;
    this.#nowMs = nowMs;
    this.activeAtMs = nowMs();
    this.#budgets = new FrameBudgets(this.activeAtMs);
    readSocket(socket, (chunk) => this.#read(chunk));
    socket.on('end', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('drain', () => this.output.pumpAll());
    socket.on('close', () => this.#closed());
    this.output.push(FIRST_FRAMES);
  }

  /** Calls that are open in at least one direction. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /** True until the client has shown that it speaks HTTP/2. */
  get isNew(): boolean {
    return !this.#hasSettings;
  }

  /** Whoever serves the calls that are open. */
  get users(): readonly StreamUser[] {
    return [...this.#streams.values()].flatMap(({ user }) => (user === undefined ? [] : [user]));
  }

  /**
   * Asks the client to open no more calls, and takes those that are on the way until its answer has come; `drain`
   * follows then. Whoever does not trust the client to answer calls `drain` some time later.
   */
  announceEnd(): void {
    if (this.#isAnnounced || this.#isDraining || this.#isOver) return;
    this.#isAnnounced = true;
    this.output.push(lastCallFrames());
  }

  /** Calls that run may finish, new ones are refused; the connection ends behind the last. */
  drain(): void {
    if (this.#isDraining || this.#isOver) return;
    this.#isDraining = true;
    this.output.push(goawayFrame(this.#lastStream, FAULT.none, ''));
    this.#endIfDone();
  }

  /** Asks the client for a sign of life; `onPong` of the user follows, if it is there. */
  ping(): void {
    this.output.push(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
  }

  /** Ends the connection with GOAWAY. */
  fail(code: number, text: string): void {
    if (this.#isOver) return;
    this.output.push(goawayFrame(this.#lastStream, code, text));
    this.#user.onFault();
    this.end();
  }

  /** Ends the connection behind what was sent; its calls are told that the client has gone. */
  end(): void {
    this.output.hold(false);
    this.#over();
    // What the client still sends is thrown away, so that no reset takes the last frame from it.
    readSocket(this.socket, () => true);
    this.socket.destroySoon();
  }

  /** True when nothing refers to `chunk` any more. */
  #read(chunk: Buffer): boolean {
    this.activeAtMs = this.#nowMs();
    this.output.hold(true);
    try {
      const bytes = this.#preface.read(chunk);
      return bytes !== undefined && bytes.length > 0 && this.#reader.read(bytes);
    } catch (thrown) {
      if (thrown instanceof ConnectionFault) this.fail(thrown.code, thrown.message);
      else {
        this.#user.onFailure(thrown);
        this.fail(FAULT.internal, 'internal error');
      }
      return false;
    } finally {
      this.output.hold(false);
    }
  }

  onFrame(type: number, flags: number, stream: number, payload: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#take(type, flags, stream, payload);
    } catch (thrown) {
      if (!(thrown instanceof StreamFault)) throw thrown;
      this.#refuse(thrown.stream, thrown.code);
    }
  }

  #take(type: number, flags: number, stream: number, payload: Buffer): void {
    if (!this.#hasSettings && type !== FRAME.settings) {
      throw new ConnectionFault(FAULT.protocol, 'the first frame must be SETTINGS');
    }
    if (this.#blocks.isOpen && type !== FRAME.continuation) {
      throw new ConnectionFault(FAULT.protocol, 'a header block was not finished');
    }
    switch (type) {
      case FRAME.headers:
      case FRAME.continuation:
        if (this.#blocks.take(type, flags, stream, payload)) this.#headers();
        return;
      case FRAME.data:
        this.#data(flags, stream, unpadded(payload), payload.length, true);
        return;
      case FRAME.settings:
        this.#settings(flags, stream, payload);
        return;
      case FRAME.windowUpdate:
        this.#windowUpdate(stream, payload.readUInt32BE(0) & 0x7fff_ffff);
        return;
      case FRAME.reset:
        this.#resetByPeer(stream);
        return;
      case FRAME.ping:
        this.#ping(flags, stream, payload);
        return;
      case FRAME.priority:
        this.#budgets.idle(this.activeAtMs);
        checkPriority(stream, payload);
        return;
      case FRAME.goaway:
        if (stream !== 0 || payload.length < 8) throw new ConnectionFault(FAULT.protocol, 'wrong GOAWAY');
        this.#isDraining = true;
        this.#endIfDone();
        return;
      case FRAME.pushPromise:
        throw new ConnectionFault(FAULT.protocol, 'clients do not push');
      default:
        this.#budgets.idle(this.activeAtMs);
    }
  }

  #headers(): void {
    const { stream: id, isEnd, isSelfDependent, list } = this.#blocks.finish();
    const known = this.#streams.get(id);
    if (isSelfDependent) throw new StreamFault(id, FAULT.protocol, 'a stream that depends on itself');
    if (known !== undefined) {
      this.#trailers(known, isEnd, trailersFault(list.fields));
      return;
    }
    if (id % 2 === 0) throw new ConnectionFault(FAULT.protocol, 'clients open odd streams');
    if (id <= this.#lastStream) {
      if (this.#closedStreams.mayHearOf(id)) return;
      throw new ConnectionFault(FAULT.streamClosed, `stream ${id} is closed`);
    }
    if (this.#isDraining) {
      this.#refuse(id, FAULT.refusedStream);
      return;
    }
    this.#lastStream = id;
    const request = this.#blocks.request(list);
    if (typeof request === 'string') throw new StreamFault(id, FAULT.protocol, request);
    if (this.#streams.size >= LIMITS.streams)
      throw new StreamFault(id, FAULT.refusedStream, 'too many streams');
    const stream = new ServerStream(this, id, this.output.initialWindow);
    stream.contentLength = request.contentLength;
    stream.isRemoteClosed = isEnd;
    this.#streams.set(id, stream);
    stream.user = this.#user.onStream(stream, request, list.overflow);
    if (isEnd && !stream.isReset) this.#ended(stream);
  }

  #trailers(stream: ServerStream, isEnd: boolean, wrong: string | undefined): void {
    if (stream.isRemoteClosed) throw new StreamFault(stream.id, FAULT.streamClosed, 'stream is half closed');
    if (!isEnd) throw new StreamFault(stream.id, FAULT.protocol, 'trailers do not end the stream');
    if (wrong !== undefined) throw new StreamFault(stream.id, FAULT.protocol, wrong);
    this.#ended(stream);
  }

  onData(flags: number, id: number, part: Buffer, isLast: boolean): boolean {
    if (this.#isOver) return true;
    if (!this.#hasSettings) throw new ConnectionFault(FAULT.protocol, 'the first frame must be SETTINGS');
    if (this.#blocks.isOpen) throw new ConnectionFault(FAULT.protocol, 'a header block was not finished');
    try {
      return this.#data(flags, id, part, part.length, isLast);
    } catch (thrown) {
      if (!(thrown instanceof StreamFault)) throw thrown;
      this.#refuse(thrown.stream, thrown.code);
      return true;
    }
  }

  /** `byteSize`: what counts against the windows. True = nothing refers to `part` any more. */
  #data(flags: number, id: number, part: Buffer, byteSize: number, isLast: boolean): boolean {
    if (id === 0) throw new ConnectionFault(FAULT.protocol, 'DATA without a stream');
    this.#window.take(byteSize);
    const stream = this.#streams.get(id);
    if (stream === undefined) {
      if (this.#closedStreams.mayHearOf(id)) return true;
      if (id > this.#lastStream) throw new ConnectionFault(FAULT.protocol, `stream ${id} is idle`);
      throw new StreamFault(id, FAULT.streamClosed, 'stream is closed');
    }
    if (stream.isRemoteClosed) throw new StreamFault(id, FAULT.streamClosed, 'stream is half closed');
    const isEnd = isLast && (flags & FLAG.endStream) !== 0;
    if (part.length === 0 && !isEnd) this.#budgets.idle(this.activeAtMs);
    stream.received(byteSize, part.length, isEnd);
    const isFree = part.length === 0 || stream.user?.onData(part) === true;
    if (isEnd && !stream.isReset) this.#ended(stream);
    return isFree;
  }

  #ended(stream: ServerStream): void {
    stream.requireWhole();
    stream.isRemoteClosed = true;
    if (stream.isLocalClosed) this.closed(stream);
    else stream.user?.onEnd();
  }

  #settings(flags: number, stream: number, payload: Buffer): void {
    if (stream !== 0) throw new ConnectionFault(FAULT.protocol, 'SETTINGS on a stream');
    if ((flags & FLAG.ack) !== 0) {
      if (!this.#hasSettings) throw new ConnectionFault(FAULT.protocol, 'the first frame must be SETTINGS');
      return;
    }
    if (this.#hasSettings) this.#budgets.idle(this.activeAtMs);
    this.#hasSettings = true;
    applyPeerSettings(this.output, payload, [...this.#streams.values()]);
  }

  #windowUpdate(id: number, by: number): void {
    const isKnown = id <= this.#lastStream || this.#closedStreams.mayHearOf(id);
    applyWindowUpdate(this.output, { id, by, stream: this.#streams.get(id), isKnown });
  }

  #resetByPeer(id: number): void {
    const isKnown = id !== 0 && (id <= this.#lastStream || this.#closedStreams.mayHearOf(id));
    if (!isKnown) throw new ConnectionFault(FAULT.protocol, `stream ${id} is idle`);
    this.#budgets.reset(this.activeAtMs);
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#drop(stream);
  }

  #ping(flags: number, stream: number, payload: Buffer): void {
    if (stream !== 0) throw new ConnectionFault(FAULT.protocol, 'PING on a stream');
    if ((flags & FLAG.ack) !== 0) {
      this.#user.onPong();
      if (this.#isAnnounced && payload.equals(LAST_PING)) this.drain();
      return;
    }
    this.#budgets.idle(this.activeAtMs);
    const isTooMany = this.#user.onPing(this.socket.bytesWritten);
    this.output.pushControl(frame(FRAME.ping, FLAG.ack, 0, payload));
    if (isTooMany) throw new ConnectionFault(FAULT.enhanceYourCalm, 'too_many_pings');
  }

  /** Resets a stream for a fault of the client. */
  #refuse(id: number, code: number): void {
    this.#budgets.reset(this.activeAtMs);
    this.output.pushControl(numberFrame(FRAME.reset, id, code));
    this.#lastStream = Math.max(this.#lastStream, id % 2 === 1 && !this.#isDraining ? id : 0);
    this.#closedStreams.resetByUs(id);
    const stream = this.#streams.get(id);
    if (stream !== undefined) this.#drop(stream);
  }

  reset(stream: ServerStream, code: number): void {
    this.output.push(numberFrame(FRAME.reset, stream.id, code));
    this.#closedStreams.resetByUs(stream.id);
    this.#drop(stream);
  }

  #drop(stream: ServerStream): void {
    stream.isReset = true;
    this.output.drop(stream);
    this.closed(stream);
    stream.user?.onReset();
  }

  closed(stream: ServerStream): void {
    this.#streams.delete(stream.id);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (!this.#isDraining || this.#streams.size > 0 || this.#isOver) return;
    this.#isOver = true;
    // Behind what waits to be written.
    setImmediate(() => {
      this.output.hold(false);
      this.socket.destroySoon();
    });
  }

  #closed(): void {
    this.#over();
    this.#user.onClose();
  }

  #over(): void {
    this.#isOver = true;
    for (const stream of [...this.#streams.values()]) this.#drop(stream);
  }
}
