// The series of one label set. Several loads can stand behind it for a while (a reload loads before it releases), so
// it sums them; what a released load had counted stays in the sums until the last one is gone.

import type { Clock } from '../base/clock.ts';
import type { ModelStatisticsSnapshot, StatisticDuration } from './infer-statistics.ts';
import { HistogramSeries, SummarySeries } from './latency-series.ts';
import type { MetricsConfig } from './metrics-config.ts';
import type {
  FailureCounts,
  ModelDurationObserver,
  ModelMetricsSource,
  ObservedDurations,
} from './model-source.ts';
import { FAILURE_REASONS } from './model-source.ts';
import { noFailures } from './model-source.ts';
import type { Labels } from './pulled-family.ts';
import type { Quantile } from './quantile-sketch.ts';

/** Cumulative values by counter name. */
const COUNTERS = [
  'success',
  'inferences',
  'executions',
  'requestUs',
  'queueUs',
  'inputUs',
  'inferUs',
  'outputUs',
  'cacheHits',
  'cacheHitUs',
  'cacheMisses',
  'cacheMissUs',
] as const;

/** A counter that is published for each model version. */
export type CounterName = (typeof COUNTERS)[number];
/** Counts since the version was loaded; durations are microseconds, as Triton publishes them. */
export type CounterValues = Record<CounterName, number>;

const DEFAULT_BOUNDS_MS = [100, 500, 2000, 5000];

const us = (duration: StatisticDuration): number => Math.trunc(duration.ns / 1000);

function countersOf(statistics: ModelStatisticsSnapshot): CounterValues {
  const { inference } = statistics;
  return {
    success: inference.success.count,
    inferences: statistics.inferenceCount,
    executions: statistics.executionCount,
    requestUs: us(inference.success),
    queueUs: us(inference.queue),
    inputUs: us(inference.computeInput),
    inferUs: us(inference.computeInfer),
    outputUs: us(inference.computeOutput),
    cacheHits: inference.cacheHit.count,
    cacheHitUs: us(inference.cacheHit),
    cacheMisses: inference.cacheMiss.count,
    cacheMissUs: us(inference.cacheMiss),
  };
}

/** What no name of a label has; one such name, and a scraper reads nothing of the page. */
const NOT_OF_A_LABEL = /[^A-Za-z0-9_]/gu;

/** Label names sorted by bytes, so that tags come first and the text matches the reference's. */
export function labelsOf(source: ModelMetricsSource): Labels {
  const labels: Record<string, string> = { model: source.name, version: source.version };
  if (source.namespace !== undefined) labels['namespace'] = source.namespace;
  for (const [tag, value] of Object.entries(source.tags)) {
    labels[`_${tag.replaceAll(NOT_OF_A_LABEL, '_')}`] = value;
  }
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The durations of a request that the reference has summaries of: all of it, its parts, and the cache. */
export class LatencySummaries implements ModelDurationObserver {
  readonly requests: SummarySeries;
  readonly queue: SummarySeries;
  readonly input: SummarySeries;
  readonly infer: SummarySeries;
  readonly output: SummarySeries;
  readonly hit: SummarySeries;
  readonly miss: SummarySeries;

  constructor(quantiles: readonly Quantile[], clock: Clock) {
    const make = (): SummarySeries => new SummarySeries(quantiles, clock);
    this.requests = make();
    this.queue = make();
    this.input = make();
    this.infer = make();
    this.output = make();
    this.hit = make();
    this.miss = make();
  }

  request(durations: ObservedDurations): void {
    this.requests.observeNs(durations.requestNs);
    this.queue.observeNs(durations.queueNs);
    if (durations.computeInputNs !== undefined) this.input.observeNs(durations.computeInputNs);
    if (durations.computeInferNs !== undefined) this.infer.observeNs(durations.computeInferNs);
    if (durations.computeOutputNs !== undefined) this.output.observeNs(durations.computeOutputNs);
  }

  cacheHit(durationNs: number): void {
    this.hit.observeNs(durationNs);
  }

  cacheMiss(durationNs: number): void {
    this.miss.observeNs(durationNs);
  }
}

/** Counters and latencies of one model version as `/metrics` prints them. */
export class ModelSeries {
  readonly labels: Labels;
  readonly summaries: LatencySummaries | undefined;
  readonly histogram: HistogramSeries | undefined;
  readonly #sources = new Set<ModelMetricsSource>();
  readonly #retired: CounterValues = countersOf(NOTHING);

  constructor(first: ModelMetricsSource, config: MetricsConfig, clock: Clock) {
    this.labels = labelsOf(first);
    this.summaries = config.summaryLatencies
      ? new LatencySummaries(config.summaryQuantiles, clock)
      : undefined;
    this.histogram = config.histogramLatencies
      ? new HistogramSeries(first.histogramBoundsMs ?? DEFAULT_BOUNDS_MS)
      : undefined;
  }

  /** One more load behind the series; `remove` takes it out. */
  add(source: ModelMetricsSource): void {
    this.#sources.add(source);
  }

  /** True when nothing stands behind the series any more. */
  remove(source: ModelMetricsSource): boolean {
    if (this.#sources.delete(source)) addTo(this.#retired, countersOf(source.statistics()));
    return this.#sources.size === 0;
  }

  /** Any load behind it uses the response cache. */
  get isCacheEnabled(): boolean {
    return [...this.#sources].some((source) => source.isCacheEnabled);
  }

  /** Of the newest load that is done; 0 before. */
  get loadSeconds(): number {
    const loads = [...this.#sources].map((source) => source.loadSeconds());
    return loads.findLast((seconds) => seconds > 0) ?? 0;
  }

  /** Requests of all loads that wait now. */
  get pendingCount(): number {
    return [...this.#sources].reduce((sum, source) => sum + source.pendingCount(), 0);
  }

  /** Sums of all loads, those that are gone included. */
  counters(): CounterValues {
    const sums = { ...this.#retired };
    for (const source of this.#sources) addTo(sums, countersOf(source.statistics()));
    return sums;
  }
}

function addTo(sums: CounterValues, values: CounterValues): void {
  for (const name of COUNTERS) sums[name] += values[name];
}

/** Failures outlive unloads: the series stay and go on counting after a reload. */
export class FailureSeries {
  readonly labels: Labels;
  readonly #live = new Set<() => FailureCounts>();
  readonly #retired = noFailures();

  constructor(labels: Labels) {
    this.labels = labels;
  }

  /** One more load behind the series. The function that is handed back ends that and keeps its counts. */
  add(source: ModelMetricsSource): () => void {
    const { failures } = source;
    this.#live.add(failures);
    return () => {
      if (!this.#live.delete(failures)) return;
      const last = failures();
      for (const reason of FAILURE_REASONS) this.#retired[reason] += last[reason];
    };
  }

  /** Sums of all loads, those that are gone included. */
  counts(): FailureCounts {
    const sums = { ...this.#retired };
    for (const failures of this.#live) {
      const now = failures();
      for (const reason of FAILURE_REASONS) sums[reason] += now[reason];
    }
    return sums;
  }
}

const ZERO: StatisticDuration = { count: 0, ns: 0 };

const NOTHING: ModelStatisticsSnapshot = {
  name: '',
  version: '',
  lastInferenceMs: 0,
  inferenceCount: 0,
  executionCount: 0,
  inference: {
    success: ZERO,
    fail: ZERO,
    queue: ZERO,
    computeInput: ZERO,
    computeInfer: ZERO,
    computeOutput: ZERO,
    cacheHit: ZERO,
    cacheMiss: ZERO,
  },
  responses: {},
  batches: [],
  memoryUsage: [],
};
