import { expect, test } from 'vitest';

import { bestOfTable } from './score-table.ts';
import { findDetection, inPicture, readBoxes, sureBoxes } from './boxes.ts';

const output = (name: string, shape: readonly number[], datatype = 'FP32') => ({ name, datatype, shape });
const INPUT = { width: 100, height: 100 };

test('boxes, scores and classes are found among the outputs, whatever their order', () => {
  const outputs = [
    output('labels', [1, 3], 'INT64'),
    output('scores', [1, 3]),
    output('boxes', [1, 3, 4]),
    output('features', [1, 256]),
  ];
  expect(findDetection(outputs)).toEqual({
    boxes: 2,
    columns: 4,
    count: 3,
    scores: 1,
    classes: 0,
    order: 'xyxy',
  });
});

test('names of two well-known families tell the order', () => {
  expect(findDetection([output('detection_boxes', [1, 100, 4])])?.order).toBe('yxyx');
  expect(findDetection([output('pred_boxes', [1, 100, 4])])?.order).toBe('cxcywh');
});

test('six numbers per box carry their score and class', () => {
  const found = findDetection([output('output0', [1, 2, 6])]);
  expect(found).toMatchObject({ columns: 6, count: 2, scores: undefined });
  const boxes = Float64Array.of(10, 20, 30, 60, 0.9, 7, 0, 0, 5, 5, 0.1, 1);
  const read = readBoxes(
    { boxes, scores: undefined, classes: undefined },
    { columns: 6, count: 2 },
    'xyxy',
    INPUT,
  );
  expect(read[0]).toEqual({ x: 10, y: 20, width: 20, height: 40, score: 0.9, classIndex: 7 });
});

test('three lists of the same things are boxes, scores and classes, whatever they are called', () => {
  const outputs = [output('6379', [2, 4]), output('6381', [2], 'INT64'), output('6383', [2])];
  expect(findDetection(outputs)).toMatchObject({ boxes: 0, scores: 2, classes: 1, count: 2 });
  expect(findDetection(outputs.slice(0, 2))).toBeUndefined();
});

test('a score of every class for every box is found in either order', () => {
  const rows = findDetection([output('logits', [1, 100, 92]), output('pred_boxes', [1, 100, 4])]);
  expect(rows?.table).toEqual({ output: 0, count: 100, classes: 92, isTransposed: false });
  const columns = findDetection([output('boxes', [1, 500, 4]), output('scores', [1, 80, 500])]);
  expect(columns?.table).toEqual({ output: 1, count: 500, classes: 80, isTransposed: true });
});

test('the best class of a box is said with its share, and "nothing there" is no class', () => {
  const table = { output: 0, count: 2, classes: 3, isTransposed: false };
  const found = bestOfTable(Float64Array.of(0, 8, 0, 0, 1, 9), table);
  expect([...found.classes]).toEqual([1, 1]);
  expect(found.scores[0]).toBeCloseTo(0.9993, 4);
  expect(found.scores[1]).toBeCloseTo(0.0003, 4);
  const shares = bestOfTable(Float64Array.of(0.1, 0.7, 0.2, 0.3, 0, 1), { ...table, isTransposed: true });
  expect([...shares.classes, ...shares.scores]).toEqual([1, 2, 0.2, 1]);
});

test.each([
  ['probabilities of classes', output('probabilities', [1, 4])],
  ['a batch', output('boxes', [2, 10, 4])],
  ['four of something else', output('quaternion', [1, 4])],
])('%s are no boxes', (_name, other) => {
  expect(findDetection([other])).toBeUndefined();
});

test.each([
  ['xyxy', [10, 20, 30, 60]],
  ['yxyx', [20, 10, 60, 30]],
  ['xywh', [10, 20, 20, 40]],
  ['cxcywh', [20, 40, 20, 40]],
  ['xyxy', [0.1, 0.2, 0.3, 0.6]],
] as const)('%s %j is the same box', (order, four) => {
  const values = { boxes: Float64Array.from(four), scores: undefined, classes: undefined };
  const [box] = readBoxes(values, { columns: 4, count: 1 }, order, INPUT);
  expect([box?.x, box?.y, box?.width, box?.height].map((value) => Math.round(value ?? 0))).toEqual([
    10, 20, 20, 40,
  ]);
});

test('a box lies where it was seen, however the picture was made to fit', () => {
  const box = { x: 0, y: 25, width: 100, height: 50, score: 1, classIndex: 0 };
  const picture = { width: 400, height: 200 };
  expect(inPicture(box, INPUT, picture, 'stretch')).toMatchObject({ x: 0, y: 50, width: 400, height: 100 });
  expect(inPicture(box, INPUT, picture, 'contain')).toMatchObject({ x: 0, y: 0, width: 400, height: 200 });
  expect(inPicture(box, INPUT, picture, 'cover')).toMatchObject({ x: 100, y: 50, width: 200, height: 100 });
});

test('unsure boxes and those without an area are left out, the surest come first', () => {
  const at = (score: number, width = 1) => ({ x: 0, y: 0, width, height: 1, score, classIndex: 0 });
  expect(sureBoxes([at(0.6), at(0.2), at(0.9), at(1, 0)], 0.5).map(({ score }) => score)).toEqual([0.9, 0.6]);
});
