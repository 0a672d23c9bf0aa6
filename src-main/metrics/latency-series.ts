// Summaries and histograms of one label set. They observe only when the metrics configuration asks for them; families
// read their series at scrape time.

import { Histogram } from './metric-library.ts';
import type { Clock } from '../base/clock.ts';
import type { Labels, SeriesValue } from './pulled-family.ts';
import type { Quantile } from './quantile-sketch.ts';
import { WindowQuantiles } from './quantile-sketch.ts';

/** Quantiles are over the last minute, in five parts. */
const WINDOW_MS = 60_000;
const WINDOW_PARTS = 5;

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

/** The count, the sum, then buckets, as in the reference. */
function rank(metricName: string, family: string): number {
  if (metricName === `${family}_count`) return 0;
  return metricName === `${family}_sum` ? 1 : 2;
}

/**
 * Quantiles over a sliding window, in the unit of the observed values; NaN when nothing was observed in it. Count and
 * sum keep their totals.
 */
export class SummarySeries {
  readonly #quantiles: readonly Quantile[];
  readonly #clock: Clock;
  readonly #window: WindowQuantiles;
  #count = 0;
  #sum = 0;

  constructor(quantiles: readonly Quantile[], clock: Clock) {
    this.#quantiles = quantiles;
    this.#clock = clock;
    this.#window = new WindowQuantiles(quantiles, WINDOW_MS, WINDOW_PARTS, clock.nowNs());
  }

  /** `ns` is cut to whole microseconds. */
  observeNs(ns: number): void {
    const value = Math.trunc(ns / 1000);
    this.#count += 1;
    this.#sum += value;
    this.#window.insert(value, this.#clock.nowNs());
  }

  /** What a scrape prints now: count, sum and each quantile. */
  series(family: string, labels: Labels): SeriesValue[] {
    const nowNs = this.#clock.nowNs();
    return [
      { metricName: `${family}_count`, labels, value: this.#count },
      { metricName: `${family}_sum`, labels, value: this.#sum },
      ...this.#quantiles.map(({ rank: quantile }) => ({
        metricName: family,
        labels: { ...labels, quantile: String(quantile) },
        value: this.#window.get(quantile, nowNs),
      })),
    ];
  }
}

/** Cumulative buckets with the given upper bounds, in the unit of the observed values. */
export class HistogramSeries {
  readonly #histogram: Histogram;

  constructor(bounds: readonly number[]) {
    this.#histogram = new Histogram({ name: NAME, help: NAME, registers: [], buckets: [...bounds] });
  }

  /** In the unit of the bounds. */
  observe(value: number): void {
    this.#histogram.observe(value);
  }

  /** What a scrape prints now: each bucket, count and sum. */
  async series(family: string, labels: Labels): Promise<SeriesValue[]> {
    const { values } = await this.#histogram.get();
    return rename(values, family, labels);
  }
}
