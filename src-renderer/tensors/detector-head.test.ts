import { expect, test } from 'vitest';

import { findDetection } from './boxes.ts';
import { findHead, readHead } from './detector-head.ts';

const output = (name: string, shape: readonly number[], datatype = 'FP32') => ({ name, datatype, shape });
const INPUT = { width: 640, height: 640 };

test.each([
  ['columns of 80 classes', 'output0', [1, 84, 8400], { classes: 80, hasObjectness: false }],
  ['columns with masks behind the classes', 'output0', [1, 116, 8400], { classes: 80, hasObjectness: false }],
  ['rows with "anything there"', 'output', [1, 25_200, 85], { classes: 80, hasObjectness: true }],
  ['three classes of its own', 'predictions', [1, 7, 8400], { classes: 3, hasObjectness: false }],
])('%s are a head', (_name, name, shape, found) => {
  expect(findHead(output(name, shape))).toMatchObject(found);
  expect(findDetection([output(name, shape)])).toMatchObject({ boxes: 0, head: found });
});

test.each([
  ['logits of tokens', output('logits', [1, 128, 30_522])],
  ['a short list', output('output', [1, 7, 20])],
  ['frames of a sound', output('output', [1, 1500, 384])],
  ['an embedding', output('output', [1, 768])],
  ['a picture', output('output', [1, 3, 640, 640])],
  ['whole numbers', output('output0', [1, 84, 8400], 'INT64')],
])('%s are none', (_name, other) => {
  expect(findHead(other)).toBeUndefined();
});

test('the surest of overlapping boxes of one class stays, and other classes stay beside it', () => {
  // Candidates as columns: x, y, width, height, two classes.
  const rows = [
    [100, 104, 100, 300, 0],
    [100, 100, 100, 300, 0],
    [50, 50, 50, 20, 0],
    [60, 60, 60, 40, 0],
    [0.9, 0.8, 0.1, 0.2, 0.01],
    [0.1, 0.1, 0.7, 0.3, 0.02],
  ];
  const head = { count: 5, features: 6, classes: 2, hasObjectness: false, isTransposed: true };
  const boxes = readHead(Float64Array.from(rows.flat()), head, INPUT);
  expect(boxes.map(({ score, classIndex }) => [score, classIndex])).toEqual([
    [0.9, 0],
    [0.7, 1],
    [0.3, 1],
  ]);
  expect(boxes[0]).toMatchObject({ x: 75, y: 70, width: 50, height: 60 });
});

test('rows multiply by how likely anything is there, and shares of the picture become pixels', () => {
  const values = Float64Array.of(0.5, 0.5, 0.2, 0.2, 0.5, 0.1, 0.8);
  const head = { count: 1, features: 7, classes: 2, hasObjectness: true, isTransposed: false };
  const [box] = readHead(values, head, INPUT);
  expect(box).toMatchObject({ x: 256, y: 256, width: 128, height: 128, score: 0.4, classIndex: 1 });
});
