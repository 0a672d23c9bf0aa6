// Answers what a scrape would say, with the series of one family only: a server with many models has tens of thousands.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type {
  MetricFamilyView,
  metricsCalls,
  MetricSeriesView,
  MetricValue,
} from '../../../src-shared/contract/metrics-calls.ts';
import { MAX_METRIC_SERIES } from '../../../src-shared/contract/metrics-calls.ts';
import type { FamilyReading } from '../../metrics/family-reading.ts';

/** Undefined where metrics are off. */
export type MetricsSource = { families(): Promise<readonly FamilyReading[]> } | undefined;

/** Each call reads every family once, as a scrape does. */
export function metricsHandlers({
  metrics,
}: {
  readonly metrics: MetricsSource;
}): HandlersFor<typeof metricsCalls> {
  return {
    'metrics/read': async ({ family, match = '' }) => {
      const began = performance.now();
      const read = (await metrics?.families()) ?? [];
      const rows = read.find(({ name }) => name === family)?.series ?? [];
      const wanted = match.toLowerCase();
      const lines = rows.map(lineOf).filter((line) => wanted === '' || textOf(line).includes(wanted));
      return {
        isOn: metrics !== undefined,
        atMs: Date.now(),
        families: read.map(familyView),
        series: lines.slice(0, MAX_METRIC_SERIES),
        matchingCount: lines.length,
        tookMs: performance.now() - began,
      };
    },
  };
}

function familyView({ name, help, kind, series }: FamilyReading): MetricFamilyView {
  const isSingle = kind === 'counter' || kind === 'gauge';
  // A histogram and a summary say once for each label set how many they counted.
  const counted = isSingle ? series : series.filter(({ name: line }) => line === `${name}_count`);
  const numbers = counted.map(({ value }) => value).filter((value) => Number.isFinite(value));
  const value =
    numbers.length === 0
      ? undefined
      : numbers.reduce((all, one) => (kind === 'gauge' ? Math.max(all, one) : all + one));
  return { name, help, kind, seriesCount: counted.length, value };
}

function lineOf({ name, labels, value }: FamilyReading['series'][number]): MetricSeriesView {
  return { name, labels, value: shownValue(value) };
}

function shownValue(value: number): MetricValue {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function textOf({ name, labels }: MetricSeriesView): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return `${name}{${pairs.join(',')}}`.toLowerCase();
}
