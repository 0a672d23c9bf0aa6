import { expect, test } from 'vitest';

import { classesOf, findMask, isClassMap, sharesOf } from './mask.ts';

const output = (name: string, shape: readonly number[], datatype = 'FP32') => ({ name, datatype, shape });

test('numbers of classes come before the scores they were made of', () => {
  const outputs = [output('logits', [1, 21, 64, 48]), output('mask', [1, 64, 48], 'INT64')];
  expect(findMask(outputs)).toEqual({ output: 1, width: 48, height: 64, planes: 1 });
  expect(findMask(outputs.slice(0, 1))).toEqual({ output: 0, width: 48, height: 64, planes: 21 });
});

test.each([
  ['a picture', output('output', [1, 3, 64, 64])],
  ['a heat map', output('depth', [1, 64, 64])],
  ['hidden states', output('last_hidden_state', [1, 12, 768])],
  ['tokens', output('ids', [1, 128], 'INT64')],
  ['grey values', output('grey', [64, 64], 'UINT8')],
])('%s are no mask', (_name, other) => {
  expect(findMask([other])).toBeUndefined();
  expect(isClassMap(other)).toBe(false);
});

test('one plane whose name says that it is a mask is one, behind numbers and scores of classes', () => {
  const share = output('mask', [1, 1, 96, 128]);
  expect(findMask([share])).toEqual({ output: 0, width: 128, height: 96, planes: 1, isShare: true });
  expect(findMask([share, output('classes', [96, 128], 'INT64')])).toMatchObject({ output: 1 });
  expect(findMask([output('output', [1, 1, 96, 128])])).toBeUndefined();
});

test('a share counts from a half on, a logit from zero', () => {
  const plan = { output: 0, width: 4, height: 1, planes: 1, isShare: true };
  expect([...classesOf(Float64Array.of(0, 0.4, 0.6, 1), plan)]).toEqual([0, 0, 1, 1]);
  expect([...classesOf(Float64Array.of(-3, -0.1, 0.2, 7), plan)]).toEqual([0, 0, 1, 1]);
});

test.each([
  ['heat maps of joints', output('output', [1, 17, 64, 48])],
  ['slices of a body', output('output', [1, 1, 32, 64, 64])],
  ['the colours of a grey picture', output('out_ab', [1, 2, 64, 64])],
  ['a movement between two pictures', output('output', [1, 2, 64, 64])],
])('%s are no classes', (_name, other) => {
  expect(findMask([other], { pictureCount: 2 })).toBeUndefined();
});

test('two planes of one picture are, and scores may lie beside each other', () => {
  expect(findMask([output('output', [1, 2, 64, 64])])).toMatchObject({ planes: 2 });
  expect(findMask([output('ResizeBilinear_2', [1, 257, 257, 21])])).toEqual({
    output: 0,
    width: 257,
    height: 257,
    planes: 21,
    isLast: true,
  });
  expect(findMask([output('logits', [1, 150, 128, 128])])).toMatchObject({ planes: 150, width: 128 });
  expect(findMask([output('logits', [1, 128, 128, 150])])).toMatchObject({ planes: 150, isLast: true });
});

test('each pixel gets the class with the highest score', () => {
  const plan = { output: 0, width: 2, height: 1, planes: 3 };
  const classes = classesOf(Float64Array.of(0.1, 0.9, 0.8, 0.2, 0.3, 0.3), plan);
  expect([...classes]).toEqual([1, 0]);
  expect(classesOf(classes, { ...plan, planes: 1 })).toBe(classes);
  const beside = Float64Array.of(0.1, 0.8, 0.3, 0.9, 0.2, 0.3);
  expect([...classesOf(beside, { ...plan, isLast: true })]).toEqual([1, 0]);
});

test('classes are listed by their share of the picture', () => {
  expect(sharesOf(Float64Array.of(5, 0, 5, 5))).toEqual([
    { index: 5, share: 0.75 },
    { index: 0, share: 0.25 },
  ]);
});
