// Throughput against p99: better is up and to the left. One look for whatever is compared so: levels of a run, trials of
// a sweep, configurations of a search.

import { t } from '../texts/translate.ts';
import { formatMicros } from '../lib/format.ts';
import { paddedRange } from './chart-axis.ts';
import type { ChartMarker, ChartPoint, ChartSeries } from './chart-types.ts';
import { Chart } from './chart.tsx';

interface LatencyRateProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  /** `x` is the p99 in microseconds, the values are inferences per second. */
  readonly points: readonly ChartPoint[];
  readonly markers?: readonly ChartMarker[];
  /** Both axes can be logarithmic, where loads span decades. */
  readonly canLog?: boolean;
  /** px; default as the chart has it. */
  readonly height?: number | undefined;
  readonly testId: string;
}

/** Draws the points that it is given; without any it says that nothing was measured. */
export function LatencyRateChart({ points, canLog = false, height, ...rest }: LatencyRateProps) {
  const isEmpty = points.length === 0;
  return (
    <Chart
      {...rest}
      points={points}
      unit="perSecond"
      xKind="number"
      xTitle="p99"
      xText={formatMicros}
      canLog={canLog && !isEmpty}
      range={isEmpty ? undefined : paddedRange(points)}
      logRange={isEmpty || !canLog ? undefined : paddedRange(points, { isLog: true })}
      emptyText={t('perf.chart.noLevels')}
      {...(height === undefined ? {} : { height })}
    />
  );
}
