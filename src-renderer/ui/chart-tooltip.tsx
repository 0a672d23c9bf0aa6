// What a chart says at one place of its x axis: every series with its value, and its share where series stand on each
// other. The same box for both ways of drawing.

import type { AxisScale } from './chart-axis.ts';
import type { ChartSeries } from './chart-types.ts';
import { SeriesSwatch } from './chart-legend.tsx';

interface TooltipLook {
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  readonly xText: (x: number) => string;
}

interface ChartTooltipProps extends TooltipLook {
  /** Filled in by the chart. */
  readonly active?: boolean;
  readonly label?: string | number | undefined;
  readonly payload?: readonly { readonly dataKey?: unknown; readonly value?: unknown }[];
}

/** For charts of the library: moving along the points with the keyboard shows it too, and screen readers hear it. */
export function ChartTooltip({ active = false, label, payload = [], ...look }: ChartTooltipProps) {
  if (!active || label === undefined) return null;
  const valueOf = (key: string): number | undefined => {
    const value = payload.find(({ dataKey }) => dataKey === key)?.value;
    return typeof value === 'number' ? value : undefined;
  };
  return (
    <div role="status" aria-live="polite">
      <ValueBox {...look} x={Number(label)} valueOf={valueOf} />
    </div>
  );
}

/** The values at one place of a chart. */
export function ValueBox({
  series,
  left,
  right,
  xText,
  x,
  valueOf,
}: TooltipLook & { readonly x: number; readonly valueOf: (key: string) => number | undefined }) {
  const rows = series.map((one) => ({ one, value: valueOf(one.key) }));
  const stacked = rows.filter(({ one, value }) => one.stack !== undefined && value !== undefined);
  const total = stacked.reduce((sum, { value }) => sum + (value ?? 0), 0);
  return (
    <div className="rounded-md border border-line bg-surface px-2.5 py-1.5 text-sm shadow-float">
      <p className="mb-1 text-faint">{xText(x)}</p>
      <table>
        <tbody>
          {rows.map(({ one, value }) => {
            const scale = one.axis === 'right' ? (right ?? left) : left;
            return (
              <tr key={one.key}>
                <th scope="row" className="pr-4 text-left font-normal whitespace-nowrap text-soft">
                  <SeriesSwatch role={one.role} /> {one.title}
                </th>
                <td className="text-right whitespace-nowrap text-strong">{scale.valueText(value)}</td>
                {stacked.length > 1 && (
                  <td className="pl-3 text-right whitespace-nowrap text-faint">
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
