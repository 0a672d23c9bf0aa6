// The orders in which a tritonserver listed the outputs of ensembles.

import { expect, test } from 'vitest';
import { hashTableOrder } from './hash-table-order.ts';

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test.each([
  [['OUTPUT0', 'OUTPUT1'], 'OUTPUT1 OUTPUT0'],
  [['b', 'a'], 'a b'],
  [['classes', 'scores', 'boxes', 'masks', 'num', 'extra'], 'extra num masks boxes scores classes'],
  [numbered('out_', 10), 'out_8 out_5 out_4 out_9 out_7 out_3 out_2 out_6 out_1 out_0'],
  [numbered('o', 16), 'o15 o1 o0 o3 o5 o2 o9 o10 o4 o14 o7 o6 o13 o8 o11 o12'],
])('%j', (names, order) => {
  expect(hashTableOrder(names).join(' ')).toBe(order);
  expect(hashTableOrder([...names, ...names]).join(' ')).toBe(order);
});

test('a name of any length and any number of names keep their places', () => {
  const names = numbered('tensor with a long name ', 5000);
  const order = hashTableOrder(names);
  expect([...order].sort()).toEqual([...names].sort());
  expect(hashTableOrder([])).toEqual([]);
});
