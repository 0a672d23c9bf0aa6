// The network side of the engine: opens the enabled frontends in the reference's order, stops accepting all at once,
// and gives open connections the rest of the exit budget. HTTP and gRPC can be paused; the metrics port closes last.

import { toServerError, unavailable } from '../src-shared/errors.ts';
import type { Clock } from './base/clock.ts';
import type { EngineOptions } from './engine-options.ts';
import { GrpcServer } from './protocol/grpc/grpc-server.ts';
import { HttpServer } from './protocol/http/http-server.ts';
import { JsonWorkers } from './protocol/http/json-offload.ts';
import type { CacheBlocks } from './protocol/http/load-report.ts';
import { MetricsServer } from './protocol/http/metrics-server.ts';
import type { InferenceService } from './service/inference-service.ts';
import type { RequestTracer } from './tracing/request-tracer.ts';

const JSON_WORKERS = 2;

/** Ports that are open; undefined = off or not open. */
export interface EnginePorts {
  readonly http: number | undefined;
  readonly grpc: number | undefined;
  readonly metrics: number | undefined;
}

export interface ListenerDeps {
  readonly service: InferenceService;
  readonly clock: Clock;
  readonly tracer: RequestTracer;
  /** The exposition; undefined = no metrics. */
  readonly metricsText: (() => Promise<string>) | undefined;
  /** Key-value cache of a language model, while a backend reports it. */
  readonly cacheBlocks?: (() => CacheBlocks | undefined) | undefined;
}

export class EngineListeners {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #deps: ListenerDeps;
  readonly #offload = new JsonWorkers(JSON_WORKERS);
  readonly #metrics: MetricsServer | undefined;
  #http: HttpServer;
  #grpc: GrpcServer;
  #isUsed = false;
  #httpPort: number | undefined;
  #grpcPort: number | undefined;
  #metricsPort: number | undefined;

  constructor(options: EngineOptions, deps: ListenerDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#clock = deps.clock;
    this.#grpc = new GrpcServer(deps, options.grpc);
    this.#http = new HttpServer(options.http, { ...deps, offload: this.#offload });
    if (deps.metricsText !== undefined) {
      const { allowedOrigins } = options.http;
      this.#metrics = new MetricsServer({ ...this.#metricsPlace(), allowedOrigins }, deps.metricsText);
    }
  }

  /** True while at least one frontend listens. */
  get isOpen(): boolean {
    return this.#httpPort !== undefined || this.#grpcPort !== undefined;
  }

  get ports(): EnginePorts {
    return { http: this.#httpPort, grpc: this.#grpcPort, metrics: this.#metricsPort };
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
      await this.#openMetrics();
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
    await this.#metrics?.close();
    this.#metricsPort = undefined;
  }

  async #openMetrics(): Promise<void> {
    const server = this.#metrics;
    if (server === undefined || this.#metricsPort !== undefined) return;
    this.#metricsPort = await opened('Metrics', this.#metricsPlace(), () => server.listen());
  }

  #metricsPlace(): { readonly address: string; readonly port: number } {
    const { metrics, http } = this.#options;
    return { address: metrics.address === '' ? http.address : metrics.address, port: metrics.port };
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
    const { message } = toServerError(thrown);
    const isTaken = /EADDRINUSE|already in use|No address added/.test(message);
    const reason = isTaken ? `Socket '${address}:${port}' already in use` : message;
    throw unavailable(`failed to start ${service} service: Unavailable - ${reason}`, { cause: thrown });
  }
}
