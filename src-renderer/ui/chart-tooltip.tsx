// What a chart says at one place of its x axis: every series with its value. Keyboard movement along the points shows
// the same box, and screen readers hear it.

import type { AxisScale } from './chart-axis.ts';
import type { ChartSeries } from './chart-types.ts';
import { SeriesSwatch } from './chart-legend.tsx';

interface ChartTooltipProps {
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  readonly xText: (x: number) => string;
  /** Filled in by the chart. */
  readonly active?: boolean;
  readonly label?: string | number | undefined;
  readonly payload?: readonly { readonly dataKey?: unknown; readonly value?: unknown }[];
}

export function ChartTooltip({
  series,
  left,
  right,
  xText,
  active = false,
  label,
  payload = [],
}: ChartTooltipProps) {
  if (!active || label === undefined) return null;
  const rows = series.map((one) => {
    const value = payload.find(({ dataKey }) => dataKey === one.key)?.value;
    return { one, value: typeof value === 'number' ? value : undefined };
  });
  const stacked = rows.filter(({ one, value }) => one.stack !== undefined && value !== undefined);
  const total = stacked.reduce((sum, { value }) => sum + (value ?? 0), 0);
  return (
    <div
      role="status"
      className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-sm shadow-float"
    >
      <p className="mb-1 text-faint">{xText(Number(label))}</p>
      <table>
        <tbody>
          {rows.map(({ one, value }) => {
            const scale = one.axis === 'right' ? (right ?? left) : left;
            return (
              <tr key={one.key}>
                <th scope="row" className="pr-4 text-left font-normal text-soft">
                  <SeriesSwatch role={one.role} /> {one.title}
                </th>
                <td className="text-right text-strong">{scale.valueText(value)}</td>
                {stacked.length > 1 && (
                  <td className="pl-3 text-right text-faint">
                    {value === undefined || total === 0 ? '' : `${Math.round((value / total) * 100)} %`}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
