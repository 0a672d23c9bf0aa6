// The server that variants are loaded in: one of our own, in a process that nobody else uses, or one that runs already.

import { createServer } from 'node:net';

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProcessEnd, SpawnedProcess } from '../../base/process-spawner.ts';
import { errorText, HttpInferClient } from '../../client/http-client.ts';
import { HttpLink } from '../../perf/server/server-link.ts';
import { analyzeErrors } from '../analyze-errors.ts';
import type { ProfileSettings } from '../options/profile-settings.ts';

const READY_WITHIN_S = 120;
const LOOK_EVERY_MS = 50;
const END_WITHIN_MS = 10_000;
/** Somebody else may take a port between the look for a free one and the start. */
const STARTS = 5;
/** As a server says it that cannot have its port. */
const TAKEN = /already in use/;
/** Of what a server said before it ended. */
const LAST_LINES = 5;

/** Addresses of a server. */
export interface Endpoints {
  /** host:port */
  readonly http: string;
  readonly grpc: string;
  readonly metricsUrl: string;
}

/** Models of it are loaded one at a time. */
export interface AnalyzerServer {
  readonly endpoints: Endpoints;
  /** Of the server; undefined where it is not ours. */
  readonly pid: number | undefined;
  /** False while it does not answer. */
  isReady(model: string): Promise<boolean>;
  /**
   * `config`: JSON that takes the place of the file. Rejects with the server's words. Starts a server anew that broke down.
   */
  load(model: string, config?: string): Promise<void>;
  /** Resolves when the model is out of service. Rejects with the server's words. */
  unload(model: string): Promise<void>;
  /** As the server completed it. Rejects for a model that is not loaded. */
  config(model: string): Promise<ModelConfig>;
  /** Ends a server of our own; one that ran already is left as it is. */
  close(): Promise<void>;
}

/** Management calls, to whichever server. */
class Manager {
  readonly #client: HttpInferClient;
  readonly #link: HttpLink;
  readonly #clock: Clock;
  readonly #address: string;

  constructor(address: string, clock: Clock) {
    this.#address = address;
    this.#clock = clock;
    this.#client = new HttpInferClient(address, { clock, encoding: 'json' });
    this.#link = new HttpLink(address, { clock, headers: [], tls: undefined });
  }

  async load(model: string, config: string | undefined): Promise<void> {
    await this.#post(loadPath(model), config === undefined ? {} : { parameters: { config } });
  }

  async unload(model: string): Promise<void> {
    await this.#post(unloadPath(model), {});
  }

  async #post(path: string, request: object): Promise<void> {
    const { status, body } = await this.#client.call({
      method: 'POST',
      path,
      body: Buffer.from(JSON.stringify(request)),
    });
    if (status === 200) return;
    const text = errorText(body);
    throw analyzeErrors.refused({ reason: text === '' ? `the server answered ${status}` : text });
  }

  config(model: string): Promise<ModelConfig> {
    return this.#link.modelConfig(model, '');
  }

  isModelReady(model: string): Promise<boolean> {
    return this.#link.isModelReady(model, '');
  }

  /** A server of others may hold a model that failed, and is never ready. */
  live(): Promise<void> {
    return this.#until('/v2/health/live', () => false);
  }

  /** `hasEnded` gives up the waiting. */
  ready(hasEnded: () => boolean): Promise<void> {
    return this.#until('/v2/health/ready', hasEnded);
  }

  async #until(path: string, hasEnded: () => boolean): Promise<void> {
    const until = this.#clock.wallMs() + READY_WITHIN_S * 1000;
    while (this.#clock.wallMs() < until) {
      if (hasEnded()) return;
      const isReady = await this.#client.call({ method: 'GET', path }).then(
        ({ status }) => status === 200,
        () => false,
      );
      if (isReady) return;
      await this.#clock.wait(LOOK_EVERY_MS);
    }
    throw analyzeErrors.serverSlow({ address: this.#address, seconds: READY_WITHIN_S });
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#link.close();
  }
}

const loadPath = (model: string): string => `/v2/repository/models/${encodeURIComponent(model)}/load`;
const unloadPath = (model: string): string => `/v2/repository/models/${encodeURIComponent(model)}/unload`;

/** A server that runs, and whose repository holds the models. */
export async function remoteServer(endpoints: Endpoints, clock: Clock): Promise<AnalyzerServer> {
  const manager = new Manager(endpoints.http, clock);
  await manager.live();
  return {
    endpoints,
    pid: undefined,
    isReady: (model) => manager.isModelReady(model),
    load: (model, config) => manager.load(model, config),
    unload: (model) => manager.unload(model),
    config: (model) => manager.config(model),
    close: () => manager.close(),
  };
}

/** The `conch` command as a process that an interrupt at the terminal does not reach; `environment` besides our own. */
export type SpawnConch = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
) => SpawnedProcess;

/** What a server of our own is started with. */
export interface LocalServerOptions {
  /** Starts the `conch` command with a message channel, with which it ends. */
  readonly spawn: SpawnConch;
  readonly repository: string;
  readonly settings: Extract<ProfileSettings['server'], { readonly mode: 'local' }>;
  /** What is not "" is taken instead of a free port. */
  readonly endpoints: Endpoints;
  readonly clock: Clock;
}

/** Our own server, in a process and a process group of its own: an interrupt at the terminal does not reach it. */
export class LocalServer implements AnalyzerServer {
  readonly #options: LocalServerOptions;
  #manager: Manager | undefined;
  #process: SpawnedProcess | undefined;
  #end: ProcessEnd | undefined;
  endpoints: Endpoints = { http: '', grpc: '', metricsUrl: '' };

  private constructor(options: LocalServerOptions) {
    this.#options = options;
  }

  /** Resolves when it answers; whoever starts it closes it. */
  static async start(options: LocalServerOptions): Promise<LocalServer> {
    const server = new LocalServer(options);
    await server.#start();
    return server;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  isReady(model: string): Promise<boolean> {
    return this.#ask((manager) => manager.isModelReady(model));
  }

  async load(model: string, config?: string): Promise<void> {
    if (this.#end !== undefined) await this.#start();
    await this.#ask((manager) => manager.load(model, config)).catch((thrown: unknown) => {
      const { message } = toServerError(thrown);
      // The reference's words, which do not say why.
      if (!message.endsWith('failed to poll from model repository')) throw thrown;
      throw analyzeErrors.refused({
        reason: `${message}; the log of the server says why: --triton-output-path`,
      });
    });
  }

  async unload(model: string): Promise<void> {
    // With a server that ended, its models are gone.
    if (this.#end === undefined) await this.#ask((manager) => manager.unload(model));
  }

  config(model: string): Promise<ModelConfig> {
    return this.#ask((manager) => manager.config(model));
  }

  async close(): Promise<void> {
    await this.#manager?.close();
    const running = this.#process;
    if (running === undefined || this.#end !== undefined) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    running.onExit(() => resolve());
    running.kill();
    const limit = this.#options.clock.after(END_WITHIN_MS, () => running.kill());
    await ended;
    limit.cancel();
  }

  async #start(): Promise<void> {
    const { endpoints } = this.#options;
    const choosesPorts = endpoints.http === '' || endpoints.grpc === '' || endpoints.metricsUrl === '';
    for (let starts = 1; ; starts += 1) {
      const end = await this.#startOnce();
      if (end === undefined) return;
      if (!choosesPorts || starts === STARTS || !TAKEN.test(end.said ?? '')) throw this.#ended();
    }
  }

  /** Undefined once it is ready; what ended it before that. */
  async #startOnce(): Promise<ProcessEnd | undefined> {
    await this.#manager?.close();
    this.#end = undefined;
    const { spawn, repository, settings, endpoints, clock } = this.#options;
    const [http, grpc, metrics] = await freePorts(3);
    const metricsPort = endpoints.metricsUrl === '' ? metrics : Number(new URL(endpoints.metricsUrl).port);
    const httpAddress = endpoints.http === '' ? `127.0.0.1:${http}` : endpoints.http;
    const grpcAddress = endpoints.grpc === '' ? `127.0.0.1:${grpc}` : endpoints.grpc;
    this.endpoints = {
      http: httpAddress,
      grpc: grpcAddress,
      metricsUrl: endpoints.metricsUrl === '' ? `http://127.0.0.1:${metrics}/metrics` : endpoints.metricsUrl,
    };
    const args = [
      'serve',
      `--model-repository=${repository}`,
      '--model-control-mode=explicit',
      `--http-port=${portOf(httpAddress)}`,
      `--grpc-port=${portOf(grpcAddress)}`,
      `--metrics-port=${metricsPort}`,
      ...(endpoints.http === '' ? ['--http-address=127.0.0.1', '--grpc-address=127.0.0.1'] : []),
      ...(settings.logFile === '' ? [] : [`--log-file=${settings.logFile}`]),
      ...Object.entries(settings.flags).map(
        ([name, value]) => `--${name.replaceAll('_', '-')}=${String(value)}`,
      ),
    ];
    const environment = Object.fromEntries(
      Object.entries(settings.environment).map(([name, value]) => [name, String(value)]),
    );
    // Its message channel is closed with this process, however that ends, and it ends too.
    const child = spawn(args, environment);
    child.onExit((end) => {
      if (this.#process === child) this.#end = end;
    });
    this.#process = child;
    this.#manager = new Manager(httpAddress, clock);
    await this.#manager.ready(() => this.#end !== undefined);
    return this.#end;
  }

  /** A call that fails because the server ended says so. */
  async #ask<T>(call: (manager: Manager) => Promise<T>): Promise<T> {
    try {
      return await call(this.#manager as Manager);
    } catch (thrown) {
      // The end of a process is known a little after its sockets are gone.
      if (toServerError(thrown).code === 'UNAVAILABLE') await this.#options.clock.wait(LOOK_EVERY_MS);
      throw this.#end === undefined ? thrown : this.#ended();
    }
  }

  #ended(): Error {
    const end = this.#end as ProcessEnd | undefined;
    const lines = (end?.said ?? '').trim().split('\n').slice(-LAST_LINES).join('\n');
    return analyzeErrors.serverEnded({ detail: end?.detail ?? '', said: lines === '' ? '' : `: ${lines}` });
  }
}

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}

/** Ports that nobody listened to a moment ago, all different. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host: '127.0.0.1', port: 0 }, resolve);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
