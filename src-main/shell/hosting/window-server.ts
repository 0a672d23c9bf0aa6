// The server as the window sees and drives it: state, endpoints, start and stop of the listeners, ports in use.

import os from 'node:os';

import type { EndpointView, ServerView } from '../../../src-shared/contract/observe-views.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import type { ServerControl, ServerPorts } from '../../control/server-control.ts';
import type { Engine } from '../../engine.ts';
import { freePorts, portHolder } from './port-facts.ts';

export interface WindowServerOptions {
  readonly engine: Engine;
  readonly serve: ServeOptions;
  readonly userDataPath: string;
  readonly uiRoot: string;
  readonly uiPort: () => number | undefined;
  readonly crashes: ServerView['crashes'];
  readonly onChange: () => void;
}

export class WindowServer implements ServerControl {
  readonly #options: WindowServerOptions;
  readonly #startedAtMs = Date.now();
  #state: ServerView['state'] = 'starting';
  #conflict: ServerView['portConflict'];
  #error = '';

  constructor(options: WindowServerOptions) {
    this.#options = options;
  }

  /** The listeners opened, or could not. */
  listening(): void {
    this.#set('serving');
  }

  view(): ServerView {
    const { engine, serve, crashes, userDataPath, uiRoot } = this.#options;
    const { server, repository, backends } = serve.engine;
    const [cpu] = os.cpus();
    return {
      state: this.#state,
      isReady: this.#state === 'serving' && engine.service.isReady(),
      notReady: [],
      version: engine.service.serverMetadata().version,
      id: server.id,
      startedAtMs: this.#startedAtMs,
      endpoints: this.#endpoints(),
      portConflict: this.#conflict,
      controlMode: repository.controlMode,
      strictReadiness: server.strictReadiness,
      commandLine: this.#commandLine(),
      providers: ['CPU'],
      gpus: [],
      gpuPolicy: backends.gpuPolicy,
      cpuModel: cpu?.model ?? '',
      cpuCount: os.availableParallelism(),
      runtimeVersions: { node: process.versions.node, v8: process.versions.v8 },
      crashes,
      userDataPath,
      uiRoot,
    };
  }

  async start(ports?: ServerPorts): Promise<ServerView> {
    this.#set('starting');
    try {
      await this.#options.engine.openListeners(ports);
      this.#conflict = undefined;
      this.#error = '';
      this.#set('serving');
    } catch (thrown) {
      await this.failed(thrown);
    }
    return this.view();
  }

  async stop(): Promise<ServerView> {
    this.#set('stopping');
    await this.#options.engine.closeListeners();
    this.#set('stopped');
    return this.view();
  }

  /** The listeners could not be opened: says who holds the port and what is free. */
  async failed(thrown: unknown): Promise<void> {
    this.#error = toServerError(thrown).message;
    const port = Number(/:(\d+)'/.exec(this.#error)?.[1] ?? 0);
    this.#conflict = { port, holder: await portHolder(port), freePorts: await freePorts(port + 10, 3) };
    this.#set('port-problem');
  }

  #set(state: ServerView['state']): void {
    this.#state = state;
    this.#options.onChange();
  }

  #endpoints(): readonly EndpointView[] {
    const { engine, serve, uiPort } = this.#options;
    const { http, grpc } = serve.engine;
    const view = (kind: EndpointView['kind'], address: string, port: number | undefined): EndpointView => ({
      kind,
      address: port === undefined ? '' : `${shown(address)}:${port}`,
      isListening: port !== undefined,
      error: port === undefined ? this.#error : '',
      requestCount: 0,
    });
    const { ports } = engine;
    return [
      view('http', http.address, ports.http),
      view('grpc', grpc.address, ports.grpc),
      view('ui', '127.0.0.1', uiPort()),
    ];
  }

  #commandLine(): string {
    const { http, grpc, metrics, repository, server } = this.#options.serve.engine;
    const flags = [
      ...repository.paths.map((root) => `--model-repository=${root}`),
      `--model-control-mode=${repository.controlMode}`,
      ...repository.startupModels.map((name) => `--load-model=${name}`),
      `--http-port=${http.port}`,
      `--grpc-port=${grpc.port}`,
      `--metrics-port=${metrics.port}`,
      `--strict-readiness=${server.strictReadiness}`,
    ];
    return `tritonserver ${flags.join(' ')}`;
  }
}

/** An address clients on this machine can use. */
function shown(address: string): string {
  return address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
}
