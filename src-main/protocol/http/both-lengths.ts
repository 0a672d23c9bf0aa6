// A request that announces its body twice, by Content-Length and by chunks, as clients of the reference do when a user
// asks for chunks. The parser refuses it, since whoever believes the other header sees another request behind the
// body. RFC 9112, 6.1 leaves one safe way: the chunks count, the connection ends with the answer, and nothing that
// follows is read. So its bytes are parsed anew, without the length, as a connection of their own.

import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

import { closeConnection } from './close-connection.ts';
import { lastResponseOn } from './transport.ts';

/** What the parser tells with its error. */
export interface ParseError extends NodeJS.ErrnoException {
  readonly reason?: string;
  /** The bytes in which the error lies, as received. */
  readonly rawPacket?: Buffer;
  /** Bytes of it that were parsed before the error. */
  readonly bytesParsed?: number;
}

const HEAD_START = /^[A-Z]+ [^ \r\n]+ HTTP\/1\.1$/;
const replayed = new WeakSet<Duplex>();

/**
 * Parses such a request anew; false when the error is another one, or when its head is not complete and first in the
 * bytes at hand (head in several packets, or behind another request). `server`: where its request event appears.
 */
export function replayByChunks(error: ParseError, socket: Duplex, server: Server): boolean {
  if (replayed.has(socket)) return true;
  if (!/^(Content-Length|Transfer-Encoding) can't be present with/.test(error.reason ?? '')) return false;
  const isPending = lastResponseOn(socket)?.writableFinished === false;
  const packet = error.rawPacket;
  const headEnd = packet?.indexOf('\r\n\r\n') ?? -1;
  if (packet === undefined || isPending || headEnd < 0 || (error.bytesParsed ?? 0) > headEnd) return false;
  const head = chunkedHead(packet.toString('latin1', 0, headEnd));
  if (head === undefined) return false;
  replayed.add(socket);
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), packet.subarray(headEnd + 4)]);
  server.emit('connection', new Replay(socket, bytes));
  return true;
}

/** The head as one of a chunked request on a connection that closes; undefined unless each length stands there once. */
function chunkedHead(head: string): string | undefined {
  const [first = '', ...lines] = head.split('\r\n');
  if (!HEAD_START.test(first)) return undefined;
  const named = (name: string): string[] => lines.filter((line) => line.toLowerCase().startsWith(`${name}:`));
  const [length = '', ...lengths] = named('content-length');
  const [encoding = '', ...encodings] = named('transfer-encoding');
  if (lengths.length > 0 || encodings.length > 0) return undefined;
  if (!/^[^:]+:[ \t]*\d+[ \t]*$/.test(length) || !/^[^:]+:[ \t]*chunked[ \t]*$/i.test(encoding))
    return undefined;
  const kept = lines.filter((line) => line !== length && !line.toLowerCase().startsWith('connection:'));
  return [first, ...kept, 'Connection: close', '', ''].join('\r\n');
}

/** The socket's bytes behind others that stand for its first ones. */
class Replay extends Duplex {
  readonly #socket: Duplex;

  constructor(socket: Duplex, first: Buffer) {
    super();
    this.#socket = socket;
    socket.removeAllListeners('data');
    socket.removeAllListeners('error');
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
    socket.on('end', () => this.push(null));
    this.push(first);
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    closeConnection(this.#socket);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.writableFinished) closeConnection(this.#socket);
    else this.#socket.destroy();
    done(error);
  }
}
