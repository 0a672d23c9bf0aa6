// The serving port of a server with threads in front of its loop: from the start, or once the loop has more to do than it
// likes. In the first case threads have the port to themselves; in the second the loop, which listened alone until then,
// goes on beside them, as one of several that share the port.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

import { getLogger } from '../../../base/log.ts';
import type { HttpServerOptions } from '../http-options.ts';
import { boundPort, listenOn, listenOnPath } from '../listen-port.ts';
import type { DrainSteps } from '../open-connections.ts';
import type { RemoteRules } from './remote-requests.ts';
import { WireThreads } from './wire-threads.ts';

const log = getLogger('http');

/** Its threads hand the connections that they do not read to the server at a name that only they know. */
export class ThreadedPort {
  readonly #server: Server;
  readonly #options: HttpServerOptions;
  readonly #enginePath = `\0conch-${process.pid}-${randomUUID()}`;
  readonly #threads: WireThreads;
  /** Takes those connections where the server itself listens at the port. */
  readonly #back: Server;
  #bringing: Promise<void> | undefined;
  /** Connections of the server that threads have handed to it. */
  #tunnelCount = 0;

  constructor(server: Server, options: HttpServerOptions, rules: RemoteRules) {
    this.#server = server;
    this.#options = options;
    this.#threads = new WireThreads(rules, options, this.#enginePath);
    this.#back = createServer({ allowHalfOpen: true }, (socket) => {
      this.#countTunnel(socket);
      server.emit('connection', socket);
    });
  }

  /** Resolves to the port; throws UNAVAILABLE when it is taken. */
  async listen(): Promise<number> {
    const { port, reusePort, wireThreads } = this.#options;
    // Whoever shares a port has to say so, and then others could share it, too.
    if (port !== 0 && !reusePort) await claim(this.#options);
    if (wireThreads.waitForLoad) return this.#listenBeside();
    this.#server.on('connection', (socket: Socket) => this.#countTunnel(socket));
    await listenOnPath(this.#server, this.#enginePath);
    try {
      return await this.#threads.listen(port, wireThreads.count);
    } catch (thrown) {
      this.#server.close();
      throw thrown;
    }
  }

  /** Where the system lets nobody share a port, the loop has it alone, and threads cannot be had. */
  async #listenBeside(): Promise<number> {
    try {
      return await listenOn(this.#server, { ...this.#options, reusePort: true });
    } catch {
      return listenOn(this.#server, this.#options);
    }
  }

  /** The port that clients use; 0 before `listen`. */
  get port(): number {
    return this.#options.wireThreads.waitForLoad ? boundPort(this.#server) : this.#threads.port;
  }

  /** Threads are there, or are coming. */
  get isOpen(): boolean {
    return this.#threads.isOpen;
  }

  /** More connections of clients than the server has sockets, since threads have them; below 0 when they have fewer. */
  get furtherConnectionCount(): number {
    return this.#threads.connectionCount - this.#tunnelCount;
  }

  /** Requests in threads whose body is still arriving. */
  get readingCount(): number {
    return this.#threads.readingCount;
  }

  /** Puts the threads beside the loop; false when they are there, or cannot be had. */
  async bringThreads(): Promise<boolean> {
    const { port } = this;
    const { count, waitForLoad } = this.#options.wireThreads;
    if (!waitForLoad || port === 0 || this.#bringing !== undefined) return false;
    const brought = Promise.withResolvers<void>();
    this.#bringing = brought.promise;
    try {
      await listenOnPath(this.#back, this.#enginePath);
      await this.#threads.listen(port, count);
      log.verbose(1, `${count} threads read sockets beside the event loop`);
      return true;
    } catch (thrown) {
      log.warn(`the event loop goes on reading all sockets: ${(thrown as Error).message}`);
      return false;
    } finally {
      brought.resolve();
    }
  }

  #countTunnel(socket: Socket): void {
    this.#tunnelCount += 1;
    socket.on('close', () => (this.#tunnelCount -= 1));
  }

  /**
   * Goes on where the loop's own listener, with `own` as its next steps, accepts nobody any more; threads end with
   * their last connection. Nobody reads or says "the last answer" before all have stopped listening: that client would
   * come again, to one that stops in the same moment, and be reset.
   */
  async drain(own: DrainSteps): Promise<void> {
    await this.#bringing;
    await this.#threads.quiet();
    const listensBeside = this.#options.wireThreads.waitForLoad;
    await Promise.all([this.#threads.closeListeners(), listensBeside ? own.closeListener() : undefined]);
    own.readOn();
    this.#threads.readOn();
  }

  /** Cuts what threads still read; `closed` then resolves. */
  cut(): void {
    this.#threads.cut();
  }

  /** Closes the way from the threads to the loop when the last of them has ended. */
  async closed(): Promise<void> {
    await this.#threads.ended();
    if (this.#options.wireThreads.waitForLoad) this.#back.close();
    else this.#server.close();
  }
}

/** Throws when somebody has the port. */
async function claim(options: HttpServerOptions): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await listenOn(server, options);
  await new Promise((resolve) => server.close(resolve));
}
