// What a scrape of the metrics port would say now, for the Server screen. Families are told with a value each; the
// series of one family come on request, since many models have many.

import { z } from 'zod';

import { defineCall } from './define.ts';

/** The `# TYPE` of a family. */
export type MetricKindView = 'counter' | 'gauge' | 'histogram' | 'summary';

/** A number as a scrape has it; the words stand for what JSON has no number for. */
export type MetricValue = number | 'NaN' | '+Inf' | '-Inf';

/** A family that has a series now. */
export interface MetricFamilyView {
  readonly name: string;
  /** Undefined where it has no description. */
  readonly help: string | undefined;
  readonly kind: MetricKindView;
  /** Label sets; the lines of a histogram or a summary with the same labels count once. */
  readonly seriesCount: number;
  /** Counter: the sum of its series. Histogram and summary: of all counts. Gauge: the highest. Undefined = no number. */
  readonly value: number | undefined;
}

/** One line of the exposition. */
export interface MetricSeriesView {
  /** The family's, with `_bucket`, `_sum` or `_count` behind it where the line has that. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: MetricValue;
}

/** What a scrape would say. */
export interface MetricsView {
  /** False with `--allow-metrics=false`: nothing is counted for it then. */
  readonly isOn: boolean;
  readonly atMs: number;
  /** Time of the server's event loop that the reading took. */
  readonly tookMs: number;
  readonly families: readonly MetricFamilyView[];
  /** Of the family that was asked for: the first lines that match, and how many match. */
  readonly series: readonly MetricSeriesView[];
  readonly matchingCount: number;
}

/** Lines of one family in an answer. */
export const MAX_METRIC_SERIES = 400;

/** Answered from one scrape, made for the call. */
export const metricsCalls = [
  /** `match`: part of a line as it is printed, in any case; only of the family's. */
  defineCall(
    'metrics/read',
    z.object({ family: z.string().optional(), match: z.string().optional() }),
  )<MetricsView>(),
] as const;
