// The parts of a table that need no drawing: columns, sorting, selection by mouse and keyboard. Pure.

import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** Pixels at the base font size; the least width of a growing column. */
  readonly width: number;
  readonly isGrowing?: boolean;
  /** Share of a growing column in the room that is left; default 1. */
  readonly growth?: number;
  readonly align?: 'start' | 'end';
  /** What stands in the row's cell; called for rows in or near the view only. */
  readonly cell: (row: Row) => ReactNode;
  /** Columns without it cannot be sorted. Empty texts and NaN come last. */
  readonly sortValue?: (row: Row) => string | number;
  /** Stays in view while the table scrolls sideways. */
  readonly sticky?: 'start' | 'end';
  /** Where there is no room for all columns, this one goes before those with a higher number; without it, never. */
  readonly dropOrder?: number;
  /** Explains the title: of what, over which time. */
  readonly help?: string;
  /** What stands behind this cell instead of the columns up to `until`, where these have nothing to say of the row. */
  readonly instead?: (row: Row) => { readonly until: string; readonly content: ReactNode } | undefined;
}

/** One cell of a row: of a column, or what stands in the place of `span` columns. */
export interface RowCell<Row> {
  /** The column, or the first of those that it stands for. */
  readonly column: Column<Row>;
  readonly span: number;
  readonly content: ReactNode;
}

/** The cells of a row from left to right; their spans add up to the columns. */
export function rowCells<Row>(columns: readonly Column<Row>[], row: Row): readonly RowCell<Row>[] {
  const cells: RowCell<Row>[] = [];
  for (let at = 0; at < columns.length;) {
    const column = columns[at] as Column<Row>;
    cells.push({ column, span: 1, content: column.cell(row) });
    at += 1;
    const instead = column.instead?.(row);
    const end = columns.findIndex(({ id }) => id === instead?.until);
    const first = columns[at];
    if (instead === undefined || first === undefined || end <= at) continue;
    cells.push({ column: first, span: end - at, content: instead.content });
    at = end;
  }
  return cells;
}

/** The columns that fit into `roomPx`; all of them while that is not known, and those that never go in any case. */
export function fittingColumns<Row>(
  columns: readonly Column<Row>[],
  roomPx: number | undefined,
  pxPerWidth: number,
): readonly Column<Row>[] {
  if (roomPx === undefined || roomPx === 0) return columns;
  let over = columns.reduce((sum, { width }) => sum + width, 0) * pxPerWidth - roomPx;
  const dropped = new Set<string>();
  for (const { id, width } of columns.filter(hasDropOrder).toSorted((a, b) => a.dropOrder - b.dropOrder)) {
    if (over <= 0) break;
    dropped.add(id);
    over -= width * pxPerWidth;
  }
  return dropped.size === 0 ? columns : columns.filter(({ id }) => !dropped.has(id));
}

function hasDropOrder<Row>(column: Column<Row>): column is Column<Row> & { readonly dropOrder: number } {
  return column.dropOrder !== undefined;
}

/** `column` is the id of a column with a `sortValue`; any other sorts nothing. */
export interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/** Equal rows keep their order, descending ones too. The rows themselves when there is nothing to sort by. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const valueOf = columns.find(({ id }) => id === sort?.column)?.sortValue;
  if (sort === undefined || valueOf === undefined) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => compare(valueOf(a), valueOf(b), sign));
}

function compare(a: string | number, b: string | number, sign: number): number {
  const isLastA = a === '' || Number.isNaN(a);
  const isLastB = b === '' || Number.isNaN(b);
  if (isLastA || isLastB) return Number(isLastA) - Number(isLastB);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * sign;
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * sign;
}

/** A click on the header goes through: ascending, descending, none. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? undefined : { column, isDescending: true };
}

/** How a row was chosen. */
export interface SelectGesture {
  readonly key: string;
  /** Shift: everything from the anchor to the key. */
  readonly isRange: boolean;
  /** Mod: add or remove the key. */
  readonly isToggle: boolean;
}

/** `anchor` is the key selected last without Shift. */
export function select(
  keys: readonly string[],
  selected: ReadonlySet<string>,
  anchor: string | undefined,
  { key, isRange, isToggle }: SelectGesture,
): ReadonlySet<string> {
  const from = anchor === undefined ? -1 : keys.indexOf(anchor);
  const to = keys.indexOf(key);
  if (isRange && from >= 0 && to >= 0) {
    return new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1));
  }
  if (!isToggle) return new Set([key]);
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Row to focus for a navigation key; undefined when the key does not move. */
export function movedIndex(key: string, index: number, count: number, pageSize: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + pageSize,
    PageUp: index - pageSize,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || count === 0 ? undefined : Math.min(count - 1, Math.max(0, target));
}

/** A row, or a heading between rows. */
export type TableEntry<Row> =
  | { readonly kind: 'group'; readonly title: string; readonly count: number }
  | { readonly kind: 'row'; readonly row: Row; readonly rowIndex: number };

/** Rows with a heading before each group; without `groupOf` there are no headings. Groups keep the order of titles. */
export function withGroups<Row>(
  rows: readonly Row[],
  groupOf: ((row: Row) => string) | undefined,
): { readonly rows: readonly Row[]; readonly entries: readonly TableEntry<Row>[] } {
  if (groupOf === undefined) {
    return { rows, entries: rows.map((row, rowIndex) => ({ kind: 'row', row, rowIndex })) };
  }
  const groups = Map.groupBy(rows, groupOf);
  const ordered: Row[] = [];
  const entries: TableEntry<Row>[] = [];
  for (const title of [...groups.keys()].toSorted((a, b) => a.localeCompare(b, 'en'))) {
    const members = groups.get(title) ?? [];
    entries.push({ kind: 'group', title, count: members.length });
    for (const row of members) {
      entries.push({ kind: 'row', row, rowIndex: ordered.length });
      ordered.push(row);
    }
  }
  return { rows: ordered, entries };
}
