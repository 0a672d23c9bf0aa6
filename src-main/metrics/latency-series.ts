// Summaries and histograms of one label set, on prom-client's own classes. They observe only when the metrics
// configuration asks for them; families read their series at scrape time.

import { Histogram, Summary } from './metric-library.ts';
import type { Clock } from '../base/clock.ts';
import type { Labels, SeriesValue } from './pulled-family.ts';

/** Quantiles are over the last minute, in five buckets that rotate. */
const MAX_AGE_SECONDS = 60;
const AGE_BUCKETS = 5;

const NAME = 'series';

/** Renames the series of an unregistered metric to those of its family and puts the labels in front. */
function rename(
  values: readonly { readonly metricName?: string; readonly labels: object; readonly value: number }[],
  family: string,
  labels: Labels,
): SeriesValue[] {
  const series = values.map(({ metricName, labels: own, value }) => ({
    metricName: family + (metricName ?? NAME).slice(NAME.length),
    labels: { ...labels, ...own },
    value,
  }));
  return series.sort((a, b) => rank(a.metricName, family) - rank(b.metricName, family));
}

/** The count, the sum, then quantiles or buckets, as in the reference. */
function rank(metricName: string, family: string): number {
  if (metricName === `${family}_count`) return 0;
  return metricName === `${family}_sum` ? 1 : 2;
}

/**
 * Quantiles over a sliding window, in the unit of the observed values; NaN when nothing was observed in it.
 */
export class SummarySeries {
  readonly #summary: Summary;
  readonly #clock: Clock;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(quantiles: readonly number[], clock: Clock) {
    this.#clock = clock;
    this.#summary = new Summary({
      name: NAME,
      help: NAME,
      registers: [],
      percentiles: [...quantiles],
      maxAgeSeconds: MAX_AGE_SECONDS,
      ageBuckets: AGE_BUCKETS,
    });
  }

  /** `ns` is cut to whole microseconds. */
  observeNs(ns: number): void {
    this.#lastMs = this.#clock.wallMs();
    this.#summary.observe(Math.trunc(ns / 1000));
  }

  /** Quantiles are NaN while the window is empty; count and sum keep their totals. */
  async series(family: string, labels: Labels): Promise<SeriesValue[]> {
    const { values } = await this.#summary.get();
    const isEmpty = this.#clock.wallMs() - this.#lastMs > MAX_AGE_SECONDS * 1000;
    return rename(values, family, labels).map((series) =>
      isEmpty && 'quantile' in series.labels ? { ...series, value: Number.NaN } : series,
    );
  }
}

/** Cumulative buckets with the given upper bounds, in the unit of the observed values. */
export class HistogramSeries {
  readonly #histogram: Histogram;

  constructor(bounds: readonly number[]) {
    this.#histogram = new Histogram({ name: NAME, help: NAME, registers: [], buckets: [...bounds] });
  }

  observe(value: number): void {
    this.#histogram.observe(value);
  }

  async series(family: string, labels: Labels): Promise<SeriesValue[]> {
    const { values } = await this.#histogram.get();
    return rename(values, family, labels);
  }
}
