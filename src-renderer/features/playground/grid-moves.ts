// Where a key leads in a grid of values: as in a spreadsheet, without leaving the grid.

/** The grid as it is laid out; all three are counts. */
export interface GridSize {
  readonly columns: number;
  /** Cells in all; the last row may be shorter than the others. */
  readonly count: number;
  /** Rows that are seen at once. */
  readonly pageRows: number;
}

/** Index of the cell that `key` leads to from the cell `at`; undefined for keys that do not move. */
export function movedCell(key: string, isMod: boolean, at: number, size: GridSize): number | undefined {
  const { columns, count, pageRows } = size;
  const rowStart = at - (at % columns);
  switch (key) {
    case 'ArrowLeft':
      return Math.max(rowStart, at - 1);
    case 'ArrowRight':
      return Math.min(rowStart + columns - 1, count - 1, at + 1);
    case 'ArrowUp':
      return movedRow(at, -1, size);
    case 'ArrowDown':
      return movedRow(at, 1, size);
    case 'PageUp':
      return movedRow(at, -pageRows, size);
    case 'PageDown':
      return movedRow(at, pageRows, size);
    case 'Home':
      return isMod ? 0 : rowStart;
    case 'End':
      return isMod ? count - 1 : Math.min(rowStart + columns - 1, count - 1);
    default:
      return undefined;
  }
}

/** The same column so many rows on; the first or the last row that has this column when there are fewer. */
function movedRow(at: number, rows: number, { columns, count }: GridSize): number {
  const column = at % columns;
  const lastRow = Math.floor((count - 1 - column) / columns);
  const row = Math.floor(at / columns) + rows;
  return Math.min(lastRow, Math.max(0, row)) * columns + column;
}
