// A port beside the HTTP port over the same core: guard, limits, connections and drain are those of the HTTP port, what a
// request means is said by whoever opens it.

import type http from 'node:http';

import type { Timer } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type { ClientProtocol } from '../../../src-shared/contract/observe-views.ts';
import { ClientBook } from '../../service/client-book.ts';
import { createGuardedServer } from './guarded-server.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpServerOptions } from './http-options.ts';
import type { HttpServerDependencies } from './http-server.ts';
import { boundPort, listenOn } from './listen-port.ts';
import { OpenConnections } from './open-connections.ts';
import { OriginGuard } from './origin-guard.ts';
import { closeSlowBodies, SLOW_BODY_CHECK_MS } from './transport.ts';

/** Of the HTTP port, but for the port itself. */
export type SidePortOptions = Pick<
  HttpServerOptions,
  'address' | 'port' | 'maxInputByteSize' | 'allowedOrigins' | 'allowedHosts'
>;

/** Who gets the requests of a port beside the HTTP port. */
export interface SidePortHandlers {
  /** As the log names it. */
  readonly service: string;
  readonly protocol: ClientProtocol;
  /** A request that the guard let through; it must be answered, whatever happens. */
  onRequest(req: http.IncomingMessage, res: http.ServerResponse, context: HttpContext): void;
  /** A request that the guard refuses: to be answered with 403 and this message. */
  onRefused(req: http.IncomingMessage, res: http.ServerResponse, context: HttpContext, message: string): void;
}

/** Listens once; `close` waits for answers that are on their way, or cuts them off when its signal aborts. */
export class SidePort {
  readonly #options: SidePortOptions;
  readonly #service: string;
  readonly #context: HttpContext;
  readonly #server: http.Server;
  readonly #connections: OpenConnections;
  readonly #logger = getLogger('http');
  #slowBodyTimer: Timer | undefined;

  constructor(options: SidePortOptions, handlers: SidePortHandlers, dependencies: HttpServerDependencies) {
    const { service, clock, clients, tracer, offload } = dependencies;
    this.#options = options;
    this.#service = handlers.service;
    const context: HttpContext = {
      service,
      clock,
      clients: clients ?? new ClientBook(clock),
      protocol: handlers.protocol,
      logger: this.#logger,
      tracer,
      offload,
      cacheBlocks: () => undefined,
      maxInputByteSize: options.maxInputByteSize,
      forwardPattern: undefined,
      reading: new Set(),
      isDraining: () => this.#connections.isDraining,
    };
    this.#context = context;
    this.#server = createGuardedServer({
      guard: new OriginGuard(options),
      onRequest: (req, res) => handlers.onRequest(req, res, context),
      onRefused: (req, res, message) => handlers.onRefused(req, res, context, message),
    });
    this.#connections = new OpenConnections(this.#server);
  }

  /** Resolves to the port. Throws UNAVAILABLE when it is taken. */
  async listen(): Promise<number> {
    const port = await listenOn(this.#server, this.#options);
    const { clock, reading } = this.#context;
    this.#slowBodyTimer = clock.every(SLOW_BODY_CHECK_MS, () => closeSlowBodies(reading, clock));
    this.#logger.info(`Started ${this.#service} HTTPService at ${this.#options.address}:${port}`);
    return port;
  }

  /** The bound port; 0 before `listen`. */
  get port(): number {
    return boundPort(this.#server);
  }

  /** Idempotent. */
  async close(signal: AbortSignal): Promise<void> {
    this.#slowBodyTimer?.cancel();
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.once('close', resolve));
    this.#connections.drain();
    const cut = (): void => this.#connections.cut();
    if (signal.aborted) cut();
    else signal.addEventListener('abort', cut, { once: true });
    await closed;
    signal.removeEventListener('abort', cut);
  }
}
