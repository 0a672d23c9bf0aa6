// A port of `--allow-sagemaker` or `--allow-vertex-ai`: guard, restrictions and limits of the HTTP port in front of a
// frontend that says what each request means.

import type http from 'node:http';

import type { Timer } from '../../../base/clock.ts';
import { getLogger } from '../../../base/log.ts';
import { ClientBook } from '../../../service/client-book.ts';
import { Exchange } from '../exchange.ts';
import { createGuardedServer } from '../guarded-server.ts';
import type { HttpContext } from '../http-context.ts';
import type { HttpServerOptions } from '../http-options.ts';
import type { HttpServerDependencies } from '../http-server.ts';
import { boundPort, listenOn } from '../listen-port.ts';
import { OpenConnections } from '../open-connections.ts';
import { OriginGuard } from '../origin-guard.ts';
import type { Restrictions } from '../restricted-api.ts';
import { compileRestrictions, restrictionFault } from '../restricted-api.ts';
import type { RouteMatch } from '../router.ts';
import { NO_NAMES } from '../router.ts';
import { settle } from '../routes/route-handler.ts';
import { closeSlowBodies, SLOW_BODY_CHECK_MS } from '../transport.ts';
import { CloudExchange } from './cloud-exchange.ts';
import type { CloudCall, CloudFrontend, CloudRefusal } from './cloud-frontend.ts';

/** Of the HTTP port, but for the port itself. */
export type CloudServerOptions = Pick<
  HttpServerOptions,
  'address' | 'port' | 'maxInputByteSize' | 'restricted' | 'allowedOrigins' | 'allowedHosts'
>;

const NO_MATCH: RouteMatch = { route: { paths: [], category: 'metadata', methods: [] }, ...NO_NAMES };

/** Listens once; `close` waits for answers that are on their way, or cuts them off when its signal aborts. */
export class CloudServer {
  readonly #options: CloudServerOptions;
  readonly #frontend: CloudFrontend;
  readonly #context: HttpContext;
  readonly #restrictions: Restrictions;
  readonly #server: http.Server;
  readonly #connections: OpenConnections;
  readonly #logger = getLogger('http');
  #slowBodyTimer: Timer | undefined;

  /** Throws INVALID_ARG for restrictions that are none. */
  constructor(options: CloudServerOptions, frontend: CloudFrontend, dependencies: HttpServerDependencies) {
    const { service, clock, clients, tracer, offload } = dependencies;
    this.#options = options;
    this.#frontend = frontend;
    this.#restrictions = compileRestrictions(options.restricted);
    this.#context = {
      service,
      clock,
      clients: clients ?? new ClientBook(clock),
      logger: this.#logger,
      tracer,
      offload,
      cacheBlocks: () => undefined,
      maxInputByteSize: options.maxInputByteSize,
      forwardPattern: undefined,
      reading: new Set(),
      isDraining: () => this.#connections.isDraining,
    };
    this.#server = createGuardedServer({
      guard: new OriginGuard(options),
      onRequest: (req, res) => this.#handle(req, res),
      onRefused: (req, res, message) => new Exchange(req, res, this.#context, NO_MATCH).error(403, message),
    });
    this.#connections = new OpenConnections(this.#server);
  }

  /** Resolves to the port. Throws what the frontend misses, and UNAVAILABLE when the port is taken. */
  async listen(): Promise<number> {
    await this.#frontend.check();
    const port = await listenOn(this.#server, this.#options);
    const { clock, reading } = this.#context;
    this.#slowBodyTimer = clock.every(SLOW_BODY_CHECK_MS, () => closeSlowBodies(reading, clock));
    this.#logger.info(`Started ${this.#frontend.service} HTTPService at ${this.#options.address}:${port}`);
    return port;
  }

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

  #handle(req: http.IncomingMessage, res: http.ServerResponse): void {
    const found = this.#frontend.route(req);
    const { dialect } = this.#frontend;
    if ('status' in found) {
      refuse(new CloudExchange(req, res, this.#context, NO_MATCH, { dialect }), found);
      return;
    }
    const { match, statusOf } = found;
    const exchange = new CloudExchange(req, res, this.#context, match, {
      dialect,
      ...(statusOf === undefined ? {} : { statusOf }),
    });
    this.#run(exchange, found);
  }

  #run(exchange: CloudExchange, { match: { route } }: CloudCall): void {
    const fault = restrictionFault(this.#restrictions, route.category, exchange.req.headers);
    if (fault !== undefined) {
      exchange.error(403, fault);
      return;
    }
    try {
      settle(exchange, route.handler(exchange));
    } catch (thrown) {
      exchange.fail(thrown);
    }
  }
}

function refuse(exchange: CloudExchange, { status, message }: CloudRefusal): void {
  if (message === undefined) exchange.empty(status, 'text/plain');
  else exchange.error(status, message);
}
