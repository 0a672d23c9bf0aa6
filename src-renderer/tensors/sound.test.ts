// Sound as peaks over time and as frequencies.

import { expect, test } from 'vitest';

import { peaksOf, spectrogram, unitSamples } from './sound.ts';

test('every sample is in the peak of one column', () => {
  const samples = Float64Array.of(0, 3, -2, 1, 5, -7);
  expect(peaksOf(samples, 3)).toEqual([
    { low: 0, high: 3 },
    { low: -2, high: 1 },
    { low: -7, high: 5 },
  ]);
});

test('a value that is no number is silent, and nothing else with it', () => {
  expect([...unitSamples(Float64Array.of(0.5, Number.NaN, -1, Infinity), 'FP32')]).toEqual([0.5, 0, -1, 0]);
  expect([...unitSamples(Float64Array.of(2, -4), 'FP32')]).toEqual([0.5, -1]);
  expect([...unitSamples(Float64Array.of(-32_768, 16_384), 'INT16')]).toEqual([-1, 0.5]);
});

test('with more columns than samples none is empty', () => {
  expect(peaksOf(Float64Array.of(1, 2), 4)).toEqual([
    { low: 1, high: 1 },
    { low: 1, high: 1 },
    { low: 2, high: 2 },
    { low: 2, high: 2 },
  ]);
  expect(peaksOf(new Float64Array(), 2)).toEqual([
    { low: 0, high: 0 },
    { low: 0, high: 0 },
  ]);
});

const RATE = 8000;
const tone = (hertz: number, count = 4000): Float64Array =>
  Float64Array.from({ length: count }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / RATE));

/** Row of the loudest frequency of a column. */
function loudestRow(values: Float64Array, rows: number, columns: number, column: number): number {
  let best = 0;
  for (let row = 0; row < rows; row += 1)
    if ((values[row * columns + column] ?? -Infinity) > (values[best * columns + column] ?? -Infinity))
      best = row;
  return best;
}

test.each([[500], [1000], [3000]])('a tone of %i Hz is loudest in its row, low ones below', (hertz) => {
  const { rows, values } = spectrogram(tone(hertz), 6);
  const bin = Math.round((hertz * 512) / RATE);
  for (let column = 0; column < 6; column += 1)
    expect(Math.abs(loudestRow(values, rows, 6, column) - (rows - 1 - bin))).toBeLessThanOrEqual(1);
  expect(Math.max(...values)).toBeCloseTo(0, 5);
  expect(Math.min(...values)).toBe(-80);
});

test('silence, and a sound shorter than a window, are drawn as well', () => {
  expect(new Set(spectrogram(new Float64Array(600), 3).values)).toEqual(new Set([-80]));
  const { rows, values } = spectrogram(tone(1000, 100), 2);
  expect(values).toHaveLength(rows * 2);
  expect(values.every((value) => Number.isFinite(value))).toBe(true);
});
