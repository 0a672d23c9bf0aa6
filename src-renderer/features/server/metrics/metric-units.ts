// Units of metrics, which Prometheus writes into their names: a number is shown in the one that reads well.

import type { MetricKindView, MetricValue } from '../../../../src-shared/contract/metrics-calls.ts';
import { formatBytes, formatCount, formatMicros, formatPercent, threeDigits } from '../../../lib/format.ts';

type Unit = 'us' | 'ms' | 's' | 'bytes' | 'share' | 'watts' | 'joules' | 'count';

/** By the end of the name; Triton's durations without a unit are in microseconds. */
function unitOf(name: string): Unit {
  const bare = name.replace(/_(?:total|sum)$/, '');
  if (/_count$|_bucket$/.test(name)) return 'count';
  if (/_us$|_duration$/.test(bare)) return 'us';
  if (/_ms$/.test(bare)) return 'ms';
  if (/_secs$|_seconds$/.test(bare)) return 's';
  if (/_bytes$/.test(bare)) return 'bytes';
  if (/_util$|_utilization$/.test(bare)) return 'share';
  if (/_power_(?:usage|limit)$/.test(bare)) return 'watts';
  if (/_energy_consumption$/.test(bare)) return 'joules';
  return 'count';
}

/** A value of a line or family of this name: "2.1 s", "54.0 MiB"; a dash for none. */
export function formatMetric(name: string, value: MetricValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return formatCount(undefined);
  switch (unitOf(name)) {
    case 'us':
      return formatMicros(value);
    case 'ms':
      return formatMicros(value * 1000);
    case 's':
      return formatMicros(value * 1e6);
    case 'bytes':
      return formatBytes(value);
    case 'share':
      return formatPercent(value, 1);
    case 'watts':
      return `${threeDigits(value)} W`;
    case 'joules':
      return `${threeDigits(value)} J`;
    default:
      return formatCount(value);
  }
}

/** What is drawn of a line now: a gauge's value, else its growth per second; a dash while it is not known. */
export function formatPoint(name: string, kind: MetricKindView, value: number | undefined): string {
  if (kind === 'gauge' || value === undefined) return formatMetric(name, value);
  const unit = unitOf(name);
  return unit === 'count' ? `${threeDigits(value)}/s` : `${formatMetric(name, value)}/s`;
}
