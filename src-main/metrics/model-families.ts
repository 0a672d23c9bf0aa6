// The nv_inference_* families: names, help texts, kinds and when they exist.

import type { Registry } from './metric-library.ts';
import type { Clock } from '../base/clock.ts';
import type { MetricsConfig } from './metrics-config.ts';
import type { CounterName, LatencySummaries } from './model-series.ts';
import { FailureSeries, ModelSeries, labelsOf } from './model-series.ts';
import type { ModelMetricsHandle, ModelMetricsSource } from './model-source.ts';
import { FAILURE_REASONS } from './model-source.ts';
import type { Labels, SeriesValue } from './pulled-family.ts';
import { PulledFamily } from './pulled-family.ts';

interface CounterRow {
  readonly name: string;
  readonly help: string;
  readonly counter: CounterName;
  /** always; with counter latencies; with those and a response cache. */
  readonly when: 'always' | 'latencies' | 'cache';
}

const row = (name: string, help: string, counter: CounterName, when: CounterRow['when']): CounterRow => ({
  name,
  help,
  counter,
  when,
});

const CACHED = '(includes cached requests)';
const UNCACHED = '(does not include cached requests)';

const SUCCESS = row(
  'nv_inference_request_success',
  'Number of successful inference requests, all batch sizes',
  'success',
  'always',
);

const FAILURE_NAME = 'nv_inference_request_failure';
const FAILURE_HELP = 'Number of failed inference requests, all batch sizes';

const COUNTER_ROWS: readonly CounterRow[] = [
  row('nv_inference_count', `Number of inferences performed ${UNCACHED}`, 'inferences', 'always'),
  row('nv_inference_exec_count', `Number of model executions performed ${UNCACHED}`, 'executions', 'always'),
  row(
    'nv_inference_request_duration_us',
    `Cumulative inference request duration in microseconds ${CACHED}`,
    'requestUs',
    'latencies',
  ),
  row(
    'nv_inference_queue_duration_us',
    `Cumulative inference queuing duration in microseconds ${CACHED}`,
    'queueUs',
    'latencies',
  ),
  row(
    'nv_inference_compute_input_duration_us',
    `Cumulative compute input duration in microseconds ${UNCACHED}`,
    'inputUs',
    'latencies',
  ),
  row(
    'nv_inference_compute_infer_duration_us',
    `Cumulative compute inference duration in microseconds ${UNCACHED}`,
    'inferUs',
    'latencies',
  ),
  row(
    'nv_inference_compute_output_duration_us',
    `Cumulative inference compute output duration in microseconds ${UNCACHED}`,
    'outputUs',
    'latencies',
  ),
  row('nv_cache_num_hits_per_model', 'Number of cache hits per model', 'cacheHits', 'cache'),
  row(
    'nv_cache_hit_duration_per_model',
    'Total cache hit duration per model, in microseconds',
    'cacheHitUs',
    'cache',
  ),
  row('nv_cache_num_misses_per_model', 'Number of cache misses per model', 'cacheMisses', 'cache'),
  row(
    'nv_cache_miss_duration_per_model',
    'Total cache miss (insert+lookup) duration per model, in microseconds',
    'cacheMissUs',
    'cache',
  ),
];

interface SummaryRow {
  readonly name: string;
  readonly help: string;
  readonly series: keyof Pick<
    LatencySummaries,
    'requests' | 'queue' | 'input' | 'infer' | 'output' | 'hit' | 'miss'
  >;
  readonly when: 'always' | 'cache' | 'no-cache';
}

const SUMMARY_ROWS: readonly SummaryRow[] = [
  {
    name: 'nv_inference_request_summary_us',
    help: `Summary of inference request duration in microseconds ${CACHED}`,
    series: 'requests',
    when: 'no-cache',
  },
  {
    name: 'nv_inference_queue_summary_us',
    help: `Summary of inference queuing duration in microseconds ${CACHED}`,
    series: 'queue',
    when: 'always',
  },
  {
    name: 'nv_inference_compute_input_summary_us',
    help: `Cumulative compute input duration in microseconds ${UNCACHED}`,
    series: 'input',
    when: 'always',
  },
  {
    name: 'nv_inference_compute_infer_summary_us',
    help: `Cumulative compute inference duration in microseconds ${UNCACHED}`,
    series: 'infer',
    when: 'always',
  },
  {
    name: 'nv_inference_compute_output_summary_us',
    help: `Cumulative inference compute output duration in microseconds ${UNCACHED}`,
    series: 'output',
    when: 'always',
  },
  {
    name: 'nv_cache_hit_summary_per_model',
    help: 'Summary of cache hit counts/durations per model, in microseconds.',
    series: 'hit',
    when: 'cache',
  },
  {
    name: 'nv_cache_miss_summary_per_model',
    help: 'Summary of cache miss counts/durations per model, in microseconds.',
    series: 'miss',
    when: 'cache',
  },
];

const HISTOGRAM_NAME = 'nv_inference_first_response_histogram_ms';

/**
 * Versions with the same labels share one series, which goes with the last of them: a version that is replaced
 * hands its counters on.
 */
export class ModelFamilies {
  readonly #registry: Registry;
  readonly #config: MetricsConfig;
  readonly #clock: Clock;
  readonly #series = new Map<string, ModelSeries>();
  readonly #failures = new Map<string, FailureSeries>();

  constructor(registry: Registry, config: MetricsConfig, clock: Clock) {
    this.#registry = registry;
    this.#config = config;
    this.#clock = clock;
  }

  /** Publishes a loaded version. */
  add(source: ModelMetricsSource): ModelMetricsHandle {
    const labels = labelsOf(source);
    const key = JSON.stringify(labels);
    const series = this.#series.get(key) ?? new ModelSeries(source, this.#config, this.#clock);
    this.#series.set(key, series);
    series.add(source);
    const failures = this.#failures.get(key) ?? new FailureSeries(labels);
    this.#failures.set(key, failures);
    const retireFailures = failures.add(source);
    const { histogram } = series;
    return {
      durations: series.summaries,
      firstResponse: histogram === undefined ? undefined : (ns) => histogram.observe(Math.trunc(ns / 1e6)),
      release: () => {
        retireFailures();
        if (series.remove(source) && this.#series.get(key) === series) this.#series.delete(key);
      },
    };
  }

  /** Each of the four is called once; the order of the calls is that of the exposition. */
  registerCounters(): void {
    this.#counterFamily(SUCCESS);
    new PulledFamily(this.#registry, { name: FAILURE_NAME, help: FAILURE_HELP, kind: 'counter' }, () =>
      this.#failureValues(),
    );
    for (const counter of COUNTER_ROWS) {
      if (counter.when === 'always' || this.#config.counterLatencies) this.#counterFamily(counter);
    }
  }

  /** Requests that wait, and times of loads in seconds. */
  registerGauges(): void {
    this.#gauge(
      'nv_inference_pending_request_count',
      'Instantaneous number of pending requests awaiting execution per-model.',
      (series) => series.pendingCount,
    );
    this.#gauge('nv_model_load_duration_secs', 'Model load time in seconds', (series) => series.loadSeconds);
  }

  /** Nothing unless the configuration asks for histograms. Milliseconds. */
  registerHistograms(): void {
    if (!this.#config.histogramLatencies) return;
    const help = 'Duration from request to first response in milliseconds';
    new PulledFamily(this.#registry, { name: HISTOGRAM_NAME, help, kind: 'histogram' }, () =>
      this.#gather((series) => series.histogram?.series(HISTOGRAM_NAME, series.labels)),
    );
  }

  /** Nothing unless the configuration asks for summaries. Microseconds. */
  registerSummaries(): void {
    if (!this.#config.summaryLatencies) return;
    for (const { name, help, series: field, when } of SUMMARY_ROWS) {
      new PulledFamily(this.#registry, { name, help, kind: 'summary' }, () =>
        this.#gather((series) => {
          if (when !== 'always' && series.isCacheEnabled !== (when === 'cache')) return undefined;
          return series.summaries?.[field].series(name, series.labels);
        }),
      );
    }
  }

  #counterFamily({ name, help, counter, when }: CounterRow): void {
    new PulledFamily(this.#registry, { name, help, kind: 'counter' }, () => {
      const values: SeriesValue[] = [];
      for (const series of this.#series.values()) {
        if (when === 'cache' && !series.isCacheEnabled) continue;
        values.push({ labels: series.labels, value: this.#count(series.counters()[counter]) });
      }
      return values;
    });
  }

  /** Without counter latencies every counter stays at 0. */
  #count(value: number): number {
    return this.#config.counterLatencies ? value : 0;
  }

  #failureValues(): SeriesValue[] {
    const values: SeriesValue[] = [];
    for (const failures of this.#failures.values()) {
      const counts = failures.counts();
      for (const reason of FAILURE_REASONS) {
        values.push({ labels: withReason(failures.labels, reason), value: this.#count(counts[reason]) });
      }
    }
    return values;
  }

  #gauge(name: string, help: string, read: (series: ModelSeries) => number): void {
    new PulledFamily(this.#registry, { name, help, kind: 'gauge' }, () =>
      [...this.#series.values()].map((series) => ({ labels: series.labels, value: read(series) })),
    );
  }

  async #gather(
    read: (series: ModelSeries) => SeriesValue[] | Promise<SeriesValue[]> | undefined,
  ): Promise<SeriesValue[]> {
    const parts = await Promise.all([...this.#series.values()].map((series) => read(series) ?? []));
    return parts.flat();
  }
}

/** `reason` stands before `version` in the sorted order. */
function withReason(labels: Labels, reason: string): Labels {
  const { version, ...others } = labels;
  return { ...others, reason, ...(version === undefined ? undefined : { version }) };
}
