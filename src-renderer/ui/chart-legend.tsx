// The legend: each series with its dash, not only its colour. A click shows one alone, another click brings all back.

import type { ChartRole, ChartSeries } from './chart-types.ts';
import { ROLE_COLORS, ROLE_DASHES } from './chart-types.ts';
import { cx } from './cx.ts';

/** The line of a series as the chart draws it. */
export function SeriesSwatch({ role }: { readonly role: ChartRole }) {
  return (
    <svg aria-hidden="true" width="18" height="8" className="inline-block align-middle">
      <line
        x1="1"
        y1="4"
        x2="17"
        y2="4"
        stroke={ROLE_COLORS[role]}
        strokeWidth="2"
        strokeDasharray={ROLE_DASHES[role]}
      />
      {role === 'danger' && <path d="M6 1l6 6m0 -6l-6 6" stroke={ROLE_COLORS[role]} strokeWidth="1.5" />}
    </svg>
  );
}

/** Names of the series as buttons; the one that is pressed is shown alone. */
export function ChartLegend({
  series,
  alone,
  onAlone,
}: {
  readonly series: readonly ChartSeries[];
  /** Key of the series shown alone; undefined = all. */
  readonly alone: string | undefined;
  readonly onAlone: (key: string | undefined) => void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-end">
      {series.map(({ key, title, role }) => (
        <button
          key={key}
          type="button"
          aria-pressed={alone === key}
          onClick={() => onAlone(alone === key ? undefined : key)}
          className={cx(
            'flex h-6 items-center gap-1 rounded px-1 text-sm whitespace-nowrap text-soft hover:bg-hover hover:text-strong',
            alone !== undefined && alone !== key && 'opacity-50',
          )}
        >
          <SeriesSwatch role={role} />
          {title}
        </button>
      ))}
    </div>
  );
}
