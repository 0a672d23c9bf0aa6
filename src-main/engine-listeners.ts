// The network side of the engine: opens the enabled frontends in the reference's order, stops accepting all at once,
// and gives open connections the rest of the exit budget.

import { unavailable } from '../src-shared/errors.ts';
import type { Clock } from './base/clock.ts';
import type { EngineOptions } from './engine-options.ts';
import { GrpcServer } from './protocol/grpc/grpc-server.ts';
import { HttpServer } from './protocol/http/http-server.ts';
import { JsonWorkers } from './protocol/http/json-offload.ts';
import type { InferenceService } from './service/inference-service.ts';
import type { RequestTracer } from './tracing/request-tracer.ts';

const JSON_WORKERS = 2;

export class EngineListeners {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #http: HttpServer;
  readonly #grpc: GrpcServer;
  readonly #offload = new JsonWorkers(JSON_WORKERS);
  #httpPort: number | undefined;
  #grpcPort: number | undefined;

  constructor(
    options: EngineOptions,
    deps: {
      readonly service: InferenceService;
      readonly clock: Clock;
      readonly tracer: RequestTracer | undefined;
    },
  ) {
    this.#options = options;
    this.#clock = deps.clock;
    this.#grpc = new GrpcServer(deps, options.grpc);
    this.#http = new HttpServer(options.http, { ...deps, offload: this.#offload });
  }

  get ports(): { readonly http: number | undefined; readonly grpc: number | undefined } {
    return { http: this.#httpPort, grpc: this.#grpcPort };
  }

  /** Throws UNAVAILABLE with the reference's text when a port cannot be had. */
  async open(): Promise<void> {
    const { http, grpc } = this.#options;
    if (grpc.enabled) this.#grpcPort = await opened('GRPC', grpc, () => this.#grpc.start());
    if (http.enabled) this.#httpPort = await opened('HTTP', http, () => this.#http.listen());
  }

  /** No new connections and calls; open ones go on. */
  stopAccepting(): void {
    this.#http.stopAccepting();
    this.#grpc.stopAccepting();
  }

  /** Closes what is open; connections that outlive the deadline are cut. */
  async close(deadlineNs: number): Promise<void> {
    const cut = new AbortController();
    const leftMs = Math.max(0, (deadlineNs - this.#clock.nowNs()) / 1e6);
    const timer = this.#clock.after(leftMs, () => cut.abort());
    await Promise.all([this.#http.close({ signal: cut.signal }), this.#grpc.close(leftMs)]);
    timer.cancel();
    await this.#offload.close();
    this.#httpPort = undefined;
    this.#grpcPort = undefined;
  }
}

async function opened(
  service: string,
  { address, port }: { readonly address: string; readonly port: number },
  open: () => Promise<number>,
): Promise<number> {
  try {
    return await open();
  } catch (thrown) {
    throw unavailable(
      `failed to start ${service} service: Unavailable - Socket '${address}:${port}' already in use`,
      { cause: thrown },
    );
  }
}
