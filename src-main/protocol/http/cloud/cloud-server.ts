// A port of `--allow-sagemaker` or `--allow-vertex-ai`: restrictions of the HTTP port in front of a frontend that says what
// each request means.

import type http from 'node:http';

import { Exchange } from '../exchange.ts';
import type { HttpContext } from '../http-context.ts';
import type { HttpServerOptions } from '../http-options.ts';
import type { HttpServerDependencies } from '../http-server.ts';
import type { Restrictions } from '../restricted-api.ts';
import { compileRestrictions, restrictionFault } from '../restricted-api.ts';
import type { RouteMatch } from '../router.ts';
import { NO_NAMES } from '../router.ts';
import { settle } from '../routes/route-handler.ts';
import type { SidePortOptions } from '../side-port.ts';
import { SidePort } from '../side-port.ts';
import { CloudExchange } from './cloud-exchange.ts';
import type { CloudCall, CloudFrontend, CloudRefusal } from './cloud-frontend.ts';

/** Where the port listens, and what it restricts. */
export type CloudServerOptions = SidePortOptions & Pick<HttpServerOptions, 'restricted'>;

const NO_MATCH: RouteMatch = { route: { paths: [], category: 'metadata', methods: [] }, ...NO_NAMES };

/** Listens once. */
export class CloudServer {
  readonly #frontend: CloudFrontend;
  readonly #restrictions: Restrictions;
  readonly #port: SidePort;

  /** Throws INVALID_ARG for restrictions that are none. */
  constructor(options: CloudServerOptions, frontend: CloudFrontend, dependencies: HttpServerDependencies) {
    this.#frontend = frontend;
    this.#restrictions = compileRestrictions(options.restricted);
    this.#port = new SidePort(
      options,
      {
        service: frontend.service,
        protocol: frontend.service === 'Sagemaker' ? 'SageMaker' : frontend.service,
        onRequest: (req, res, context) => this.#handle(req, res, context),
        onRefused: (req, res, context, message) =>
          new Exchange(req, res, context, NO_MATCH).error(403, message),
      },
      dependencies,
    );
  }

  /** Resolves to the port. Throws what the frontend misses, and UNAVAILABLE when the port is taken. */
  async listen(): Promise<number> {
    await this.#frontend.check();
    return this.#port.listen();
  }

  /** The bound port; 0 before `listen`. */
  get port(): number {
    return this.#port.port;
  }

  /** Idempotent; what is still open when the signal aborts is cut off. */
  async close(signal: AbortSignal): Promise<void> {
    await this.#port.close(signal);
  }

  #handle(req: http.IncomingMessage, res: http.ServerResponse, context: HttpContext): void {
    const found = this.#frontend.route(req);
    const { dialect } = this.#frontend;
    if ('status' in found) {
      refuse(new CloudExchange(req, res, context, NO_MATCH, { dialect }), found);
      return;
    }
    const { match, statusOf } = found;
    const exchange = new CloudExchange(req, res, context, match, {
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
