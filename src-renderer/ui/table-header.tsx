// The header row of a table: titles, and buttons for the columns that can be sorted.

import { ArrowDown, ArrowUp } from 'lucide-react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { Column, Sort } from './table-model.ts';

/** The headings of a table; those of columns that sort are buttons. */
export function TableHeader<Row>({
  columns,
  template,
  isWide,
  sort,
  onSort,
}: {
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  readonly isWide: boolean;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
}) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-20 grid h-[30px] border-b border-line bg-sunken"
      style={{ gridTemplateColumns: template }}
    >
      {columns.map((column) => {
        const isSorted = sort?.column === column.id;
        return (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
            className={cx(
              'flex min-w-0 items-center bg-sunken px-2 text-sm font-medium text-faint',
              column.align === 'end' && 'justify-end',
              isWide && column.sticky === 'start' && 'sticky left-0 z-10',
              isWide && column.sticky === 'end' && 'sticky right-0 z-10',
            )}
          >
            {column.sortValue === undefined ? (
              <span className="truncate" title={column.help}>
                {column.title}
              </span>
            ) : (
              <button
                type="button"
                aria-label={t('table.sortBy', { column: column.title })}
                title={column.help}
                onClick={() => onSort(column.id)}
                className={cx(
                  'focus-inset -mx-1 inline-flex h-6 min-w-0 items-center gap-0.5 rounded px-1 hover:bg-hover hover:text-strong',
                  column.align === 'end' && 'flex-row-reverse',
                )}
              >
                <span className="truncate">{column.title}</span>
                {isSorted && <Icon of={sort.isDescending ? ArrowDown : ArrowUp} size={12} />}
              </button>
            )}
          </div>
        );
      })}
    </div>
  );
}
