// The model that the Perf lab starts with.

import { expect, test } from 'vitest';

import { likelyModel } from './likely-model.ts';

const quiet = { ready: ['a', 'b', 'c'], measured: '', opened: [], inferPerSecond: () => 0 };

test.each([
  ['the one measured last', { ...quiet, measured: 'b', opened: ['c'] }, 'b'],
  ['the one opened last', { ...quiet, opened: ['c', 'b'] }, 'b'],
  ['none that is not ready', { ...quiet, measured: 'x', opened: ['c', 'y'] }, 'c'],
  [
    'the one with the most requests',
    { ...quiet, inferPerSecond: (name: string) => (name === 'c' ? 5 : name === 'b' ? 3 : 0) },
    'c',
  ],
  ['the first when nothing is known', quiet, 'a'],
  ['nothing when none is ready', { ...quiet, ready: [], measured: 'a' }, undefined],
])('%s', (_name, hints, chosen) => {
  expect(likelyModel(hints)).toBe(chosen);
});
