// The HTTP frontend on plain node:http: listening, transport limits, the checks that precede every route, drain.
// Any method on any path, and any bytes at all, get a reply or a closed connection; nothing a client sends ends the
// server. Invariant: order of checks is caller (origin, host), route, restriction, method, then the route itself.

import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import { ClientBook } from '../../service/client-book.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import type { RequestTracer } from '../../tracing/request-tracer.ts';
import { preflightHeaders } from './cors.ts';
import { Exchange } from './exchange.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpServerOptions } from './http-options.ts';
import { startInfer } from './infer-route.ts';
import { compileForwardPattern } from './infer-parameters.ts';
import type { JsonOffload } from './json-offload.ts';
import type { CacheBlocks } from './load-report.ts';
import { boundPort, listenOn } from './listen-port.ts';
import { OriginGuard, isLoopbackAddress } from './origin-guard.ts';
import type { Restrictions } from './restricted-api.ts';
import { compileRestrictions, restrictionFault } from './restricted-api.ts';
import type { RouteMatch } from './router.ts';
import { Router } from './router.ts';
import type { RouteHandlers } from './routes/route-handler.ts';
import { settle } from './routes/route-handler.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { metadataRoutes } from './routes/metadata-routes.ts';
import { generateRoutes } from './routes/generate-routes.ts';
import { repositoryRoutes } from './routes/repository-routes.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { sharedMemoryRoutes } from './routes/shared-memory-routes.ts';
import { statisticsRoutes } from './routes/statistics-routes.ts';
import { closeSlowBodies, transportLimits, answerBrokenRequest } from './transport.ts';

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
}

const SLOW_BODY_CHECK_MS = 5000;

const HANDLERS: RouteHandlers = {
  ...healthRoutes,
  ...metadataRoutes,
  ...statisticsRoutes,
  ...repositoryRoutes,
  ...sharedMemoryRoutes,
  ...settingsRoutes,
  ...generateRoutes,
  infer: startInfer,
};

/** Number of a method in the reference's parser, for the request log line. */
const METHOD_NUMBERS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH'];

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #context: HttpContext;
  readonly #router = new Router();
  readonly #restrictions: Restrictions;
  readonly #guard: OriginGuard;
  readonly #server: http.Server;
  readonly #logger = getLogger('http');
  #slowBodyTimer: Timer | undefined;
  #isDraining = false;
  #connectionCount = 0;
  #requestCount = 0;

  /** Throws INVALID_ARG for restrictions or a forward pattern that are none. */
  constructor(options: HttpServerOptions, dependencies: HttpServerDependencies) {
    this.#options = options;
    this.#restrictions = compileRestrictions(options.restricted);
    this.#guard = new OriginGuard(options);
    this.#context = {
      service: dependencies.service,
      clock: dependencies.clock,
      clients: dependencies.clients ?? new ClientBook(dependencies.clock),
      logger: this.#logger,
      tracer: dependencies.tracer,
      offload: dependencies.offload,
      cacheBlocks: dependencies.cacheBlocks ?? (() => undefined),
      maxInputByteSize: options.maxInputByteSize,
      forwardPattern: compileForwardPattern(options.headerForwardPattern),
      reading: new Set(),
      isDraining: () => this.#isDraining,
    };
    const isLenient = isLoopbackAddress(options.address) || options.address === 'localhost';
    this.#server = http.createServer({ ...transportLimits, insecureHTTPParser: isLenient });
    this.#server.on('request', (req, res) => this.#handle(req, res));
    // An expectation that nobody knows is no reason for a status of its own.
    this.#server.on('checkExpectation', (req, res) => this.#handle(req, res));
    this.#server.on('connect', (req: http.IncomingMessage, socket: Duplex) =>
      this.#handleConnect(req, socket),
    );
    this.#server.on('clientError', (error: Error, socket: Duplex) => answerBrokenRequest(error, socket));
    this.#server.on('connection', (socket: Socket) => {
      this.#connectionCount += 1;
      socket.on('close', () => {
        this.#connectionCount -= 1;
      });
    });
  }

  /** Starts listening; throws UNAVAILABLE when the port is taken. Resolves to the port. */
  async listen(): Promise<number> {
    const port = await listenOn(this.#server, this.#options);
    this.#slowBodyTimer = this.#context.clock.every(SLOW_BODY_CHECK_MS, () =>
      closeSlowBodies(this.#context.reading, this.#context.clock),
    );
    this.#logger.info(`Started HTTPService at ${this.#options.address}:${port}`);
    return port;
  }

  /** The bound port; 0 before `listen`. */
  get port(): number {
    return boundPort(this.#server);
  }

  /** Requests taken since the start. */
  get requestCount(): number {
    return this.#requestCount;
  }

  get connectionCount(): number {
    return this.#connectionCount;
  }

  /** Requests whose body is still arriving. */
  get readingCount(): number {
    return this.#context.reading.size;
  }

  /** Accepts no further connection; open requests finish and their connections close. */
  stopAccepting(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  /** Drains; when `signal` aborts, what is still open is cut off. Idempotent. */
  async close(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { signal } = options;
    this.#slowBodyTimer?.cancel();
    if (!this.#server.listening && this.#connectionCount === 0) return;
    const closed = new Promise<void>((resolve) => {
      if (this.#server.listening || this.#connectionCount > 0) this.#server.once('close', resolve);
      else resolve();
    });
    this.stopAccepting();
    const cut = (): void => this.#server.closeAllConnections();
    if (signal?.aborted === true) cut();
    else signal?.addEventListener('abort', cut, { once: true });
    await closed;
    signal?.removeEventListener('abort', cut);
  }

  #handle(req: http.IncomingMessage, res: http.ServerResponse): void {
    this.#requestCount += 1;
    if (this.#logger.isVerbose(1)) this.#logRequest(req);
    const { origin, host } = req.headers;
    const target = req.url ?? '';
    const refusal = this.#guard.check(origin, host);
    const match = this.#router.match(target);
    const exchange = new Exchange(req, res, this.#context, match ?? NO_MATCH);
    if (refusal !== undefined) {
      exchange.error(403, refusal);
      return;
    }
    if (origin !== undefined && this.#guard.isAllowedOrigin(origin)) {
      exchange.corsOrigin = origin;
      if (req.method === 'OPTIONS') {
        answerPreflight(exchange);
        return;
      }
    }
    if (match === undefined) {
      exchange.error(404, 'Not Found');
      return;
    }
    this.#dispatch(exchange, match);
  }

  #dispatch(exchange: Exchange, match: RouteMatch): void {
    const { req } = exchange;
    if (this.#restrictions.size > 0) {
      const fault = restrictionFault(this.#restrictions, match.rule.category, req.headers);
      if (fault !== undefined) {
        exchange.error(403, fault);
        return;
      }
    }
    if (!(match.rule.methods as readonly string[]).includes(req.method ?? '')) {
      exchange.error(405, 'Method Not Allowed');
      return;
    }
    try {
      settle(exchange, HANDLERS[match.rule.name]?.(exchange));
    } catch (thrown) {
      exchange.fail(thrown);
    }
  }

  /** CONNECT has no reply object of its own, and its socket no listeners any more. */
  #handleConnect(req: http.IncomingMessage, socket: Duplex): void {
    socket.on('error', () => socket.destroy());
    const res = new http.ServerResponse(req);
    res.shouldKeepAlive = false;
    try {
      res.assignSocket(socket as Socket);
    } catch {
      // Sent behind a request that is not answered yet: nobody who does that expects an answer.
      socket.destroy();
      return;
    }
    res.on('finish', () => socket.end());
    this.#handle(req, res);
  }

  #logRequest(req: http.IncomingMessage): void {
    const number = METHOD_NUMBERS.indexOf(req.method ?? '');
    this.#logger.verbose(1, `HTTP request: ${number} ${req.url ?? ''}`);
  }
}

const NO_MATCH: RouteMatch = {
  rule: { name: 'server-metadata', category: 'metadata', methods: [] },
  model: '',
  version: '',
  region: '',
  repository: '',
};

function answerPreflight(exchange: Exchange): void {
  if (!exchange.begin()) return;
  const requested = exchange.req.headers['access-control-request-headers'];
  exchange.writeHead(204, preflightHeaders(requested));
  exchange.res.end();
}
