import { expect, it } from 'vitest';

import { modelInput } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { floatTensor } from '../../onnx/onnx-writer.ts';
import { executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { graphModel, identityConfig, value } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';

const { load } = await onnxWorld();

it('an initialiser that is an input too can be set by requests, or left out', async () => {
  const bytes = graphModel(
    [
      { opType: 'Add', inputs: ['INPUT', 'OFFSET'], outputs: ['sum'] },
      { opType: 'Mul', inputs: ['sum', 'FACTOR'], outputs: ['OUTPUT'] },
    ],
    [value('INPUT', 'FP32', [3]), value('OFFSET', 'FP32', [3]), value('FACTOR', 'FP32', [1])],
    [value('OUTPUT', 'FP32', [3])],
    { initializers: [floatTensor('OFFSET', [3], [1, 2, 3]), floatTensor('FACTOR', [1], [2])] },
  );
  const config = identityConfig(0, 'FP32', [3]);
  const optional = ([name, size]: readonly [string, number]) =>
    modelInput({ name, dataType: 'TYPE_FP32', dims: [size], optional: true });
  const offset = optional(['OFFSET', 3]);
  const input = inferInput('INPUT', 'FP32', [3], [10, 10, 10]);
  const given = inferInput('OFFSET', 'FP32', [3], [5, 6, 7]);
  const answers = async (change: Partial<ModelConfig>, ...requests: (typeof input)[][]) => {
    await using model = await load(bytes, { ...config, ...change });
    const instance = await model.instance();
    const found: unknown[] = [];
    for (const inputs of requests) {
      const test = testRequest(inputs, 0);
      await executeAll(instance, [test]);
      found.push(outputValues(test, 'OUTPUT'));
    }
    return found;
  };
  expect(await answers({}, [input])).toEqual([[22, 24, 26]]);
  expect(await answers({ input: [...config.input, offset] }, [input], [input, given], [input])).toEqual([
    [22, 24, 26],
    [30, 32, 34],
    [22, 24, 26],
  ]);
  const both = { input: [...config.input, offset, optional(['FACTOR', 1])] };
  const factor = inferInput('FACTOR', 'FP32', [1], [1]);
  expect(await answers(both, [input, factor], [input, given, factor])).toEqual([
    [11, 12, 13],
    [15, 16, 17],
  ]);
  const required = { ...offset, optional: false };
  await expect(load(bytes, { ...config, input: [...config.input, required] })).rejects.toThrow(
    "unable to load model 'model', configuration expects 2 inputs, model provides 1",
  );
});
