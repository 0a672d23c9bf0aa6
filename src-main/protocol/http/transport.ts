// Limits of the HTTP transport and replies to what is no HTTP request at all.

import type { ServerOptions, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { closeConnection, isClosing } from './close-connection.ts';
import type { ReadingRequest } from './http-context.ts';

const HEADERS_TIMEOUT_MS = 30_000;

/** A body may take this long plus a second per kilobyte; a client slower than that holds memory for nothing. */
const BODY_GRACE_MS = 60_000;
const MIN_BODY_BYTES_PER_MS = 1;

export const transportLimits: ServerOptions = {
  keepAliveTimeout: 75_000,
  headersTimeout: HEADERS_TIMEOUT_MS,
  // Bodies may be gigabytes; slow ones are closed by their rate.
  requestTimeout: 0,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 64 * 1024,
  noDelay: true,
  // The reference does not ask for a Host header, and a refusal by the library would have no error object.
  requireHostHeader: false,
};

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

/** Replies to bytes that are no request, or to headers that never end, and closes. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (isClosing(socket)) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { _httpMessage: pending } = socket as { readonly _httpMessage?: ServerResponse | null };
  if (pending != null && (pending.headersSent || pending.req.complete)) {
    // The bytes stand behind a whole request: that one still gets its answer, and it is the last.
    pending.shouldKeepAlive = false;
    pending.on('close', () => closeConnection(socket));
    return;
  }
  const body = JSON.stringify({ error: REASONS[error.code ?? ''] ?? 'malformed HTTP request' });
  closeConnection(
    socket,
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'request headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request headers did not arrive in time',
};
