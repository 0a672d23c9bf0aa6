// A gRPC client frame by frame, for tests of what libraries hide: pings, GOAWAY, and the end of a connection.

import net from 'node:net';

import { FLAG, FRAME, PREFACE } from '../http2/codes.ts';
import { frame, settingsFrame } from '../http2/frame-writer.ts';
import { encodeHeaderBlock } from '../http2/header-block.ts';
import { grpcFrame } from './plain-grpc.ts';

/**
 * `seen` holds what the server sent as words, in order: `goaway LAST TEXT`, `ping`, `pong`, `end of STREAM: MESSAGE` and
 * `closed`. Everything else is left out.
 */
export class RawGrpcClient {
  readonly seen: string[] = [];
  readonly #socket: net.Socket;
  readonly #answersPings: boolean;
  #rest = Buffer.alloc(0);
  #lastPing: Buffer | undefined;

  constructor(port: number, answersPings = true) {
    this.#answersPings = answersPings;
    this.#socket = net.connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.seen.push('closed'));
    this.send(PREFACE, settingsFrame([]));
  }

  /** Sends frames, or bytes that are none. */
  send(...frames: readonly Uint8Array[]): void {
    for (const one of frames) this.#socket.write(one);
  }

  /** Sends a PING. */
  ping(): void {
    this.send(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
  }

  /** Answers the last PING of the server. */
  answerPing(): void {
    this.send(frame(FRAME.ping, FLAG.ack, 0, this.#lastPing ?? Buffer.alloc(8)));
  }

  /** `isOpen`: the client's side stays open behind the message. */
  call(stream: number, rpc: string, message: Uint8Array, isOpen = false): void {
    const head = [':method', 'POST', ':scheme', 'http', ':authority', 'localhost', 'te', 'trailers'];
    const path = [':path', `/inference.GRPCInferenceService/${rpc}`, 'content-type', 'application/grpc'];
    // Pseudo fields come first.
    const block = encodeHeaderBlock([
      ...head.slice(0, 6),
      ...path.slice(0, 2),
      ...head.slice(6),
      ...path.slice(2),
    ]);
    this.send(
      frame(FRAME.headers, FLAG.endHeaders, stream, block),
      frame(FRAME.data, isOpen ? 0 : FLAG.endStream, stream, grpcFrame(message)),
    );
  }

  /** Ends the connection from this side. */
  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const end = 9 + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) return;
      const [type, flags] = [this.#rest[3] ?? 0, this.#rest[4] ?? 0];
      this.#take(type, flags, this.#rest.readUInt32BE(5), this.#rest.subarray(9, end));
      this.#rest = this.#rest.subarray(end);
    }
  }

  #take(type: number, flags: number, stream: number, payload: Buffer): void {
    const isLast = (flags & FLAG.endStream) !== 0;
    if (type === FRAME.goaway)
      this.seen.push(`goaway ${payload.readUInt32BE(0)} ${payload.toString('latin1', 8)}`.trim());
    if (type === FRAME.headers && isLast) {
      const text = /grpc-message.(.*)/s.exec(payload.toString('latin1'))?.[1] ?? 'ok';
      this.seen.push(`end of ${stream}: ${text}`);
    }
    if (type !== FRAME.ping) return;
    if ((flags & FLAG.ack) !== 0) this.seen.push('pong');
    else {
      this.seen.push('ping');
      this.#lastPing = Buffer.from(payload);
      if (this.#answersPings) this.answerPing();
    }
  }
}
