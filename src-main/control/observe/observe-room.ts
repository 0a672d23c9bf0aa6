// What the server does, for pages that look: samples every second, series, statistics, executions, the doctor, logs.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { GpuUse } from '../../../src-shared/contract/gpu-use.ts';
import type { observeCalls } from '../../../src-shared/contract/observe-calls.ts';
import type { ServerSample } from '../../../src-shared/contract/observe-views.ts';
import { sampleNews } from '../../../src-shared/contract/sample-news.ts';
import type { Clock } from '../../base/clock.ts';
import { Disposer } from '../../base/disposer.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { servedVersions } from '../catalog/serving-model.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';
import { ModelSampler } from '../series/model-sampler.ts';
import { ObservedModels } from '../series/observed-models.ts';
import { ChartMarkers } from './chart-markers.ts';
import { LogHistory } from './log-history.ts';
import { observeHandlers } from './observe-handlers.ts';
import { ProcessMeter } from './process-meter.ts';
import { ResourceHistory } from './resource-history.ts';
import { ViewResets } from './view-resets.ts';

/** What the room is made of. It closes none of it. */
export interface ObserveRoomOptions {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly publish: Publish;
  /** Messages dropped in favour of newer ones, over all pages. */
  readonly droppedCount: () => number;
  /** Undefined where no GPU can be read. */
  readonly gpuUse?: (() => GpuUse | undefined) | undefined;
  /** About once a second. */
  readonly onSample: () => void;
}

/** Keeps its histories whether a page looks or not; at a model whose last minute a page shows it looks more often. */
export class ObserveRoom implements ControlRoom<HandlersFor<typeof observeCalls>> {
  readonly handlers: HandlersFor<typeof observeCalls>;
  readonly sampler: ModelSampler;
  readonly markers: ChartMarkers;
  readonly logs: LogHistory;
  readonly #options: ObserveRoomOptions;
  readonly #meter: ProcessMeter;
  readonly #resources = new ResourceHistory();
  readonly #disposer = new Disposer();
  #lastSampleMs = 0;
  #told: ServerSample | undefined;

  constructor(options: ObserveRoomOptions) {
    this.#options = options;
    const { clock, repository, catalog, publish } = options;
    const observed = new ObservedModels(() => repository.ready());
    this.sampler = new ModelSampler({
      clock,
      models: () => observed.all(),
      onSample: () => this.#sampled(),
    });
    this.logs = new LogHistory({ clock, onLines: (lines) => publish('observe/logLines', { lines }) });
    this.#meter = new ProcessMeter(clock);
    this.markers = this.#disposer.add(new ChartMarkers(clock, repository.events));
    this.handlers = observeHandlers({
      clock,
      catalog,
      sampler: this.sampler,
      resources: this.#resources,
      resets: new ViewResets(),
      logs: this.logs,
      served: (name, version) => servedVersions(repository, name, version),
      markers: (model) => this.markers.of(model),
      // As pages were told last: what they are told next is what is new beside it.
      sample: () => this.#told ?? this.sample(),
    });
  }

  start(): void {
    this.#meter.start();
    for (const part of [this.logs, this.sampler]) {
      part.start();
      this.#disposer.add(part);
    }
  }

  close(): Promise<void> {
    return this.#disposer.close();
  }

  /** What the server does at this moment. */
  sample(): ServerSample {
    const models = this.sampler.samples();
    const { cpuPercent, rssBytes, gpu } = this.#resources.latest;
    return {
      atMs: this.#options.clock.wallMs(),
      inferPerSecond: models.reduce((total, { inferPerSecond }) => total + inferPerSecond, 0),
      p99Us: this.sampler.totalP99Us(),
      inFlight: models.reduce((total, { inFlight }) => total + inFlight, 0),
      waiting: models.reduce((total, { waiting }) => total + waiting, 0),
      cpuPercent,
      rssBytes,
      gpu,
      models,
      droppedCount: this.#options.droppedCount(),
    };
  }

  #sampled(): void {
    const { clock, gpuUse, publish, onSample } = this.#options;
    const nowMs = clock.wallMs();
    if (this.#lastSampleMs > 0) {
      this.#resources.add(this.#lastSampleMs, nowMs - this.#lastSampleMs, this.#meter.read(), gpuUse?.());
    }
    this.#lastSampleMs = nowMs;
    const sample = this.sample();
    this.markers.look(sample.models);
    publish('observe/sample', sampleNews(this.#told, sample));
    this.#told = sample;
    onSample();
  }
}
