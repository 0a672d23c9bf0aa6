// Sockets that are read without memory of its own for each read. As Node's streams read, the system writes into 64 KiB of
// fresh memory, which is cut to size and becomes an object that the collector has to free. Here a connection keeps one
// buffer: what is short is copied out of it, what is long is handed on as it lies there, and the buffer is read into
// again unless somebody still refers to it.
// Node offers this (`onread`) for sockets that connect, so one that was accepted is wrapped anew.

import net from 'node:net';
import type { Socket } from 'node:net';

import { freeChunk } from './free-memory.ts';

/** True when nothing refers to `chunk` any more. */
export type TakeChunk = (chunk: Buffer) => boolean;

const BUFFER_BYTES = 64 * 1024;
/** Copying up to this size costs less than a buffer. */
const MAX_COPIED_BYTES = 16 * 1024;

/** The parts of a socket that Node does not document, as far as they are there. */
interface Accepted {
  _handle?: (net.BoundSocket & { useUserBuffer?: unknown }) | null;
  _server?: unknown;
  server?: unknown;
}

class Reading {
  take: TakeChunk | undefined;
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

  /** Where the next bytes are to be written. */
  readonly next = (): Buffer => this.#buffer;

  readonly read = (byteSize: number): boolean => {
    const bytes = this.#buffer.subarray(0, byteSize);
    if (byteSize <= MAX_COPIED_BYTES) this.take?.(Buffer.from(bytes));
    else if (this.take?.(bytes) === false) this.#buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
    return true;
  };
}

const readings = new WeakMap<Socket, Reading>();

/**
 * The socket to use in place of one that a server accepted with `pauseOnConnect`; half-open is allowed. The same socket
 * where the runtime does not offer it. Call readSocket() at once.
 */
export function leanSocket(accepted: Socket): Socket {
  const inner = accepted as Socket & Accepted;
  const { _handle: handle } = inner;
  if (typeof handle?.useUserBuffer !== 'function') return accepted;
  inner._handle = null;
  const reading = new Reading();
  const options: net.SocketConstructorOpts = {
    handle,
    allowHalfOpen: true,
    onread: { buffer: reading.next, callback: reading.read },
  };
  const socket = new net.Socket(options);
  // Whoever closes the server waits for it.
  Object.assign(socket, { server: inner.server, _server: inner._server });
  inner._server = null;
  readings.set(socket, reading);
  return socket;
}

/** Hands on what comes, from now on to `take` alone. Its memory is used or freed at once where nothing refers to it. */
export function readSocket(socket: Socket, take: TakeChunk): void {
  const reading = readings.get(socket);
  if (reading !== undefined) {
    reading.take = take;
    return;
  }
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    if (take(chunk)) freeChunk(chunk);
  });
  socket.resume();
}
