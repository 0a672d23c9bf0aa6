// The port of the gRPC frontend and the connections on it.

import { readFile } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';

import type { Clock } from '../../../base/clock.ts';
import { leanSocket } from '../../../base/lean-socket.ts';
import { LISTEN_BACKLOG } from '../../../base/listen-backlog.ts';
import { getLogger } from '../../../base/log.ts';
import { grpcErrors } from '../grpc-errors.ts';
import type { GrpcServerOptions } from '../grpc-options.ts';
import type { CallRoutes } from './grpc-connection.ts';
import { GrpcConnection } from './grpc-connection.ts';

const log = getLogger('grpc');

/** Draining sends GOAWAY to every connection and lets open calls end; `close` cuts what is left. */
export class GrpcListener {
  readonly #options: GrpcServerOptions;
  readonly #clock: Clock;
  readonly #routes: CallRoutes;
  readonly #sockets = new Set<net.Socket>();
  readonly #connections = new Set<GrpcConnection>();
  #server: net.Server | undefined;
  #isDraining = false;
  #whenClosed: Promise<void> = Promise.resolve();

  constructor(options: GrpcServerOptions, clock: Clock, routes: CallRoutes) {
    this.#options = options;
    this.#clock = clock;
    this.#routes = routes;
  }

  /** Resolves with the port. Rejects with UNAVAILABLE and the system's words, or with those of a certificate. */
  async listen(): Promise<number> {
    const server = await this.#createServer();
    const { address, port, reusePort } = this.#options;
    await new Promise<void>((resolve, reject) => {
      const failed = (error: Error): void =>
        reject(grpcErrors.notListening({ reason: error.message }, { cause: error }));
      server.once('error', failed);
      server.listen({ host: address, port, reusePort, backlog: LISTEN_BACKLOG }, () => {
        server.off('error', failed);
        resolve();
      });
    });
    // Accepting can fail later on (no memory, no descriptors): that connection is lost, the server is not.
    server.on('error', (failed) => log.error(`failed to accept a connection: ${failed.message}`));
    this.#server = server;
    return (server.address() as AddressInfo).port;
  }

  async #createServer(): Promise<net.Server> {
    const { tls: files } = this.#options;
    if (files === undefined) {
      return net.createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (accepted) => {
        const socket = leanSocket(accepted);
        this.#hold(socket);
        this.#open(socket);
      });
    }
    const [cert, key, ca] = await Promise.all([
      readNamed(files.certFile, '--grpc-server-cert'),
      readNamed(files.keyFile, '--grpc-server-key'),
      files.rootFile === '' ? undefined : readFile(files.rootFile),
    ]);
    const server = tls.createServer({
      cert,
      key,
      ...(ca === undefined ? {} : { ca }),
      requestCert: files.mutual,
      rejectUnauthorized: files.mutual,
      ALPNProtocols: ['h2'],
      noDelay: true,
    });
    // Before the handshake there is nothing to answer with.
    server.on('connection', (socket: net.Socket) => this.#hold(socket));
    server.on('tlsClientError', (_, socket) => socket.destroy());
    server.on('secureConnection', (socket) => {
      socket.on('error', () => socket.destroy());
      if (socket.alpnProtocol === 'h2') this.#open(socket);
      else socket.destroy();
    });
    return server;
  }

  #hold(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #open(socket: net.Socket): void {
    const connection = new GrpcConnection(socket, {
      options: this.#options,
      clock: this.#clock,
      routes: this.#routes,
      onClose: (closed) => this.#connections.delete(closed),
    });
    this.#connections.add(connection);
    if (this.#isDraining) connection.drain();
  }

  /** Refuses connections from now on, and tells those that are open to go away. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const server = this.#server;
    if (server !== undefined) {
      this.#whenClosed = new Promise((resolve) => server.once('close', () => resolve()));
      server.close();
    }
    for (const connection of [...this.#connections]) connection.drain();
  }

  /** Drains; resolves when the last connection has ended. */
  async close(): Promise<void> {
    this.drain();
    await this.#whenClosed;
  }

  /** Ends every connection at once, whatever runs on it; `close` then resolves. */
  cut(): void {
    for (const socket of [...this.#sockets]) socket.destroy();
  }
}

/** INVALID_ARG when the option that names the file is missing. */
function readNamed(file: string, option: string): Promise<Buffer> {
  if (file === '') return Promise.reject(grpcErrors.withoutFile({ option }));
  return readFile(file);
}
