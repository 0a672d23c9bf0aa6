import { expect, test } from 'vitest';

import { findJoints, readJoints } from './joints.ts';

const INPUT = { width: 200, height: 100 };

test.each([
  ['output_0', [1, 1, 17, 3], { bodies: 1, joints: 17, hasScore: true, order: 'yx' }],
  ['keypoints', [1, 17, 3], { bodies: 1, joints: 17, hasScore: true, order: 'xy' }],
  ['keypoints', [5, 17, 2], { bodies: 5, joints: 17, hasScore: false, order: 'xy' }],
  ['landmarks', [1, 68, 2], { bodies: 1, joints: 68, hasScore: false, order: 'xy' }],
  ['output_0', [1, 6, 56], { bodies: 6, joints: 17, hasScore: true, order: 'yx', bodySize: 56 }],
  ['world_landmarks_3d', [1, 33, 3], undefined],
  ['points', [1, 1024, 3], undefined],
  ['output', [1, 17, 3], undefined],
  ['keypoints', [1, 17, 64, 48], undefined],
])('%s %j has joints: %j', (name, shape, plan) => {
  const found = findJoints([{ name, datatype: 'FP32', shape }]);
  if (plan === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(plan);
});

test('places are shares of the picture, or pixels, in either order', () => {
  const plan = { bodies: 1, joints: 1, hasScore: true };
  expect(readJoints(Float64Array.of(0.25, 0.5, 0.9), plan, 'yx', INPUT)).toEqual([
    [{ x: 100, y: 25, score: 0.9 }],
  ]);
  expect(readJoints(Float64Array.of(100, 25, 0.9), plan, 'xy', INPUT)).toEqual([
    [{ x: 100, y: 25, score: 0.9 }],
  ]);
});

test('of several bodies each has a score of its own, which none of its joints exceeds', () => {
  const plan = { bodies: 2, joints: 1, hasScore: true, bodySize: 8 };
  const values = Float64Array.of(0.5, 0.25, 0.9, 0, 0, 1, 1, 0.8, 0.5, 0.75, 0.9, 0, 0, 1, 1, 0.1);
  expect(readJoints(values, plan, 'yx', INPUT)).toEqual([
    [{ x: 50, y: 50, score: 0.8 }],
    [{ x: 150, y: 50, score: 0.1 }],
  ]);
});
