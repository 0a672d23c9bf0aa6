// Builds what answers the window: catalog, sampler, logs, tasks, playground, and one handler per call. A shell attaches
// a channel per page. Nothing here is on the path of requests.

import type { CallHandlers } from '../../src-shared/contract/contract.ts';
import type { PerfRunSummary } from '../../src-shared/contract/perf-views.ts';
import type { Channel } from '../../src-shared/rpc/channel.ts';
import type { Clock } from '../base/clock.ts';
import { Disposer } from '../base/disposer.ts';
import type { ProcessSpawner } from '../base/process-spawner.ts';
import type { ReadBlob } from '../playground/input-builder.ts';
import { PerfLab } from '../perf/runs/perf-lab.ts';
import { RunStore } from '../perf/runs/run-store.ts';
import type { PlaygroundTarget } from '../playground/playground-sender.ts';
import { PlaygroundSender } from '../playground/playground-sender.ts';
import type { Model } from '../repository/model.ts';
import type { ModelRepository } from '../repository/model-repository.ts';
import type { GpuLibraries } from './app/app-handlers.ts';
import { appHandlers } from './app/app-handlers.ts';
import { BlobStore } from './files/blob-store.ts';
import { ChartMarkers } from './observe/chart-markers.ts';
import { configHandlers } from './config/config-handlers.ts';
import type { InspectionMachine } from './catalog/config-inspection.ts';
import { ControlHub } from './pages/control-hub.ts';
import { graphHandlers } from './graph/graph-handlers.ts';
import { folderHandlers } from './repository/folder-handlers.ts';
import { Bin } from './files/bin.ts';
import { inferenceHandlers } from './inference/inference-handlers.ts';
import { LoadMemory } from './catalog/load-memory.ts';
import { LogHistory } from './observe/log-history.ts';
import { ModelCatalog } from './catalog/model-catalog.ts';
import { ModelSampler } from './series/model-sampler.ts';
import type { ObserveDependencies } from './observe/observe-handlers.ts';
import { observeHandlers, serverSample } from './observe/observe-handlers.ts';
import { ObservedModels } from './series/observed-models.ts';
import { PathGuard } from './files/path-guard.ts';
import type { PerfDependencies } from './perf/perf-handlers.ts';
import { withLongCalls } from './tasks/long-calls.ts';
import { PerfTasks } from './perf/perf-tasks.ts';
import { perfHandlers } from './perf/perf-handlers.ts';
import { CatalogPerfHost } from './perf/perf-host.ts';
import { ProcessMeter } from './observe/process-meter.ts';
import { repositoryHandlers } from './repository/repository-handlers.ts';
import type { GpuUse } from './observe/resource-history.ts';
import { ResourceHistory } from './observe/resource-history.ts';
import { SavedRequests } from './saved/saved-requests.ts';
import type { ServerControl } from './server/server-control.ts';
import type { SettingsStore } from './settings/settings-store.ts';
import { TaskRegistry } from './tasks/task-registry.ts';
import { ViewResets } from './observe/view-resets.ts';

export interface ControlOptions {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly settings: SettingsStore;
  readonly server: ServerControl;
  readonly machine: InspectionMachine;
  readonly physicalCores: number;
  readonly defaultMaxBatchSize: number;
  readonly activeProfile: string;
  readonly userDataPath: string;
  /** Root of the page's own picker; "" = the page has native dialogs and may name any path. */
  readonly browseRoot: string;
  /** Addresses of the inference endpoints as they are now. */
  readonly target: () => PlaygroundTarget;
  /** Writes the samples where they belong; `startSet` = those that are meant to load. */
  readonly writeSamples: () => Promise<{ readonly path: string; readonly startSet: readonly string[] }>;
  /** Starts the load generator. */
  readonly spawner: ProcessSpawner;
  readonly appVersion: string;
  readonly gpuLibraries: GpuLibraries;
  /** Settings were written. */
  readonly onSettings?: (keys: readonly string[]) => void;
  /** Undefined where no GPU can be read. */
  readonly gpuUse?: (() => GpuUse | undefined) | undefined;
}

const STALE_SAMPLE_MS = 900;

export class Control {
  readonly #options: ControlOptions;
  readonly #hub: ControlHub;
  readonly #catalog: ModelCatalog;
  readonly #memory: LoadMemory;
  readonly #sampler: ModelSampler;
  readonly #logs: LogHistory;
  readonly #meter: ProcessMeter;
  readonly #observe: ObserveDependencies;
  readonly #perf: PerfDependencies;
  readonly #handlers: CallHandlers;
  readonly #markers: ChartMarkers;
  readonly #resources = new ResourceHistory();
  readonly #disposer = new Disposer();
  #lastSampleMs = 0;
  #runningTest = '';
  #lastServer = '';

  constructor(options: ControlOptions) {
    this.#options = options;
    const { clock, repository } = options;
    const observed = new ObservedModels(() => repository.ready());
    this.#hub = new ControlHub({
      clock,
      onWatchers: (isWatched) => this.#sampler.setFast(isWatched),
      viewsOf: (name) => this.#catalog.viewsOf(name),
    });
    this.#memory = new LoadMemory({
      events: repository.events,
      residentBytes: () => process.memoryUsage.rss(),
    });
    this.#disposer.add(this.#memory);
    this.#catalog = new ModelCatalog({
      repository,
      machine: options.machine,
      takenBytes: (name, version) => this.#memory.taken(name, version),
      onChange: (change) => this.#hub.modelsChanged(change),
      onRepositories: () => this.#publishRepositories(),
    });
    this.#sampler = new ModelSampler({
      clock,
      models: () => observed.all(),
      onSample: () => this.#onSample(),
    });
    this.#logs = new LogHistory({
      clock,
      onLines: (lines) => this.#hub.publish('observe/logLines', { lines }),
    });
    this.#meter = new ProcessMeter(clock);
    this.#markers = new ChartMarkers(clock, repository.events);
    this.#disposer.add(this.#markers);
    const tasks = new TaskRegistry({ clock, onChange: (view) => this.#hub.publish('observe/task', view) });
    this.#disposer.defer(() => tasks.close());
    this.#observe = this.#observeDependencies(tasks);
    this.#perf = this.#perfDependencies(tasks);
    this.#disposer.add(this.#perf.lab);
    this.#handlers = withLongCalls(this.#buildHandlers(tasks), { tasks, events: repository.events });
  }

  /** Starts following; before models load, so that their phases are seen. */
  async start(): Promise<void> {
    this.#logs.start();
    this.#disposer.add(this.#logs);
    this.#meter.start();
    this.#disposer.add(this.#meter);
    this.#sampler.start();
    this.#disposer.add(this.#sampler);
    this.#disposer.add(this.#catalog);
    this.#disposer.add(this.#hub);
    this.#followConfigs();
    await this.#catalog.start();
  }

  /** Serves one page until its channel closes. */
  attach(channel: Channel): void {
    this.#hub.attach(channel, this.#handlers);
  }

  /** The server's state changed. */
  serverChanged(): void {
    const view = this.#options.server.view();
    this.#lastServer = JSON.stringify(view);
    this.#hub.publish('server/changed', view);
  }

  /** Readiness and request counts change without anybody saying so. */
  #followServer(): void {
    if (this.#lastServer === '') return;
    if (JSON.stringify(this.#options.server.view()) !== this.#lastServer) this.serverChanged();
  }

  close(): Promise<void> {
    return this.#disposer.close();
  }

  #observeDependencies(tasks: TaskRegistry): ObserveDependencies {
    return {
      ...this.#options,
      catalog: this.#catalog,
      sampler: this.#sampler,
      resources: this.#resources,
      resets: new ViewResets(),
      logs: this.#logs,
      tasks,
      markers: (model) => this.#markers.of(model),
      droppedCount: () => this.#hub.droppedCount,
      onSettings: (keys) => {
        this.#options.onSettings?.(keys);
        this.#hub.publish('settings/changed', { keys });
      },
    };
  }

  #perfDependencies(tasks: TaskRegistry): PerfDependencies {
    const { clock, userDataPath, spawner, appVersion } = this.#options;
    const saved = new SavedRequests(userDataPath);
    const readBlob: ReadBlob = (id) => saved.readBlob(id);
    const host = new CatalogPerfHost({ ...this.#options, catalog: this.#catalog, saved, readBlob });
    const { settings } = this.#options;
    const store = new RunStore(userDataPath, () => Number(settings.get('data.keepRuns')));
    const perfTasks = new PerfTasks({ tasks, stop: (run) => void lab.stop(run).catch(() => undefined) });
    const lab: PerfLab = new PerfLab({
      clock,
      spawner,
      host,
      store,
      appVersion,
      onProgress: (progress) => {
        this.#hub.publish('perf/progress', progress);
        perfTasks.progressed(progress);
      },
      onChange: (run) => {
        this.#perfChanged(run);
        perfTasks.changed(run);
      },
    });
    return {
      clock,
      host,
      store,
      lab,
      configOf: (model) => this.#catalog.config(model),
      measurement: () => ({
        intervalMs: Number(settings.get('perf.windowMs')),
        stabilityPercent: Number(settings.get('perf.stabilityPercent')),
        maxWindows: Number(settings.get('perf.maxTrials')),
      }),
    };
  }

  #buildHandlers(tasks: TaskRegistry): CallHandlers {
    const options = this.#options;
    const { clock, target, userDataPath, browseRoot, repository } = options;
    const catalog = this.#catalog;
    const guard = new PathGuard(() =>
      browseRoot === '' ? [] : [browseRoot, userDataPath, ...repository.roots],
    );
    const bin = new Bin(userDataPath);
    const blobs = new BlobStore();
    const saved = new SavedRequests(userDataPath);
    const readBlob: ReadBlob = (id) => (SavedRequests.isSavedBlob(id) ? saved.readBlob(id) : blobs.read(id));
    const servingVersion = (name: string, version: string): Model | undefined => this.#serving(name, version);
    return {
      ...repositoryHandlers({ ...options, catalog, tasks, guard, bin, memory: this.#memory }),
      ...folderHandlers({ ...options, catalog, tasks, guard, bin }),
      ...configHandlers({ ...options, catalog, guard, serving: (name) => servingVersion(name, '') }),
      ...graphHandlers({ catalog, blobs, serving: (name) => servingVersion(name, '') }),
      ...inferenceHandlers({
        clock,
        catalog,
        blobs,
        target,
        servingVersion,
        readBlob,
        sender: new PlaygroundSender({
          clock,
          target,
          blobs: { read: readBlob, create: (bytes) => blobs.create(bytes) },
        }),
        saved,
      }),
      ...observeHandlers(this.#observe),
      ...perfHandlers(this.#perf, (bytes) => blobs.create(bytes)),
      ...appHandlers({
        ...options,
        tasks,
        bin,
        runs: this.#perf.store,
        isMeasuring: () => this.#perf.lab.progress !== undefined,
      }),
    };
  }

  #serving(name: string, version: string): Model | undefined {
    let newest: Model | undefined;
    for (const model of this.#options.repository.ready()) {
      if (model.id.name !== name || (version !== '' && model.version !== version)) continue;
      if (newest === undefined || Number(model.version) > Number(newest.version)) newest = model;
    }
    return newest;
  }

  #onSample(): void {
    const nowMs = this.#options.clock.wallMs();
    const elapsedMs = nowMs - this.#lastSampleMs;
    if (elapsedMs < STALE_SAMPLE_MS) return;
    if (this.#lastSampleMs > 0) {
      const gpu = this.#options.gpuUse?.();
      this.#resources.add(this.#lastSampleMs, elapsedMs, this.#meter.read(), gpu);
    }
    this.#lastSampleMs = nowMs;
    const sample = serverSample(this.#observe);
    this.#markers.look(sample.models);
    if (this.#hub.pageCount === 0) return;
    this.#hub.publish('observe/sample', sample);
    this.#followServer();
  }

  /** A run that waits has not touched its model yet; one that is renamed later has not either. */
  #perfChanged(run: PerfRunSummary): void {
    const isStart = run.state === 'running' && this.#runningTest !== run.id;
    const isEnd = run.state !== 'running' && this.#runningTest === run.id;
    if (isStart || isEnd) {
      this.#runningTest = isStart ? run.id : '';
      this.#markers.mark(run.model, isStart ? 'load test' : 'load test ended');
    }
    this.#hub.publish('perf/finished', { run });
  }

  #publishRepositories(): void {
    this.#hub.publish('repository/list', {
      repositories: this.#catalog.repositories,
      isScanning: this.#catalog.isScanning,
    });
  }

  #followConfigs(): void {
    const files = this.#options.repository.events.subscribe('filesChanged', ({ name, isConfig }) => {
      if (isConfig) void this.#catalog.refresh(name).then(() => this.#tellConfig(name));
    });
    this.#disposer.defer(() => files[Symbol.dispose]());
  }

  #tellConfig(model: string): void {
    if (!this.#catalog.names().includes(model)) return;
    this.#hub.publish('config/changedOnDisk', { model, hash: this.#catalog.facts(model).configHash });
  }
}
