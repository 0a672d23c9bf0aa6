// What a connection that the port reads itself asks of those who serve its requests: the engine's loop, or a thread
// that hands them on to it.

import type { HttpContext } from '../http-context.ts';
import type { BodyBytes } from '../infer-binary.ts';
import type { InferParseOptions } from '../infer-parser.ts';
import type { ParsedInfer } from '../parsed-infer.ts';
import type { RouteMatch } from '../router.ts';
import type { PlainHead } from './plain-head.ts';

/** A request that is being served, and its answer once that is there. */
export interface WireRequest {
  readonly head: PlainHead;
  /** The whole answer; undefined while it is being made. */
  parts: readonly Uint8Array[] | undefined;
  /** The connection stays open behind the answer. */
  readonly isKeptAlive: boolean;
  /** Somebody waits for the moment at which the answer has left. */
  readonly isWaitedFor: boolean;
  /** The answer has left, or never will. */
  over(wasSent: boolean): void;
}

/** The connection of a request. */
export interface WireOwner {
  /** True while answers can be sent. */
  readonly isOpen: boolean;
  /** The next answer is to be the last. */
  readonly isEnding: boolean;
  /** The parts of an answer are complete; they leave when it is their turn. */
  answered(exchange: WireRequest): void;
  /** Reads the JSON part of a body. */
  parse(json: Buffer, options: InferParseOptions): ParsedInfer;
}

/** What of the port's context reading a request needs. */
export type WireContext = Pick<HttpContext, 'clock' | 'reading' | 'forwardPattern' | 'logger'>;

/** What the port knows and a connection asks. */
export interface WireRules<R extends WireRequest> {
  readonly context: WireContext;
  /** The route of a head that may be served here; undefined leaves the request to Node's parser. */
  admit(head: PlainHead): RouteMatch | undefined;
  /** Called for each request that is served here. */
  note(target: string): void;
  /** A request whose head has come. */
  request(connection: WireOwner, match: RouteMatch, head: PlainHead): R;
  /** Its body has come too. Never throws. */
  start(request: R, body: BodyBytes): void;
  /** Calls `then` when every answer that was made before now has come; undefined where answers come at once. */
  settle?(then: () => void): void;
  /** Node's parser takes the connection over, `rest` first. */
  handOver(rest: Buffer | undefined): void;
  /** The connection is over for whoever reads it here. Called once. */
  closed(): void;
}
