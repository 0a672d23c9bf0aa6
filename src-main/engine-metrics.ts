// Publishes every serving model version to the metrics and takes it back when the version goes. Follows the events of
// the repository, so neither the repository nor the metrics know of each other.

import { CUSTOMIZABLE_METRIC_FAMILY } from '../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../src-shared/config/model-config.ts';
import type { Subscription } from './base/event-bus.ts';
import type { ModelMetricsHandle, ModelMetricsSource } from './metrics/model-source.ts';
import type { Model } from './repository/model.ts';
import { modelKey } from './repository/model-identity.ts';
import type { ModelRepository } from './repository/model-repository.ts';
import { usesResponseCache } from './scheduling/model-cache.ts';

interface Published {
  readonly model: Model;
  readonly handle: ModelMetricsHandle;
}

interface ModelMetricsPublisherOptions {
  readonly repository: ModelRepository;
  readonly metrics: { addModel(source: ModelMetricsSource): ModelMetricsHandle };
}

/**
 * A version that is replaced while it serves hands its series on; one that is unloaded takes them with it, as in
 * Triton.
 */
export class ModelMetricsPublisher {
  readonly #options: ModelMetricsPublisherOptions;
  readonly #published = new Map<string, Published>();
  readonly #following: Subscription;

  constructor(options: ModelMetricsPublisherOptions) {
    this.#options = options;
    this.#following = options.repository.events.subscribe('versionState', ({ id, version, model }) =>
      this.#update(`${modelKey(id)}:${version}`, model),
    );
  }

  close(): void {
    this.#following[Symbol.dispose]();
    for (const key of [...this.#published.keys()]) this.#update(key, undefined);
  }

  #update(key: string, model: Model | undefined): void {
    const before = this.#published.get(key);
    if (before?.model === model) return;
    this.#published.delete(key);
    if (model !== undefined) this.#publish(key, model);
    // After the new one is there, so that the counters go on over a reload.
    before?.handle.release();
  }

  #publish(key: string, model: Model): void {
    const handle = this.#options.metrics.addModel(sourceOf(model));
    model.runtime.statistics.observer = handle.durations;
    model.runtime.firstResponse = handle.firstResponse;
    this.#published.set(key, { model, handle });
  }
}

function sourceOf(model: Model): ModelMetricsSource {
  const { id, version, config, runtime, backendModel, timings } = model;
  const { statistics } = runtime;
  return {
    name: id.name,
    version,
    namespace: id.namespace === '' ? undefined : id.namespace,
    tags: config.metricTags,
    isCacheEnabled: usesResponseCache(config),
    loadSeconds: backendModel === undefined ? 0 : timings.totalMs / 1000,
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
