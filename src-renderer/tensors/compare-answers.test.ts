// Answers held against each other, and against what was saved of one.

import { expect, test } from 'vitest';

import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeOutput, fakeRefusal, fakeResult } from '../testing/fake-playground.ts';
import { compareOutputs, compareWithExpectation } from './compare-answers.ts';

const [X, Y] = [fakeOutput('X', ['1']), fakeOutput('Y', ['1', '2'])];

test('outputs of one name and type are compared by the engine, which has all of their elements', async () => {
  const fake = new FakeEngine();
  const found = { name: 'Y', maxAbsolute: 1, maxRelative: 0.5, firstDiffering: 'Y[1]: 2 and 1' };
  fake.overrides['playground/compare'] = () => [found];
  const theirs = { ...Y, blob: 'other' };
  expect(await compareOutputs(fake.engine().client, [Y], [theirs], 0.1)).toEqual([found]);
  expect(fake.argsOf('playground/compare')).toEqual([
    {
      pairs: [{ name: 'Y', datatype: 'FP32', shape: [2], a: 'blob-Y', b: 'other' }],
      tolerance: 0.1,
    },
  ]);
});

test('outputs that only one has, or that have another shape or type, differ without the engine', async () => {
  const fake = new FakeEngine();
  const longer = { ...Y, shape: [3] };
  const typed = { ...X, datatype: 'FP64' };
  const rows = await compareOutputs(fake.engine().client, [X, Y], [typed, longer, fakeOutput('Z', [])], 0);
  expect(rows.map(({ name }) => name)).toEqual(['X', 'Y', 'Z']);
  expect(rows[0]?.firstDiffering).toContain('FP32 [1], FP64 [1]');
  expect(rows[1]?.firstDiffering).toContain('FP32 [2], FP32 [3]');
  expect(rows[2]?.firstDiffering).toContain('Z');
  expect(fake.argsOf('playground/compare')).toEqual([]);
});

const expected = (
  values: readonly string[],
  preview: readonly string[],
  datatype = 'FP32',
  tolerance = 1e-4,
) =>
  compareWithExpectation(
    fakeResult({ responses: [{ outputs: [{ ...fakeOutput('Y', preview), datatype }], error: undefined }] }),
    { Y: values },
    tolerance,
  )[0];

test('an expectation is met within its tolerance', () => {
  expect(expected(['1', '2'], ['1.00001', '2'])).toMatchObject({ name: 'Y', firstDiffering: undefined });
  expect(expected(['1', '2'], ['1', '2.5'])).toMatchObject({
    maxAbsolute: 0.5,
    firstDiffering: 'Y[1]: 2.5, 2',
  });
});

test('the largest integers and texts that look like numbers are told apart', () => {
  expect(expected(['9007199254740992'], ['9007199254740993'], 'INT64', 0)?.firstDiffering).toBeDefined();
  expect(expected(['1.0'], ['1'], 'BYTES')?.firstDiffering).toBe('Y[0]: 1, 1.0');
  expect(expected(['Infinity'], ['3'])?.firstDiffering).toBe('Y[0]: 3, Infinity');
});

test('an answer with another number of values, without the output, or a refusal meets no expectation', () => {
  expect(expected(['1'], ['1', '2'])?.firstDiffering).toMatch(/2.*1/);
  expect(compareWithExpectation(fakeResult(), { Z: ['1'] }, 0)[0]?.firstDiffering).toContain('Z');
  expect(compareWithExpectation(fakeRefusal('no'), { Y: ['1'] }, 0)[0]?.firstDiffering).toContain('Y');
});
