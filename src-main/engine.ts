// The running engine: its order of start and stop, and what shells ask of it. What it is made of is put together in
// create-engine.ts.

import { usableGpus } from '../src-shared/config/usable-gpus.ts';
import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import type { ServerError } from '../src-shared/errors.ts';
import { STATUS_WORDS, toServerError } from '../src-shared/errors.ts';
import type { Clock } from './base/clock.ts';
import { settledBefore } from './base/deadline.ts';
import type { Disposer } from './base/disposer.ts';
import type { EventBus } from './base/event-bus.ts';
import { getLogger } from './base/log.ts';
import type { EndpointCounts, EngineListeners, EnginePorts, WantedPorts } from './engine-listeners.ts';
import type { BackendRegistry } from './inference/backend-registry.ts';
import type { ServerMetrics } from './metrics/server-metrics.ts';
import type { EngineOptions } from './options/engine-options.ts';
import { drainModels, unloadAll } from './repository/model-drain.ts';
import type { ModelRepository } from './repository/model-repository.ts';
import { isStorePath, shownPath } from './object-stores/store-path.ts';
import { PollLoop } from './repository/poll-loop.ts';
import type { RepositoryEvents } from './repository/repository-events.ts';
import { RepositoryWatcher } from './repository/repository-watcher.ts';
import type { ResponseCache } from './scheduling/response-cache.ts';
import type { ClientEntry } from './service/client-book.ts';
import type { InferenceService } from './service/inference-service.ts';
import { serverErrors } from './service/server-errors.ts';
import type { ServerState } from './service/server-state.ts';
import type { LiveTracing } from './tracing/live-tracing.ts';
import type { SlowTraces } from './tracing/slow-traces.ts';

const log = getLogger('server');
/** A round of polling in the middle of an upload sees half a model. */
const UPLOAD_ADVICE =
  'upload the last file of a version last, or upload elsewhere and copy, or load explicitly when an upload is done';

const EXIT_TIMEOUT_TEXT = 'Exit timeout expired. Exiting immediately.';
/** What has no budget of its own, and what frees resources, may end this much after the exit timeout. */
const SETTLE_NS = 1e9;

/** What happens around the start, for whoever runs the engine. */
export interface EngineHooks {
  /**
   * The start set was tried, successfully or not; whether the server will run is not decided by it. `areModelsKnown` is
   * false when the repositories could not be read.
   */
  readonly onStartSetTried?: ((areModelsKnown: boolean) => void) | undefined;
  /** The listeners are open; with `listen: 'first'` before any model is loaded. */
  readonly onListening?: ((ports: EnginePorts) => void) | undefined;
  /**
   * The listeners could not be opened at the start. The engine goes on without them, and loads its models;
   * `openListeners` tries again. Default: the start fails.
   */
  readonly onListenFailed?: ((thrown: unknown) => Promise<void>) | undefined;
}

/** What an engine knows of its machine only after the start. */
export interface MachineFacts {
  readonly gpuInventory: readonly GpuDevice[];
  readonly backendsAsked: ReadonlySet<string>;
}

/** The parts of an engine, built; closing it closes them. */
export interface EngineParts {
  readonly options: EngineOptions;
  readonly clock: Clock;
  readonly service: InferenceService;
  readonly repository: ModelRepository;
  readonly state: ServerState;
  readonly cache: ResponseCache | undefined;
  readonly metrics: ServerMetrics | undefined;
  readonly listeners: EngineListeners;
  /** Closed last. */
  readonly owned: Disposer;
  readonly hooks: EngineHooks;
  readonly backends: BackendRegistry;
  readonly machine: MachineFacts;
  /** Finds out what must be known before models are loaded. */
  readonly prepare: () => Promise<void>;
  readonly tracing: LiveTracing;
  readonly slowTraces: SlowTraces;
}

/** How an engine was closed. */
export interface CloseReport {
  /** False when the exit timeout passed first. */
  readonly isClean: boolean;
}

/**
 * `start` may be called once. `close` may come at any time, during the start too; whoever calls it again waits
 * for the same end.
 */
export class Engine {
  readonly #parts: EngineParts;
  readonly #pollLoop: PollLoop;
  readonly #watcher: RepositoryWatcher;
  /** False once the repositories could not be read at the start. */
  #hasRepositories = true;
  #closing: Promise<CloseReport> | undefined;
  /** While the listeners are being opened: closing them in the middle would leave those that come after. */
  #opening: Promise<unknown> | undefined;

  constructor(parts: EngineParts) {
    const { clock, options, repository } = parts;
    this.#parts = parts;
    this.#pollLoop = new PollLoop({
      clock,
      intervalMs: options.repository.pollSec * 1000,
      round: () => repository.poll(),
    });
    this.#watcher = new RepositoryWatcher({ clock, events: repository.events });
  }

  /** What the protocols are answered by; refuses until the start has come so far. */
  get service(): InferenceService {
    return this.#parts.service;
  }

  /** For the window, which may do what clients may not. The engine closes it. */
  get repository(): ModelRepository {
    return this.#parts.repository;
  }

  /** Traces for the window. */
  get tracing(): LiveTracing {
    return this.#parts.tracing;
  }

  /** Traces of a model's slowest requests while a load test asks for them. */
  get slowTraces(): SlowTraces {
    return this.#parts.slowTraces;
  }

  /** Live; only the engine advances it. */
  get state(): ServerState {
    return this.#parts.state;
  }

  /** undefined when the server has no response cache. */
  get cache(): ResponseCache | undefined {
    return this.#parts.cache;
  }

  /** undefined when metrics are off. */
  get metrics(): ServerMetrics | undefined {
    return this.#parts.metrics;
  }

  /** The backends that models can ask for. */
  get backends(): BackendRegistry {
    return this.#parts.backends;
  }

  /** Those of the repository. Whoever subscribes ends it. */
  get events(): EventBus<RepositoryEvents> {
    return this.repository.events;
  }

  /** Ports the listeners have; undefined = off or not open yet. */
  get ports(): EnginePorts {
    return this.#parts.listeners.ports;
  }

  /** Ports that the next opening takes; undefined = that endpoint is disabled. */
  get wantedPorts(): WantedPorts {
    return this.#parts.listeners.wanted;
  }

  /** The GPUs that ONNX Runtime can use; empty until the start looked for them. */
  get gpus(): readonly GpuDevice[] {
    return this.#parts.machine.gpuInventory.filter(({ isForProcessesOnly }) => isForProcessesOnly !== true);
  }

  /** Ids of the GPUs that ONNX Runtime can use. */
  get gpuIds(): readonly number[] {
    return this.gpus.map(({ id }) => id);
  }

  /** Ids of the GPUs that models in processes of their own can use. */
  get gpuIdsOfProcesses(): readonly number[] {
    return usableGpus(
      { gpuInventory: this.#parts.machine.gpuInventory, backends: this.backends.descriptions },
      'python',
    ).map(({ id }) => id);
  }

  /** Backends that a model was to be loaded with, successfully or not. */
  get backendsAsked(): ReadonlySet<string> {
    return this.#parts.machine.backendsAsked;
  }

  /** Programs that called, seen last first. */
  get clients(): readonly Readonly<ClientEntry>[] {
    return this.#parts.listeners.clients;
  }

  /** Requests taken by each endpoint. */
  get requestCounts(): EndpointCounts {
    return this.#parts.listeners.requestCounts;
  }

  /**
   * Loads the start set and opens the listeners, in the order of the options. Throws when the server cannot run: a
   * model of the start set failed under exit-on-error, or a port is taken. What was started is closed then. Throws UNAVAILABLE
   * when `close` came meanwhile.
   */
  async start(): Promise<void> {
    try {
      if (this.#parts.options.server.listen === 'first') await this.#open();
      await this.#parts.prepare();
      this.#checkOpen();
      const fault = await this.#loadStartSet();
      this.#parts.hooks.onStartSetTried?.(this.#hasRepositories);
      this.#checkOpen();
      this.#settle(fault);
      if (this.#parts.options.server.listen === 'after-start-set') await this.#open();
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
    const { controlMode, pollSec, watch, paths } = this.#parts.options.repository;
    if (!this.#hasRepositories) return;
    if (controlMode === 'poll' && pollSec > 0) {
      for (const path of paths.filter(isStorePath))
        log.info(`${shownPath(path)} is polled: ${UPLOAD_ADVICE}`);
      this.#pollLoop.start();
    }
    if (watch) await this.#watchRepositories();
  }

  /** Opens the listeners again after `closeListeners`, on other ports when given. Throws when a port is taken. */
  async openListeners(ports: WantedPorts = {}): Promise<EnginePorts> {
    if (!this.#parts.listeners.isOpen) await this.#listen(ports);
    this.#parts.hooks.onListening?.(this.ports);
    return this.ports;
  }

  /** Closes the listeners within the exit budget, or when `signal` aborts; models stay loaded. */
  async closeListeners(signal?: AbortSignal): Promise<void> {
    this.#parts.listeners.stopAccepting();
    await this.#parts.listeners.pause(
      this.#parts.clock.nowNs() + this.#parts.options.server.exitTimeoutSec * 1e9,
      signal,
    );
  }

  /** Graceful stop: listeners, requests in flight, models, workers; one budget for all. Idempotent. */
  close(withinSec = Infinity): Promise<CloseReport> {
    this.#closing ??= this.#stop(Math.max(0, Math.min(withinSec, this.#parts.options.server.exitTimeoutSec)));
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Throws UNAVAILABLE once the engine is being closed, also when that came while the listeners were opened. */
  async #listen(ports: WantedPorts): Promise<void> {
    this.#checkOpen();
    const opening = this.#parts.listeners.open(ports);
    this.#opening = Promise.allSettled([opening]);
    await opening;
    this.#checkOpen();
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw serverErrors.exiting();
  }

  async #open(): Promise<void> {
    const { onListening, onListenFailed } = this.#parts.hooks;
    try {
      await this.#listen({});
    } catch (thrown) {
      if (onListenFailed === undefined || this.#closing !== undefined) throw thrown;
      await onListenFailed(thrown);
      return;
    }
    onListening?.(this.ports);
  }

  /** Why the server is not as it was asked to be; undefined when every model of the start set is there. */
  async #loadStartSet(): Promise<ServerError | undefined> {
    try {
      const { failed, loadError } = await this.repository.start();
      const [first] = failed.values();
      if (loadError !== undefined || first === undefined) return loadError;
      return serverErrors.modelsFailed({ cause: first });
    } catch (thrown) {
      if (this.state.isExiting) throw thrown;
      this.#hasRepositories = false;
      return toServerError(thrown);
    }
  }

  /** Throws the fault under exit-on-error; else it is logged, and what is there is served. */
  #settle(fault: ServerError | undefined): void {
    if (fault !== undefined) {
      if (this.#parts.options.server.exitOnError) throw fault;
      log.error(`${STATUS_WORDS[fault.code]}: ${fault.message}`);
    }
    this.state.advance(this.#hasRepositories ? 'ready' : 'failed');
  }

  async #watchRepositories(): Promise<void> {
    await this.#watcher.follow(this.repository.folders.watched);
    const following = this.events.subscribe('foldersChanged', () => {
      void this.#watcher.follow(this.repository.folders.watched);
    });
    this.#parts.owned.defer(() => following[Symbol.dispose]());
  }

  /** One budget for all. What is held up by native code or a lost file is left to the end of the process. */
  async #stop(withinSec: number): Promise<CloseReport> {
    const deadlineNs = this.#parts.clock.nowNs() + withinSec * 1e9;
    const limitNs = deadlineNs + SETTLE_NS;
    const isDrained = (await settledBefore(this.#parts.clock, limitNs, this.#drain(deadlineNs))) === true;
    this.state.advance('stopped');
    const closed = this.#parts.owned.close().then(() => true);
    const isClean = isDrained && (await settledBefore(this.#parts.clock, limitNs, closed)) === true;
    if (!isClean) log.error(`failed to stop server: Internal - ${EXIT_TIMEOUT_TEXT}`);
    return { isClean };
  }

  /** True when everything accepted was answered and everything loaded is unloaded. */
  async #drain(deadlineNs: number): Promise<boolean> {
    const budget = { clock: this.#parts.clock, deadlineNs };
    await this.#opening;
    this.#parts.listeners.stopAccepting();
    this.state.advance('exiting');
    await this.#watcher.close();
    await this.#parts.listeners.drained(deadlineNs);
    if (!this.#hasRepositories) log.info('No server context available. Exiting immediately.');
    const isDrained = !this.#hasRepositories || (await drainModels(this.repository, budget));
    // Clients that stay connected without a request may have used the budget up; unloading is not their loss.
    const unloadNs = Math.max(deadlineNs, this.#parts.clock.nowNs() + SETTLE_NS / 2);
    const isUnloaded =
      !this.#hasRepositories || (await unloadAll(this.repository, { ...budget, deadlineNs: unloadNs }));
    await this.#parts.listeners.close(deadlineNs);
    await this.#pollLoop.close();
    return isDrained && isUnloaded;
  }
}
