// The header row of a table: titles, and buttons for the columns that can be sorted. They are one stop for Tab: the arrow
// keys go from one to the next, and down into the rows.

import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { Column, Sort } from './table-model.ts';

/** `index` of the heading that a key leads to, among `count`; undefined = the key does not move. */
function movedHeading(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, index - 1);
  if (key === 'ArrowRight') return Math.min(count - 1, index + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** The headings of a table; those of columns that sort are buttons. `onDown`: the focus is to go into the rows. */
export function TableHeader<Row>({
  columns,
  template,
  isWide,
  sort,
  onSort,
  onDown,
}: {
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  readonly isWide: boolean;
  readonly sort: Sort | undefined;
  readonly onSort: (column: string) => void;
  readonly onDown: () => void;
}) {
  const [lastStop, setLastStop] = useState<string>();
  const sorting = columns.filter(({ sortValue }) => sortValue !== undefined);
  // A column that went away, as those do that do not fit, is no stop.
  const stop = (sorting.find(({ id }) => id === lastStop) ?? sorting[0])?.id;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
      return;
    }
    const index = sorting.findIndex(({ id }) => id === stop);
    const next = sorting[movedHeading(event.key, index, sorting.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    setLastStop(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-column="${next.id}"]`)?.focus();
  };
  return (
    <div
      role="row"
      onKeyDown={onKeyDown}
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
                data-column={column.id}
                tabIndex={column.id === stop ? 0 : -1}
                onFocus={() => setLastStop(column.id)}
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
