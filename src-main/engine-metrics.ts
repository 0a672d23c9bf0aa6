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
 * A version that is replaced while it serves hands its series on; one that is unloaded takes them with it unless it
 * is being loaded again by then, as in Triton. Either counts until its last request is over.
 */
export class ModelMetricsPublisher {
  readonly #options: ModelMetricsPublisherOptions;
  readonly #published = new Map<string, Published>();
  /** Versions that are being loaded, and the series that wait for them: of versions that ended meanwhile. */
  readonly #awaited = new Map<string, ModelMetricsHandle[]>();
  readonly #following: Subscription;

  constructor(options: ModelMetricsPublisherOptions) {
    this.#options = options;
    this.#following = options.repository.events.subscribe('versionState', ({ id, version, model, state }) => {
      const key = `${modelKey(id)}:${version}`;
      if (state === 'LOADING') this.#awaited.set(key, this.#awaited.get(key) ?? []);
      this.#update(key, model);
      if (state === 'LOADING') return;
      for (const handle of this.#awaited.get(key) ?? []) handle.release();
      this.#awaited.delete(key);
    });
  }

  close(): void {
    this.#following[Symbol.dispose]();
    for (const { handle } of this.#published.values()) handle.release();
    this.#published.clear();
  }

  #update(key: string, model: Model | undefined): void {
    const before = this.#published.get(key);
    if (before?.model === model) return;
    this.#published.delete(key);
    if (model !== undefined) this.#publish(key, model);
    before?.model.whenClosed(() => {
      const awaited = this.#awaited.get(key);
      if (awaited === undefined) before.handle.release();
      else awaited.push(before.handle);
    });
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
