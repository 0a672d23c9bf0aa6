// How the values of an output are spread, as bars. Very large outputs are counted over their beginning, and say so.

import { useMemo } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Chart } from '../ui/chart.tsx';
import type { ChartSeries } from '../ui/chart-types.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { elementCountOf, histogram } from './tensor-slices.ts';
import { useNumbers } from './use-elements.ts';
import { valueText } from './value-text.ts';

const MAX_VALUES = 512 * 1024;
const SERIES: readonly ChartSeries[] = [
  { key: 'count', title: t('playground.histogram.count'), role: 'c1', shape: 'bar' },
];

/** Fetches the values that it counts. */
export function HistogramView({ output }: { readonly output: PlaygroundOutput }) {
  const total = elementCountOf(output.shape);
  const counted = Math.min(total, MAX_VALUES);
  const { values, error } = useNumbers(output, 0, counted);
  const bars = useMemo(() => (values === undefined ? undefined : histogram(values)), [values]);
  const points = useMemo(() => bars?.map(({ count }, x) => ({ x, count })) ?? [], [bars]);
  if (bars === undefined) return <Skeleton rows={3} />;
  return (
    <div className="p-2">
      <Chart
        title={t('playground.view.histogram')}
        series={SERIES}
        points={points}
        unit="count"
        xKind="category"
        xTitle={t('playground.histogram.range')}
        xText={(x) => {
          const bar = bars[x];
          return bar === undefined ? '' : `${valueText(bar.from, 3)} … ${valueText(bar.to, 3)}`;
        }}
        emptyText={t('playground.histogram.none')}
        error={error}
        testId={`pg-histogram-${output.name}`}
      />
      {counted < total && (
        <p className="px-1 pt-1 text-sm text-faint">
          {t('playground.histogram.part', { counted: formatCount(counted), total: formatCount(total) })}
        </p>
      )}
    </div>
  );
}
