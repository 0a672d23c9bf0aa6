// The interface of an ONNX file against the configuration: what does not fit is refused in the words of the reference.

import { describe, expect, it } from 'vitest';
import { modelInput } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { floatTensor } from '../../onnx/onnx-writer.ts';
import { executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import {
  graphModel,
  identityConfig,
  identityModel,
  onnxConfig,
  value,
} from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { configOf } from '../../testing/config-text.ts';

const { load } = await onnxWorld();

describe('interface check', () => {
  const twoInputs = graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['SUM'] }],
    [value('A', 'FP32', ['n', 3]), value('B', 'FP32', ['n', 3])],
    [value('SUM', 'FP32', ['n', 3])],
  );
  const a = { name: 'A', datatype: 'FP32', dims: [3] } as const;
  const b = { name: 'B', datatype: 'FP32', dims: [3] } as const;
  const sum = { name: 'SUM', datatype: 'FP32', dims: [3] } as const;

  it.each<[string, Uint8Array, ModelConfig, string]>([
    [
      'too few inputs',
      twoInputs,
      onnxConfig(8, [a], [sum]),
      'configuration expects 1 inputs, model provides 2',
    ],
    [
      'unknown input',
      twoInputs,
      onnxConfig(8, [a, { ...b, name: 'C' }], [sum]),
      "unexpected inference input 'C', allowed inputs are: A, B",
    ],
    [
      'unknown output',
      twoInputs,
      onnxConfig(8, [a, b], [{ ...sum, name: 'X' }]),
      "unexpected inference output 'X', allowed outputs are: SUM",
    ],
    [
      'other type',
      twoInputs,
      onnxConfig(8, [a, { ...b, datatype: 'INT32' }], [sum]),
      "unable to load model 'model', configuration expects datatype TYPE_INT32 for input 'B', model provides TYPE_FP32",
    ],
    [
      'other dims',
      twoInputs,
      onnxConfig(0, [a, b], [sum]),
      "model 'model', tensor 'A': the model expects 2 dimensions (shape [-1,3]) but the model configuration specifies 1 dimensions (shape [3])",
    ],
    [
      'no batch axis',
      identityModel('FP32', [1, 3]),
      identityConfig(8, 'FP32', [3]),
      "model 'model', tensor 'INPUT': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is [1,3]",
    ],
    [
      'variable config dim, fixed model dim',
      identityModel('FP32', ['n', 3]),
      identityConfig(8, 'FP32', [-1]),
      'making complete shape [-1,-1])',
    ],
    [
      'scalar with other dims',
      identityModel('FP32', []),
      identityConfig(0, 'FP32', [2]),
      "unable to load model 'model', scalar tensor 'INPUT', should only provide 1 in the model configuration when the model doesn't support batching. Model configuration provided: [2].",
    ],
    [
      'ragged input of rank 2',
      identityModel('FP32', ['n', 'm']),
      {
        ...identityConfig(8, 'FP32', [-1]),
        input: [modelInput({ name: 'INPUT', dataType: 'TYPE_FP32', dims: [-1], allowRaggedBatch: true })],
      },
      "configuration expects model provides input with shape [-1]  for ragged input 'INPUT', model provides [-1,-1]",
    ],
    [
      'optional input of a batching model',
      identityModel('FP32', ['n', 3]),
      {
        ...identityConfig(8, 'FP32', [3]),
        input: [
          modelInput({ name: 'INPUT', dataType: 'TYPE_FP32', dims: [3] }),
          modelInput({ name: 'EXTRA', dataType: 'TYPE_FP32', dims: [3], optional: true }),
        ],
      },
      "optional input 'EXTRA' is not supported for models that support batching",
    ],
    [
      'control the model lacks',
      identityModel('FP32', ['n', 3]),
      {
        ...identityConfig(8, 'FP32', [3]),
        sequenceBatching: configOf(
          'sequence_batching { control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] } ] }',
        ).sequenceBatching,
      },
      "configuration specified sequence control 'START', but model does not provide that input",
    ],
    [
      'control of another type',
      twoInputs,
      {
        ...onnxConfig(8, [a], [sum]),
        sequenceBatching: configOf(
          'sequence_batching { control_input [ { name: "B" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] } ] }',
        ).sequenceBatching,
      },
      "sequence control 'B' in model has dims [3] but dims [1] is expected",
    ],
  ])('%s', async (_title, bytes, config, message) => {
    await expect(load(bytes, config)).rejects.toThrow(message);
  });

  it.each([
    ['another name than the inputs have', 'M'],
    ['a name of an input', 'n'],
  ])('an output whose size only the runtime can infer is served: %s', async (_title, symbol) => {
    const bytes = graphModel(
      [{ opType: 'MatMul', inputs: ['INPUT', 'W'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 3])],
      [value('OUTPUT', 'FP32', ['n', symbol])],
      { initializers: [floatTensor('W', [3, 2], [1, 2, 3, 4, 5, 6])] },
    );
    const io = (output: number): ModelConfig =>
      onnxConfig(
        4,
        [{ name: 'INPUT', datatype: 'FP32', dims: [3] }],
        [{ name: 'OUTPUT', datatype: 'FP32', dims: [output] }],
      );
    await using model = await load(bytes, io(2));
    const instance = await model.instance();
    const test = testRequest([inferInput('INPUT', 'FP32', [1, 3], [1, 1, 1])], 1);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual([9, 12]);
    await expect(load(bytes, io(5))).rejects.toThrow('the model expects 2 dimensions (shape [-1,2])');
  });
});
