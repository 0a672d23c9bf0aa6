// One keep-alive HTTP connection for measuring: writes a prepared message, tells when the whole response is there.
// Reads status and Content-Length only, so the client costs little beside the server.

import net from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

export class HttpConnection {
  readonly #socket: net.Socket;
  #pending: Buffer = Buffer.alloc(0);
  #bodyLeft = -1;
  #onResponse: ((status: number, bodyByteSize: number) => void) | undefined;
  #onFailure: ((error: Error) => void) | undefined;
  #status = 0;
  #bodyByteSize = 0;

  private constructor(socket: net.Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#onFailure?.(error));
    socket.on('close', () => this.#onFailure?.(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** Sends one message; `onResponse` is called once, when its response is complete. */
  send(
    message: Buffer,
    onResponse: (status: number, bodyByteSize: number) => void,
    onFailure: (error: Error) => void,
  ): void {
    this.#onResponse = onResponse;
    this.#onFailure = onFailure;
    this.#socket.write(message);
  }

  close(): void {
    this.#onFailure = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    if (this.#bodyLeft < 0) {
      const joined = this.#pending.byteLength === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      const end = joined.indexOf(HEAD_END);
      if (end < 0) {
        this.#pending = joined;
        return;
      }
      this.#pending = Buffer.alloc(0);
      const head = joined.toString('latin1', 0, end);
      this.#status = Number(head.slice(9, 12));
      this.#bodyByteSize = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      this.#bodyLeft = this.#bodyByteSize;
      rest = joined.subarray(end + HEAD_END.byteLength);
    }
    this.#bodyLeft -= rest.byteLength;
    if (this.#bodyLeft > 0) return;
    this.#bodyLeft = -1;
    this.#onResponse?.(this.#status, this.#bodyByteSize);
  }
}
