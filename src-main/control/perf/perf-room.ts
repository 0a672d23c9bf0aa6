// Load tests: the lab that runs them, the runs that are kept, and the calls about both.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { perfCalls } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProcessSpawner } from '../../base/process-spawner.ts';
import type { SlowTraceKeeper } from '../../perf/runs/model-host.ts';
import { PerfLab } from '../../perf/runs/perf-lab.ts';
import { RunStore } from '../../perf/runs/run-store.ts';
import type { PlaygroundTarget } from '../../playground/playground-sender.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';
import type { SavedRequests } from '../saved/saved-requests.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { TaskRegistry } from '../tasks/task-registry.ts';
import { perfHandlers } from './perf-handlers.ts';
import { CatalogPerfHost } from './perf-host.ts';
import { PerfTasks } from './perf-tasks.ts';

/** What the room is made of. It closes none of it. */
export interface PerfRoomOptions {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly saved: SavedRequests;
  readonly settings: SettingsStore;
  readonly tasks: TaskRegistry;
  readonly blobs: BlobStore;
  /** Captured requests to a model, for the generator; throws NOT_FOUND when there are none. */
  readonly captured: (model: string) => string;
  /** Of this server's requests, while a run asks for it. */
  readonly slowTraces: SlowTraceKeeper;
  /** Where the server listens now; an endpoint that is off is undefined. */
  readonly target: () => PlaygroundTarget;
  /** Starts the load generator. */
  readonly spawner: ProcessSpawner;
  readonly appVersion: string;
  readonly userDataPath: string;
  readonly publish: Publish;
  /** A load test of a model began or ended, for its charts. */
  readonly onMark: (model: string, text: string) => void;
}

/** One run at a time, the others wait in order. Closing it stops the run and keeps what was measured. */
export class PerfRoom implements ControlRoom<HandlersFor<typeof perfCalls>> {
  readonly handlers: HandlersFor<typeof perfCalls>;
  readonly runs: RunStore;
  readonly #options: PerfRoomOptions;
  readonly #lab: PerfLab;
  /** Id of the run that loads its model; "" = none. */
  #running = '';

  constructor(options: PerfRoomOptions) {
    this.#options = options;
    const { clock, catalog, saved, settings, tasks, blobs, userDataPath, spawner, appVersion } = options;
    const host = new CatalogPerfHost({ ...options, readBlob: (id) => saved.readBlob(id) });
    this.runs = new RunStore(userDataPath, () => Number(settings.get('data.keepRuns')));
    const perfTasks = new PerfTasks({
      tasks,
      stop: (run) => void this.#lab.stop(run).catch(() => undefined),
    });
    this.#lab = new PerfLab({
      clock,
      spawner,
      host,
      store: this.runs,
      slowTraces: options.slowTraces,
      appVersion,
      onProgress: (progress) => {
        options.publish('perf/progress', progress);
        perfTasks.progressed(progress);
      },
      onChange: (run) => {
        this.#changed(run);
        perfTasks.changed(run);
      },
    });
    this.handlers = perfHandlers(
      {
        clock,
        host,
        store: this.runs,
        lab: this.#lab,
        configOf: (model) => catalog.config(model),
        measurement: () => ({
          intervalMs: Number(settings.get('perf.windowMs')),
          stabilityPercent: Number(settings.get('perf.stabilityPercent')),
          maxWindows: Number(settings.get('perf.maxTrials')),
        }),
      },
      (bytes) => blobs.create(bytes),
    );
  }

  /** A run goes on now; runs that only wait do not count. */
  get isMeasuring(): boolean {
    return this.#lab.progress !== undefined;
  }

  close(): Promise<void> | void {
    return this.#lab.close();
  }

  /** A run that waits has not touched its model yet; one that is renamed later has not either. */
  #changed(run: PerfRunSummary): void {
    const isStart = run.state === 'running' && this.#running !== run.id;
    const isEnd = run.state !== 'running' && this.#running === run.id;
    if (isStart || isEnd) {
      this.#running = isStart ? run.id : '';
      this.#options.onMark(run.model, isStart ? 'load test' : 'load test ended');
    }
    this.#options.publish('perf/finished', { run });
  }
}
