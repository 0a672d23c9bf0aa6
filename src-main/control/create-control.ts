// What answers the window: one room for each noun, put together here. A shell attaches a channel per page. Nothing of it
// is on the path of requests.

import type { CallHandlers } from '../../src-shared/contract/contract.ts';
import type { GpuUse } from '../../src-shared/contract/gpu-use.ts';
import type { Channel } from '../../src-shared/rpc/channel.ts';
import type { Clock } from '../base/clock.ts';
import { Disposer } from '../base/disposer.ts';
import type { ProcessSpawner } from '../base/process-spawner.ts';
import type { PlaygroundTarget } from '../playground/playground-sender.ts';
import type { ModelRepository } from '../repository/model-repository.ts';
import type { LiveTracing } from '../tracing/live-tracing.ts';
import type { SlowTraces } from '../tracing/slow-traces.ts';
import type { GpuLibraries } from './app/app-handlers.ts';
import { AnalyzeRoom } from './analyze/analyze-room.ts';
import { appHandlers } from './app/app-handlers.ts';
import { captureHandlers } from './capture/capture-handlers.ts';
import { capturedData } from './capture/captured-data.ts';
import { RequestCapture } from './capture/request-capture.ts';
import { CatalogRoom } from './catalog/catalog-room.ts';
import type { InspectionMachine } from './catalog/config-inspection.ts';
import { servingVersion } from './catalog/serving-model.ts';
import { codeHandlers } from './code/code-handlers.ts';
import { configHandlers } from './config/config-handlers.ts';
import { Bin } from './files/bin.ts';
import { BlobStore } from './files/blob-store.ts';
import { TrustedFolders } from './files/trusted-folders.ts';
import { PathGuard } from './files/path-guard.ts';
import { graphHandlers } from './graph/graph-handlers.ts';
import { handoverHandlers } from './handover/handover-handlers.ts';
import type { HandoverSource } from './handover/handover-handlers.ts';
import { inferenceRoom } from './inference/inference-room.ts';
import { metricsHandlers } from './metrics/metrics-handlers.ts';
import type { MetricsSource } from './metrics/metrics-handlers.ts';
import { ObserveRoom } from './observe/observe-room.ts';
import { ControlHub } from './pages/control-hub.ts';
import type { ControlRoom, Publish } from './pages/control-room.ts';
import { PerfRoom } from './perf/perf-room.ts';
import { frameworkHandlers } from './python/framework-handlers.ts';
import { PythonRoom } from './python/python-room.ts';
import { folderHandlers } from './repository/folder-handlers.ts';
import { repositoryHandlers } from './repository/repository-handlers.ts';
import { SavedRequests } from './saved/saved-requests.ts';
import type { ServerControl } from './server/server-control.ts';
import { ServerRoom } from './server/server-room.ts';
import { settingsRoom } from './settings/settings-room.ts';
import type { SettingsStore } from './settings/settings-store.ts';
import type { SharedMemoryDependencies } from './shared-memory/shared-memory-handlers.ts';
import { sharedMemoryHandlers } from './shared-memory/shared-memory-handlers.ts';
import { withLongCalls } from './tasks/long-calls.ts';
import { TasksRoom } from './tasks/tasks-room.ts';
import { TraceRoom } from './traces/trace-room.ts';

/** What the engine hands to its side of the window. Control closes none of it. */
export interface ControlOptions extends SharedMemoryDependencies {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly tracing: LiveTracing;
  readonly metrics: MetricsSource;
  readonly slowTraces: SlowTraces;
  readonly settings: SettingsStore;
  readonly server: ServerControl;
  readonly machine: InspectionMachine;
  readonly physicalCores: number;
  readonly defaultMaxBatchSize: number;
  readonly activeProfile: string | undefined;
  readonly userDataPath: string;
  /** Root of the page's own picker; undefined = the page has native dialogs and may name any path. */
  readonly browseRoot: string | undefined;
  /** Addresses of the inference endpoints as they are now. */
  readonly target: () => PlaygroundTarget;
  /** Folder for the models of a user who has chosen none; made when it is first needed. */
  readonly defaultRepository: string;
  /** Writes the samples where they belong; `startSet` = those that are meant to load. */
  readonly writeSamples: () => Promise<{ readonly path: string; readonly startSet: readonly string[] }>;
  /** Starts the load generator. */
  readonly spawner: ProcessSpawner;
  readonly appVersion: string;
  /** Path of the Python that the server was told to use for models of a backend; undefined = none. */
  readonly pythonSettingOf: (backend: string) => string | undefined;
  readonly gpuLibraries: GpuLibraries;
  /** The server as it could be started elsewhere. */
  readonly handover: HandoverSource;
  /** Settings were written. */
  readonly onSettings?: (keys: readonly string[]) => void;
  /** Undefined where no GPU can be read. */
  readonly gpuUse?: (() => GpuUse | undefined) | undefined;
}

/** The engine's side of the window. Whoever creates it closes it, before the engine. */
export interface Control {
  /** Starts following; before models load, so that their phases are seen. */
  start(): Promise<void>;
  /** Serves one page until its channel closes. */
  attach(channel: Channel): void;
  /** The server's state changed. */
  serverChanged(): void;
  /** Aborts the calls that run and ends what they started, rooms in reverse order. */
  close(): Promise<void>;
}

/** Nothing runs before `start`. Rooms start in the order in which they need each other and close in reverse. */
export function createControl(options: ControlOptions): Control {
  const hub: ControlHub = new ControlHub({
    clock: options.clock,
    viewsOf: (name) => rooms.models.catalog.viewsOf(name),
  });
  const rooms = createRooms(options, hub);
  const { repository } = options;
  const handlers = withLongCalls(allHandlers(options, rooms), {
    tasks: rooms.tasks.tasks,
    events: repository.events,
  });
  const { models, observe, tasks, perf, analyze, server, python, traces } = rooms;
  // In the order of their start; they are closed in reverse.
  const living: readonly ControlRoom[] = [tasks, observe, perf, analyze, python, traces, models];
  const disposer = new Disposer();
  disposer.add(hub);
  for (const room of living) disposer.defer(() => room.close?.());
  return {
    start: async () => {
      for (const room of living) await room.start?.();
    },
    attach: (channel) => hub.attach(channel, handlers),
    serverChanged: () => server.changed(),
    close: () => disposer.close(),
  };
}

interface Rooms {
  readonly models: CatalogRoom;
  readonly observe: ObserveRoom;
  readonly tasks: TasksRoom;
  readonly perf: PerfRoom;
  readonly analyze: AnalyzeRoom;
  readonly server: ServerRoom;
  readonly python: PythonRoom;
  readonly settings: ReturnType<typeof settingsRoom>;
  readonly inference: ReturnType<typeof inferenceRoom>;
  readonly capture: RequestCapture;
  readonly traces: TraceRoom;
  readonly files: SharedFiles;
}

interface SharedFiles {
  readonly guard: PathGuard;
  readonly bin: Bin;
  readonly blobs: BlobStore;
  readonly trusted: TrustedFolders;
}

function createRooms(options: ControlOptions, hub: ControlHub): Rooms {
  const { clock, settings } = options;
  const publish: Publish = (name, payload) => hub.publish(name, payload);
  const files = sharedFiles(options);
  const { blobs } = files;
  const saved = new SavedRequests(options.userDataPath);
  const tasks = new TasksRoom(clock, publish);
  const models = new CatalogRoom({ ...options, publish, onModels: (change) => hub.modelsChanged(change) });
  const { catalog } = models;
  const observe = new ObserveRoom({
    ...options,
    catalog,
    publish,
    droppedCount: () => hub.droppedCount,
    onSample: () => {
      if (hub.pageCount > 0) server.look();
    },
  });
  const capture = new RequestCapture(clock, options.repository.tapPoint);
  const perf = new PerfRoom({
    ...options,
    catalog,
    saved,
    blobs,
    publish,
    captured: (model) => capturedData(capture, model),
    tasks: tasks.tasks,
    onMark: (model, text) => observe.markers.mark(model, text),
  });
  const analyze = new AnalyzeRoom({
    ...options,
    catalog,
    publish,
    tasks: tasks.tasks,
    isMeasuring: () => perf.isMeasuring,
  });
  const server = new ServerRoom({
    ...options,
    catalog,
    publish,
    sample: () => observe.sample(),
    lastLogs: (count) => observe.logs.after(0, count),
  });
  const settingsCalls = settingsRoom(settings, (keys) => {
    options.onSettings?.(keys);
    publish('settings/changed', { keys });
    server.look();
  });
  const inference = inferenceRoom({ ...options, catalog, blobs, saved });
  const traces = new TraceRoom({ ...options, publish });
  const python = new PythonRoom({
    ...options,
    tasks: tasks.tasks,
    pythonSetting: options.pythonSettingOf('python'),
  });
  return {
    ...{ models, observe, tasks, perf, analyze, server, python, inference, capture, traces, files },
    settings: settingsCalls,
  };
}

function sharedFiles({ browseRoot, userDataPath, repository }: ControlOptions): SharedFiles {
  return {
    guard: new PathGuard(() =>
      browseRoot === undefined ? [] : [browseRoot, userDataPath, ...repository.roots],
    ),
    bin: new Bin(userDataPath),
    blobs: new BlobStore(),
    trusted: new TrustedFolders(userDataPath),
  };
}

/** Leaving a call out does not compile. */
function allHandlers(options: ControlOptions, rooms: Rooms): CallHandlers {
  const { models, observe, tasks, perf, server, python, settings, inference, files } = rooms;
  const { catalog, memory } = models;
  const shared = { ...options, ...files, catalog, tasks: tasks.tasks };
  const serving = (name: string) => servingVersion(options.repository, name, '');
  return {
    ...repositoryHandlers({ ...shared, memory }),
    ...folderHandlers(shared),
    ...configHandlers({ ...shared, serving }),
    ...codeHandlers(shared),
    ...graphHandlers({ ...shared, serving }),
    ...handoverHandlers(shared),
    ...inference.handlers,
    ...captureHandlers({ ...shared, capture: rooms.capture }),
    ...rooms.traces.handlers,
    ...observe.handlers,
    ...server.handlers,
    ...metricsHandlers(options),
    ...sharedMemoryHandlers(options),
    ...settings.handlers,
    ...tasks.handlers,
    ...python.handlers,
    ...frameworkHandlers(shared),
    ...perf.handlers,
    ...rooms.analyze.handlers,
    ...appHandlers({ ...shared, runs: perf.runs, isMeasuring: () => perf.isMeasuring }),
  };
}
