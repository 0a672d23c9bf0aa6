// A small table without virtual rows: for lists of a few dozen lines inside cards and dialogs. `long-table.tsx` is for more.

import type { ReactNode } from 'react';

import { cx } from './cx.ts';

/** A column of a table that nobody sorts. */
export interface SimpleColumn<Row> {
  readonly id: string;
  readonly title: string;
  readonly align?: 'start' | 'end';
  readonly isMono?: boolean;
  /** What stands in the row's cell. */
  readonly cell: (row: Row) => ReactNode;
}

/** A table of few rows, without a focus of its own. */
export function SimpleTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  testId,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly SimpleColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly testId?: string;
}) {
  return (
    <div className="min-w-0 overflow-x-auto">
      <table aria-label={label} data-testid={testId} className="w-full border-collapse">
        <SimpleHead columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line/60 last:border-b-0">
              <SimpleCells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The titles of a table's columns. */
export function SimpleHead<Row>({ columns }: { readonly columns: readonly SimpleColumn<Row>[] }) {
  return (
    <thead>
      <tr className="border-b border-line text-left text-sm text-faint">
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={cx('px-2 py-1 font-medium', column.align === 'end' && 'text-right')}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** What stands in one row. */
export function SimpleCells<Row>({
  row,
  columns,
}: {
  readonly row: Row;
  readonly columns: readonly SimpleColumn<Row>[];
}) {
  return columns.map((column) => (
    <td
      key={column.id}
      className={cx(
        'px-2 py-1.5 align-middle',
        column.align === 'end' && 'text-right',
        column.isMono === true && 'font-mono text-sm',
      )}
    >
      {column.cell(row)}
    </td>
  ));
}
