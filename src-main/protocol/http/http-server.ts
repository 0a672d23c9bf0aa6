// The HTTP frontend: the checks that precede every route, counts, drain. Invariant: order of checks is caller (the
// guard of the listener), route, restriction, method, then the route itself.

import type http from 'node:http';
import type { Clock, Timer } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { ClientBook } from '../../service/client-book.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { RequestTracer } from '../../tracing/request-tracer.ts';
import { preflightHeaders } from './cors.ts';
import { Exchange } from './exchange.ts';
import { createGuardedServer } from './guarded-server.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpServerOptions } from './http-options.ts';
import { startInfer } from './infer-route.ts';
import type { JsonOffload } from './json-offload.ts';
import type { CacheBlocks } from './load-report.ts';
import { boundPort, listenOn } from './listen-port.ts';
import { OpenConnections } from './open-connections.ts';
import { OriginGuard } from './origin-guard.ts';
import type { Restrictions } from './restricted-api.ts';
import { compileRestrictions, restrictionFault } from './restricted-api.ts';
import type { RouteMatch } from './router.ts';
import { NO_NAMES, Router } from './router.ts';
import type { Route } from './routes/route-handler.ts';
import { inferPattern } from './routes/infer-pattern.ts';
import { settle } from './routes/route-handler.ts';
import { compileHeaderPattern } from '../../inference/header-pattern.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { metadataRoutes } from './routes/metadata-routes.ts';
import { generateRoutes } from './routes/generate-routes.ts';
import { repositoryRoutes } from './routes/repository-routes.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { sharedMemoryRoutes } from './routes/shared-memory-routes.ts';
import { statisticsRoutes } from './routes/statistics-routes.ts';
import { watchLoad } from './threads/load-watch.ts';
import { ThreadedPort } from './threads/threaded-port.ts';
import { closeSlowBodies, SLOW_BODY_CHECK_MS } from './transport.ts';
import { engineRequests } from './wire/engine-requests.ts';
import { WireDoor } from './wire/wire-door.ts';
import type { WireExchange } from './wire/wire-exchange.ts';

/** What the endpoint serves. It closes none of it. */
export interface HttpServerDependencies {
  readonly service: InferenceService;
  readonly clock: Clock;
  /** Shared by the frontends; default: one of its own. */
  readonly clients?: ClientBook | undefined;
  readonly tracer?: RequestTracer | undefined;
  /** Owned by the caller, who closes it after the server. */
  readonly offload: JsonOffload;
  /** Key-value cache of a language model, while a backend reports it; default: never. */
  readonly cacheBlocks?: (() => CacheBlocks | undefined) | undefined;
  /** False leaves every request to Node's parser, for comparison; default: true. */
  readonly readsHotRequests?: boolean | undefined;
}

/** Every call of the endpoint. */
const ROUTES: readonly Route[] = [
  ...healthRoutes,
  ...metadataRoutes,
  ...statisticsRoutes,
  ...repositoryRoutes,
  ...sharedMemoryRoutes,
  ...settingsRoutes,
  ...generateRoutes,
  { ...inferPattern, handler: startInfer },
];

/** Number of a method in the reference's parser, for the request log line. */
const METHOD_NUMBERS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH'];

/**
 * The port of `--http-port`. `stopAccepting` first lets open requests finish; `close` waits for them, or cuts
 * them off when its signal aborts.
 */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #context: HttpContext;
  readonly #router: Router<Route>;
  readonly #restrictions: Restrictions;
  readonly #guard: OriginGuard;
  readonly #server: http.Server;
  readonly #door: WireDoor<WireExchange>;
  readonly #connections: OpenConnections;
  /** With threads in front of the server. */
  readonly #threaded: ThreadedPort | undefined;
  readonly #logger = getLogger('http');
  #loadWatch: Timer | undefined;
  #slowBodyTimer: Timer | undefined;
  #requestCount = 0;

  /** Throws INVALID_ARG for restrictions or a forward pattern that are none. */
  constructor(options: HttpServerOptions, dependencies: HttpServerDependencies) {
    this.#options = options;
    this.#restrictions = compileRestrictions(options.restricted);
    this.#guard = new OriginGuard(options);
    this.#router = new Router(ROUTES, (name) => dependencies.service.hasModel(name));
    this.#context = {
      service: dependencies.service,
      clock: dependencies.clock,
      clients: dependencies.clients ?? new ClientBook(dependencies.clock),
      protocol: 'HTTP',
      logger: this.#logger,
      tracer: dependencies.tracer,
      offload: dependencies.offload,
      cacheBlocks: dependencies.cacheBlocks ?? (() => undefined),
      maxInputByteSize: options.maxInputByteSize,
      forwardPattern: compileHeaderPattern(options.headerForwardPattern),
      reading: new Set(),
      isDraining: () => this.#connections.isDraining,
    };
    const hotRules = { guard: this.#guard, router: this.#router, restrictions: this.#restrictions };
    const requests = engineRequests(this.#context, hotRules, (target) => this.#note('POST', target));
    this.#door = new WireDoor(requests);
    this.#server = createGuardedServer({
      guard: this.#guard,
      onRequest: (req, res) => this.#handle(req, res),
      onRefused: (req, res, message) => this.#refuse(req, res, message),
      ...(dependencies.readsHotRequests === false
        ? {}
        : {
            onConnection: (socket, parse) =>
              this.#door.take(socket, (rest) => {
                if (rest !== undefined) socket.unshift(rest);
                parse(socket);
              }),
          }),
    });
    if (options.wireThreads.count > 0) {
      const match = (target: string): RouteMatch | undefined => this.#router.match(target);
      this.#threaded = new ThreadedPort(this.#server, options, {
        ...requests,
        context: this.#context,
        match,
      });
    }
    this.#connections = new OpenConnections(this.#server, (socket) => this.#door.connection(socket));
  }

  /** Starts listening; throws UNAVAILABLE when the port is taken. Resolves to the port. */
  async listen(): Promise<number> {
    const port = await (this.#threaded?.listen() ?? listenOn(this.#server, this.#options));
    if (this.#options.wireThreads.waitForLoad && this.#threaded !== undefined) {
      this.#loadWatch = watchLoad({
        clock: this.#context.clock,
        requestCount: () => this.#requestCount,
        onBusy: () => void this.bringThreads(),
      });
    }
    this.#slowBodyTimer = this.#context.clock.every(SLOW_BODY_CHECK_MS, () => {
      closeSlowBodies(this.#context.reading, this.#context.clock);
      this.#door.closeIdle();
    });
    this.#logger.info(`Started HTTPService at ${this.#options.address}:${port}`);
    return port;
  }

  /** Puts the threads in front that wait for load, and has clients come anew, since most then come to a thread. */
  async bringThreads(): Promise<void> {
    if ((await this.#threaded?.bringThreads()) === true) this.#door.retire();
  }

  /** The bound port; 0 before `listen`. */
  get port(): number {
    return this.#threaded?.port ?? boundPort(this.#server);
  }

  /** Requests taken since the start. */
  get requestCount(): number {
    return this.#requestCount;
  }

  /** Connections that are open, those that threads read included. */
  get connectionCount(): number {
    return this.#connections.count + (this.#threaded?.furtherConnectionCount ?? 0);
  }

  /** Requests whose body is still arriving. */
  get readingCount(): number {
    return this.#context.reading.size + (this.#threaded?.readingCount ?? 0);
  }

  /** Accepts no further connection; open requests finish and their connections close. */
  stopAccepting(): void {
    this.#loadWatch?.cancel();
    const threaded = this.#threaded;
    if (threaded === undefined) this.#connections.drain();
    else this.#connections.drain((steps) => void threaded.drain(steps));
  }

  /** Drains; when `signal` aborts, what is still open is cut off. Idempotent. */
  async close(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { signal } = options;
    this.#slowBodyTimer?.cancel();
    const isOpen = this.#server.listening || this.#connections.count > 0;
    if (!isOpen && this.#threaded?.isOpen !== true) return;
    const closed = isOpen ? new Promise<void>((resolve) => this.#server.once('close', resolve)) : undefined;
    this.stopAccepting();
    const cut = (): void => {
      this.#threaded?.cut();
      this.#connections.cut();
    };
    if (signal?.aborted === true) cut();
    else signal?.addEventListener('abort', cut, { once: true });
    await this.#threaded?.closed();
    await closed;
    // The listener may say so before the last socket does.
    while (this.#connections.count > 0) await new Promise((resolve) => setImmediate(resolve));
    signal?.removeEventListener('abort', cut);
  }

  #handle(req: http.IncomingMessage, res: http.ServerResponse): void {
    this.#note(req.method, req.url);
    const { origin } = req.headers;
    const match = this.#router.match(req.url ?? '');
    const exchange = new Exchange(req, res, this.#context, match ?? NO_MATCH);
    if (origin !== undefined && this.#guard.isAllowedOrigin(origin)) {
      exchange.corsOrigin = origin;
      if (req.method === 'OPTIONS') {
        answerPreflight(exchange);
        return;
      }
    }
    if (match === undefined) {
      this.#logger.verbose(1, `HTTP error: ${methodNumber(req.method)} ${req.url ?? ''} - 404`);
      exchange.error(404, 'Not Found');
      return;
    }
    this.#dispatch(exchange, match.route);
  }

  #refuse(req: http.IncomingMessage, res: http.ServerResponse, message: string): void {
    this.#note(req.method, req.url);
    new Exchange(req, res, this.#context, NO_MATCH).error(403, message);
  }

  #dispatch(exchange: Exchange, { category, methods, handler }: Route): void {
    const { req } = exchange;
    if (this.#restrictions.size > 0) {
      const fault = restrictionFault(this.#restrictions, category, req.headers);
      if (fault !== undefined) {
        exchange.error(403, fault);
        return;
      }
    }
    if (!(methods as readonly string[]).includes(req.method ?? '')) {
      exchange.error(405, 'Method Not Allowed');
      return;
    }
    try {
      settle(exchange, handler(exchange));
    } catch (thrown) {
      exchange.fail(thrown);
    }
  }

  #note(method = '', target = ''): void {
    this.#requestCount += 1;
    if (!this.#logger.isVerbose(1)) return;
    this.#logger.verbose(1, `HTTP request: ${methodNumber(method)} ${target}`);
  }
}

function methodNumber(method = ''): number {
  return METHOD_NUMBERS.indexOf(method);
}

const NO_MATCH: RouteMatch = {
  route: { paths: [], category: 'metadata', methods: [] },
  ...NO_NAMES,
};

function answerPreflight(exchange: Exchange): void {
  if (!exchange.begin()) return;
  const requested = exchange.req.headers['access-control-request-headers'];
  exchange.writeHead(204, preflightHeaders(requested));
  exchange.res.end();
}
