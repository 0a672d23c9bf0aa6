// Channel over a message port, DOM or Electron, recognised by shape. Ports do not tell when the other side is gone;
// Electron's do ('close'), DOM ports newer than that too, so both are listened to where they exist.

import type { Channel } from './channel.ts';
import type { WireMessage } from './wire.ts';

/** What the DOM's MessagePort and Electron's MessagePortMain have in common for our use. */
export interface PortLike {
  /** A structured clone; nothing is told when nobody is there. */
  postMessage(message: unknown): void;
  /** The other side hears of it where ports tell. */
  close(): void;
  /** Where it exists, nothing arrives before it. */
  start?(): void;
  /** Of the DOM's ports. */
  addEventListener?(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  /** Of Electron's ports; the listener gets an event with `data`. */
  on?(type: string, listener: (event: { readonly data?: unknown }) => void): unknown;
}

/** Messages that came before `onMessage` was called are kept and handed over with it. Starts the port at once. */
export function portChannel(port: PortLike): Channel {
  const early: WireMessage[] = [];
  let listener: ((message: WireMessage) => void) | undefined;
  const closeListeners: (() => void)[] = [];
  const listen = (type: string, handle: (event: { readonly data?: unknown }) => void): void => {
    if (port.addEventListener !== undefined) port.addEventListener(type, handle);
    else port.on?.(type, handle);
  };
  listen('message', (event) => {
    const message = event.data as WireMessage;
    if (listener === undefined) early.push(message);
    else listener(message);
  });
  listen('close', () => {
    for (const onClose of closeListeners.splice(0)) onClose();
  });
  port.start?.();
  return {
    send: (message) => port.postMessage(message),
    onMessage: (next) => {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
    onClose: (onClose) => void closeListeners.push(onClose),
    close: () => port.close(),
  };
}
