// A chart as a table: the same points as text, newest first. What screen readers and tests read.

import { t } from '../texts/translate.ts';
import type { AxisScale } from './chart-axis.ts';
import type { ChartPoint, ChartSeries } from './chart-types.ts';

/** The values of a chart as a table. */
export function ChartTable({
  title,
  xTitle,
  points,
  series,
  scaleOf,
  xText,
}: {
  readonly title: string;
  readonly xTitle: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly scaleOf: (series: ChartSeries) => AxisScale;
  readonly xText: (x: number) => string;
}) {
  const rows = points.filter((point) => series.some(({ key }) => point[key] !== undefined)).toReversed();
  return (
    <div className="h-full overflow-auto" tabIndex={0} role="region" aria-label={t('chart.viewAsTable')}>
      <table aria-label={title} className="w-full text-sm">
        <thead className="sticky top-0 bg-surface">
          <tr className="text-left text-faint">
            <th scope="col" className="px-2 py-1 font-medium">
              {xTitle}
            </th>
            {series.map(({ key, title: name }) => (
              <th key={key} scope="col" className="px-2 py-1 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.x} className="border-t border-line/60" data-x={point.x}>
              <th scope="row" className="px-2 py-0.5 text-left font-normal text-soft">
                {xText(point.x)}
              </th>
              {series.map((one) => (
                <td
                  key={one.key}
                  data-key={one.key}
                  data-value={point[one.key]}
                  className="px-2 py-0.5 text-right text-strong"
                >
                  {scaleOf(one).valueText(point[one.key])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
