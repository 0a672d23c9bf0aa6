// What a thread that reads sockets and the engine's loop tell each other.

import type { WireError } from '../../../../src-shared/errors.ts';
import type { LogRecord } from '../../../base/log.ts';
import type { ChannelEnd } from '../../../wire-threads/thread-channel.ts';
import type { HttpServerOptions } from '../http-options.ts';
import type { PlainHead } from '../wire/plain-head.ts';

/** What a thread in front of the loop gets at its start. */
export interface WireThreadSetup {
  readonly channel: ChannelEnd;
  /** The port is the one to listen on, 0 for any; all threads of a server share it. */
  readonly options: HttpServerOptions;
  /** Where the engine's loop takes the connections that are not read here. */
  readonly enginePath: string;
  /** See COUNT. */
  readonly counts: SharedArrayBuffer;
}

/** Places of numbers that the thread keeps up to date. */
export const COUNT = { connections: 0, reading: 1, length: 2 } as const;

/**
 * Kinds of records. Each request has a number that comes only once.
 * request (thread to engine): `a` the number of its head, `time` when it came, in ns; its body.
 * gone (thread to engine): nobody waits for the answer any more.
 * settle (both ways): sent back to whoever sent it.
 * answer (engine to thread): `a` 1 while the connection stays open behind it; all bytes of it.
 */
export const RECORD = { request: 0, gone: 1, answer: 2, settle: 3 } as const;

/** Messages from a thread to the loop. */
export type ToEngine =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'failed'; readonly error: WireError }
  /** Requests may name it from now on. */
  | { readonly kind: 'head'; readonly number: number; readonly head: PlainHead }
  /** No request names those of before any more. */
  | { readonly kind: 'forgetHeads' }
  /** A request whose body is too large for a record. */
  | {
      readonly kind: 'request';
      readonly number: number;
      readonly head: number;
      readonly receivedAtNs: number;
      readonly chunks: readonly Uint8Array[];
      readonly byteSize: number;
    }
  | { readonly kind: 'log'; readonly record: LogRecord }
  /** Nobody waits to be accepted. */
  | { readonly kind: 'quiet' }
  /** Nobody is accepted any more. */
  | { readonly kind: 'listenerClosed' };

/** Messages from the loop to a thread. */
export type ToThread =
  | {
      readonly kind: 'answer';
      readonly number: number;
      readonly isKeptAlive: boolean;
      readonly bytes: Uint8Array;
    }
  /** Reads nothing and accepts who has connected by now; says when that is so. */
  | { readonly kind: 'drain' }
  /** Accepts no further connection; says when that is so. */
  | { readonly kind: 'closeListener' }
  /** Reads on; ends when its last connection has. */
  | { readonly kind: 'readOn' }
  /** Cuts everything that is still open. */
  | { readonly kind: 'cut' };
