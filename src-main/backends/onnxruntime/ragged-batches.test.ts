// Inputs of different sizes in one execution, joined end to end, with the batch inputs that tell them apart.

import { describe, expect, it } from 'vitest';
import { modelInput, modelOutput } from '../../../src-shared/config/config-defaults.ts';
import type { BatchInput } from '../../../src-shared/config/model-config.ts';
import {
  executeAll,
  inferInput,
  outputValues,
  tensorBytes,
  testRequest,
} from '../../testing/backend-harness.ts';
import { graphModel, onnxConfig, value } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';

const { load } = await onnxWorld();

describe('ragged batches', () => {
  const source = (sizes: readonly number[]) =>
    sizes.map((size) =>
      testRequest(
        [
          inferInput(
            'RAGGED',
            'FP32',
            [1, size],
            Array.from({ length: size }, (_, i) => i + 1),
          ),
        ],
        1,
      ),
    );

  /** RAGGED is ragged; GENERATED is a batch input of `kind`, copied to COUNTS. */
  async function ragged(
    kind: BatchInput['kind'],
    generatedShape: readonly (string | number)[],
    change: Partial<BatchInput> = {},
  ) {
    const bytes = graphModel(
      [
        { opType: 'Identity', inputs: ['RAGGED'], outputs: ['FLAT'] },
        { opType: 'Identity', inputs: ['GENERATED'], outputs: ['COUNTS'] },
      ],
      [value('RAGGED', 'FP32', ['total']), value('GENERATED', 'INT32', generatedShape)],
      [value('FLAT', 'FP32', ['total']), value('COUNTS', 'INT32', generatedShape)],
    );
    return load(
      bytes,
      onnxConfig(8, [], [], {
        input: [modelInput({ name: 'RAGGED', dataType: 'TYPE_FP32', dims: [-1], allowRaggedBatch: true })],
        output: [modelOutput({ name: 'FLAT', dataType: 'TYPE_FP32', dims: [-1] })],
        batchInput: [
          {
            kind,
            targetName: ['GENERATED'],
            dataType: 'TYPE_INT32',
            sourceInput: ['RAGGED'],
            ...change,
          },
        ],
        batchOutput: [
          { kind: 'BATCH_SCATTER_WITH_INPUT_SHAPE', targetName: ['FLAT'], sourceInput: ['RAGGED'] },
        ],
      }),
    );
  }

  it('concatenates the elements and gives each request its own slice back', async () => {
    await using model = await ragged('BATCH_ELEMENT_COUNT', ['r']);
    const instance = await model.instance();
    const tests = source([2, 4, 1, 3]);
    await executeAll(instance, tests);
    expect(tests.map((test) => outputValues(test, 'FLAT'))).toEqual([[1, 2], [1, 2, 3, 4], [1], [1, 2, 3]]);
    expect(tests.map((test) => test.responses[0]?.outputs[0]?.shape)).toEqual([
      [1, 2],
      [1, 4],
      [1, 1],
      [1, 3],
    ]);
  });

  it.each<[string, Partial<BatchInput>, string]>([
    [
      'a batch input of another type than the model',
      { dataType: 'TYPE_FP32' },
      'onnx runtime error 2: Unexpected input data type. Actual: (tensor(float)) , expected: (tensor(int32))',
    ],
    [
      'a target that the model has not, beside one that it has',
      { targetName: ['GENERATED', 'MORE'] },
      'onnx runtime error 1: Failed to find input name in the mapping: MORE',
    ],
  ])('%s fails each batch', async (_, change, message) => {
    await using model = await ragged('BATCH_ELEMENT_COUNT', ['r'], change);
    const instance = await model.instance();
    await expect(executeAll(instance, source([2, 4]))).rejects.toThrow(message);
  });

  it.each([
    ['BATCH_ELEMENT_COUNT', [2, 4, 1, 3]],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT', [2, 6, 7, 10]],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO', [0, 2, 6, 7, 10]],
    ['BATCH_ITEM_SHAPE_FLATTEN', [2, 4, 1, 3]],
  ] as const)('%s', async (kind, expected) => {
    const bytes = graphModel(
      [
        { opType: 'Identity', inputs: ['RAGGED'], outputs: ['FLAT'] },
        { opType: 'Unsqueeze', inputs: ['GENERATED', 'axis'], outputs: ['row'] },
        // Four rows, as a number that the runtime cannot infer.
        { opType: 'Shape', inputs: ['GENERATED'], outputs: ['size'] },
        { opType: 'Mul', inputs: ['size', 'axis'], outputs: ['none'] },
        { opType: 'Add', inputs: ['none', 'four'], outputs: ['height'] },
        { opType: 'Concat', inputs: ['height', 'one'], outputs: ['rows'], attributes: { axis: 0n } },
        { opType: 'Expand', inputs: ['row', 'rows'], outputs: ['COUNTS'] },
      ],
      [value('RAGGED', 'FP32', ['total']), value('GENERATED', 'INT32', ['r'])],
      [value('FLAT', 'FP32', ['total']), value('COUNTS', 'INT32', ['n', 'r'])],
      {
        initializers: [
          { name: 'axis', datatype: 'INT64', dims: [1], data: tensorBytes('INT64', [0]) },
          { name: 'four', datatype: 'INT64', dims: [1], data: tensorBytes('INT64', [4]) },
          { name: 'one', datatype: 'INT64', dims: [1], data: tensorBytes('INT64', [1]) },
        ],
      },
    );
    await using model = await load(
      bytes,
      onnxConfig(8, [], [], {
        input: [modelInput({ name: 'RAGGED', dataType: 'TYPE_FP32', dims: [-1], allowRaggedBatch: true })],
        output: [modelOutput({ name: 'COUNTS', dataType: 'TYPE_INT32', dims: [-1] })],
        batchInput: [{ kind, targetName: ['GENERATED'], dataType: 'TYPE_INT32', sourceInput: ['RAGGED'] }],
      }),
    );
    const instance = await model.instance();
    const tests = source([2, 4, 1, 3]);
    await executeAll(instance, tests);
    expect(outputValues(tests[0]!, 'COUNTS')).toEqual(expected);
  });
});
