// Keys in a grid of 10 cells in rows of 4: the last row has two.

import { expect, test } from 'vitest';

import { movedCell } from './grid-moves.ts';

const SIZE = { columns: 4, count: 10, pageRows: 2 };

test.each([
  ['ArrowRight', false, 1, 2],
  ['ArrowRight', false, 3, 3],
  ['ArrowRight', false, 9, 9],
  ['ArrowLeft', false, 5, 4],
  ['ArrowLeft', false, 4, 4],
  ['ArrowDown', false, 1, 5],
  ['ArrowDown', false, 7, 7],
  ['ArrowUp', false, 9, 5],
  ['ArrowUp', false, 2, 2],
  ['PageDown', false, 1, 9],
  ['PageDown', false, 3, 7],
  ['PageUp', false, 9, 1],
  ['Home', false, 6, 4],
  ['End', false, 4, 7],
  ['End', false, 8, 9],
  ['Home', true, 6, 0],
  ['End', true, 0, 9],
  ['a', false, 0, undefined],
] as const)('%s (Ctrl: %j) from %j leads to %j', (key, isMod, at, to) => {
  expect(movedCell(key, isMod, at, SIZE)).toBe(to);
});
