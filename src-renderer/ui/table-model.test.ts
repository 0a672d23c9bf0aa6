import { expect, test } from 'vitest';

import type { Column } from './table-model.ts';
import {
  fittingColumns,
  movedIndex,
  nextSort,
  rowCells,
  select,
  sortRows,
  withGroups,
} from './table-model.ts';

interface Row {
  readonly name: string;
  readonly size: number;
}
const rows: readonly Row[] = [
  { name: 'b10', size: Number.NaN },
  { name: 'b2', size: 5 },
  { name: 'a', size: 9 },
];
const columns: readonly Column<Row>[] = [
  { id: 'name', title: '', width: 1, cell: () => null, sortValue: ({ name }) => name },
  { id: 'size', title: '', width: 1, cell: () => null, sortValue: ({ size }) => size },
];
const names = (list: readonly Row[]): readonly string[] => list.map(({ name }) => name);

test('names sort by the numbers in them, missing values come last in both directions', () => {
  expect(names(sortRows(rows, columns, { column: 'name', isDescending: false }))).toEqual(['a', 'b2', 'b10']);
  expect(names(sortRows(rows, columns, { column: 'size', isDescending: false }))).toEqual(['b2', 'a', 'b10']);
  expect(names(sortRows(rows, columns, { column: 'size', isDescending: true }))).toEqual(['a', 'b2', 'b10']);
});

test('a header goes through ascending, descending, none', () => {
  const first = nextSort(undefined, 'name');
  const second = nextSort(first, 'name');
  expect([first?.isDescending, second?.isDescending, nextSort(second, 'name')]).toEqual([
    false,
    true,
    undefined,
  ]);
});

test('shift selects a range from the anchor, mod adds and removes', () => {
  const keys = ['a', 'b', 'c', 'd'];
  const plain = { isRange: false, isToggle: false };
  expect([...select(keys, new Set(['d']), 'd', { key: 'b', ...plain })]).toEqual(['b']);
  expect([...select(keys, new Set(['b']), 'b', { key: 'd', isRange: true, isToggle: false })]).toEqual([
    'b',
    'c',
    'd',
  ]);
  expect([...select(keys, new Set(['b']), 'b', { key: 'b', isRange: false, isToggle: true })]).toEqual([]);
});

test('keys move inside the list', () => {
  expect(movedIndex('ArrowUp', 0, 5, 3)).toBe(0);
  expect(movedIndex('PageDown', 3, 5, 3)).toBe(4);
  expect(movedIndex('End', 0, 5, 3)).toBe(4);
  expect(movedIndex('x', 0, 5, 3)).toBeUndefined();
  expect(movedIndex('Home', 0, 0, 3)).toBeUndefined();
});

test('rows are counted across groups, headings are not', () => {
  const grouped = withGroups(rows, ({ name }) => name.charAt(0));
  expect(names(grouped.rows)).toEqual(['a', 'b10', 'b2']);
  expect(grouped.entries.map((entry) => (entry.kind === 'group' ? entry.title : entry.rowIndex))).toEqual([
    'a',
    0,
    'b',
    1,
    2,
  ]);
});

test('where there is no room for all columns they go in their order, and those that never go stay', () => {
  const cell = (): null => null;
  const wide: readonly Column<Row>[] = [
    { id: 'name', title: '', width: 100, cell },
    { id: 'later', title: '', width: 50, cell, dropOrder: 2 },
    { id: 'first', title: '', width: 50, cell, dropOrder: 1 },
  ];
  const shown = (roomPx: number | undefined, pxPerWidth = 1): readonly string[] =>
    fittingColumns(wide, roomPx, pxPerWidth).map(({ id }) => id);
  expect(shown(undefined)).toEqual(['name', 'later', 'first']);
  expect(shown(0)).toEqual(['name', 'later', 'first']);
  expect(shown(200)).toEqual(['name', 'later', 'first']);
  expect(shown(199)).toEqual(['name', 'later']);
  expect(shown(149)).toEqual(['name']);
  expect(shown(20)).toEqual(['name']);
  // A larger font needs more.
  expect(shown(200, 1.5)).toEqual(['name']);
});

test('what stands instead of columns takes their place, up to the one that it names, if that is shown', () => {
  const cell = ({ name }: Row): string => name;
  const column = (id: string): Column<Row> => ({ id, title: '', width: 10, cell });
  const first = {
    ...column('first'),
    instead: ({ name }: Row) => (name === 'b2' ? { until: 'last', content: 'words' } : undefined),
  };
  const cells = (columns: readonly Column<Row>[], row: Row | undefined): readonly string[] =>
    row === undefined
      ? []
      : rowCells(columns, row).map(({ column: { id }, span, content }) => `${id} ${span} ${String(content)}`);
  const all = [first, column('second'), column('third'), column('last')];
  const b2 = rows.find(({ name }) => name === 'b2');
  expect(cells(all, b2)).toEqual(['first 1 b2', 'second 2 words', 'last 1 b2']);
  expect(
    cells(
      all,
      rows.find(({ name }) => name === 'a'),
    ),
  ).toEqual(['first 1 a', 'second 1 a', 'third 1 a', 'last 1 a']);
  // Nothing is between them, or the end is not there.
  expect(cells([first, column('last')], b2)).toEqual(['first 1 b2', 'last 1 b2']);
  expect(cells([first, column('second')], b2)).toEqual(['first 1 b2', 'second 1 b2']);
});
