// An infer request and its answer, whoever reads the socket: Node's parser (Exchange) or the port itself
// (wire/wire-exchange.ts). What the infer route does is written against this, so both answer alike.

import type { HttpContext } from './http-context.ts';
import type { InferParseOptions } from './infer-parser.ts';
import type { InferReply } from './infer-response.ts';
import type { ParsedInfer } from './parsed-infer.ts';
import type { RouteMatch } from './router.ts';

/** Work that must stop when the client goes away. */
export interface Cancellable {
  /** The client has gone. Must not throw; answers that come all the same are dropped. */
  cancel(): void;
}

/** An inference request and its answer, whoever read it from the socket. */
export interface InferExchange {
  readonly context: HttpContext;
  readonly match: RouteMatch;
  /** Monotonic ns of arrival; 0 unless tracing is on. */
  readonly receivedAtNs: number;
  /** name, value, name, value ... as received. */
  readonly rawHeaders: readonly string[];
  /** What the client waits for, if it can be cancelled. */
  running: Cancellable | undefined;
  /** Aborts when the client goes away before its answer is complete. */
  readonly gone: AbortSignal;
  /** Value of a request header, named in lower case; of several the first. */
  header(name: string): string | undefined;
  /**
   * Bytes of the JSON part, where another header than that of the v2 port tells it; 0 = raw request. Throws INVALID_ARG.
   */
  jsonLength?(bodyByteSize: number): number;
  /** Reads the JSON part of the body. */
  parse(json: Buffer, options: InferParseOptions): ParsedInfer;
  /** Sends a success as it is, unless there is nobody to answer. */
  sendReply(reply: InferReply): void;
  /** Sends a success in one piece, with headers (name, value, name, value ...). */
  sendWhole(headers: string[], body: Buffer): void;
  /** Calls `done` once the answer has left, or never will. */
  whenSent(done: () => void): void;
  /** A JSON object `error` with this status, unless it was answered before. */
  error(status: number, message: string, headers?: Readonly<Record<string, string>>): void;
  /** Any throwable as the error reply of its code. */
  fail(thrown: unknown): void;
}
