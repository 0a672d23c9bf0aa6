import { expect, test } from 'vitest';

import { lineOf, piecesOf, seriesOf } from './series.ts';

test('time is the longer of the last two dimensions', () => {
  expect(seriesOf([1, 24])).toMatchObject({ steps: 24, lines: 1 });
  expect(seriesOf([1, 96, 7])).toMatchObject({ steps: 96, lines: 7, stepStride: 7, picked: [] });
  expect(seriesOf([4, 7, 96])).toMatchObject({ steps: 96, lines: 7, stepStride: 1, picked: [4] });
  const values = Float64Array.of(0, 1, 10, 11, 20, 21);
  expect([...lineOf(values, 1, seriesOf([3, 2]))]).toEqual([1, 11, 21]);
  expect([...lineOf(values, 1, seriesOf([2, 3]))]).toEqual([11, 20, 21]);
});

test('the highest value is at the top, and what is no number is a gap', () => {
  const pieces = piecesOf(Float64Array.of(-1, 1, Number.NaN, 0, 1), { min: -1, max: 1 });
  expect(pieces).toEqual([
    [
      { x: 0, y: 1 },
      { x: 0.25, y: 0 },
    ],
    [
      { x: 0.75, y: 0.5 },
      { x: 1, y: 0 },
    ],
  ]);
});

test('of a long line the peaks stay', () => {
  const line = new Float64Array(100_000);
  line[54_321] = 5;
  const [piece = []] = piecesOf(line, { min: 0, max: 5 });
  expect(piece.length).toBeLessThanOrEqual(1200);
  expect(piece.filter(({ y }) => y === 0)).toEqual([{ x: 54_321 / 99_999, y: 0 }]);
});
