// What gRPC adds to an HTTP/2 connection of a server: calls by path, keepalive, pings that come too often, and an age.

import type { Socket } from 'node:net';

import type { Clock, Timer } from '../../../base/clock.ts';
import { getLogger } from '../../../base/log.ts';
import { LIMITS } from '../../../http2/limits.ts';
import { ENTRY_OVERHEAD } from '../../../http2/hpack-decoder.ts';
import type { HeaderOverflow } from '../../../http2/hpack-decoder.ts';
import type { RequestFields } from '../../../http2/request-fields.ts';
import type { ConnectionUser } from '../../../http2/connection-user.ts';
import { ServerConnection } from '../../../http2/server-connection.ts';
import type { ServerStream, StreamUser } from '../../../http2/server-stream.ts';
import type { GrpcServerOptions } from '../grpc-options.ts';
import { PingStrikes } from '../ping-strikes.ts';
import { readCallHead } from './call-head.ts';
import { CODE } from './codes.ts';
import { httpStatusHeaders, NO_TRAILERS, statusOnly } from './reply-blocks.ts';
import type { CallHandler } from './server-call.ts';
import { DEADLINE_TEXT, ServerCall } from './server-call.ts';

const log = getLogger('grpc');

/** By path: takes a call that has begun. */
export type CallRoutes = ReadonlyMap<string, (call: ServerCall) => CallHandler>;

const KNOWN_FIELDS: readonly string[] = [
  ':path',
  ':authority',
  ':method',
  ':scheme',
  'content-type',
  'te',
  'grpc-encoding',
  'grpc-accept-encoding',
  'grpc-timeout',
  'user-agent',
];

const IGNORED: StreamUser = {
  onData: () => true,
  onEnd: () => undefined,
  onReset: () => undefined,
  onDrain: () => undefined,
};

interface ConnectionSetup {
  readonly options: GrpcServerOptions;
  readonly clock: Clock;
  readonly routes: CallRoutes;
  readonly onClose: (connection: GrpcConnection) => void;
}

/** A client that answers to nothing is not waited for any longer after the end of its age, as in gRPC's core. */
const ANSWER_MS = 20_000;
/** For what is written last to leave; a client that is gone takes nothing. */
const LAST_WORDS_MS = 1000;
/** Statuses of calls whose connection ends, in gRPC's words. */
const LOST = {
  age: 'enter idle',
  keepalive: 'keepalive watchdog timeout',
  pings: 'Too many pings',
} as const;

/** The options' times are milliseconds. `onClose` is called once, when the connection is gone. */
export class GrpcConnection implements ConnectionUser {
  readonly #setup: ConnectionSetup;
  readonly #connection: ServerConnection;
  readonly #strikes: PingStrikes;
  #keepalive: Timer | undefined;
  readonly #timers: Timer[] = [];
  #pingedAtMs: number | undefined;
  #pingsTooOften = false;

  constructor(socket: Socket, setup: ConnectionSetup) {
    const { clock, options } = setup;
    this.#setup = setup;
    this.#strikes = new PingStrikes(options);
    this.#connection = new ServerConnection(socket, this, () => clock.nowNs() / 1e6);
    this.#timers.push(
      clock.after(LIMITS.prefaceMs, () => {
        if (this.#connection.isNew) this.#connection.socket.destroy();
      }),
    );
    if (options.maxConnectionAgeMs > 0) this.#limitAge();
    this.#watch(options.keepaliveTimeMs);
  }

  /** Sends GOAWAY; calls that run may finish, and the connection ends behind the last. */
  drain(): void {
    this.#connection.drain();
  }

  /** Ends the connection; its calls get UNAVAILABLE with these words, and are told that the client has gone. */
  #lose(details: string): void {
    this.#failCalls(details);
    this.#connection.end();
    this.#timers.push(this.#setup.clock.after(LAST_WORDS_MS, () => this.#connection.socket.destroy()));
  }

  #failCalls(details: string): void {
    for (const user of this.#connection.users) if (user instanceof ServerCall) user.lose(details);
  }

  onStream(stream: ServerStream, request: RequestFields, overflow: HeaderOverflow | undefined): StreamUser {
    const head = readCallHead(request);
    if (overflow !== undefined)
      return refused(stream, statusOnly(CODE.resourceExhausted, tooMuchMetadata(request.fields, overflow)));
    if (head.httpStatus !== 200) return foreign(stream, head.httpStatus);
    const refuse = head.hasContentType ? refused : refusedAtItsEnd;
    if (head.fault !== undefined) return refuse(stream, statusOnly(CODE.internal, head.fault));
    if (head.timeoutMs === 0) return refuse(stream, statusOnly(CODE.deadlineExceeded, DEADLINE_TEXT));
    const route = this.#setup.routes.get(head.path);
    // Without a word, as in the reference.
    if (route === undefined) return refuse(stream, statusOnly(CODE.unimplemented, ''));
    const { clock, options } = this.#setup;
    const call = new ServerCall(stream, head, {
      clock,
      maxDecompressedByteSize: options.maxDecompressedByteSize,
    });
    call.handler = route(call);
    return call;
  }

  onPing(sentBytes: number): boolean {
    const nowMs = this.#setup.clock.nowNs() / 1e6;
    this.#pingsTooOften = this.#strikes.isTooMany(nowMs, this.#connection.streamCount === 0, sentBytes);
    return this.#pingsTooOften;
  }

  onFault(): void {
    if (this.#pingsTooOften) this.#failCalls(LOST.pings);
  }

  onPong(): void {
    this.#pingedAtMs = undefined;
  }

  onFailure(thrown: unknown): void {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    log.error(`unexpected failure of a connection: ${text}`);
  }

  onClose(): void {
    this.#keepalive?.cancel();
    for (const timer of this.#timers) timer.cancel();
    this.#setup.onClose(this);
  }

  /** Clients are told to go away some time before the age is reached or after, so that they do not all come at once. */
  #limitAge(): void {
    const { clock, options } = this.#setup;
    const { maxConnectionAgeMs, maxConnectionAgeGraceMs } = options;
    const ageMs = maxConnectionAgeMs * (0.9 + 0.2 * Math.random());
    this.#timers.push(
      clock.after(ageMs, () => this.#connection.announceEnd()),
      clock.after(ageMs + ANSWER_MS, () => this.drain()),
    );
    if (maxConnectionAgeGraceMs > 0) {
      this.#timers.push(clock.after(ageMs + maxConnectionAgeGraceMs, () => this.#lose(LOST.age)));
    }
  }

  /** Pings a client that has been silent, and ends the connection when it does not answer. */
  #watch(afterMs: number): void {
    const { clock, options } = this.#setup;
    this.#keepalive = clock.after(Math.max(1, afterMs), () => {
      const silentMs = clock.nowNs() / 1e6 - this.#connection.activeAtMs;
      if (this.#pingedAtMs !== undefined && this.#connection.activeAtMs < this.#pingedAtMs) {
        this.#lose(LOST.keepalive);
        return;
      }
      this.#pingedAtMs = undefined;
      const mayPing = this.#connection.streamCount > 0 || options.keepalivePermitWithoutCalls;
      if (silentMs < options.keepaliveTimeMs) this.#watch(options.keepaliveTimeMs - silentMs);
      else if (!mayPing) this.#watch(options.keepaliveTimeMs);
      else {
        this.#pingedAtMs = clock.nowNs() / 1e6;
        this.#connection.ping();
        this.#watch(options.keepaliveTimeoutMs);
      }
    });
  }
}

/** In gRPC's words: what it knows comes first, in the order in which it keeps it. */
function tooMuchMetadata(fields: readonly string[], overflow: HeaderOverflow): string {
  const { name, byteSize, listByteSize } = overflow;
  const known: string[] = [];
  const others: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', value = ''] = [fields[at], fields[at + 1]];
    const text = ` ${key}:${key.length + value.length + ENTRY_OVERHEAD}B`;
    const place = KNOWN_FIELDS.indexOf(key);
    if (place === -1) others.push(text);
    else known[place] = text;
  }
  const limit = `${listByteSize} vs. ${LIMITS.headerListBytes}`;
  const taken = [...known, ...others].join('');
  return `received metadata size exceeds hard limit (${limit}); adding ${name} (length ${byteSize}B) to ${taken}`;
}

/** A request that is no gRPC gets an answer of HTTP once it is complete. */
function foreign(stream: ServerStream, status: number): StreamUser {
  const text = Buffer.from('This port serves gRPC: POST with content-type application/grpc.\n');
  return {
    ...IGNORED,
    onEnd: () => stream.answer(httpStatusHeaders(status, text.length), [text], NO_TRAILERS),
  };
}

function refused(stream: ServerStream, block: Uint8Array): StreamUser {
  stream.end(block);
  return IGNORED;
}

/**
 * Every gRPC client names its content type. What comes without one is first read to its end, so that a request which
 * breaks HTTP/2's rules later on (RFC 9113, 8.1.1: its length, its trailers) is told so.
 */
function refusedAtItsEnd(stream: ServerStream, block: Uint8Array): StreamUser {
  return { ...IGNORED, onEnd: () => stream.end(block) };
}
