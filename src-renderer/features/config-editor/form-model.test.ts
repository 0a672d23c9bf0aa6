import { describe, expect, test } from 'vitest';

import type { FormChange } from './form-model.ts';
import { changeForm, readForm } from './form-model.ts';

const TEXT = `# our model
name: "mlp"
max_batch_size: 8   # fits the GPU
unknown_to_the_form: true
dynamic_batching {
  max_queue_delay_microseconds: 200
}
instance_group [ { count: 2 kind: KIND_CPU } ]
parameters { key: "intra_op_thread_count" value { string_value: "3" } }
optimization { graph { level: 1 } }
version_policy: { specific: { versions: [ 1, 3 ] } }
`;

const READABLE = TEXT.replace('unknown_to_the_form: true\n', '');

test('reads what is written', () => {
  expect(readForm(READABLE)).toMatchObject({
    error: undefined,
    maxBatchSize: 8,
    isBatching: true,
    queueDelayUs: 200,
    preferredBatchSizes: [],
    instanceCount: 2,
    instanceKind: 'KIND_CPU',
    versionPolicy: 'specific',
    versions: [1, 3],
    intraOpThreads: 3,
    interOpThreads: undefined,
    graphLevel: 1,
  });
});

test('what is not written is not a value', () => {
  expect(readForm('')).toMatchObject({
    maxBatchSize: undefined,
    isBatching: false,
    instanceCount: undefined,
    versionPolicy: 'default',
    graphLevel: undefined,
  });
});

test('a text with a mistake has its first error', () => {
  expect(readForm('max_batch_size: {').error).toEqual(expect.stringMatching(/./));
});

describe('changes', () => {
  test.each<[FormChange, string]>([
    [{ field: 'maxBatchSize', value: 16 }, 'max_batch_size: 16   # fits the GPU'],
    [{ field: 'queueDelayUs', value: 500 }, 'max_queue_delay_microseconds: 500'],
    [{ field: 'preferredBatchSizes', value: [4, 8] }, 'preferred_batch_size: [ 4, 8 ]'],
    [{ field: 'instanceCount', value: 3 }, '{ count: 3 kind: KIND_CPU }'],
    [{ field: 'instanceKind', value: 'KIND_GPU' }, '{ count: 2 kind: KIND_GPU }'],
    [{ field: 'versions', value: [2] }, 'versions: [ 2 ]'],
    [{ field: 'intraOpThreads', value: 6 }, 'string_value: "6"'],
    [{ field: 'interOpThreads', value: 2 }, 'key: "inter_op_thread_count"'],
    [{ field: 'graphLevel', value: -1 }, 'level: -1'],
  ])('%j', (change, written) => {
    const changed = changeForm(TEXT, change);
    expect(changed).toContain(written);
    expect(changed).toContain('# our model\nname: "mlp"\n');
    expect(changed).toContain('unknown_to_the_form: true\n');
  });

  test.each<[FormChange, Partial<ReturnType<typeof readForm>>]>([
    [{ field: 'maxBatchSize', value: undefined }, { maxBatchSize: undefined }],
    [{ field: 'batching', value: false }, { isBatching: false }],
    [{ field: 'versionPolicy', value: 'all', available: [] }, { versionPolicy: 'all' }],
    [
      { field: 'versionPolicy', value: 'latest', available: [] },
      { versionPolicy: 'latest', latestCount: 1 },
    ],
    [
      { field: 'versionPolicy', value: 'specific', available: [5] },
      { versionPolicy: 'specific', versions: [5] },
    ],
    [{ field: 'versionPolicy', value: 'default', available: [] }, { versionPolicy: 'default' }],
    [{ field: 'intraOpThreads', value: undefined }, { intraOpThreads: undefined }],
    [{ field: 'queueDelayUs', value: 0 }, { queueDelayUs: 0 }],
  ])('%j is read back', (change, values) => {
    const changed = changeForm(READABLE, change);
    expect(readForm(changed).error).toBeUndefined();
    expect(readForm(changed)).toMatchObject(values);
  });

  test('batching can be switched on, and an optimization block that held only the level goes with it', () => {
    expect(readForm(changeForm('', { field: 'batching', value: true })).isBatching).toBe(true);
    expect(changeForm(READABLE, { field: 'graphLevel', value: undefined })).not.toContain('optimization');
    const more = 'optimization { graph { level: 1 } priority: PRIORITY_MAX }\n';
    expect(changeForm(more, { field: 'graphLevel', value: undefined })).toContain('priority: PRIORITY_MAX');
  });
});

test.each([
  ['ensemble_scheduling { step [] }', { isEnsemble: true, isSequence: false }],
  ['sequence_batching { }', { isSequence: true, isBatching: false }],
  ['instance_group { count: 1 }\ninstance_group { count: 2 }', { hasManyGroups: true, instanceCount: 1 }],
  ['instance_group { }', { instanceCount: undefined, instanceKind: 'KIND_AUTO' }],
  ['version_policy { latest { num_versions: 3 } }', { versionPolicy: 'latest', latestCount: 3 }],
  ['version_policy { all { } }', { versionPolicy: 'all' }],
  ['max_batch_size: 0', { maxBatchSize: 0 }],
  // What is no whole number cannot be shown in a field of whole numbers.
  [
    'parameters { key: "intra_op_thread_count" value { string_value: "many" } }',
    { intraOpThreads: undefined },
  ],
])('%s', (text, values) => {
  expect(readForm(text)).toMatchObject({ error: undefined, ...values });
});

test('numbers as large as the server takes them keep every digit', () => {
  const changed = changeForm('', { field: 'queueDelayUs', value: 4_294_967_296 });
  expect(changed).toContain('max_queue_delay_microseconds: 4294967296');
  expect(readForm(changed).queueDelayUs).toBe(4_294_967_296);
});

test('a change of the form is one that can be taken back by the form', () => {
  for (const [there, back] of [
    [
      { field: 'maxBatchSize', value: 4 },
      { field: 'maxBatchSize', value: undefined },
    ],
    [
      { field: 'interOpThreads', value: 4 },
      { field: 'interOpThreads', value: undefined },
    ],
    [
      { field: 'graphLevel', value: 1 },
      { field: 'graphLevel', value: undefined },
    ],
    [
      { field: 'batching', value: true },
      { field: 'batching', value: false },
    ],
  ] satisfies [FormChange, FormChange][]) {
    const before = 'name: "m"\n# a remark\n';
    expect(changeForm(changeForm(before, there), back).trimEnd()).toBe(before.trimEnd());
  }
});
