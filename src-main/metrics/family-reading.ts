// A metric family as numbers rather than text: what a scrape would print, for whoever shows it.

import type { MetricKind, SeriesValue } from './pulled-family.ts';

/** A family that has a series. Lines are in the order in which a scrape prints them. */
export interface FamilyReading {
  readonly name: string;
  /** Undefined where it has no description. */
  readonly help: string | undefined;
  readonly kind: MetricKind;
  /** `name` is the family's, with `_bucket`, `_sum` or `_count` behind it where the line has that. */
  readonly series: readonly {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
  }[];
}

/** What the package tells of a family. Its declaration has the kind as a number, and is wrong. */
export interface FamilyObject {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly SeriesValue[];
}

/** Undefined for a family without series, which a scrape leaves out. */
export function familyReading({ name, help, type, values }: FamilyObject): FamilyReading | undefined {
  if (values.length === 0) return undefined;
  return {
    name,
    help: help === '' ? undefined : help,
    kind: type as MetricKind,
    series: values.map(({ metricName = name, labels, value }) => ({
      name: metricName,
      labels: Object.fromEntries(Object.entries(labels).map(([label, text]) => [label, String(text)])),
      value,
    })),
  };
}
