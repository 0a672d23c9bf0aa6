import { expect, it } from 'vitest';

import { bytesLeftBehind } from '../testing/minor-collections.ts';
import { ChurningMap } from './churning-map.ts';

it('is a map, in the order of insertion, however much came and went', () => {
  const map = new ChurningMap<number, string>();
  map.set(0, 'stays');
  for (let key = 1; key <= 5000; key += 1) {
    map.set(key, String(key));
    if (key > 2) map.delete(key - 2);
  }
  expect([...map]).toEqual([
    [0, 'stays'],
    [4999, '4999'],
    [5000, '5000'],
  ]);
  expect([map.size, map.get(0), map.get(1), map.delete(1), map.delete(0), map.size]).toEqual([
    3,
    'stays',
    undefined,
    false,
    true,
    2,
  ]);
  expect([[...map.keys()], [...map.values()]]).toEqual([
    [4999, 5000],
    ['4999', '5000'],
  ]);
  map.clear();
  expect([...map]).toEqual([]);
});

it('lets go of what was deleted, also when it is old itself', () => {
  const map = new ChurningMap<number, readonly number[]>();
  const fill = (from: number, to: number): void => {
    for (let key = from; key < to; key += 1) {
      map.set(
        key,
        Array.from({ length: 200 }, () => 0),
      );
      map.delete(key - 16);
    }
  };
  const leftBytes = bytesLeftBehind(
    () => fill(0, 100),
    () => fill(100, 20_100),
  );
  expect(map.size).toBe(16);
  // What was in it takes more than 30 MB.
  expect(leftBytes).toBeLessThan(8_000_000);
});
