// The end of a connection that is not worth reading on: the last answer goes out, what still arrives is thrown away
// unread, and the connection is gone soon after, whatever the client does. Closing at once instead would make the
// system answer the unread bytes with a reset, which takes the last answer away from the client.

import type { Duplex } from 'node:stream';

import { systemClock } from '../../base/clock.ts';

/** A client has this long to take the answer and close its half. */
export const LINGER_MS = 2000;

const closing = new WeakSet<Duplex>();

/**
 * Sends `answer`, whole and last, and closes, at the latest after `lingerMs`. Nothing that a parser attached to the socket is called any more.
 * A second call for the same socket does nothing.
 */
export function closeConnection(socket: Duplex, answer?: string, lingerMs = LINGER_MS): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  // A reset is as good an end as any; without a listener it would end the process.
  socket.on('error', () => socket.destroy());
  if (socket.destroyed) return;
  const timer = systemClock.after(lingerMs, () => socket.destroy());
  socket.on('close', () => timer.cancel());
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  if (!socket.writableEnded) socket.end(answer);
  if (socket.readableEnded) destroyWhenSent(socket);
  else socket.on('end', () => destroyWhenSent(socket));
  socket.resume();
}

function destroyWhenSent(socket: Duplex): void {
  if (socket.writableFinished) socket.destroy();
  else socket.on('finish', () => socket.destroy());
}

/** True once `closeConnection` was called. */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
}
