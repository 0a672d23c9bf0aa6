// A virtual table with roving focus: one row is in the tab order, arrow keys move it, Enter opens, Shift and Mod select
// several. Rows and cells follow the grid pattern of ARIA; buttons in the focused row are reached with Tab. Scrolling
// reuses the elements of rows that left; the row with the focus keeps its own wherever the table is scrolled to.

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import type { Range, VirtualItem } from '@tanstack/react-virtual';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { appearance, BASE_REM_PX } from './appearance.ts';
import { cx } from './cx.ts';
import { createRowSlots } from './row-slots.ts';
import { TableHeader } from './table-header.tsx';
import type { Column, Sort, TableEntry } from './table-model.ts';
import { nextSort, sortRows, withGroups } from './table-model.ts';
import { GroupLine, TableRow } from './table-row.tsx';
import { useFittingColumns } from './use-fitting-columns.ts';
import { useOverflowAcross } from './use-overflow-across.ts';
import type { RowPlace } from './use-table-gestures.ts';
import { useRowFocus } from './use-row-focus.ts';
import { useRowMoves } from './use-row-moves.ts';
import { useTableGestures } from './use-table-gestures.ts';

/** Rows, columns, and what the user may do with rows. */
export interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Unique among the rows, and the same for a row as long as it is the same thing. */
  readonly keyOf: (row: Row) => string;
  readonly selected?: ReadonlySet<string>;
  /** Keys of all selected rows; without it nothing can be selected. */
  readonly onSelected?: (selected: ReadonlySet<string>) => void;
  /** Enter or double click. */
  readonly onOpen?: (row: Row) => void;
  /** Other keys while a row has the focus; return true when handled. */
  readonly onRowKey?: (event: KeyboardEvent, row: Row) => boolean;
  /** A right click on a row, or the key for menus on it. */
  readonly onRowMenu?: (place: RowPlace<Row>) => void;
  /** Of the element of the row. */
  readonly testIdOf?: (row: Row) => string;
  readonly defaultSort?: Sort;
  /** Headings between rows. */
  readonly groupOf?: ((row: Row) => string) | undefined;
  /** Says which rows these are: when it changes, they are shown from the first. */
  readonly viewKey?: string;
  /** In place of rows. */
  readonly empty?: ReactNode;
  readonly testId?: string;
}

const NO_KEYS: ReadonlySet<string> = new Set();
const HEADER_PX = 30;

/** The table. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, keyOf, selected = NO_KEYS, onSelected, onOpen, onRowKey, onRowMenu } = props;
  const rowHeightPx = useStore(appearance, (state) => state.rowHeightPx);
  const [sort, setSort] = useState(props.defaultSort);
  const [focusKey, setFocusKey] = useState<string>();
  const { columns, scroller, setScroller } = useFittingColumns(props.columns);
  const isWide = useOverflowAcross(scroller);
  const { rows: sorted, entries } = useMemo(
    () => withGroups(sortRows(rows, props.columns, sort), props.groupOf),
    [rows, props.columns, sort, props.groupOf],
  );
  const keys = useMemo(() => sorted.map(keyOf), [sorted, keyOf]);
  const focusIndex = Math.max(0, focusKey === undefined ? 0 : keys.indexOf(focusKey));
  // Always rendered: Tab finds the table, and the focus its row, wherever the table is scrolled to.
  const focusEntry = useMemo(
    () => entries.findIndex((entry) => entry.kind === 'row' && entry.rowIndex === focusIndex),
    [entries, focusIndex],
  );
  const rangeExtractor = useCallback((range: Range) => rangeWith(range, focusEntry), [focusEntry]);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    scrollPaddingStart: HEADER_PX,
    overscan: 8,
    rangeExtractor,
  });
  useEffect(() => virtual.measure(), [virtual, rowHeightPx]);
  useFromTheFirst(`${props.viewKey ?? ''} ${sort?.column ?? ''} ${sort?.isDescending ?? ''}`, scroller);
  const template = columns.map(track).join(' ');
  const minWidth = `${columns.reduce((sum, { width }) => sum + width, 0) / BASE_REM_PX}rem`;

  const { moveTo, enter } = useRowMoves({
    scroller,
    keys,
    focusIndex,
    onMove: setFocusKey,
    scrollTo: (index) =>
      virtual.scrollToIndex(entries.findIndex((entry) => entry.kind === 'row' && entry.rowIndex === index)),
  });
  const gestures = useTableGestures<Row>({
    rows: sorted,
    keys,
    pageSize: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2),
    selected,
    onSelected,
    onOpen,
    onRowKey,
    onRowMenu,
    onFocus: (index, isByKey) => (isByKey ? moveTo(index) : setFocusKey(keys[index])),
  });
  const kept = useRowFocus(keys, focusKey, moveTo);

  const id = useId();
  const shown = useShown(virtual.getVirtualItems(), entries, keys, focusKey);
  const owned = shown
    .toSorted((a, b) => a.start - b.start)
    .map(({ slot }) => `${id}-${slot}`)
    .join(' ');
  return (
    <div
      ref={setScroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={sorted.length + 1}
      aria-multiselectable={onSelected !== undefined || undefined}
      data-testid={props.testId}
      className="relative min-h-0 flex-1 overflow-auto bg-surface"
      {...gestures}
      {...kept}
    >
      <div style={{ minWidth }} role="presentation">
        <TableHeader
          columns={columns}
          template={template}
          isWide={isWide}
          sort={sort}
          onSort={(id) => setSort(nextSort(sort, id))}
          onDown={enter}
        />
        <div
          role="rowgroup"
          // Screen readers follow the rows, whichever element shows them.
          aria-owns={owned}
          className={cx('relative', sorted.length === 0 && 'hidden')}
          style={{ height: virtual.getTotalSize() }}
        >
          {shown.map(({ entry, start, key, slot }) =>
            entry.kind === 'group' ? (
              <GroupLine
                key={`group ${slot}`}
                id={`${id}-${slot}`}
                {...entry}
                top={start}
                height={rowHeightPx}
              />
            ) : (
              <TableRow<Row>
                key={`row ${slot}`}
                id={`${id}-${slot}`}
                row={entry.row}
                columns={columns}
                template={template}
                isWide={isWide}
                index={entry.rowIndex}
                top={start}
                height={rowHeightPx}
                isSelected={selected.has(key)}
                isFocusTarget={entry.rowIndex === focusIndex}
                testId={props.testIdOf?.(entry.row)}
              />
            ),
          )}
        </div>
      </div>
      {sorted.length === 0 && props.empty}
    </div>
  );
}

/** Other rows, or another order: whoever asked for them wants to see the first. */
function useFromTheFirst(view: string, scroller: RefObject<HTMLElement | null>): void {
  const seen = useRef(view);
  useLayoutEffect(() => {
    if (seen.current !== view) toTop(scroller.current);
    seen.current = view;
  }, [view, scroller]);
}

function toTop(box: HTMLElement | null): void {
  if (box !== null) box.scrollTop = 0;
}

interface Shown<Row> {
  readonly entry: TableEntry<Row>;
  readonly start: number;
  readonly key: string;
  readonly slot: number;
  readonly rank: number;
}

const NO_SLOT = { slot: -1, rank: -1 };

/** What is rendered, and in which element; in the order of the elements, which scrolling leaves as it is. */
function useShown<Row>(
  items: readonly VirtualItem[],
  entries: readonly TableEntry<Row>[],
  keys: readonly string[],
  focusKey: string | undefined,
): readonly Shown<Row>[] {
  const [slots] = useState(createRowSlots);
  const shown = items.flatMap(({ index, start }) => {
    const entry = entries[index];
    if (entry === undefined) return [];
    const key = entry.kind === 'group' ? `group ${entry.title}` : (keys[entry.rowIndex] ?? '');
    return [{ entry, start, key }];
  });
  const slotOf = slots.assign(
    shown.map(({ key }) => key),
    focusKey,
    entries,
  );
  return shown
    .map((one) => ({ ...one, ...(slotOf.get(one.key) ?? NO_SLOT) }))
    .sort((a, b) => a.rank - b.rank);
}

function rangeWith(range: Range, index: number): number[] {
  const indices = defaultRangeExtractor(range);
  return index < 0 || indices.includes(index) ? indices : [...indices, index].sort((a, b) => a - b);
}

/** Widths are in rem, so that they grow with the font size. */
function track({ width, isGrowing = false, growth = 1 }: Column<never>): string {
  return isGrowing ? `minmax(${width / 16}rem,${growth}fr)` : `${width / 16}rem`;
}
