// A connection that a thread has accepted and the engine's loop serves: what comes on one side leaves on the other, unread.

import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { systemClock } from '../../../base/clock.ts';
import type { OwnConnection } from '../open-connections.ts';

/** The engine's loop has not taken those who came before. */
const RETRY_MS = 5;

/** The engine's side of connections that a thread only passes on. */
export interface TunnelHost {
  readonly enginePath: string;
  /** How long a client may take to close its half behind the engine's end. */
  lingerMs(): number;
}

/** Ends when either side does; never of its own accord. */
export class Tunnel implements OwnConnection {
  readonly #client: Socket;
  readonly #first: Buffer | undefined;
  readonly #host: TunnelHost;

  /** Takes over a socket that nobody listens to, and `first`, which was read from it. */
  constructor(client: Socket, first: Buffer | undefined, host: TunnelHost) {
    this.#client = client;
    this.#first = first;
    this.#host = host;
    client.on('error', () => client.destroy());
    client.pause();
    this.#connect();
  }

  /** Only the engine knows: it ends what is quiet. */
  isQuietSince(): boolean {
    return false;
  }

  /** The engine has said its last word, and soon throws away what still comes; of that end nobody is told. */
  #endSoon(): void {
    const client = this.#client;
    const linger = (): void => {
      systemClock.after(this.#host.lingerMs(), () => client.destroy());
    };
    if (client.writableFinished) linger();
    else client.once('finish', linger);
  }

  #connect(): void {
    const client = this.#client;
    if (client.destroyed) return;
    const engine = connect({ path: this.#host.enginePath, allowHalfOpen: true });
    const onClientClose = (hadError: boolean): void =>
      void (hadError ? engine.destroy() : engine.destroySoon());
    client.on('close', onClientClose);
    engine.once('connect', () => {
      engine.on('close', () => client.destroySoon());
      engine.on('end', () => this.#endSoon());
      if (this.#first !== undefined) engine.write(this.#first);
      client.pipe(engine);
      engine.pipe(client);
    });
    engine.on('error', (error: NodeJS.ErrnoException) => {
      if (!engine.connecting && engine.bytesRead + engine.bytesWritten > 0) return;
      client.off('close', onClientClose);
      if (error.code === 'EAGAIN') systemClock.after(RETRY_MS, () => this.#connect());
      else client.destroy();
    });
  }
}
