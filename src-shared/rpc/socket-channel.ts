// Channel over a WebSocket, the browser's or the `ws` package's, by shape. Messages are JSON texts; bigint never
// crosses (the contract has none). A text that is no JSON object closes the socket, and so does a side that stopped
// reading: what waits for it would take the memory of all.

import type { Channel } from './channel.ts';
import type { WireMessage } from './wire.ts';

/** A WebSocket, of the browser or of `ws`. */
export interface SocketLike {
  /** Waits in memory until the socket is writable; see `bufferedAmount`. */
  send(text: string): void;
  /** Says goodbye first; what waits is still sent. */
  close(): void;
  /** Ends the connection without a word; where it exists. */
  terminate?(): void;
  readonly readyState: number;
  /** Bytes that wait to be sent. */
  readonly bufferedAmount: number;
  /** `data` is the text of a message. */
  addEventListener(
    type: 'message' | 'close' | 'error',
    listener: (event: { readonly type: string; readonly data?: unknown }) => void,
  ): void;
}

const OPEN = 1;
/** Replies are at most a few megabytes. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Messages that came before `onMessage` was called are kept and handed over with it; sending on a socket that is
 * not open does nothing.
 */
export function socketChannel(socket: SocketLike): Channel {
  const early: WireMessage[] = [];
  let listener: ((message: WireMessage) => void) | undefined;
  const closeListeners: (() => void)[] = [];
  socket.addEventListener('message', (event) => {
    const message = parse(event.data);
    if (message === undefined) socket.close();
    else if (listener === undefined) early.push(message);
    else listener(message);
  });
  const onClose = (): void => {
    for (const callback of closeListeners.splice(0)) callback();
  };
  socket.addEventListener('close', onClose);
  socket.addEventListener('error', onClose);
  return {
    send: (message) => {
      if (socket.readyState !== OPEN) return;
      if (socket.bufferedAmount > MAX_WAITING_BYTES) (socket.terminate ?? socket.close).call(socket);
      else socket.send(JSON.stringify(message));
    },
    onMessage: (next) => {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
    onClose: (callback) => void closeListeners.push(callback),
    close: () => socket.close(),
  };
}

function parse(data: unknown): WireMessage | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as WireMessage) : undefined;
  } catch {
    return undefined;
  }
}
