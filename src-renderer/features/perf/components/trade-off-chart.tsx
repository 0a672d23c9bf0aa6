// Throughput against p99: one point per level, joined in the order of the levels, one path per run. Better is up and to
// the left. Both axes can be logarithmic, where loads span decades.

import { memo, useMemo } from 'react';

import type { PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { t } from '../../../texts/translate.ts';
import type { ChartMarker, ChartSeries } from '../../../ui/chart-types.ts';
import { LatencyRateChart } from '../../../ui/latency-rate-chart.tsx';
import { tradeOffPoints } from '../run-charts.ts';

const NO_MARKERS: readonly ChartMarker[] = [];

interface TradeOffProps {
  /** Must keep their identity while they mean the same. */
  readonly runs: readonly Pick<PerfRun, 'levels'>[];
  readonly series: readonly ChartSeries[];
  /** 0 = none. */
  readonly limitMs: number;
  readonly height?: number;
  readonly testId: string;
}

/** p99 against inferences per second, a path for each run; `limitMs` 0 draws no limit. */
export const TradeOffChart = memo(function TradeOffChart(props: TradeOffProps) {
  const { runs, series, limitMs, height, testId } = props;
  const points = useMemo(() => tradeOffPoints(runs), [runs]);
  return (
    <LatencyRateChart
      title={t('perf.chart.tradeOff')}
      series={series}
      points={points}
      canLog
      markers={limitMs > 0 ? [{ x: limitMs * 1000, text: t('perf.chart.limit') }] : NO_MARKERS}
      height={height}
      testId={testId}
    />
  );
});
