// What the overview reads of a config as served, the sentence about its scheduling, and its tensors beside those of the
// client and the file.

import { expect, test } from 'vitest';

import { describeTensor } from '../../../src-shared/config/model-description.ts';
import { readCard } from './kept-card.ts';
import { tensorFacts } from './overview-selectors.ts';
import { schedulingSentence } from './scheduling-sentence.ts';
import type { ServedConfig } from './served-config.ts';
import { readServedConfig } from './served-config.ts';

function read(value: unknown): ServedConfig {
  const config = readServedConfig(JSON.stringify(value));
  if (config === undefined) throw new Error('it is a config');
  return config;
}

test.each(['', '{', 'null', '[]', '"text"', '7'])('%j is no config', (json) => {
  expect(readServedConfig(json)).toBeUndefined();
});

test('an empty config has no tensors and no batches', () => {
  expect(read({})).toEqual({
    ...{
      maxBatchSize: 0,
      inputs: [],
      outputs: [],
      scheduler: 'none',
      queueDelayUs: 0,
      stepCount: 0,
      serverRoles: new Map(),
    },
  });
});

test('numbers that are written as texts, and reshapes to nothing, are read', () => {
  const config = read({
    max_batch_size: '8',
    input: [{ name: 'X', data_type: 'TYPE_FP32', dims: ['4', -1], reshape: { shape: [] } }, 'damaged'],
    output: { not: 'a list' },
    dynamic_batching: { max_queue_delay_microseconds: '200' },
  });
  expect(config).toMatchObject({ maxBatchSize: 8, queueDelayUs: 200, outputs: [] });
  expect(config.inputs).toEqual([{ name: 'X', dataType: 'TYPE_FP32', dims: [4, -1], reshape: [] }]);
});

test.each<[object, number, string]>([
  [{}, 1, 'Each request runs by itself'],
  [{ max_batch_size: 4 }, 0, '4'],
  [{ max_batch_size: 4, dynamic_batching: {} }, 0, '4'],
  [
    { max_batch_size: 8, dynamic_batching: { max_queue_delay_microseconds: 200 } },
    0,
    'wait up to 200 µs to form batches of up to 8',
  ],
  [{ max_batch_size: 8, sequence_batching: {} }, 0, 'always go to the same slot'],
  [{ ensemble_scheduling: { step: [{}, {}, {}] } }, 2, '3'],
])('the scheduling of %j with %i instances is one sentence', (config, instances, words) => {
  expect(schedulingSentence(read(config), instances)).toContain(words);
});

test('instances are told where they run, and of an ensemble never', () => {
  const plain = read({});
  expect(schedulingSentence(plain, 3)).toMatch(/^Each request runs by itself.* .*3/);
  expect(schedulingSentence(plain, 0)).toBe(schedulingSentence(plain, 0).trim());
  const ensemble = read({ ensemble_scheduling: { step: [{}] } });
  expect(schedulingSentence(ensemble, 9)).not.toContain('9');
});

test('a tensor that only one of the three knows is listed, with what that one says', () => {
  const config = [{ name: 'A', dataType: 'TYPE_FP16', dims: [4], reshape: undefined }];
  const client = [
    { name: 'A', datatype: 'FP16', shape: [-1, 4] },
    { name: 'B', datatype: 'BYTES', shape: [1], optional: true },
  ];
  const graph = [describeTensor('C', 'INT64', [2])];
  expect(tensorFacts({ config, client, graph }, { isBatched: true })).toMatchObject([
    {
      name: 'A',
      datatype: 'FP16',
      config: [4],
      client: [-1, 4],
      graph: undefined,
      isOptional: false,
      isBatched: true,
    },
    { name: 'B', datatype: 'BYTES', config: undefined, client: [1], isOptional: true },
    { name: 'C', datatype: 'INT64', client: undefined, graph: [2] },
  ]);
  expect(tensorFacts({ config }, { isBatched: false })).toMatchObject([
    { datatype: 'FP16', client: undefined },
  ]);
});

test.each<[string | undefined, object]>([
  [undefined, {}],
  ['', {}],
  ['{', {}],
  ['null', { task: undefined, licence: undefined }],
  ['{"task":"speech","licence":"MIT"}', { task: 'speech', licence: 'MIT' }],
  ['{"task":"cooking","licence":7}', { task: undefined, licence: undefined }],
])('of what was kept as %j, what is damaged is left out', (json, card) => {
  expect(readCard(json)).toEqual(card);
});
