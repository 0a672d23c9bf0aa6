// A metric family whose series are read when somebody scrapes, with labels that may differ from series to series.
// The hot path pays nothing for it.

import { Gauge } from './metric-library.ts';
import type { Registry } from './metric-library.ts';

/** The `# TYPE` of a family. */
export type MetricKind = 'counter' | 'gauge' | 'histogram' | 'summary';

/** Label names and values of a series, unescaped. */
export type Labels = Readonly<Record<string, string>>;

/** One line of the exposition. `metricName` where it differs from the family's (`_sum`, `_count`, `_bucket`). */
export interface SeriesValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

interface FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly kind: MetricKind;
}

type SeriesReader = () => Iterable<SeriesValue> | Promise<Iterable<SeriesValue>>;

const SHOWN_DIGITS = 16;

type FamilyObject = Awaited<ReturnType<Gauge['get']>>;

/**
 * Readers run once for each scrape; when one rejects, the scrape does. A family without series still prints its
 * help.
 */
export class PulledFamily extends Gauge {
  readonly #description: FamilyDescription;
  readonly #reads: SeriesReader[];

  constructor(registry: Registry, description: FamilyDescription, read: SeriesReader) {
    // The package insists on a help text here; what it writes comes out of `get`.
    super({ name: description.name, help: description.help || '-', registers: [registry] });
    this.#description = description;
    this.#reads = [read];
  }

  /** As `# TYPE` names it. */
  get kind(): MetricKind {
    return this.#description.kind;
  }

  /** Series of somebody else in the same family, behind those that it has. */
  alsoRead(read: SeriesReader): void {
    this.#reads.push(read);
  }

  override async get(): Promise<FamilyObject> {
    const { name, help, kind } = this.#description;
    const read = await Promise.all(this.#reads.map(async (each) => Array.from(await each())));
    const values = read.flat().map((series) => ({ ...series, value: shown(series.value) }));
    const object = { name, help, type: kind, aggregator: 'sum', values };
    // The package declares the kind as a numeric enum, and writes the text it is given.
    return object as unknown as FamilyObject;
  }
}

/** With the 16 significant digits of the reference, which hide most rounding errors of sums and quotients. */
function shown(value: number): number {
  return Number.isInteger(value) || !Number.isFinite(value) ? value : Number(value.toPrecision(SHOWN_DIGITS));
}
