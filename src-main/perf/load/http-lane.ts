// A keep-alive connection that sends prepared requests. Opens itself when needed, again after the server closed it.

import net from 'node:net';
import tls from 'node:tls';

import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../client/http-client.ts';
import { HttpReplyReader } from './http-reply-reader.ts';
import type { LaneOptions, LoadMessage } from './lane.ts';
import { Lane } from './lane.ts';

interface HttpTarget {
  readonly host: string;
  readonly port: number;
  readonly tls: tls.ConnectionOptions | undefined;
}

/**
 * Opens its connection with the first request; a broken one fails that request and is opened again by the
 * next.
 */
export class HttpLane extends Lane {
  readonly #target: HttpTarget;
  readonly #clock: Clock;
  readonly #keeps: boolean;
  readonly #reader: HttpReplyReader;
  readonly #onFlushed = (): void => {
    if (this.sentNs === 0) this.sentNs = this.#clock.nowNs();
  };
  #socket: net.Socket | undefined;
  #isWaiting = false;
  #isStale = false;

  constructor(target: HttpTarget, options: LaneOptions & { readonly clock: Clock }) {
    super();
    this.#target = target;
    this.#clock = options.clock;
    this.#keeps = options.keepsResponses;
    this.#reader = new HttpReplyReader({ keepsBodies: options.keepsResponses });
  }

  override send(message: LoadMessage): void {
    this.begin(message, this.#clock.nowNs());
    this.#isWaiting = true;
    if (this.#socket === undefined || this.#isStale) this.#open();
    const socket = this.#socket as net.Socket;
    socket.write(message.bytes, this.#onFlushed);
    if (socket.writableLength === 0) this.#onFlushed();
  }

  override close(): void {
    this.#isWaiting = false;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Opens the connection ahead of the first request. */
  async open(): Promise<void> {
    if (this.#socket !== undefined) return;
    const socket = this.#open();
    await new Promise<void>((resolve, reject) => {
      socket.once(this.#target.tls === undefined ? 'connect' : 'secureConnect', () => resolve());
      socket.once('error', reject);
    });
  }

  #open(): net.Socket {
    this.#socket?.destroy();
    this.#isStale = false;
    this.#reader.reset();
    const { host, port, tls: secure } = this.#target;
    const socket =
      secure === undefined ? net.connect({ host, port }) : tls.connect({ ...secure, host, port });
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      if (socket === this.#socket) this.#receive(chunk);
    });
    socket.on('error', (error) => this.#lost(socket, error.message));
    socket.on('close', () => this.#lost(socket, 'the server closed the connection'));
    return socket;
  }

  #receive(chunk: Buffer): void {
    if (!this.#isWaiting) return;
    if (this.firstNs === 0) this.firstNs = this.#clock.nowNs();
    if (this.#reader.push(chunk)) this.#complete();
  }

  #complete(): void {
    const reader = this.#reader;
    this.#isWaiting = false;
    this.endNs = this.#clock.nowNs();
    if (this.sentNs === 0) this.sentNs = this.firstNs;
    this.responseCount = 1;
    if (reader.status !== 200) this.error = `[${reader.status}] ${errorText(reader.body)}`;
    else if (this.#keeps) {
      this.responseNs.push(this.endNs);
      this.responses.push(withHeadLength(reader.body, reader.header('inference-header-content-length')));
    }
    if (reader.closes) this.#isStale = true;
    this.onDone(this);
  }

  #lost(socket: net.Socket, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    if (!this.#isWaiting) return;
    if (this.#reader.end()) {
      this.#complete();
      return;
    }
    this.#isWaiting = false;
    this.endNs = this.#clock.nowNs();
    const { host, port } = this.#target;
    this.error = `the HTTP server at ${host}:${port}: ${reason}`;
    this.isTransportError = true;
    this.onDone(this);
  }
}

/** A kept body carries the length of its JSON part in front (4 bytes; 0 = all of it), so that it can be read alone. */
function withHeadLength(body: Buffer, declared: string | undefined): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(declared === undefined ? 0 : Number(declared));
  return Buffer.concat([prefix, body]);
}
