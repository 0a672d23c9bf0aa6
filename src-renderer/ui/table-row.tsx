// One row of a table. Drawn again only when its row object, its place or its selection changes; numbers that move every
// second are subscribed to inside cells.

import { memo } from 'react';
import type { ReactElement } from 'react';

import { formatCount } from '../lib/format.ts';
import { TabStop } from './tab-stop.ts';
import { cx } from './cx.ts';
import type { Column } from './table-model.ts';
import { rowCells } from './table-model.ts';

interface TableRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  /** Only a table that is wider than its place has columns that stay in view. */
  readonly isWide: boolean;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly isSelected: boolean;
  readonly isFocusTarget: boolean;
  readonly testId: string | undefined;
}

function Row<R>({
  id,
  row,
  columns,
  template,
  isWide,
  index,
  top,
  height,
  isSelected,
  isFocusTarget,
  testId,
}: TableRowProps<R>) {
  const ground = isSelected ? 'bg-selected' : 'bg-surface group-hover:bg-hover';
  return (
    <TabStop value={isFocusTarget}>
      <div
        id={id}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        data-index={index}
        data-testid={testId}
        tabIndex={isFocusTarget ? 0 : -1}
        className="group focus-inset absolute left-0 grid w-full contain-content border-b border-line/70"
        style={{ gridTemplateColumns: template, height, top }}
      >
        {rowCells(columns, row).map(({ column, span, content }) => (
          <div
            key={column.id}
            role="gridcell"
            aria-colspan={span === 1 ? undefined : span}
            style={span === 1 ? undefined : { gridColumn: `span ${span}` }}
            className={cx(
              'flex min-w-0 items-center overflow-hidden px-2',
              ground,
              span === 1 && column.align === 'end' && 'justify-end text-right',
              isWide && column.sticky === 'start' && 'sticky left-0 z-10',
              isWide && column.sticky === 'end' && 'sticky right-0 z-10',
            )}
          >
            {content}
          </div>
        ))}
      </div>
    </TabStop>
  );
}

export const TableRow = memo(Row) as <R>(props: TableRowProps<R> & { readonly key?: string }) => ReactElement;

/** A heading between rows. */
export function GroupLine({
  id,
  title,
  count,
  top,
  height,
}: {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly top: number;
  readonly height: number;
}) {
  return (
    <div
      id={id}
      role="row"
      className="absolute left-0 flex w-full items-center gap-2 border-b border-line bg-sunken px-2 text-sm"
      style={{ height, top }}
    >
      <span role="rowheader" className="font-medium text-soft">
        {title}
      </span>
      <span className="text-faint">{formatCount(count)}</span>
    </div>
  );
}
