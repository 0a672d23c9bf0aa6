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

export interface ListenerDeps {
  readonly service: InferenceService;
  readonly clock: Clock;
  readonly tracer: RequestTracer | undefined;
}

export class EngineListeners {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #deps: ListenerDeps;
  readonly #offload = new JsonWorkers(JSON_WORKERS);
  #http: HttpServer;
  #grpc: GrpcServer;
  #isUsed = false;
  #httpPort: number | undefined;
  #grpcPort: number | undefined;

  constructor(options: EngineOptions, deps: ListenerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#clock = deps.clock;
    this.#grpc = new GrpcServer(deps, options.grpc);
    this.#http = new HttpServer(options.http, { ...deps, offload: this.#offload });
  }

  /** True while at least one frontend listens. */
  get isOpen(): boolean {
    return this.#httpPort !== undefined || this.#grpcPort !== undefined;
  }

  get ports(): { readonly http: number | undefined; readonly grpc: number | undefined } {
    return { http: this.#httpPort, grpc: this.#grpcPort };
  }

  /**
   * Opens the enabled frontends, after a close again, on other ports when given. Throws UNAVAILABLE with the
   * reference's text when a port cannot be had; what was opened is then closed.
   */
  async open(ports: { readonly http?: number; readonly grpc?: number } = {}): Promise<void> {
    const http = { ...this.#options.http, port: ports.http ?? this.#options.http.port };
    const grpc = { ...this.#options.grpc, port: ports.grpc ?? this.#options.grpc.port };
    if (this.#isUsed || ports.http !== undefined || ports.grpc !== undefined) {
      this.#grpc = new GrpcServer(this.#deps, grpc);
      this.#http = new HttpServer(http, { ...this.#deps, offload: this.#offload });
    }
    this.#isUsed = true;
    try {
      if (grpc.enabled) this.#grpcPort = await opened('GRPC', grpc, () => this.#grpc.start());
      if (http.enabled) this.#httpPort = await opened('HTTP', http, () => this.#http.listen());
    } catch (thrown) {
      await this.pause(this.#clock.nowNs());
      throw thrown;
    }
  }

  /** No new connections and calls; open ones go on. */
  stopAccepting(): void {
    this.#http.stopAccepting();
    this.#grpc.stopAccepting();
  }

  /** Closes what is open, for now; connections that outlive the deadline are cut. */
  async pause(deadlineNs: number): Promise<void> {
    const cut = new AbortController();
    const leftMs = Math.max(0, (deadlineNs - this.#clock.nowNs()) / 1e6);
    const timer = this.#clock.after(leftMs, () => cut.abort());
    await Promise.all([this.#http.close({ signal: cut.signal }), this.#grpc.close(leftMs)]);
    timer.cancel();
    this.#httpPort = undefined;
    this.#grpcPort = undefined;
  }

  /** Closes for good. */
  async close(deadlineNs: number): Promise<void> {
    await this.pause(deadlineNs);
    await this.#offload.close();
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
