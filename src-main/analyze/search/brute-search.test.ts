import { expect, test } from 'vitest';

import { bruteSearch, manualSearch } from './brute-search.ts';
import { someSpace, throughput, trialsOf, trialText } from './testing.ts';
import type { Trial } from './trial.ts';

function notes(): { note(text: string): void; texts: string[] } {
  const texts: string[] = [];
  return { texts, note: (text) => void texts.push(text) };
}

const instancesOf = ({ fields }: Trial): number =>
  (fields?.['instance_group'] as { count: number }[] | undefined)?.[0]?.count ?? 0;
const batchOf = ({ fields }: Trial): number => Number(fields?.['max_batch_size'] ?? 0);

test('the default comes first, then instance counts with batch sizes inside', () => {
  const space = someSpace({
    givenLoads: [4, 2],
    instanceCounts: { min: 1, max: 2 },
    maxBatchSizes: { min: 2, max: 9 },
  });
  const trials = trialsOf(bruteSearch(space, notes()), (trial) => throughput(100 + batchOf(trial)));
  expect(trials.map(trialText)).toEqual([
    'default c2',
    'default c4',
    ...[1, 2].flatMap((count) =>
      [2, 4, 8].flatMap((size) => [`i${count} b${size} c2`, `i${count} b${size} c4`]),
    ),
  ]);
  expect(trials[2]?.fields).toEqual({
    max_batch_size: 2,
    instance_group: [{ kind: 'KIND_CPU', count: 1 }],
    dynamic_batching: {},
  });
});

test('batch sizes end at the first that is no better than every smaller one, anew for each instance count', () => {
  const space = someSpace({ givenLoads: [1], instanceCounts: { min: 1, max: 2 } });
  const gains: Record<number, number> = { 1: 10, 2: 20, 4: 20, 8: 90 };
  const trials = trialsOf(bruteSearch(space, notes()), (trial) => throughput(gains[batchOf(trial)] ?? 10));
  expect(trials.map(trialText).slice(1)).toEqual([
    'i1 b1 c1',
    'i1 b2 c1',
    'i1 b4 c1',
    'i2 b1 c1',
    'i2 b2 c1',
    'i2 b4 c1',
  ]);
});

test('a configuration that cannot be measured ends its batch sizes', () => {
  const space = someSpace({ givenLoads: [1], instanceCounts: { min: 1, max: 2 } });
  const trials = trialsOf(bruteSearch(space, notes()), (trial) =>
    instancesOf(trial) === 1 && batchOf(trial) === 2 ? undefined : throughput(batchOf(trial)),
  );
  expect(trials.map(trialText).filter((text) => text.startsWith('i1'))).toEqual(['i1 b1 c1', 'i1 b2 c1']);
});

test('a model that does not batch has neither sizes nor a batcher', () => {
  const space = someSpace({
    givenLoads: [1],
    instanceCounts: { min: 1, max: 2 },
    model: { maxBatchSize: 0, instanceCount: 1, takesDynamicBatching: false, dynamicBatching: undefined },
  });
  const trials = trialsOf(bruteSearch(space, notes()), () => throughput(1));
  expect(trials.map(({ fields }) => fields)).toEqual([
    undefined,
    { instance_group: [{ kind: 'KIND_CPU', count: 1 }] },
    { instance_group: [{ kind: 'KIND_CPU', count: 2 }] },
  ]);
});

test('powers of two end once the best of four gains a twentieth or less over the first of them', () => {
  const heard = notes();
  const space = someSpace({ instanceCounts: { min: 1, max: 0 } });
  const rates: Record<number, number> = { 1: 50, 2: 80, 4: 100, 8: 101, 16: 105, 32: 104, 64: 999 };
  const trials = trialsOf(bruteSearch(space, heard), ({ load }) => throughput(rates[load.value] ?? 0));
  // 4, 8, 16, 32: (105 - 100) / 100 = 0.05
  expect(trials.map(({ load }) => load.value)).toEqual([1, 2, 4, 8, 16, 32]);
  expect(heard.texts).toEqual(['No longer increasing concurrency as throughput has plateaued']);
});

test('listed loads are all measured, unless the user asks for an early end', () => {
  const given = [1, 2, 4, 8, 16, 32];
  const space = someSpace({ instanceCounts: { min: 1, max: 0 }, givenLoads: given });
  expect(trialsOf(bruteSearch(space, notes()), () => throughput(7))).toHaveLength(6);
  const early = { ...space, exitsEarly: true };
  expect(trialsOf(bruteSearch(early, notes()), () => throughput(7))).toHaveLength(4);
});

test('client batches that do not fit into the configuration are left out', () => {
  const space = someSpace({
    givenLoads: [1],
    batchSizes: [1, 4],
    instanceCounts: { min: 1, max: 1 },
    maxBatchSizes: { min: 2, max: 4 },
    model: { maxBatchSize: 2, instanceCount: 1, takesDynamicBatching: true, dynamicBatching: undefined },
  });
  const trials = trialsOf(bruteSearch(space, notes()), (trial) => throughput(1 + batchOf(trial)));
  expect(trials.map(trialText)).toEqual(['default c1', 'i1 b2 c1', 'i1 b4 c1', 'i1 b4 c1 x4']);
});

test('the load follows from the configuration where the formula is asked for', () => {
  const space = someSpace({
    usesFormula: true,
    instanceCounts: { min: 2, max: 2 },
    maxBatchSizes: { min: 4, max: 4 },
    model: { maxBatchSize: 8, instanceCount: 3, takesDynamicBatching: true, dynamicBatching: undefined },
  });
  const trials = trialsOf(bruteSearch(space, notes()), () => throughput(1));
  expect(trials.map(trialText)).toEqual(['default c48', 'i2 b4 c16']);
});

test('listed parameters are combined, and a preferred batch above the maximum is skipped', () => {
  const parameters = {
    max_batch_size: [4, 8],
    dynamic_batching: { preferred_batch_size: [[4], [8]], max_queue_delay_microseconds: 100 },
  };
  const trials = trialsOf(manualSearch(someSpace({ givenLoads: [2] }), parameters, notes()), () =>
    throughput(1),
  );
  expect(trials.map(({ fields }) => fields)).toEqual([
    undefined,
    { max_batch_size: 4, dynamic_batching: { preferred_batch_size: [4], max_queue_delay_microseconds: 100 } },
    { max_batch_size: 8, dynamic_batching: { preferred_batch_size: [4], max_queue_delay_microseconds: 100 } },
    { max_batch_size: 8, dynamic_batching: { preferred_batch_size: [8], max_queue_delay_microseconds: 100 } },
  ]);
});

test('without parameters only the default is measured', () => {
  const trials = trialsOf(manualSearch(someSpace({ givenLoads: [1] }), undefined, notes()), () =>
    throughput(1),
  );
  expect(trials.map(trialText)).toEqual(['default c1']);
});

test('a batcher of the model stays, without preferred sizes that are larger than the batch', () => {
  const batcher = { preferred_batch_size: [4, 8], max_queue_delay_microseconds: '200' };
  const space = someSpace({
    givenLoads: [1],
    instanceCounts: { min: 1, max: 1 },
    maxBatchSizes: { min: 2, max: 8 },
    model: { maxBatchSize: 8, instanceCount: 1, takesDynamicBatching: false, dynamicBatching: batcher },
  });
  const trials = trialsOf(bruteSearch(space, notes()), (trial) => throughput(1 + batchOf(trial)));
  expect(trials.map(({ fields }) => fields?.['dynamic_batching'])).toEqual([
    undefined,
    { preferred_batch_size: [], max_queue_delay_microseconds: '200' },
    { preferred_batch_size: [4], max_queue_delay_microseconds: '200' },
    undefined,
  ]);
  const manual = trialsOf(manualSearch(space, { max_batch_size: [2, 8] }, notes()), () => throughput(1));
  expect(manual.map(trialText)).toEqual(['default c1', 'b8 c1']);
});
