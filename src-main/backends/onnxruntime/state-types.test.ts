// States whose type is another one than that of the model's tensor.

import { expect, it } from 'vitest';

import { executeAll, inferInput, testRequest } from '../../testing/backend-harness.ts';
import { identityConfig, identityModel } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';

const { load } = await onnxWorld();

it.each([
  ['INT32', 'FP32', '(tensor(int32)) , expected: (tensor(float))'],
  ['FP32', 'INT64', '(tensor(float)) , expected: (tensor(int64))'],
] as const)(
  '%s where the model takes %s is refused in the words of the runtime',
  async (given, taken, words) => {
    await using model = await load(identityModel(taken, ['n', 2]), identityConfig(8, taken, [2]));
    const instance = await model.instance();
    const test = testRequest([], 1);
    test.request.overrideInputs = [inferInput('INPUT', given, [1, 2], [1, 2])];
    await expect(executeAll(instance, [test])).rejects.toMatchObject({
      code: 'INTERNAL',
      message: `onnx runtime error 2: Unexpected input data type. Actual: ${words}`,
    });
  },
);
