// Limits of the HTTP transport and replies to what is no HTTP request at all.

import type { ServerOptions, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { closeConnection, isClosing } from './close-connection.ts';
import type { ReadingRequest } from './http-context.ts';

const HEADERS_TIMEOUT_MS = 30_000;

/** How often it is looked who is too slow. */
export const SLOW_BODY_CHECK_MS = 5000;

/** A body may take this long plus a second per kilobyte; a client slower than that holds memory for nothing. */
const BODY_GRACE_MS = 60_000;
const MIN_BODY_BYTES_PER_MS = 1;

/** How Node's own HTTP server is set up on every port: milliseconds and bytes. */
export const transportLimits = {
  keepAliveTimeout: 75_000,
  headersTimeout: HEADERS_TIMEOUT_MS,
  // Bodies may be gigabytes; slow ones are closed by their rate.
  requestTimeout: 0,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 64 * 1024,
  noDelay: true,
  // The reference does not ask for a Host header, and a refusal by the library would have no error object.
  requireHostHeader: false,
} satisfies ServerOptions;

/** Cuts off bodies that arrive slower than anybody has a reason to send them. */
export function closeSlowBodies(reading: Iterable<ReadingRequest>, clock: Clock): void {
  const nowMs = clock.nowNs() / 1e6;
  for (const exchange of [...reading]) {
    const body = exchange.body;
    if (body === undefined) continue;
    const allowedMs = BODY_GRACE_MS + body.byteSize / MIN_BODY_BYTES_PER_MS;
    if (nowMs - body.startedAtMs > allowedMs) exchange.refuseBody('request body arrives too slowly');
  }
}

const LAST_RESPONSE = Symbol('last response');

interface Carrier {
  [LAST_RESPONSE]?: ServerResponse;
}

/** Notes which request came last on its connection: what is broken behind it may be its body. */
export function noteRequest(response: ServerResponse): void {
  (response.req.socket as Carrier)[LAST_RESPONSE] = response;
}

/** Response of the last request on this connection, finished or not. */
export function lastResponseOn(socket: Duplex): ServerResponse | undefined {
  return (socket as Carrier)[LAST_RESPONSE];
}

/** Replies to bytes that are no request, or to headers that never end, and closes. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (isClosing(socket)) return;
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    socket.destroy();
    return;
  }
  const last = lastResponseOn(socket);
  if (last !== undefined && last.req.complete && !last.writableFinished) {
    // The bytes stand behind a whole request: that one still gets its answer, and it is the last.
    last.shouldKeepAlive = false;
    last.on('close', () => closeConnection(socket));
    return;
  }
  if (last !== undefined && !last.req.complete && (last.headersSent || last.socket === null)) {
    // They stand in a body whose request has its answer already.
    if (last.writableFinished || last.socket === null) closeConnection(socket);
    else last.on('close', () => closeConnection(socket));
    return;
  }
  closeConnection(socket, badRequest(REASONS[error.code ?? ''] ?? 'malformed HTTP request'));
}

/** A whole 400 as text, for a connection that ends with it. `headers`: name, value, name, value ... */
export function badRequest(message: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ error: message });
  let head = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\n';
  for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'request headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request headers did not arrive in time',
};
