// A two-way message pipe between the page and the engine: a message port in Electron, a WebSocket in a browser.

import type { WireMessage } from './wire.ts';

/** A connection between page and engine. Messages come whole and in order, until it closes. */
export interface Channel {
  /** Goes nowhere once the channel is closed. Has no bound of its own. */
  send(message: WireMessage): void;
  /** One listener at a time; messages that came before it was set are delivered to it first. */
  onMessage(listener: (message: WireMessage) => void): void;
  /** Called once, whichever side closed it. */
  onClose(listener: () => void): void;
  /** Idempotent. The other side hears of it, unless it is a port of the DOM. */
  close(): void;
}

/** Two ends of a pipe in memory, delivering asynchronously and in order; for tests and same-process use. */
export function channelPair(): readonly [Channel, Channel] {
  const a = new MemoryEnd();
  const b = new MemoryEnd();
  a.peer = b;
  b.peer = a;
  return [a, b];
}

class MemoryEnd implements Channel {
  peer: MemoryEnd | undefined;
  #listener: ((message: WireMessage) => void) | undefined;
  readonly #early: WireMessage[] = [];
  readonly #closeListeners: (() => void)[] = [];
  #closed = false;

  send(message: WireMessage): void {
    const { peer } = this;
    if (this.#closed || peer === undefined) return;
    queueMicrotask(() => peer.deliver(message));
  }

  deliver(message: WireMessage): void {
    if (this.#closed) return;
    if (this.#listener === undefined) this.#early.push(message);
    else this.#listener(message);
  }

  onMessage(listener: (message: WireMessage) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  onClose(listener: () => void): void {
    this.#closeListeners.push(listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.#closeListeners) listener();
    this.peer?.close();
  }
}
