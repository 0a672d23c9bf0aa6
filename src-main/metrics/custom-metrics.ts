// Metrics that backends and models define themselves. One family per name; handles of one label set share a series,
// which leaves the scrape with its last handle. Families stay.

import { Registry } from './metric-library.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { HistogramSeries } from './latency-series.ts';
import type { Labels, SeriesValue } from './pulled-family.ts';
import { PulledFamily } from './pulled-family.ts';
import { metricErrors } from './custom-metric-errors.ts';

/** The kinds of metrics that models may make, by Triton's names. */
export type CustomKind = 'COUNTER' | 'GAUGE' | 'HISTOGRAM';

const METRIC_NAME = /^(?!__)[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

interface CustomSeries {
  readonly labels: Labels;
  readonly histogram: HistogramSeries | undefined;
  value: number;
  handleCount: number;
}

/** Operations a kind does not have throw UNSUPPORTED. */
export interface CustomMetric {
  /** Counters take non-negative steps only. */
  increment(step: number): void;
  /** Of gauges. */
  set(value: number): void;
  /** Of histograms. */
  observe(value: number): void;
  /** Of counters and gauges: what all handles of the series made of it. */
  value(): number;
  /** Gives the handle back. Idempotent. */
  close(): void;
}

/** What only some kinds of metrics need. */
export interface CustomMetricOptions {
  /** Upper bounds of a histogram, strictly ascending; may be empty. */
  readonly buckets?: readonly number[];
}

/** One metric with the series of all its label sets. */
export class CustomFamily {
  readonly name: string;
  readonly kind: CustomKind;
  readonly #series = new Map<string, CustomSeries>();

  constructor(registry: Registry, kind: CustomKind, name: string, help: string) {
    this.name = name;
    this.kind = kind;
    const lower = kind.toLowerCase() as Lowercase<CustomKind>;
    const read = () => this.#values();
    const known = registry.getSingleMetric(name);
    if (known === undefined) new PulledFamily(registry, { name, help, kind: lower }, read);
    else if (known instanceof PulledFamily && known.kind === lower) known.alsoRead(read);
    else throw metricErrors.otherKind();
  }

  /** Handles that are open. */
  get metricCount(): number {
    return [...this.#series.values()].reduce((sum, series) => sum + series.handleCount, 0);
  }

  /** Current value of the series with this label, for readers inside the server. */
  valueWith(label: string, value: string): number | undefined {
    return [...this.#series.values()].findLast((series) => series.labels[label] === value)?.value;
  }

  /**
   * One more handle of the series with these labels; whoever asks closes it. Throws for labels or buckets that are
   * none. Buckets of a series that exists stay.
   */
  metric(labels: Labels, options: CustomMetricOptions = {}): CustomMetric {
    for (const name of Object.keys(labels)) if (!LABEL_NAME.test(name)) throw metricErrors.badLabel();
    const sorted = Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
    const key = JSON.stringify(sorted);
    const series = this.#series.get(key) ?? {
      labels: sorted,
      histogram: this.kind === 'HISTOGRAM' ? new HistogramSeries(checkBuckets(options.buckets)) : undefined,
      value: 0,
      handleCount: 0,
    };
    series.handleCount += 1;
    this.#series.set(key, series);
    return new Handle(this.kind, series, () => {
      series.handleCount -= 1;
      if (series.handleCount === 0) this.#series.delete(key);
    });
  }

  async #values(): Promise<SeriesValue[]> {
    const parts = await Promise.all(
      [...this.#series.values()].map(
        async ({ labels, value, histogram }) =>
          (await histogram?.series(this.name, labels)) ?? [{ labels, value }],
      ),
    );
    return parts.flat();
  }
}

function checkBuckets(buckets: readonly number[] | undefined): readonly number[] {
  if (buckets === undefined) throw metricErrors.withoutBuckets();
  for (let i = 1; i < buckets.length; i += 1) {
    if ((buckets[i] as number) <= (buckets[i - 1] as number)) {
      throw metricErrors.bucketOrder();
    }
  }
  return buckets;
}

class Handle implements CustomMetric {
  readonly #kind: CustomKind;
  readonly #series: CustomSeries;
  readonly #onClose: () => void;
  #isOpen = true;

  constructor(kind: CustomKind, series: CustomSeries, onClose: () => void) {
    this.#kind = kind;
    this.#series = series;
    this.#onClose = onClose;
  }

  increment(step: number): void {
    if (this.#kind === 'HISTOGRAM') throw this.#wrongKind('Increment');
    if (this.#kind === 'COUNTER' && step < 0) {
      throw metricErrors.negativeStep();
    }
    this.#series.value += step;
  }

  set(value: number): void {
    if (this.#kind !== 'GAUGE') throw this.#wrongKind('Set');
    this.#series.value = value;
  }

  observe(value: number): void {
    if (this.#series.histogram === undefined) throw this.#wrongKind('Observe');
    this.#series.histogram.observe(value);
  }

  value(): number {
    if (this.#kind === 'HISTOGRAM') throw this.#wrongKind('Value');
    return this.#series.value;
  }

  close(): void {
    if (this.#isOpen) this.#onClose();
    this.#isOpen = false;
  }

  #wrongKind(operation: string): ServerError {
    return metricErrors.wrongKind({ kind: this.#kind, operation });
  }
}

/** All families of a server, by name. Throws INVALID_ARG for a name that exists as another kind. */
export class CustomMetrics {
  readonly #registry: Registry;
  readonly #families = new Map<string, CustomFamily>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Works like any other, but no port shows it: for a server without metrics. */
  static unseen(): CustomMetrics {
    return new CustomMetrics(new Registry());
  }

  /**
   * The family of that name; the first description wins, and the server's own families can be joined. Throws
   * INVALID_ARG when it is of another kind, or when the name is none.
   */
  family(kind: CustomKind, name: string, help: string): CustomFamily {
    const known = this.#families.get(name);
    if (known !== undefined && known.kind !== kind) {
      throw metricErrors.otherKind();
    }
    if (!METRIC_NAME.test(name)) throw metricErrors.badName();
    const family = known ?? new CustomFamily(this.#registry, kind, name, help);
    this.#families.set(name, family);
    return family;
  }

  /** A family that was made before. */
  find(name: string): CustomFamily | undefined {
    return this.#families.get(name);
  }
}
