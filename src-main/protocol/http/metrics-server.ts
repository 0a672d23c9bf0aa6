// The metrics port: GET /metrics in the Prometheus text format, an empty 200 for any other path (a quirk that is
// kept), 405 for any other method. The last port that closes.

import type http from 'node:http';
import { getLogger } from '../../base/log.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { STATUS_MAP } from '../../service/status-map.ts';
import { createGuardedServer } from './guarded-server.ts';
import { boundPort, listenOn } from './listen-port.ts';
import { OriginGuard } from './origin-guard.ts';

/** Content type of the metrics as text. */
export const EXPOSITION = 'text/plain; charset=utf-8';

/** Where the metrics endpoint listens, and which pages may read it. */
export interface MetricsServerOptions {
  readonly address: string;
  /** 0 = a free port. */
  readonly port: number;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts?: readonly string[];
}

/** The port of `--metrics-port`. A scrape that comes while the server drains is still answered. */
export class MetricsServer {
  readonly #options: MetricsServerOptions;
  readonly #server: http.Server;
  readonly #text: () => Promise<string>;
  readonly #logger = getLogger('http');
  #requestCount = 0;

  /** `text`: the exposition, read once per scrape. */
  constructor(options: MetricsServerOptions, text: () => Promise<string>) {
    this.#options = options;
    this.#text = text;
    this.#server = createGuardedServer({
      guard: new OriginGuard(options),
      onRequest: (req, res) => this.#handle(req, res),
      onRefused: (_, res, message) => sendError(res, 403, message),
    });
  }

  /** Starts listening; throws UNAVAILABLE when the port is taken. Resolves to the port. */
  async listen(): Promise<number> {
    const port = await listenOn(this.#server, this.#options);
    this.#logger.info(`Started Metrics Service at ${this.#options.address}:${port}`);
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

  /** Idempotent. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  #handle(req: http.IncomingMessage, res: http.ServerResponse): void {
    this.#requestCount += 1;
    const path = (req.url ?? '').split('?', 1)[0] ?? '';
    if (req.method !== 'GET') send(res, 405, 'text/plain', '{"error":"Method Not Allowed"}');
    else if (path !== '/metrics' && path !== '/metrics/') send(res, 200, EXPOSITION, '');
    else {
      this.#text().then(
        (text) => send(res, 200, EXPOSITION, text),
        (thrown: unknown) => {
          const error = toServerError(thrown);
          sendError(res, STATUS_MAP[error.code].http, error.message);
        },
      );
    }
  }
}

function sendError(res: http.ServerResponse, status: number, message: string): void {
  send(res, status, 'application/json', JSON.stringify({ error: message }));
}

function send(res: http.ServerResponse, status: number, contentType: string, body: string): void {
  res.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}
