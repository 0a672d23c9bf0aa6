// The window's channel as a page speaks it: calls by name, any text as a message.

import { WebSocket } from 'ws';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code?: string; readonly message?: string };
}

/** A connection that closes answers everything that waits with an error. */
export class WindowCaller {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #next = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data as Buffer)) as { type: string; id?: number } & Answer;
      if ((message.type !== 'reply' && message.type !== 'error') || message.id === undefined) return;
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
    socket.on('close', () => {
      for (const resolve of this.#waiting.values()) resolve({ error: { message: 'closed' } });
      this.#waiting.clear();
    });
    socket.on('error', () => undefined);
  }

  /** On 127.0.0.1; resolves once the greeting is sent, rejects when the port refuses. */
  static open(port: number, token: string): Promise<WindowCaller> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc?token=${token}`);
      socket.once('error', reject);
      socket.once('open', () => {
        socket.send('{"type":"hello","version":1}');
        resolve(new WindowCaller(socket));
      });
    });
  }

  /** False once either side has ended it. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Never rejects. */
  call(name: string, args: unknown): Promise<Answer> {
    if (!this.isOpen) return Promise.resolve({ error: { message: 'closed' } });
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ type: 'call', id, name, args }));
    });
  }

  /** As one message, whatever it says; dropped when the connection is closed. */
  sendText(text: string | Buffer): void {
    if (this.isOpen) this.#socket.send(text);
  }

  /** Cuts the connection without a closing handshake. */
  close(): void {
    this.#socket.terminate();
  }
}
