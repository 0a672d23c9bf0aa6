// How a route is answered: at once, or after its body has arrived. Bodies of management routes are JSON, limited by
// the input size, and may be empty where the route says so.

import type { JsonValue } from '../../../tensor/json-document.ts';
import { parseJson } from '../../../tensor/json-document.ts';
import type { Exchange } from '../exchange.ts';
import type { BodyBytes } from '../infer-binary.ts';
import { OFFLOAD_MIN_BYTES } from '../json-offload.ts';
import { jsonTooLarge } from '../size-limits.ts';
import type { RoutePattern } from '../router.ts';

/** Answers through the exchange; a throw or rejection becomes the error reply. */
export type RouteHandler = (exchange: Exchange) => void | Promise<void>;

/** A call of the endpoint with what answers it. */
export interface Route extends RoutePattern {
  readonly handler: RouteHandler;
}

/** Paths of a call about a model: of its newest version, and of the one named. */
export function modelPaths(action: string): readonly string[] {
  return [`/models/{model}${action}`, `/models/{model}/versions/{version}${action}`];
}

/** Bytes of the whole JSON body; throws when it is above the limit. */
export function wholeBody(exchange: Exchange, body: BodyBytes): Buffer {
  const { maxInputByteSize } = exchange.context;
  if (body.byteSize > maxInputByteSize) throw jsonTooLarge(body.byteSize, maxInputByteSize);
  return body.byteSize === 0 ? Buffer.alloc(0) : body.head(body.byteSize);
}

/** Reads the members `keys` (at any depth of objects) and goes on; undefined = the body was empty. */
export function withJson(
  exchange: Exchange,
  keys: readonly string[],
  next: (json: JsonValue | undefined) => void | Promise<void>,
): void {
  readJson(exchange, keys, (bytes) => next(bytes.length === 0 ? undefined : parseJson(bytes)));
}

/** The same where an empty body is a fault. */
export function withRequiredJson(
  exchange: Exchange,
  keys: readonly string[],
  next: (json: JsonValue) => void | Promise<void>,
): void {
  readJson(exchange, keys, (bytes) => next(parseJson(bytes)));
}

/** The body, or of a large one what is left of it when it was read in a worker. */
function readJson(
  exchange: Exchange,
  keys: readonly string[],
  next: (bytes: Buffer) => void | Promise<void>,
): void {
  const { maxInputByteSize, offload } = exchange.context;
  exchange.readBody(maxInputByteSize, (_, body) => {
    const bytes = wholeBody(exchange, body);
    if (bytes.length <= OFFLOAD_MIN_BYTES) settle(exchange, next(bytes));
    else
      settle(
        exchange,
        offload.excerpt(bytes, keys, exchange.gone).then((text) => next(Buffer.from(text))),
      );
  });
}

/** Turns a rejection into the error reply. */
export function settle(exchange: Exchange, pending: void | Promise<void>): void {
  if (pending !== undefined) pending.catch((thrown: unknown) => exchange.fail(thrown));
}
