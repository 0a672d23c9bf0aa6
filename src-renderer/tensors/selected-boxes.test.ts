import { expect, test } from 'vitest';

import { findDetection } from './boxes.ts';
import { findSelection, selectedBoxes } from './selected-boxes.ts';

const output = (name: string, shape: readonly number[], datatype = 'FP32') => ({ name, datatype, shape });
const ALL = [output('a:0', [1, 50, 4]), output('b:0', [1, 80, 50]), output('c:0', [2, 3], 'INT32')];

test('all boxes, all scores and a list of what was kept are detections, whatever they are called', () => {
  const table = { output: 1, count: 50, classes: 80, isTransposed: true };
  expect(findDetection(ALL)).toMatchObject({
    boxes: 0,
    count: 2,
    order: 'yxyx',
    selection: { output: 2, boxes: 0, table, count: 2 },
  });
  expect(findSelection(ALL.slice(0, 2))).toBeUndefined();
  expect(findSelection([...ALL.slice(0, 2), output('c:0', [1, 1, 3], 'INT64')])?.count).toBe(1);
  expect(findSelection([...ALL.slice(0, 2), output('c:0', [0, 3], 'INT32')])?.count).toBe(0);
});

test('the boxes of the list come with the scores of their classes; what fills it up has none', () => {
  const table = { output: 1, count: 2, classes: 3, isTransposed: true };
  const boxes = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const scores = Float64Array.of(0, 0.1, 0, 0, 0, 0.9);
  const rows = Float64Array.of(0, 2, 1, -1, -1, -1);
  const kept = selectedBoxes({ boxes, scores, rows }, { output: 2, boxes: 0, table, count: 2 });
  expect(kept.boxes).toEqual(Float64Array.of(5, 6, 7, 8, 0, 0, 0, 0));
  expect(kept.scores).toEqual(Float64Array.of(0.9, 0));
  expect(kept.classes).toEqual(Float64Array.of(2, 0));
});
