// Slots that are used again: what they keep must never show in an answer.

import { describe, expect, it } from 'vitest';

import { executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { graphModel, identityConfig, onnxConfig, value } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { hasForeseeableOutputs } from './session-info.ts';

const { load } = await onnxWorld();

/** Keeps what is greater than zero; its file claims that the output is as long as the input. */
const compressing = graphModel(
  [
    { opType: 'Greater', inputs: ['INPUT', 'zero'], outputs: ['condition'] },
    { opType: 'Compress', inputs: ['INPUT', 'condition'], outputs: ['OUTPUT'] },
  ],
  [value('INPUT', 'FP32', ['n'])],
  [value('OUTPUT', 'FP32', ['n'])],
  {
    initializers: [
      { name: 'zero', datatype: 'FP32', dims: [], data: new Uint8Array(Float32Array.of(0).buffer) },
    ],
  },
);

const doubling = graphModel(
  [{ opType: 'Add', inputs: ['INPUT', 'INPUT'], outputs: ['OUTPUT'] }],
  [value('INPUT', 'INT32', ['', ''])],
  [value('OUTPUT', 'INT32', ['', ''])],
);

describe('a slot that is used again', () => {
  it('answers each job with its own values, in shapes that change and come back', async () => {
    await using model = await load(doubling, identityConfig(8, 'INT32', [-1]));
    const instance = await model.instance();
    let number = 0;
    for (const [rows, columns] of [
      [1, 4],
      [1, 4],
      [1, 4],
      [2, 4],
      [1, 4],
      [1, 8],
      [1, 8],
      [1, 4],
      [1, 4],
      [3, 1],
    ] as const) {
      const values = Array.from({ length: rows * columns }, () => (number += 1));
      const test = testRequest([inferInput('INPUT', 'INT32', [rows, columns], values)], rows);
      await executeAll(instance, [test]);
      expect(outputValues(test, 'OUTPUT')).toEqual(values.map((entry) => 2 * entry));
      expect(test.responses[0]?.outputs[0]?.shape).toEqual([rows, columns]);
    }
  });

  it('answers that were given before are not changed by later jobs', async () => {
    await using model = await load(doubling, identityConfig(8, 'INT32', [-1]));
    const instance = await model.instance();
    const tests = Array.from({ length: 40 }, (_, index) =>
      testRequest([inferInput('INPUT', 'INT32', [1, 2], [index, index + 1])], 1),
    );
    for (const test of tests) await executeAll(instance, [test]);
    expect(tests.map((test) => outputValues(test, 'OUTPUT'))).toEqual(
      tests.map((_, index) => [2 * index, 2 * index + 2]),
    );
  });

  it('takes outputs whose shapes are other than the runs before let expect', async () => {
    const spec = { datatype: 'FP32', dims: [-1] } as const;
    const config = onnxConfig(0, [{ name: 'INPUT', ...spec }], [{ name: 'OUTPUT', ...spec }]);
    await using model = await load(compressing, config);
    const instance = await model.instance();
    for (const values of [
      [1, 2, 3],
      [4, 5, 6],
      [1, -2, 3],
      [-1, -2, -3],
      [7, 8, -9],
      [1, 2, 3],
    ]) {
      const test = testRequest([inferInput('INPUT', 'FP32', [3], values)], 0);
      await executeAll(instance, [test]);
      expect(outputValues(test, 'OUTPUT')).toEqual(values.filter((entry) => entry > 0));
    }
  });
});

describe('shapes of outputs', () => {
  const tensor = (name: string, type: number, shape: number[], symbolicDimensions: string[]) => ({
    name,
    isTensor: true,
    type,
    shape,
    symbolicDimensions,
  });
  const inputMetadata = [tensor('X', 1, [-1, -1, 3], ['n', '', ''])];
  it.each([
    ['fixed', [2, 3], ['', ''], 1, false, true],
    ['named by an input', [-1, 3], ['n', ''], 1, false, true],
    ['named by none', [-1, 3], ['m', ''], 1, true, true],
    ['named by none, behind the batch', [2, -1], ['', 'm'], 1, true, false],
    ['without a name, no batch', [-1, 3], ['', ''], 1, false, false],
    ['text', [2], [''], 8, false, false],
  ])('%s', (_, shape, symbols, type, isBatching, expected) => {
    const outputMetadata = [tensor('Y', type, shape, symbols)];
    expect(hasForeseeableOutputs({ inputMetadata, outputMetadata }, ['Y'], isBatching)).toBe(expected);
  });
});
