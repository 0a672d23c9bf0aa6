// Publishes every model version to the metrics once it counts and takes it back when the version goes. Follows the events of
// the repository, so neither the repository nor the metrics know of each other.

import { CUSTOMIZABLE_METRIC_FAMILY } from '../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../src-shared/config/model-config.ts';
import type { Subscription } from './base/event-bus.ts';
import type { ModelMetricsHandle, ModelMetricsSource } from './metrics/model-source.ts';
import type { ModelRepository } from './repository/model-repository.ts';
import type { ModelRuntime } from './repository/model-runtime.ts';
import type { RepositoryEvents } from './repository/repository-events.ts';
import { usesResponseCache } from './scheduling/model-cache.ts';

type Begun = RepositoryEvents['countingBegins'];

interface Published {
  readonly handle: ModelMetricsHandle;
  /** 0 while it loads, and for ensembles. */
  loadSeconds: number;
}

interface ModelMetricsPublisherOptions {
  readonly repository: ModelRepository;
  readonly metrics: { addModel(source: ModelMetricsSource): ModelMetricsHandle };
}

/**
 * A version has series from the making of its instances on, until its last request is over, as in Triton: one that is
 * loaded again by then hands its counts on.
 */
export class ModelMetricsPublisher {
  readonly #options: ModelMetricsPublisherOptions;
  readonly #published = new Map<ModelRuntime, Published>();
  readonly #following: readonly Subscription[];

  constructor(options: ModelMetricsPublisherOptions) {
    this.#options = options;
    const { events } = options.repository;
    this.#following = [
      events.subscribe('countingBegins', (begun) => this.#publish(begun)),
      events.subscribe('versionState', ({ model }) => {
        if (model?.backendModel === undefined) return;
        const published = this.#published.get(model.runtime);
        if (published !== undefined) published.loadSeconds = model.timings.totalMs / 1000;
      }),
      events.subscribe('countingEnds', ({ runtime }) => {
        this.#published.get(runtime)?.handle.release();
        this.#published.delete(runtime);
      }),
    ];
  }

  /** Takes the series of all versions back. */
  close(): void {
    for (const subscription of this.#following) subscription[Symbol.dispose]();
    for (const { handle } of this.#published.values()) handle.release();
    this.#published.clear();
  }

  #publish(begun: Begun): void {
    const { runtime } = begun;
    const loadSeconds = (): number => this.#published.get(runtime)?.loadSeconds ?? 0;
    const handle = this.#options.metrics.addModel(sourceOf(begun, loadSeconds));
    runtime.statistics.observer = handle.durations;
    runtime.firstResponse = handle.firstResponse;
    this.#published.set(runtime, { handle, loadSeconds: 0 });
  }
}

function sourceOf(
  { id, version, config, runtime: { statistics } }: Begun,
  loadSeconds: () => number,
): ModelMetricsSource {
  return {
    name: id.name,
    version,
    namespace: id.namespace === '' ? undefined : id.namespace,
    tags: config.metricTags,
    isCacheEnabled: usesResponseCache(config),
    loadSeconds,
    histogramBoundsMs: histogramBounds(config),
    statistics: () => statistics.snapshot(),
    failures: () => statistics.failures,
    pendingCount: () => statistics.pendingCount,
  };
}

function histogramBounds({ modelMetrics }: ModelConfig): readonly number[] | undefined {
  const control = modelMetrics?.metricControl.find(
    ({ metricIdentifier }) => metricIdentifier?.family === CUSTOMIZABLE_METRIC_FAMILY,
  );
  return control?.histogramOptions?.buckets;
}
