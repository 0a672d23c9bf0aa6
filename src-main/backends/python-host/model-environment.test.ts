import { expect, test } from 'vitest';
import { modelEnvironment } from './model-environment.ts';

test.each<[string, NodeJS.ProcessEnv, NodeJS.ProcessEnv, NodeJS.ProcessEnv]>([
  ['is that of the server', { A: '1' }, {}, { A: '1' }],
  ["has the model's own on top", { A: '1', B: '2' }, { A: '3' }, { A: '3', B: '2' }],
  [
    'knows nothing of pools that the launcher set',
    { MALLOC_ARENA_MAX: '2', CONCH_MEMORY_POOLS: '2' },
    {},
    {},
  ],
  ['keeps pools that the user set', { MALLOC_ARENA_MAX: '7' }, {}, { MALLOC_ARENA_MAX: '7' }],
])('%s', (_, server, own, expected) => {
  expect(modelEnvironment(server, own)).toEqual(expected);
});
