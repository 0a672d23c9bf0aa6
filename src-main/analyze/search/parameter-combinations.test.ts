import { expect, test } from 'vitest';

import { combinations } from './parameter-combinations.ts';

test('a list of a field that holds one value is what to try; the last field changes fastest', () => {
  expect(
    combinations({ max_batch_size: [1, 2], dynamic_batching: { max_queue_delay_microseconds: [10, 20] } }),
  ).toEqual([
    { max_batch_size: 1, dynamic_batching: { max_queue_delay_microseconds: 10 } },
    { max_batch_size: 1, dynamic_batching: { max_queue_delay_microseconds: 20 } },
    { max_batch_size: 2, dynamic_batching: { max_queue_delay_microseconds: 10 } },
    { max_batch_size: 2, dynamic_batching: { max_queue_delay_microseconds: 20 } },
  ]);
});

test('a list of a field that holds several is one value, a list of lists is several', () => {
  expect(combinations({ instance_group: [{ kind: 'KIND_CPU', count: 1 }] })).toHaveLength(1);
  expect(
    combinations({ instance_group: [[{ kind: 'KIND_CPU', count: 1 }], [{ kind: 'KIND_CPU', count: 2 }]] }),
  ).toEqual([
    { instance_group: [{ kind: 'KIND_CPU', count: 1 }] },
    { instance_group: [{ kind: 'KIND_CPU', count: 2 }] },
  ]);
});

test('values to try inside one group', () => {
  expect(combinations({ instance_group: [{ kind: 'KIND_CPU', count: [1, 3] }] })).toEqual([
    { instance_group: [{ kind: 'KIND_CPU', count: 1 }] },
    { instance_group: [{ kind: 'KIND_CPU', count: 3 }] },
  ]);
});

test('parameters of the backend', () => {
  expect(combinations({ parameters: { intra_op_thread_count: { string_value: ['1', '2'] } } })).toEqual([
    { parameters: { intra_op_thread_count: { string_value: '1' } } },
    { parameters: { intra_op_thread_count: { string_value: '2' } } },
  ]);
});
