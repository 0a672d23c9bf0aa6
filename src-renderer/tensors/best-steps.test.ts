import { expect, test } from 'vitest';

import { bestSteps, blankOf, collapsed } from './best-steps.ts';

const LETTERS = ['<pad>', '<s>', '|', 'A', 'B'];

/** One row of logits with a best class for each number. */
function rows(best: readonly number[], length = LETTERS.length): Float64Array {
  const values = new Float64Array(best.length * length).fill(-3);
  best.forEach((index, at) => (values[at * length + index] = 3));
  return values;
}

test('the best class of each step has its share', () => {
  const steps = bestSteps(rows([3, 0]), 5);
  expect(steps.map(({ index, value }) => [index, value])).toEqual([
    [3, 3],
    [0, 3],
  ]);
  expect(steps[0]?.share).toBeCloseTo(0.99, 2);
  expect(bestSteps(Float64Array.of(0.2, 0.8), 2)).toEqual([{ index: 1, value: 0.8, share: 0.8 }]);
  expect(bestSteps(Float64Array.of(0.2, 0.5), 2)).toEqual([{ index: 1, value: 0.5, share: undefined }]);
});

test('repeated classes are one letter, unless a blank lies between them', () => {
  const text = (best: readonly number[]) => collapsed(bestSteps(rows(best), 5), 0, LETTERS);
  expect(text([0, 3, 3, 0, 3, 4, 4, 2, 2, 4, 0])).toBe('AAB B');
  expect(text([1, 3, 1])).toBe('A');
  expect(text([0, 0])).toBe('');
  expect(collapsed(bestSteps(rows([3, 3, 0, 4]), 5), 0, [])).toBe('3 4');
});

test('the blank is told from the labels, at either end of them', () => {
  expect(blankOf(LETTERS)).toBe(0);
  expect(blankOf(['a', 'b', '-'])).toBe(2);
  expect(blankOf(['O', 'B-PER', 'I-PER'])).toBeUndefined();
  expect(blankOf([])).toBeUndefined();
});
