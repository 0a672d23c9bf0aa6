// The server as the window sees and drives it: state, endpoints, start and stop of the listeners, ports in use.

import os from 'node:os';

import type {
  ClientView,
  EndpointCheck,
  EndpointView,
  ServerView,
} from '../../../src-shared/contract/observe-views.ts';
import type { GpuDevice } from '../../../src-shared/config/validation-context.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { logSwitches } from '../../base/log.ts';
import { libraryVersion } from '../../backends/onnxruntime/available-providers.ts';
import type { ServeOptions } from '../../cli/serve-options.ts';
import { EndpointRates } from '../../control/series/endpoint-rates.ts';
import type { ServerControl, ServerPorts } from '../../control/server/server-control.ts';
import type { Engine } from '../../engine.ts';
import { pathToComplete } from '../../object-stores/store-path.ts';
import { shownCommand } from '../../options/print-command.ts';
import { isModelFine } from '../../repository/repository-readiness.ts';
import { isPortFree } from './choose-ports.ts';
import { defaultRepositoryPath } from './default-repository.ts';
import { CHECK_AGENT, checkEndpoint } from './endpoint-check.ts';
import { freePorts, portHolder } from './port-facts.ts';

interface WindowServerOptions {
  readonly engine: Engine;
  readonly serve: ServeOptions;
  readonly userDataPath: string;
  readonly logFile: string;
  readonly uiRoot: string;
  readonly uiPort: () => number | undefined;
  readonly crashes: ServerView['crashes'];
  readonly onChange: () => void;
  readonly onRestart: () => void;
}

const ENDPOINTS = ['http', 'grpc', 'metrics'] as const;
/** Off unless they are asked for; on the address of the HTTP port. */
const FURTHER_ENDPOINTS = ['openai', 'sagemaker', 'vertexAi'] as const;
/** Free ports offered in place of taken ones start this far above. */
const OFFER_DISTANCE = 10;

/**
 * `state` is the window's word for where the server is; a port that is taken is a state with a conflict, not an
 * error of the engine.
 */
export class WindowServer implements ServerControl {
  readonly #options: WindowServerOptions;
  readonly #startedAtMs = Date.now();
  readonly #versions = {
    'ONNX Runtime': libraryVersion(),
    'Node.js': process.versions.node,
    V8: process.versions.v8,
  };
  readonly #rates = new EndpointRates(systemClock);
  #state: ServerView['state'] = 'starting';
  #conflict: ServerView['portConflict'];
  #error: string | undefined;
  #stopping: AbortController | undefined;

  constructor(options: WindowServerOptions) {
    this.#options = options;
  }

  /** The listeners opened. */
  listening(): void {
    this.#conflict = undefined;
    this.#error = undefined;
    this.#set('serving');
  }

  /** Nothing listens until somebody starts the server. */
  waits(): void {
    this.#set('stopped');
  }

  view(): ServerView {
    const { engine, serve, crashes, userDataPath, logFile, uiRoot } = this.#options;
    const { server, repository, backends } = serve.engine;
    const [cpu] = os.cpus();
    return {
      state: this.#state,
      isReady: this.#state === 'serving' && engine.service.isReady(),
      notReady: this.#notReady(),
      version: engine.service.serverMetadata().version,
      id: server.id,
      startedAtMs: this.#startedAtMs,
      endpoints: this.#endpoints(),
      portConflict: this.#conflict,
      controlMode: repository.controlMode,
      strictReadiness: server.strictReadiness,
      exitTimeoutSec: server.exitTimeoutSec,
      logVerboseLevel: logSwitches().verboseLevel,
      commandLine: shownCommand(serve.engine, {
        ...engine.wantedPorts,
        repositories: engine.repository.roots.map(pathToComplete),
      }),
      providers: providersOf(engine.gpus),
      gpus: engine.gpus.map(({ id, name }) => `GPU ${id}${name === undefined ? '' : `: ${name}`}`),
      gpuPolicy: backends.gpuPolicy,
      cpuModel: cpu?.model ?? '',
      cpuCount: os.availableParallelism(),
      runtimeVersions: this.#versions,
      crashes,
      userDataPath,
      defaultRepositoryPath: defaultRepositoryPath(userDataPath, process.env),
      logFile,
      uiRoot,
    };
  }

  async start(ports?: ServerPorts): Promise<ServerView> {
    this.#set('starting');
    try {
      await this.#options.engine.openListeners(ports);
    } catch (thrown) {
      await this.failed(thrown);
    }
    return this.view();
  }

  async stop(): Promise<ServerView> {
    this.#stopping = new AbortController();
    this.#set('stopping');
    await this.#options.engine.closeListeners(this.#stopping.signal);
    this.#stopping = undefined;
    this.#set('stopped');
    return this.view();
  }

  stopNow(): void {
    this.#stopping?.abort();
  }

  /** One after the other: what one of them keeps the loop with would count for another. */
  async check(): Promise<readonly EndpointCheck[]> {
    const { tls } = this.#options.serve.engine.grpc;
    const { ports } = this.#options.engine;
    const checks: EndpointCheck[] = [];
    for (const kind of ENDPOINTS) {
      if (ports[kind] === undefined) continue;
      const address = `${shown(this.#address(kind))}:${ports[kind]}`;
      checks.push(await checkEndpoint({ kind, address, isTls: kind === 'grpc' && tls !== undefined }));
    }
    return checks;
  }

  clients(): readonly ClientView[] {
    return this.#options.engine.clients
      .filter(({ userAgent }) => !userAgent.startsWith(CHECK_AGENT))
      .map((client) => ({ ...client, userAgent: client.userAgent || undefined }));
  }

  restart(): void {
    this.#set('stopping');
    this.#options.onRestart();
  }

  /** The listeners could not be opened: says who holds the port and what is free. */
  async failed(thrown: unknown): Promise<void> {
    this.#error = toServerError(thrown).message;
    this.#conflict = await this.#findConflict();
    this.#set('port-problem');
  }

  #set(state: ServerView['state']): void {
    this.#state = state;
    this.#options.onChange();
  }

  /** The first wanted port, in the order clients think of them, that somebody else has. */
  async #findConflict(): Promise<ServerView['portConflict']> {
    const { engine } = this.#options;
    const wanted = engine.wantedPorts;
    for (const name of ENDPOINTS) {
      const { [name]: port = 0 } = wanted;
      const address = this.#address(name);
      if (port === 0 || engine.ports[name] === port || (await isPortFree(address, port))) continue;
      const first = (wanted.http ?? port) + OFFER_DISTANCE;
      const { name: holder, command: holderCommand } = await portHolder(port);
      return { port, holder, holderCommand, freePorts: await freePorts(first, 3, address) };
    }
    return undefined;
  }

  #endpoints(): readonly EndpointView[] {
    const { engine, uiPort, serve } = this.#options;
    const { ports, wantedPorts, requestCounts } = engine;
    const rates = this.#rates.of(requestCounts);
    const served = ENDPOINTS.map((kind): EndpointView => {
      const port = ports[kind] ?? wantedPorts[kind];
      return {
        kind,
        address: port === undefined || port === 0 ? undefined : `${shown(this.#address(kind))}:${port}`,
        isListening: ports[kind] !== undefined,
        error: ports[kind] === undefined && port !== undefined ? this.#error : undefined,
        requestCount: requestCounts[kind],
        requestsPerSecond: rates[kind],
      };
    });
    const open = { isListening: true, error: undefined };
    const further = FURTHER_ENDPOINTS.flatMap((kind): EndpointView[] => {
      const { [kind]: port } = ports;
      if (port === undefined) return [];
      const numbers = { requestCount: requestCounts[kind], requestsPerSecond: rates[kind] };
      return [{ kind, address: `${shown(serve.engine.http.address)}:${port}`, ...open, ...numbers }];
    });
    const ui = uiPort();
    if (ui === undefined) return [...served, ...further];
    const page = { address: `${shown(serve.shell.uiAddress)}:${ui}`, requestCount: 0, requestsPerSecond: 0 };
    return [...served, ...further, { kind: 'ui', ...open, ...page }];
  }

  #address(endpoint: (typeof ENDPOINTS)[number]): string {
    const { http, [endpoint]: options } = this.#options.serve.engine;
    return options.address === '' ? http.address : options.address;
  }

  /** Names of the models for which a strict server is not ready. */
  #notReady(): ServerView['notReady'] {
    const { engine, serve } = this.#options;
    if (!serve.engine.server.strictReadiness) return [];
    return [...engine.repository.models()]
      .filter((model) => !isModelFine(model))
      .map(({ id, versions }) => ({
        model: id.name,
        reason: versions.find(({ state, reason }) => state === 'UNAVAILABLE' && reason !== '')?.reason ?? '',
      }));
  }
}

/** An address clients on this machine can use. */
function shown(address: string): string {
  return address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
}

/** What KIND_AUTO and KIND_GPU can be placed on, best first. */
function providersOf(gpus: readonly GpuDevice[]): readonly string[] {
  const names = gpus.flatMap(({ provider }) =>
    provider === undefined ? [] : [PROVIDER_TITLES[provider] ?? provider],
  );
  return [...new Set(names), 'CPU'];
}

const PROVIDER_TITLES: Readonly<Record<string, string>> = {
  cuda: 'CUDA',
  tensorrt: 'TensorRT',
  dml: 'DirectML',
  coreml: 'CoreML',
  webgpu: 'WebGPU',
};
