// A GRU over a sequence of no steps ends the process inside ONNX Runtime: such a request is refused, and the next one runs.

import { expect, it } from 'vitest';

import { executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { graphModel, onnxConfig, value } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { floatTensor } from '../../onnx/onnx-writer.ts';

const { load } = await onnxWorld();

it('a sequence without steps is refused, and the process lives', async () => {
  const bytes = graphModel(
    [{ opType: 'GRU', inputs: ['X', 'W', 'R'], outputs: ['', 'Y'], attributes: { hidden_size: 1n } }],
    [value('X', 'FP32', ['steps', 1, 2])],
    [value('Y', 'FP32', [1, 1, 1])],
    {
      initializers: [floatTensor('W', [1, 3, 2], [0, 0, 0, 0, 0, 0]), floatTensor('R', [1, 3, 1], [0, 0, 0])],
    },
  );
  const config = onnxConfig(
    0,
    [{ name: 'X', datatype: 'FP32', dims: [-1, 1, 2] }],
    [{ name: 'Y', datatype: 'FP32', dims: [1, 1, 1] }],
  );
  await using model = await load(bytes, config);
  const instance = await model.instance();
  const empty = testRequest([inferInput('X', 'FP32', [0, 1, 2], [])], 0);
  const sound = testRequest([inferInput('X', 'FP32', [2, 1, 2], [1, 2, 3, 4])], 0);
  await expect(executeAll(instance, [empty])).rejects.toMatchObject({
    code: 'INVALID_ARG',
    message:
      "input 'X' of shape [0,1,2] has no elements, and operator GRU of model 'model' would end the whole server on it",
  });
  await executeAll(instance, [sound]);
  expect(outputValues(sound, 'Y')).toEqual([0]);
});
