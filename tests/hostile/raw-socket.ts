// A TCP client without manners: sends any bytes, resets, closes one half, reads slowly or not at all.

import net from 'node:net';

/** How the connection stands: `ended` = the server closed its half, `reset` = torn down. */
export type SocketState = 'open' | 'ended' | 'reset';

export class RawSocket implements Disposable {
  readonly socket: net.Socket;
  #received: Buffer[] = [];
  #state: SocketState = 'open';
  #changed: () => void = () => undefined;

  private constructor(socket: net.Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#received.push(chunk);
      this.#changed();
    });
    socket.on('end', () => {
      if (this.#state === 'open') this.#state = 'ended';
      this.#changed();
    });
    socket.on('error', () => {
      this.#state = 'reset';
      this.#changed();
    });
  }

  /** Resolves once connected; rejects when the port refuses. */
  static connect(port: number, options: { readonly allowHalfOpen?: boolean } = {}): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, ...options });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        socket.setNoDelay(true);
        resolve(new RawSocket(socket));
      });
    });
  }

  /** Everything received so far, one character per byte. */
  get received(): string {
    return this.bytes.toString('latin1');
  }

  get bytes(): Buffer {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received)];
    return this.#received[0] ?? Buffer.alloc(0);
  }

  get state(): SocketState {
    return this.#state;
  }

  /** `text`: one character per byte. Resolves when the system has taken it, or the connection is gone. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const isTaken = this.socket.write(
        typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
        () => resolve(),
      );
      if (isTaken || this.socket.destroyed) resolve();
    });
  }

  /** Resolves with what was received when it matches, the server closed, or the time is over. */
  async until(pattern: RegExp, timeoutMs = 20_000): Promise<string> {
    await this.#waitFor(() => pattern.test(this.received) || this.#state !== 'open', timeoutMs);
    return this.received;
  }

  /** Resolves with the state once the server has closed its half or torn the connection down; `open` after the time. */
  async closed(timeoutMs = 20_000): Promise<SocketState> {
    await this.#waitFor(() => this.#state !== 'open', timeoutMs);
    return this.#state;
  }

  /** Closes our half only. */
  halfClose(): void {
    this.socket.end();
  }

  /** Tears the connection down with RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  #waitFor(isDone: () => boolean, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#changed = () => undefined;
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      this.#changed = () => {
        if (isDone()) finish();
      };
      this.#changed();
    });
  }
}

/** One connection: sends, waits for the server's end (or `until`), hands back what came. */
export async function rawExchange(
  port: number,
  bytes: string | Uint8Array,
  { until, timeoutMs = 20_000 }: { readonly until?: RegExp; readonly timeoutMs?: number } = {},
): Promise<{ readonly received: string; readonly state: SocketState }> {
  using socket = await RawSocket.connect(port);
  await socket.write(bytes);
  await socket.until(until ?? /(?!)/, timeoutMs);
  return { received: socket.received, state: socket.state };
}
