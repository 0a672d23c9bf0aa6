// One row of a table. Drawn again only when its row object, its place or its selection changes; numbers that move every
// second are subscribed to inside cells.

import { memo } from 'react';
import type { ReactElement } from 'react';

import { cx } from './cx.ts';
import type { Column } from './table-model.ts';

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly isSelected: boolean;
  readonly isFocusTarget: boolean;
  readonly testId: string | undefined;
}

function Row<R>({
  row,
  columns,
  template,
  index,
  top,
  height,
  isSelected,
  isFocusTarget,
  testId,
}: TableRowProps<R>) {
  const ground = isSelected ? 'bg-selected' : 'bg-surface group-hover:bg-hover';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      data-testid={testId}
      tabIndex={isFocusTarget ? 0 : -1}
      className="group focus-inset absolute top-0 left-0 grid w-full border-b border-line/70"
      style={{ gridTemplateColumns: template, height, transform: `translateY(${top}px)` }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={cx(
            'flex min-w-0 items-center overflow-hidden px-2',
            ground,
            column.align === 'end' && 'justify-end text-right',
            column.sticky === 'start' && 'sticky left-0 z-10',
            column.sticky === 'end' && 'sticky right-0 z-10',
          )}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

export const TableRow = memo(Row) as <R>(props: TableRowProps<R> & { readonly key?: string }) => ReactElement;

export function GroupLine({
  title,
  count,
  top,
  height,
}: {
  readonly title: string;
  readonly count: number;
  readonly top: number;
  readonly height: number;
}) {
  return (
    <div
      role="row"
      className="absolute top-0 left-0 flex w-full items-center gap-2 border-b border-line bg-sunken px-2 text-sm"
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="rowheader" className="font-medium text-soft">
        {title}
      </span>
      <span className="text-faint">{count}</span>
    </div>
  );
}
