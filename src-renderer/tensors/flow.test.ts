import { expect, test } from 'vitest';

import { farthestOf, flowLayout, flowPixels, isFlow, readFlow } from './flow.ts';

test('two planes, or two numbers beside each other, are movements', () => {
  expect(flowLayout([1, 2, 48, 64])).toEqual({ width: 64, height: 48, isLast: false });
  expect(flowLayout([48, 64, 2])).toEqual({ width: 64, height: 48, isLast: true });
  expect(flowLayout([1, 3, 48, 64])).toBeUndefined();
  expect(flowLayout([2, 48])).toBeUndefined();
  expect(isFlow({ name: 'flow_up', datatype: 'FP32', shape: [1, 2, 48, 64] })).toBe(true);
  expect(isFlow({ name: 'logits', datatype: 'FP32', shape: [1, 2, 48, 64] })).toBe(false);
});

test('both orders give the same movements', () => {
  const planes = readFlow(Float64Array.of(1, 2, 3, 4), { width: 2, height: 1, isLast: false });
  const beside = readFlow(Float64Array.of(1, 3, 2, 4), { width: 2, height: 1, isLast: true });
  expect([[...planes.across], [...planes.down]]).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(beside).toEqual(planes);
  expect(farthestOf(planes)).toBeCloseTo(Math.hypot(2, 4));
});

test('the hue is the direction and the strength the length; what is no number is still', () => {
  const flow = {
    across: Float64Array.of(2, -2, 0, 0, 1, Number.NaN),
    down: Float64Array.of(0, 0, 2, 0, 0, 0),
  };
  const pixels = flowPixels(flow);
  const colour = (at: number) => [...pixels.subarray(at * 4, at * 4 + 4)];
  expect(colour(0)).toEqual([255, 0, 0, 255]);
  expect(colour(1)).toEqual([0, 255, 255, 255]);
  expect(colour(2)).toEqual([128, 255, 0, 255]);
  expect(colour(3)).toEqual([255, 255, 255, 255]);
  expect(colour(4)).toEqual([255, 128, 128, 255]);
  expect(colour(5)).toEqual([255, 255, 255, 255]);
});
