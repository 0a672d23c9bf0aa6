// The sole composition root: builds everything the engine is made of from options, and owns the order of start and
// stop. Shells hand in what differs between them and talk to the result.

import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import { internal, toServerError } from '../src-shared/errors.ts';
import type { Clock } from './base/clock.ts';
import { systemClock } from './base/clock.ts';
import { settledBefore } from './base/deadline.ts';
import { Disposer } from './base/disposer.ts';
import type { EventBus } from './base/event-bus.ts';
import { getLogger } from './base/log.ts';
import { createBackends } from './engine-backends.ts';
import type { EndpointCounts, EnginePorts, WantedPorts } from './engine-listeners.ts';
import { EngineListeners } from './engine-listeners.ts';
import type { EngineOptions } from './options/engine-options.ts';
import type { RepositoryBuildDeps } from './engine-parts.ts';
import { buildMetrics, configMachine, buildRepository, HeldFormat } from './engine-parts.ts';
import { readCacheBlocks } from './metrics/cache-blocks.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import { detectGpus } from './gpu-inventory.ts';
import type { BackendRegistry } from './inference/backend-registry.ts';
import type { Backend } from './inference/backend.ts';
import { drainModels, unloadAll } from './repository/model-drain.ts';
import type { LogOutput } from './logging/log-output.ts';
import { LogSettings } from './logging/log-settings.ts';
import type { GrpcDelays } from './protocol/grpc/grpc-delays.ts';
import type { ModelRepository } from './repository/model-repository.ts';
import { PollLoop } from './repository/poll-loop.ts';
import type { RepositoryEvents } from './repository/repository-events.ts';
import { RepositoryWatcher } from './repository/repository-watcher.ts';
import type { ResponseCache } from './scheduling/response-cache.ts';
import { createResponseCache } from './scheduling/response-cache.ts';
import type { ClientEntry } from './service/client-book.ts';
import { AbsentCudaSharedMemory } from './service/cuda-shared-memory.ts';
import type { InferenceService } from './service/inference-service.ts';
import { EngineInferenceService } from './service/inference-service-impl.ts';
import { ServerState } from './service/server-state.ts';
import { SharedMemoryNames } from './service/shared-memory-regions.ts';
import { sharedMemoryFolder, SystemSharedMemory } from './service/system-shared-memory.ts';
import { TraceSampler } from './tracing/trace-sampler.ts';
import type { TraceStart } from './tracing/trace-settings.ts';
import { TraceSettings } from './tracing/trace-settings.ts';
import { readTraceStart } from './tracing/trace-start.ts';

const log = getLogger('server');

const EXIT_TIMEOUT_TEXT = 'Exit timeout expired. Exiting immediately.';
/** What has no budget of its own, and what frees resources, may end this much after the exit timeout. */
const SETTLE_NS = 1e9;

export interface EngineDeps extends RepositoryBuildDeps {
  /** Where log lines are printed, for the format setting; default: nowhere that has one. */
  readonly logOutput?: Pick<LogOutput, 'format' | 'setFormat'>;
  /** Start-up trace settings as the command line read them; default: from the options alone. */
  readonly traceStart?: TraceStart;
  /** Value of CUDA_VISIBLE_DEVICES, for GPU metrics. */
  readonly visibleDevices?: string | undefined;
  /** Waits of gRPC calls for tests; default: none. */
  readonly grpcDelays?: GrpcDelays | undefined;
  readonly clock?: Clock;
  /** Besides the built-in ones; one of the same name takes its place. */
  readonly backends?: readonly Backend[];
  /** Usable GPUs, ascending by id; default: what this machine has. */
  readonly gpuInventory?: readonly GpuDevice[];
  /** The start set was tried, successfully or not, and the server will run. */
  readonly onStartSetTried?: (() => Promise<void>) | undefined;
  /** The listeners are open; with `listen: 'first'` before any model is loaded. */
  readonly onListening?: ((ports: EnginePorts) => void) | undefined;
  /**
   * The listeners could not be opened at the start. The engine goes on without them, and loads its models;
   * `openListeners` tries again. Default: the start fails.
   */
  readonly onListenFailed?: ((thrown: unknown) => Promise<void>) | undefined;
  /** Told before each request of a model. Must be quick. */
  readonly onModelUse?: ((modelName: string) => void) | undefined;
}

type EngineHooks = Pick<EngineDeps, 'onListening' | 'onListenFailed' | 'onStartSetTried'>;

export interface CloseReport {
  /** False when the exit timeout passed first. */
  readonly isClean: boolean;
}

export class Engine {
  readonly service: InferenceService;
  readonly repository: ModelRepository;
  readonly state: ServerState;
  /** undefined when the server has no response cache. */
  readonly cache: ResponseCache | undefined;
  /** undefined when metrics are off. */
  readonly metrics: ServerMetrics | undefined;
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #listeners: EngineListeners;
  readonly #pollLoop: PollLoop;
  readonly #watcher: RepositoryWatcher;
  readonly #owned: Disposer;
  readonly #hooks: EngineHooks;
  /** The backends that models can ask for. */
  readonly backends: BackendRegistry;
  readonly #machine: { readonly gpuInventory: readonly GpuDevice[] };
  readonly #prepare: () => Promise<void>;
  #closing: Promise<CloseReport> | undefined;

  constructor(parts: {
    readonly options: EngineOptions;
    readonly clock: Clock;
    readonly service: InferenceService;
    readonly repository: ModelRepository;
    readonly state: ServerState;
    readonly cache: ResponseCache | undefined;
    readonly metrics: ServerMetrics | undefined;
    readonly listeners: EngineListeners;
    readonly owned: Disposer;
    readonly hooks: EngineHooks;
    readonly backends: BackendRegistry;
    readonly machine: { readonly gpuInventory: readonly GpuDevice[] };
    /** Finds out what must be known before models are loaded. */
    readonly prepare: () => Promise<void>;
  }) {
    this.service = parts.service;
    this.repository = parts.repository;
    this.state = parts.state;
    this.cache = parts.cache;
    this.metrics = parts.metrics;
    this.#options = parts.options;
    this.#clock = parts.clock;
    this.#listeners = parts.listeners;
    this.#owned = parts.owned;
    this.#hooks = parts.hooks;
    this.backends = parts.backends;
    this.#machine = parts.machine;
    this.#prepare = parts.prepare;
    this.#pollLoop = new PollLoop({
      clock: parts.clock,
      intervalMs: parts.options.repository.pollSec * 1000,
      round: () => this.repository.poll(),
    });
    this.#watcher = new RepositoryWatcher({ clock: parts.clock, events: this.events });
  }

  get events(): EventBus<RepositoryEvents> {
    return this.repository.events;
  }

  /** Ports the listeners have; undefined = off or not open yet. */
  get ports(): EnginePorts {
    return this.#listeners.ports;
  }

  /** Ports that the next opening takes; undefined = that endpoint is disabled. */
  get wantedPorts(): WantedPorts {
    return this.#listeners.wanted;
  }

  /** Ids of the usable GPUs; empty until the start looked for them. */
  get gpuIds(): readonly number[] {
    return this.#machine.gpuInventory.map(({ id }) => id);
  }

  /** Programs that called, seen last first. */
  get clients(): readonly Readonly<ClientEntry>[] {
    return this.#listeners.clients;
  }

  /** Requests taken by each endpoint. */
  get requestCounts(): EndpointCounts {
    return this.#listeners.requestCounts;
  }

  /**
   * Loads the start set and opens the listeners, in the order of the options. Throws when the server cannot run: a
   * model of the start set failed under exit-on-error, or a port is taken. What was started is closed then.
   */
  async start(): Promise<void> {
    try {
      if (this.#options.server.listen === 'first') await this.#open();
      await this.#prepare();
      await this.#loadStartSet();
      await this.#hooks.onStartSetTried?.();
      if (this.#options.server.listen === 'after-start-set') await this.#open();
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
    const { controlMode, pollSec, watch } = this.#options.repository;
    if (controlMode === 'poll' && pollSec > 0) this.#pollLoop.start();
    if (watch) await this.#watchRepositories();
  }

  /** Opens the listeners again after `closeListeners`, on other ports when given. Throws when a port is taken. */
  async openListeners(ports: WantedPorts = {}): Promise<EnginePorts> {
    if (!this.#listeners.isOpen) await this.#listeners.open(ports);
    this.#hooks.onListening?.(this.ports);
    return this.ports;
  }

  /** Closes the listeners within the exit budget, or when `signal` aborts; models stay loaded. */
  async closeListeners(signal?: AbortSignal): Promise<void> {
    this.#listeners.stopAccepting();
    await this.#listeners.pause(this.#clock.nowNs() + this.#options.server.exitTimeoutSec * 1e9, signal);
  }

  /** Graceful stop: listeners, requests in flight, models, workers; one budget for all. Idempotent. */
  close(): Promise<CloseReport> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #open(): Promise<void> {
    const { onListening, onListenFailed } = this.#hooks;
    try {
      await this.#listeners.open();
    } catch (thrown) {
      if (onListenFailed === undefined) throw thrown;
      await onListenFailed(thrown);
      return;
    }
    onListening?.(this.ports);
  }

  async #loadStartSet(): Promise<void> {
    try {
      const { failed } = await this.repository.start();
      const [first] = failed.values();
      if (first !== undefined && this.#options.server.exitOnError) {
        throw internal('failed to load all models', { cause: first });
      }
    } catch (thrown) {
      if (this.#options.server.exitOnError || this.state.isExiting) throw thrown;
      log.error(`the server failed to initialise: ${toServerError(thrown).message}`);
      this.state.advance('failed');
      return;
    }
    this.state.advance('ready');
  }

  async #watchRepositories(): Promise<void> {
    await this.#watcher.follow(this.repository.folders.watched);
    const following = this.events.subscribe('foldersChanged', () => {
      void this.#watcher.follow(this.repository.folders.watched);
    });
    this.#owned.defer(() => following[Symbol.dispose]());
  }

  /** One budget for all. What is held up by native code or a lost file is left to the end of the process. */
  async #stop(): Promise<CloseReport> {
    const deadlineNs = this.#clock.nowNs() + this.#options.server.exitTimeoutSec * 1e9;
    const limitNs = deadlineNs + SETTLE_NS;
    const isDrained = (await settledBefore(this.#clock, limitNs, this.#drain(deadlineNs))) === true;
    this.state.advance('stopped');
    const closed = this.#owned.close().then(() => true);
    const isClean = isDrained && (await settledBefore(this.#clock, limitNs, closed)) === true;
    if (!isClean) log.error(`failed to stop server: Internal - ${EXIT_TIMEOUT_TEXT}`);
    return { isClean };
  }

  /** True when everything accepted was answered and everything loaded is unloaded. */
  async #drain(deadlineNs: number): Promise<boolean> {
    const budget = { clock: this.#clock, deadlineNs };
    this.#listeners.stopAccepting();
    this.state.advance('exiting');
    await this.#watcher.close();
    await this.#listeners.drained(deadlineNs);
    const isDrained = await drainModels(this.repository, budget);
    // Clients that stay connected without a request may have used the budget up; unloading is not their loss.
    const unloadNs = Math.max(deadlineNs, this.#clock.nowNs() + SETTLE_NS / 2);
    const isUnloaded = await unloadAll(this.repository, { ...budget, deadlineNs: unloadNs });
    await this.#listeners.close(deadlineNs);
    await this.#pollLoop.close();
    return isDrained && isUnloaded;
  }
}

/** Builds an engine; nothing runs and no port is open before `start()`. Throws for options that contradict. */
export function createEngine(options: EngineOptions, deps: EngineDeps = {}): Engine {
  const { clock = systemClock } = deps;
  const owned = new Disposer();
  const state = new ServerState();
  const cache = createResponseCache(options.cache, clock);
  const backends = createBackends(options.backends, deps.backends ?? [], owned);
  const machine = configMachine(options.backends, deps.gpuInventory ?? [], backends.registry);
  const repository = buildRepository(options, deps, { clock, cache, backends, machine });
  const names = new SharedMemoryNames();
  const { allowClient } = options.sharedMemory;
  const folder = sharedMemoryFolder(process.platform);
  const systemSharedMemory = owned.add(new SystemSharedMemory({ allowClient, names, folder }));
  const traceSettings = new TraceSettings({
    start: deps.traceStart ?? readTraceStart(options.trace.settings),
    isKnownModel: (name) => service.isModelReady(name, ''),
  });
  const service: EngineInferenceService = new EngineInferenceService({
    serverId: options.server.id,
    controlMode: options.repository.controlMode,
    strictReadiness: options.server.strictReadiness,
    state,
    repository,
    traceSettings,
    logSettings: new LogSettings(deps.logOutput ?? new HeldFormat(options.log.format), options.log.file),
    systemSharedMemory,
    cudaSharedMemory: new AbsentCudaSharedMemory({ allowClient, names }),
    onModelUse: deps.onModelUse,
  });
  const tracer = owned.add(new TraceSampler({ settings: traceSettings, clock }));
  const metrics = buildMetrics(options, deps.visibleDevices, { clock, cache, repository, owned });
  const listeners = new EngineListeners(options, {
    service,
    clock,
    tracer,
    metricsText: metrics === undefined ? undefined : () => metrics.text(),
    delays: deps.grpcDelays,
    cacheBlocks: () => (metrics === undefined ? undefined : readCacheBlocks(metrics.custom)),
  });
  const prepare = async (): Promise<void> => {
    metrics?.start();
    if (deps.gpuInventory !== undefined) return;
    const providers = (): Promise<ReadonlySet<string>> => backends.onnxruntime.providers();
    machine.gpuInventory = await detectGpus({ ...options.backends, providers });
  };
  return new Engine({
    options,
    clock,
    service,
    repository,
    state,
    cache,
    metrics,
    listeners,
    owned,
    hooks: deps,
    backends: backends.registry,
    machine,
    prepare,
  });
}
