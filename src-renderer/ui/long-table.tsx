// A simple table of some hundred rows in a page that scrolls around it: only rows in view are drawn. Rows are as high as
// what stands in them. Empty rows above and below stand for the others.

import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

import type { SimpleColumn } from './simple-table.tsx';
import { SimpleCells, SimpleHead } from './simple-table.tsx';

/** Until a row was measured, in CSS px. */
const ROW_PX = 41;
const OVERSCAN = 8;

/** `scroller`: the element that scrolls, with this table and whatever stands above it; null until it is there. */
export function LongTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  scroller,
  testId,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly SimpleColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly scroller: HTMLElement | null;
  readonly testId?: string;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [aboveTable, setAboveTable] = useState(0);
  // What stands above may have become higher when other rows came.
  useLayoutEffect(() => {
    const [outer, inner] = [scroller, body.current];
    if (outer === null || inner === null) return;
    const top = inner.getBoundingClientRect().top - outer.getBoundingClientRect().top + outer.scrollTop;
    setAboveTable(Math.round(top));
  }, [scroller, rows]);
  const keyAt = useCallback(
    (index: number): string | number => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
    [rows, keyOf],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_PX,
    getItemKey: keyAt,
    overscan: OVERSCAN,
    scrollMargin: aboveTable,
  });
  const shown = virtual.getVirtualItems();
  const abovePx = (shown[0]?.start ?? aboveTable) - aboveTable;
  const belowPx = virtual.getTotalSize() - ((shown.at(-1)?.end ?? aboveTable) - aboveTable);
  return (
    <div className="min-w-0 overflow-x-auto">
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        data-testid={testId}
        className="w-full border-collapse"
      >
        <SimpleHead columns={columns} />
        <tbody ref={body}>
          <Gap px={abovePx} columnCount={columns.length} />
          {shown.map(({ index, key }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                // The titles are the first row.
                aria-rowindex={index + 2}
                className="border-b border-line/60 last:border-b-0"
              >
                <SimpleCells row={row} columns={columns} />
              </tr>
            );
          })}
          <Gap px={belowPx} columnCount={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** In the place of rows that are out of view. */
function Gap({ px, columnCount }: { readonly px: number; readonly columnCount: number }) {
  return px <= 0 ? null : (
    <tr aria-hidden="true">
      <td colSpan={columnCount} className="p-0" style={{ height: px }} />
    </tr>
  );
}
