import { expect, test } from 'vitest';

import {
  lineParts,
  linesOf,
  numbered,
  originCounts,
  saysReason,
  servedLines,
} from './effective-selectors.ts';

const LINES = servedLines({
  text: 'name: "m"\nmax_batch_size: 4\ndynamic_batching {\n}\n',
  origins: [
    { kind: 'file', reason: undefined },
    { kind: 'auto-complete', reason: 'all inputs start with -1' },
    { kind: 'auto-complete', reason: 'batching is on' },
    { kind: 'auto-complete', reason: 'batching is on' },
    { kind: 'default', reason: undefined },
  ],
  json: '{}',
  error: undefined,
});

test('each line has its origin; the end of the text is no line', () => {
  expect(LINES.map(({ number, origin }) => [number, origin])).toEqual([
    [1, 'file'],
    [2, 'auto-complete'],
    [3, 'auto-complete'],
    [4, 'auto-complete'],
  ]);
  expect(originCounts(LINES)).toMatchObject({ file: 1, 'auto-complete': 3, override: 0 });
  expect(linesOf(LINES, 'file').map(({ text }) => text)).toEqual(['name: "m"']);
  expect(linesOf(LINES, undefined)).toBe(LINES);
});

test('a reason is said once for lines that follow each other', () => {
  expect(LINES.map((_line, index) => saysReason(LINES, index))).toEqual([false, true, true, false]);
});

test.each([
  ['max_batch_size: 4', ['key', 'plain', 'number']],
  ['name: "a \\" b"', ['key', 'plain', 'string']],
  ['  data_type: TYPE_FP32', ['plain', 'key', 'plain', 'word']],
  ['}', ['plain']],
])('%s', (line, kinds) => {
  const parts = lineParts(line);
  expect(parts.map(([kind]) => kind)).toEqual(kinds);
  expect(parts.map(([, text]) => text).join('')).toBe(line);
});

test('a reason is said again where lines in between are not shown, and never when there is none', () => {
  const lines = numbered([
    { text: 'a', origin: 'default', reason: 'r' },
    { text: 'b', origin: 'file', reason: undefined },
    { text: 'c', origin: 'default', reason: 'r' },
    { text: 'd', origin: 'default', reason: 'r' },
  ] as never);
  expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  const shown = linesOf(lines, 'default');
  expect(shown.map((_line, index) => saysReason(shown, index))).toEqual([true, true, false]);
  expect(saysReason(linesOf(lines, 'file'), 0)).toBe(false);
  expect(saysReason([], 0)).toBe(false);
});

test('an answer with fewer origins than lines leaves no line without one', () => {
  const lines = servedLines({ text: 'a\nb', origins: [], json: '', error: undefined });
  expect(lines.map(({ origin }) => origin)).toEqual(['default', 'default']);
});
