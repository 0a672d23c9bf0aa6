import { describe, expect, test } from 'vitest';
import {
  areCompatible,
  elementCount,
  formatShape,
  mapReshape,
  matchesShape,
  reshapeProblem,
  withBatchDim,
} from './shape.ts';

describe('shape', () => {
  test('counts elements exactly, one for the empty shape, none for a wildcard', () => {
    expect(elementCount([])).toBe(1n);
    expect(elementCount([2, 3])).toBe(6n);
    expect(elementCount([2, -1])).toBeUndefined();
    expect(elementCount([2 ** 50, 2 ** 50])).toBe(2n ** 100n);
  });

  test.each([
    [[2, 4, -1, 6], [8, -1, 1, 6], undefined],
    [[-1, 2], [2, -1], 'size'],
    [[-1, 2], [-1, -1, 2], 'variable-count'],
    [[1], [], undefined],
    [[4], [2, 3], 'size'],
    [[2, -1], [2, 2], 'size'],
  ])('reshape of %j to %j: %s', (dims, reshape, expected) => {
    expect(reshapeProblem(dims, reshape)).toBe(expected);
  });

  test('maps wildcard sizes in order', () => {
    expect(mapReshape([2, 4, 9, 6], [2, 4, -1, 6], [8, -1, 1, 6])).toEqual([8, 9, 1, 6]);
    expect(mapReshape([1], [1], [])).toEqual([]);
  });

  test('matches patterns and prints shapes', () => {
    expect(matchesShape([0, 3], [-1, 3])).toBe(true);
    expect(matchesShape([3], [-1, 3])).toBe(false);
    expect(areCompatible([-1, 3], [2, -1])).toBe(true);
    expect(areCompatible([4], [5])).toBe(false);
    expect(formatShape(withBatchDim([16], 8))).toBe('[-1,16]');
    expect(withBatchDim([16], 0)).toEqual([16]);
  });
});
