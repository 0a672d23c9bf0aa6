// Tables of the start-up log: borders of dashes, cells left aligned, wrapped when the whole would be too wide.

/** Columns when the output is no terminal. */
const UNLIMITED_WIDTH = 500;

function wrap(cell: string, width: number): string[] {
  const lines = cell.split('\n').flatMap((line) => {
    const parts: string[] = [];
    for (let at = 0; at < line.length; at += width) parts.push(line.slice(at, at + width));
    return parts.length === 0 ? [''] : parts;
  });
  return lines;
}

/** Content widths: as needed, or a fair share of `maxWidth` for the columns that want more than that. */
function columnWidths(rows: readonly (readonly string[])[], maxWidth: number): number[] {
  const wanted = (rows[0] ?? []).map((_, column) =>
    Math.max(1, ...rows.flatMap((row) => (row[column] ?? '').split('\n').map((line) => line.length))),
  );
  const available = maxWidth - wanted.length * 3 - 1;
  const widths = [...wanted];
  for (const _round of wanted) {
    const excess = widths.reduce((sum, width) => sum + width, 0) - available;
    if (excess <= 0) break;
    const share = Math.max(1, Math.floor(available / wanted.length));
    const wide = widths.map((width, column) => (width > share ? column : -1)).filter((column) => column >= 0);
    const narrow = widths.filter((width) => width <= share).reduce((sum, width) => sum + width, 0);
    const rest = Math.max(1, Math.floor((available - narrow) / Math.max(1, wide.length)));
    for (const column of wide) widths[column] = Math.min(wanted[column] ?? rest, rest);
  }
  return widths;
}

/** Begins with a line end and ends with one. The first row is the header. */
export function textTable(rows: readonly (readonly string[])[], maxWidth: number = UNLIMITED_WIDTH): string {
  const widths = columnWidths(rows, maxWidth);
  const border = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+`;
  const rowText = (row: readonly string[]): string => {
    const cells = widths.map((width, column) => wrap(row[column] ?? '', width));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => {
      const parts = cells.map((lines, column) => (lines[line] ?? '').padEnd(widths[column] ?? 0));
      return `| ${parts.join(' | ')} |`;
    }).join('\n');
  };
  const [header = [], ...data] = rows;
  return `\n${[border, rowText(header), border, ...data.map(rowText), border].join('\n')}\n`;
}
