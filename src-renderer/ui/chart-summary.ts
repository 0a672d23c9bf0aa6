// A chart in one sentence: the latest and the highest value of each series. Read out politely, at most every ten
// seconds. Pure.

import { t } from '../texts/translate.ts';
import type { AxisScale } from './chart-axis.ts';
import type { ChartPoint, ChartSeries } from './chart-types.ts';

/** Series without values are left out. Values are said with the unit of their axis. */
export function chartSummary(
  title: string,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  scaleOf: (series: ChartSeries) => AxisScale,
): string {
  const parts = series.flatMap((one) => {
    const values = points.map((point) => point[one.key]).filter((value) => value !== undefined);
    const latest = values.at(-1);
    if (latest === undefined) return [];
    const { valueText } = scaleOf(one);
    return [
      t('chart.summaryItem', {
        name: one.title,
        value: valueText(latest),
        max: valueText(Math.max(...values)),
      }),
    ];
  });
  return parts.length === 0
    ? t('chart.summaryEmpty', { title })
    : t('chart.summary', { title, series: parts.join('; ') });
}
