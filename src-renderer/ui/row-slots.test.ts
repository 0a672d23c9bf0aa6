import { expect, test } from 'vitest';

import { createRowSlots } from './row-slots.ts';

const LIST = {};
const keys = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `row ${from + index}`);

test('scrolling makes no elements: rows that come take those of rows that left', () => {
  const slots = createRowSlots();
  const seen = new Set<number>();
  for (let top = 0; top < 200; top += 3) {
    const assigned = slots.assign(keys(top, top + 10), undefined, LIST);
    expect(new Set([...assigned.values()].map(({ slot }) => slot)).size).toBe(10);
    for (const { slot } of assigned.values()) seen.add(slot);
  }
  expect(seen.size).toBe(10);
});

test('a row keeps its element as long as it is rendered', () => {
  const slots = createRowSlots();
  const before = slots.assign(keys(0, 10), undefined, LIST).get('row 8');
  expect(slots.assign(keys(5, 15), undefined, LIST).get('row 8')).toEqual(before);
  expect(slots.assign(keys(8, 18), undefined, LIST).get('row 8')).toEqual(before);
});

test('the element of the row with the focus never becomes that of another row', () => {
  const slots = createRowSlots();
  const focused = slots.assign(keys(0, 10), 'row 4', LIST).get('row 4')?.slot;
  const after = slots.assign(keys(20, 30), 'row 4', LIST);
  expect([...after.values()].map(({ slot }) => slot)).not.toContain(focused);
});

test('asking twice for the same rows changes nothing', () => {
  const slots = createRowSlots();
  slots.assign(keys(0, 5), undefined, LIST);
  const first = [...slots.assign(keys(2, 7), undefined, LIST)];
  expect([...slots.assign(keys(2, 7), undefined, LIST)]).toEqual(first);
});

test('elements stay in their places while the list scrolls, and are in the order of the rows once it changes', () => {
  const slots = createRowSlots();
  const ranks = (top: number, list: object) =>
    [...slots.assign(keys(top, top + 4), undefined, list).values()].map(({ rank }) => rank);
  expect(ranks(0, LIST)).toEqual([0, 1, 2, 3]);
  expect(ranks(2, LIST)).toEqual([2, 3, 0, 1]);
  expect(ranks(2, {})).toEqual([0, 1, 2, 3]);
});
