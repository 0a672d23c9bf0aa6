// Columns of tables whose rows were measured at a load: the load, what was answered, and how long that took.

import { formatMicros, formatRate, threeDigits } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import type { SimpleColumn } from './simple-table.tsx';

/** The best load of a row, and what it gave. */
export interface MeasuredRow {
  /** Requests in flight, or per second; 0 = nothing was measured. */
  readonly load: number;
  readonly inferPerSecond: number;
  readonly p99Us: number;
}

/** By name; dashes where nothing was measured. Made anew for each table, since texts follow the language. */
export function loadColumns(): Readonly<Record<'load' | 'rate' | 'p99', SimpleColumn<MeasuredRow>>> {
  return {
    load: {
      id: 'load',
      title: t('perf.sweep.load'),
      align: 'end',
      cell: ({ load }) => (load === 0 ? '–' : threeDigits(load)),
    },
    rate: {
      id: 'rate',
      title: t('perf.col.rate'),
      align: 'end',
      cell: ({ load, inferPerSecond }) => formatRate(load === 0 ? undefined : inferPerSecond),
    },
    p99: {
      id: 'p99',
      title: 'p99',
      align: 'end',
      cell: ({ load, p99Us }) => (
        <span className="whitespace-nowrap">{formatMicros(load === 0 ? undefined : p99Us)}</span>
      ),
    },
  };
}
