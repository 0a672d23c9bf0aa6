import { expect, test } from 'vitest';
import { modelEnvironment } from './model-environment.ts';

test.each<[string, NodeJS.ProcessEnv, NodeJS.ProcessEnv, NodeJS.ProcessEnv]>([
  ['is that of the server', { A: '1' }, {}, { A: '1' }],
  ["has the model's own on top", { A: '1', B: '2' }, { A: '3' }, { A: '3', B: '2' }],
  [
    'knows nothing of what the launcher set for memory',
    {
      A: '1',
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '9',
      CONCH_MEMORY_SETTINGS: 'MALLOC_ARENA_MAX,MALLOC_TRIM_THRESHOLD_',
    },
    {},
    { A: '1' },
  ],
  [
    'keeps what the user set',
    { MALLOC_ARENA_MAX: '7', MALLOC_TRIM_THRESHOLD_: '9', CONCH_MEMORY_SETTINGS: 'MALLOC_TRIM_THRESHOLD_' },
    {},
    { MALLOC_ARENA_MAX: '7' },
  ],
  ['keeps all where the launcher set nothing', { MALLOC_ARENA_MAX: '7' }, {}, { MALLOC_ARENA_MAX: '7' }],
])('%s', (_, server, own, expected) => {
  expect(modelEnvironment(server, own)).toEqual(expected);
});
