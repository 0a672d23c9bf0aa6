// Parts of a time as rows: name, a bar at its place in the whole, time, share.

import { formatMillis, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';

/** One part of a time. */
export interface TimingRow {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  readonly color: string;
  /** Undefined = not known. */
  readonly ms: number | undefined;
  /** Of the whole, 0..1; where the bar begins, and how long it is. */
  readonly offset: number;
  readonly share: number | undefined;
}

/** In the order given. */
export function TimingRows({ rows }: { readonly rows: readonly TimingRow[] }) {
  return (
    <table className="w-full">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t('playground.timing.part')}</th>
          <th scope="col">{t('playground.timing.bar')}</th>
          <th scope="col">{t('playground.timing.time')}</th>
          <th scope="col">{t('playground.timing.share')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, title, help, color, offset, share, ms }) => (
          <tr key={id} data-testid={`pg-timing-${id}`} data-ms={ms} title={help}>
            <th
              scope="row"
              className="w-28 max-w-48 truncate py-1 pr-3 text-left font-normal whitespace-nowrap text-soft"
            >
              {title}
            </th>
            <td className="py-1">
              <span
                className="relative block h-3 rounded bg-sunken forced-color-adjust-none"
                aria-hidden="true"
              >
                {share !== undefined && (
                  <span
                    className="absolute inset-y-0 rounded"
                    style={{
                      left: `${offset * 100}%`,
                      width: `${share * 100}%`,
                      minWidth: 2,
                      background: color,
                    }}
                  />
                )}
              </span>
            </td>
            <td className="w-20 py-1 pl-3 text-right text-strong">{formatMillis(ms)}</td>
            <td className="w-14 py-1 pl-3 text-right text-faint">{formatPercent(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
