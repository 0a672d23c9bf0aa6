import { expect, test } from 'vitest';

import type { LensShapes } from './shape-lens.ts';
import { shapeLens } from './shape-lens.ts';

test.each<readonly [string, LensShapes, readonly (string | undefined)[], readonly boolean[]]>([
  [
    'a batched tensor that fits',
    { client: [-1, 3, 224], config: [3, 224], graph: [-1, 3, 224], isBatched: true },
    [undefined, '3', '224'],
    [false, false, false],
  ],
  [
    'dims that include the batch dimension',
    { client: [-1, -1, 16], config: [-1, 16], graph: [-1, 16], isBatched: true },
    [undefined, '-1', '16'],
    [false, false, true],
  ],
  [
    'a fixed first dimension with batching',
    { client: [-1, 4], config: [4], graph: [1, 4], isBatched: true },
    [undefined, '4'],
    [true, false],
  ],
  [
    'a size that differs without batching',
    { client: [2, 5], config: [2, 5], graph: [2, 4], isBatched: false },
    ['2', '5'],
    [false, true],
  ],
])('%s', (_title, shapes, configTexts, wrong) => {
  const lens = shapeLens(shapes);
  expect(lens.config?.map((cell) => cell?.text)).toEqual(configTexts);
  const marked = wrong.map(
    (_flag, index) => lens.config?.[index]?.isWrong === true || lens.graph?.[index]?.isWrong === true,
  );
  expect(marked).toEqual(wrong);
  expect(lens.isConsistent).toBe(!wrong.includes(true));
});

test('what is not known is not drawn and not called wrong', () => {
  const lens = shapeLens({ client: [-1, 4], config: [4], graph: undefined, isBatched: true });
  expect(lens.graph).toBeUndefined();
  expect(lens.isConsistent).toBe(true);
  expect(lens.client?.[0]?.text).toBe('B');
});

test('a reshape is what must fit the model, not the dims', () => {
  const shapes = { client: [3, 8, 8], config: [3, 8, 8], graph: [1, 3, 8, 8], isBatched: false };
  const lens = shapeLens({ ...shapes, reshape: [1, 3, 8, 8] });
  expect(lens.reshape?.map((cell) => cell?.text)).toEqual(['1', '3', '8', '8']);
  expect(lens.isConsistent).toBe(true);
  const wrong = shapeLens({ ...shapes, reshape: [2, 3, 8, 8] });
  expect(wrong.reshape?.map((cell) => cell?.isWrong)).toEqual([true, false, false, false]);
  expect(wrong.config?.some((cell) => cell?.isWrong)).toBe(false);
});

test('a reshape to nothing below the batch dimension fits', () => {
  const lens = shapeLens({ client: [-1, 1], config: [1], reshape: [], graph: [-1], isBatched: true });
  expect(lens.isConsistent).toBe(true);
});
