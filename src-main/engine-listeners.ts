// The network side of the engine: opens the enabled frontends in the reference's order, stops accepting all at once,
// and gives open connections the rest of the exit budget. HTTP and gRPC can be paused and come back on the ports they
// had; the metrics port closes last.

import type { ServerError } from '../src-shared/errors.ts';
import { toServerError } from '../src-shared/errors.ts';
import type { Clock } from './base/clock.ts';
import { getLogger } from './base/log.ts';
import type { EngineOptions } from './options/engine-options.ts';
import type { GrpcDelays } from './protocol/grpc/grpc-delays.ts';
import { GrpcServer } from './protocol/grpc/grpc-server.ts';
import { CloudEndpoints } from './protocol/http/cloud/cloud-endpoints.ts';
import { HttpServer } from './protocol/http/http-server.ts';
import { JsonWorkers } from './protocol/http/json-offload.ts';
import type { CacheBlocks } from './protocol/http/load-report.ts';
import { wireThreadsFor } from './protocol/http/threads/thread-count.ts';
import { MetricsServer } from './protocol/http/metrics-server.ts';
import type { OpenaiServer } from './protocol/openai/openai-server.ts';
import type { ClientEntry } from './service/client-book.ts';
import { ClientBook } from './service/client-book.ts';
import type { InferenceService } from './service/inference-service.ts';
import { serverErrors } from './service/server-errors.ts';
import type { RequestTracer } from './tracing/request-tracer.ts';

const JSON_WORKERS = 2;
/** How often counts are looked at while the listeners stop; lines are written once a second. */
const DRAIN_CHECK_MS = 20;

const log = getLogger('server');

/** Ports that are open; undefined = off or not open. */
export interface EnginePorts {
  readonly http: number | undefined;
  readonly grpc: number | undefined;
  readonly metrics: number | undefined;
  readonly sagemaker: number | undefined;
  readonly vertexAi: number | undefined;
  readonly openai: number | undefined;
}

/** Ports to take; a missing one is taken as it was, or as the options say. */
export interface WantedPorts {
  readonly http?: number | undefined;
  readonly grpc?: number | undefined;
  readonly metrics?: number | undefined;
}

/** Requests that were taken since the start, over pauses. */
export interface EndpointCounts {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
  readonly sagemaker: number;
  readonly vertexAi: number;
  readonly openai: number;
}

/** What the endpoints serve. They close none of it. */
export interface ListenerDeps {
  readonly service: InferenceService;
  readonly clock: Clock;
  readonly tracer: RequestTracer;
  /** The exposition; undefined = no metrics. */
  readonly metricsText: (() => Promise<string>) | undefined;
  /** Key-value cache of a language model, while a backend reports it. */
  readonly cacheBlocks?: (() => CacheBlocks | undefined) | undefined;
  /** Where SageMaker puts models; default: its own place. */
  readonly sagemakerRoot?: string | undefined;
  /** Waits of gRPC calls for tests; default: none. */
  readonly delays?: GrpcDelays | undefined;
}

/**
 * Ports are those that were opened: an option of 0 has become a number. Opening rejects with UNAVAILABLE when
 * one is taken, and what was opened before is closed again.
 */
export class EngineListeners {
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #deps: ListenerDeps & { readonly clients: ClientBook };
  readonly #offload = new JsonWorkers(JSON_WORKERS);
  #wanted: WantedPorts;
  #metrics: MetricsServer | undefined;
  readonly #clouds: CloudEndpoints;
  #openai: OpenaiServer | undefined;
  #http: HttpServer;
  #grpc: GrpcServer;
  #isUsed = false;
  /** Requests of servers that were closed. */
  #earlier = { http: 0, grpc: 0 };
  #httpPort: number | undefined;
  #grpcPort: number | undefined;
  #metricsPort: number | undefined;

  constructor(options: EngineOptions, deps: ListenerDeps) {
    this.#options = options;
    this.#deps = { ...deps, clients: new ClientBook(deps.clock) };
    this.#clock = deps.clock;
    this.#wanted = { http: options.http.port, grpc: options.grpc.port, metrics: options.metrics.port };
    this.#grpc = new GrpcServer(this.#deps, options.grpc);
    this.#http = this.#httpServer(options.http);
    this.#clouds = new CloudEndpoints(
      {
        http: options.http,
        sagemaker: options.sagemaker,
        vertexAi: { ...options.vertexAi, needsModel: options.server.listen === 'after-start-set' },
      },
      { ...this.#deps, offload: this.#offload },
    );
  }

  /** True while at least one frontend listens. */
  get isOpen(): boolean {
    return this.#httpPort !== undefined || this.#grpcPort !== undefined;
  }

  /** Undefined = off, or not open. */
  get ports(): EnginePorts {
    const { ports: clouds } = this.#clouds;
    return {
      http: this.#httpPort,
      grpc: this.#grpcPort,
      metrics: this.#metricsPort,
      sagemaker: clouds.get('Sagemaker'),
      vertexAi: clouds.get('Vertex AI'),
      openai: this.#openai?.port,
    };
  }

  /** What `open` takes next: the ports of before, else those of the options; undefined = disabled. */
  get wanted(): WantedPorts {
    const { http, grpc } = this.#options;
    return {
      http: http.enabled ? this.#wanted.http : undefined,
      grpc: grpc.enabled ? this.#wanted.grpc : undefined,
      metrics: this.#deps.metricsText === undefined ? undefined : this.#wanted.metrics,
    };
  }

  /** Programs that called, seen last first. */
  get clients(): readonly Readonly<ClientEntry>[] {
    return this.#deps.clients.list();
  }

  /** Since the engine started, over closings of the listeners. */
  get requestCounts(): EndpointCounts {
    const { clients } = this.#deps;
    return {
      http: this.#earlier.http + this.#http.requestCount,
      grpc: this.#earlier.grpc + this.#grpc.requestCount,
      metrics: this.#metrics?.requestCount ?? 0,
      sagemaker: clients.countOf('SageMaker'),
      vertexAi: clients.countOf('Vertex AI'),
      openai: clients.countOf('OpenAI'),
    };
  }

  /**
   * Opens the enabled frontends, after a close again, on other ports when given. Throws UNAVAILABLE with the
   * reference's text when a port cannot be had; what was opened is then closed.
   */
  async open(ports: WantedPorts = {}): Promise<void> {
    this.#wanted = {
      http: ports.http ?? this.#wanted.http,
      grpc: ports.grpc ?? this.#wanted.grpc,
      metrics: ports.metrics ?? this.#wanted.metrics,
    };
    const http = { ...this.#options.http, port: this.#wanted.http ?? 0 };
    const grpc = { ...this.#options.grpc, port: this.#wanted.grpc ?? 0 };
    this.#renew(http, grpc);
    try {
      if (grpc.enabled) this.#grpcPort = await opened('GRPC', grpc, () => this.#grpc.start());
      if (http.enabled) this.#httpPort = await opened('HTTP', http, () => this.#http.listen());
      await this.#clouds.open(openedSide);
      if (this.#options.openai.enabled) await this.#openOpenai();
      await this.#openMetrics();
    } catch (thrown) {
      await this.pause(this.#clock.nowNs());
      throw thrown;
    }
    const { wanted } = this;
    this.#wanted = {
      http: this.#httpPort ?? wanted.http,
      grpc: this.#grpcPort ?? wanted.grpc,
      metrics: this.#metricsPort ?? wanted.metrics,
    };
  }

  /** No new connections and calls; open ones go on. */
  stopAccepting(): void {
    this.#http.stopAccepting();
    this.#grpc.stopAccepting();
  }

  /**
   * Waits until connections and running inference calls have ended, at most until the deadline, and says once a second
   * how many are left. Call `stopAccepting` before.
   */
  async drained(deadlineNs: number): Promise<void> {
    let lastShown: number | undefined;
    for (;;) {
      const left = [
        [this.#http.connectionCount, 'HTTP service connections'],
        [this.#grpc.handlerCount, 'GRPC service connections and inference handlers'],
      ] as const;
      const busy = left.filter(([count]) => count > 0);
      const leftNs = deadlineNs - this.#clock.nowNs();
      if (busy.length === 0 || leftNs <= 0) return;
      const seconds = Math.ceil(leftNs / 1e9);
      if (seconds !== lastShown) {
        for (const [count, what] of busy) log.info(`Timeout ${seconds}: Found ${count} ${what}`);
      }
      lastShown = seconds;
      await this.#clock.wait(DRAIN_CHECK_MS);
    }
  }

  /** Closes both frontends so that `open` can bring them back; what outlives deadline or signal is cut. */
  async pause(deadlineNs: number, signal?: AbortSignal): Promise<void> {
    const cut = new AbortController();
    const leftMs = Math.max(0, (deadlineNs - this.#clock.nowNs()) / 1e6);
    const timer = this.#clock.after(leftMs, () => cut.abort());
    const stopNow = (): void => cut.abort();
    if (signal?.aborted === true) stopNow();
    signal?.addEventListener('abort', stopNow, { once: true });
    await Promise.all([
      this.#http.close({ signal: cut.signal }),
      this.#grpc.close(cut.signal),
      this.#clouds.close(cut.signal),
      this.#openai?.close(cut.signal),
    ]);
    this.#openai = undefined;
    signal?.removeEventListener('abort', stopNow);
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

  /** A closed server cannot listen again; the first two were built with the options they were checked with. */
  #renew(http: EngineOptions['http'], grpc: EngineOptions['grpc']): void {
    const isAsBuilt = http.port === this.#options.http.port && grpc.port === this.#options.grpc.port;
    if (this.#isUsed || !isAsBuilt) {
      this.#earlier.http += this.#http.requestCount;
      this.#earlier.grpc += this.#grpc.requestCount;
      this.#grpc = new GrpcServer(this.#deps, grpc);
      this.#http = this.#httpServer(http);
    }
    this.#isUsed = true;
  }

  #httpServer(http: EngineOptions['http']): HttpServer {
    const options = { ...http, wireThreads: wireThreadsFor(http.wireThreadCount) };
    return new HttpServer(options, { ...this.#deps, offload: this.#offload });
  }

  /** Its code is only loaded where it is asked for. */
  async #openOpenai(): Promise<void> {
    const { OpenaiServer } = await import('./protocol/openai/openai-server.ts');
    const { http, openai, repository } = this.#options;
    const { paths: repositories, controlMode } = repository;
    const options = { ...http, ...openai, repositories, canControl: controlMode === 'explicit' };
    const server = new OpenaiServer(options, { ...this.#deps, offload: this.#offload });
    this.#openai = server;
    await openedSide('OpenAI', options, () => server.listen());
  }

  /** The port stays as it is while it is open, unless another one is wanted. */
  async #openMetrics(): Promise<void> {
    const { metricsText } = this.#deps;
    const { metrics, http } = this.#options;
    const { metrics: port = 0 } = this.#wanted;
    if (metricsText === undefined || this.#metricsPort === port) return;
    await this.#metrics?.close();
    this.#metricsPort = undefined;
    const address = metrics.address === '' ? http.address : metrics.address;
    const { allowedOrigins, allowedHosts } = http;
    const server = new MetricsServer({ address, port, allowedOrigins, allowedHosts }, metricsText);
    this.#metrics = server;
    this.#metricsPort = await opened('Metrics', { address, port }, () => server.listen());
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
    // The blank at the end is the reference's.
    const reason = isTaken ? `Socket '${address}:${port}' already in use ` : message;
    throw serverErrors.portFailed({ service, reason }, { cause: thrown });
  }
}

/** For an endpoint that needs more than a port: what it lacks is told as an argument that is wrong. */
async function openedSide(
  service: string,
  where: { readonly address: string; readonly port: number },
  open: () => Promise<number>,
): Promise<number> {
  let refusal: ServerError | undefined;
  const openOrRefuse = async (): Promise<number> => {
    try {
      return await open();
    } catch (thrown) {
      const error = toServerError(thrown);
      if (error.code === 'INVALID_ARG') refusal = error;
      throw thrown;
    }
  };
  try {
    return await opened(service, where, openOrRefuse);
  } catch (thrown) {
    if (refusal === undefined) throw thrown;
    throw serverErrors.endpointFailed({ service, reason: refusal.message }, { cause: refusal });
  }
}
