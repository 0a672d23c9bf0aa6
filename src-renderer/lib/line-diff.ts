// Two texts line by line: which lines went, which came, which stayed. Pure; for texts of some hundred lines.

/** A line of either text; `text` is without its end. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Lines of both texts in one order; removed ones stand before the added ones in their place. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  const common = longestCommon(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: b[j] ?? '' });
      j += 1;
    }
  }
  return lines;
}

/** A run of lines that stayed and stand further than `context` from any change, or a line to show. */
export type DiffPart = DiffLine | { readonly kind: 'folded'; readonly count: number };

/** What is to be seen of a difference: the changes with some lines around them. All of it when nothing changed. */
export function foldSame(lines: readonly DiffLine[], context: number): readonly DiffPart[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index]));
  if (changed.length === 0) return lines;
  const isNear = (index: number): boolean => changed.some((at) => Math.abs(at - index) <= context);
  const parts: DiffPart[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (isNear(index)) parts.push(line);
    else if (last?.kind === 'folded') parts[parts.length - 1] = { kind: 'folded', count: last.count + 1 };
    else parts.push({ kind: 'folded', count: 1 });
  }
  return parts;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

type Table = readonly (readonly number[])[];

function lengthAt(table: Table, i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}

/** Length of the longest common run of lines of `a` from i and `b` from j. */
function longestCommon(a: readonly string[], b: readonly string[]): Table {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = table[i];
    if (row === undefined) continue;
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] =
        a[i] === b[j]
          ? lengthAt(table, i + 1, j + 1) + 1
          : Math.max(lengthAt(table, i + 1, j), row[j + 1] ?? 0);
    }
  }
  return table;
}
