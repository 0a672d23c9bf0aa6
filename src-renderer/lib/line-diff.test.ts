import { expect, test } from 'vitest';

import { diffLines, foldSame } from './line-diff.ts';

const shown = (before: string, after: string): readonly string[] =>
  diffLines(before, after).map(
    ({ kind, text }) => `${kind === 'same' ? ' ' : kind === 'added' ? '+' : '-'}${text}`,
  );

test('a changed line is removed and added in its place', () => {
  expect(shown('a\ncount: 1\nb\n', 'a\ncount: 2\nb\n')).toEqual([' a', '-count: 1', '+count: 2', ' b']);
});

test('a block that was moved in leaves its neighbours alone', () => {
  expect(shown('a\nb', 'a\nx {\n}\nb')).toEqual([' a', '+x {', '+}', ' b']);
});

test('from nothing, to nothing, and the same', () => {
  expect(shown('', 'a\n')).toEqual(['+a']);
  expect(shown('a\n', '')).toEqual(['-a']);
  expect(shown('a\nb\n', 'a\nb')).toEqual([' a', ' b']);
});

test('of what stayed only the lines around a change are to be seen', () => {
  const before = Array.from({ length: 20 }, (_, line) => `line ${line}`);
  const lines = diffLines(before.join('\n'), before.with(10, 'new').join('\n'));
  const kinds = foldSame(lines, 2).map((part) => (part.kind === 'folded' ? part.count : part.kind));
  expect(kinds).toEqual([8, 'same', 'same', 'removed', 'added', 'same', 'same', 7]);
  expect(foldSame(diffLines('a\nb', 'a\nb'), 2)).toHaveLength(2);
});
