// What is filled in from an ONNX file, and from what a backend says of its model.

import { describe, expect, test } from 'vitest';
import { autoCompleteOnnx, mergeBackendCompletion } from './config-auto-complete.ts';
import { emptyModelConfig, emptyPart, modelInput } from './config-defaults.ts';
import type { ModelConfig } from './model-config.ts';
import { describeTensor, type ModelDescription } from './model-description.ts';
import { parseModelConfig } from './parse-model-config.ts';

const parse = (text: string): ModelConfig => parseModelConfig(text).config;

describe('autoCompleteOnnx', () => {
  const batchable: ModelDescription = {
    inputs: [
      describeTensor('A', 'FP32', [-1, 3, -1]),
      describeTensor('W', 'FP32', [3], { isOptional: true }),
    ],
    outputs: [describeTensor('B', 'BYTES', [-1])],
  };
  const fixed: ModelDescription = {
    inputs: [describeTensor('A', 'FP32', [1, 3])],
    outputs: [describeTensor('B', 'FP32', [])],
  };
  const complete = (
    text: string,
    description: ModelDescription,
    size?: number,
  ): ReturnType<typeof autoCompleteOnnx> =>
    autoCompleteOnnx(
      parse(`name: "m" ${text}`),
      description,
      size === undefined ? {} : { defaultMaxBatchSize: size },
    );

  test('fills in batch size, scheduler and tensors of a model that can batch', () => {
    const { config, origins, notes } = complete('', batchable);
    expect(config.maxBatchSize).toBe(4);
    expect(config.dynamicBatching).toEqual(emptyPart('dynamicBatching'));
    expect(config.input.map(({ name, dims, dataType }) => [name, dims, dataType])).toEqual([
      ['A', [3, -1], 'TYPE_FP32'],
    ]);
    expect(config.output[0]).toMatchObject({
      name: 'B',
      dataType: 'TYPE_STRING',
      dims: [1],
      reshape: { shape: [] },
    });
    expect(origins.get('max_batch_size')?.reason).toBe(
      'all inputs and outputs start with -1, default maximum is 4',
    );
    expect(notes.map((note) => note.level)).toEqual(['warn']);
  });

  test.each<[string, number | undefined, number, boolean]>([
    ['', 5, 5, true],
    ['', 1, 1, false],
    ['', 0, 0, false],
    ['max_batch_size: 2', undefined, 2, true],
    ['max_batch_size: 1', undefined, 1, false],
    ['max_batch_size: 8 sequence_batching { }', undefined, 8, false],
  ])('%s with default %s', (text, size, maxBatchSize, isBatching) => {
    const { config } = complete(text, batchable, size);
    expect([config.maxBatchSize, config.dynamicBatching !== undefined]).toEqual([maxBatchSize, isBatching]);
  });

  test('keeps the leading -1 when batching is switched off', () => {
    expect(complete('', batchable, 0).config.input[0]?.dims).toEqual([-1, 3, -1]);
  });

  test('takes complete shapes of a model that cannot batch; a scalar becomes one element', () => {
    const { config } = complete('', fixed);
    expect(config).toMatchObject({ maxBatchSize: 0, dynamicBatching: undefined });
    expect(config.input[0]).toMatchObject({ dims: [1, 3], dataType: 'TYPE_FP32' });
    expect(config.output[0]).toMatchObject({ dims: [1], reshape: undefined });
  });

  test('refuses a batch size that the model cannot have, and tensors that are none', () => {
    expect(complete('max_batch_size: 1', fixed).issues[0]?.message).toBe(
      "autofill failed for model 'm': model does not support batching while non-zero max_batch_size is specified",
    );
    const zipMap = { inputs: [], outputs: [describeTensor('P', undefined, [], { kind: 'sequence' })] };
    expect(complete('', zipMap).issues[0]).toMatchObject({
      message: "Unsupported ONNX Type 'ONNX_TYPE_SEQUENCE' for I/O 'P', expected 'ONNX_TYPE_TENSOR'.",
      statusCode: 'UNSUPPORTED',
    });
  });

  test.each(['float8e4m3fn', 'int4', 'uint2', 'complex64', 'bfloat16'])(
    'finds no type for %s, which no request can carry, and says why',
    (type) => {
      const sourceType = `tensor(${type})`;
      const tensors = [describeTensor('Q', undefined, [2], { sourceType })];
      const [input] = complete('', { inputs: tensors, outputs: [] }).issues;
      expect(input).toMatchObject({ message: "model input 'Q' must specify 'data_type' for m" });
      expect(input?.hint).toContain(sourceType);
      const [output] = complete('', { inputs: [], outputs: tensors }).issues;
      expect(output).toMatchObject({ message: "model output 'Q' must specify 'data_type' for m" });
    },
  );

  test('is skipped altogether when inputs and outputs are written', () => {
    const text =
      'input { name: "A" data_type: TYPE_FP32 dims: 3 } output { name: "B" data_type: TYPE_FP32 dims: 1 }';
    const { config, notes } = complete(text, batchable);
    expect(config.maxBatchSize).toBe(0);
    expect(notes[0]?.text).toBe(
      "skipping model configuration auto-complete for 'm': inputs and outputs already specified",
    );
  });

  test('takes a tensor made of the batch for an input that is written', () => {
    const batchInput =
      'batch_input { kind: BATCH_ELEMENT_COUNT target_name: "N" data_type: TYPE_FP32 source_input: "A" }';
    expect(complete(batchInput, batchable).config).toMatchObject({ input: [], output: [{ name: 'B' }] });
    const both = `${batchInput} output { name: "B" data_type: TYPE_FP32 dims: 1 }`;
    expect(complete(both, batchable).notes[0]?.text).toContain('already specified');
  });

  test('fills only the side that is empty', () => {
    const { config } = complete('input { name: "A" data_type: TYPE_FP32 dims: [ 3, 1 ] }', batchable);
    expect(config.input[0]?.dims).toEqual([3, 1]);
    expect(config.output).toHaveLength(1);
  });
});

describe('mergeBackendCompletion', () => {
  const written = emptyModelConfig({ name: 'm', sequenceBatching: emptyPart('sequenceBatching') });

  test('takes batch size, tensors and the transaction policy, and nothing else', () => {
    const completed = {
      ...written,
      name: 'other',
      maxBatchSize: 3,
      input: [modelInput({ name: 'A' })],
      runtime: 'x',
    };
    const { config } = mergeBackendCompletion(written, {
      ...completed,
      modelTransactionPolicy: { decoupled: true },
    });
    expect(config).toMatchObject({
      name: 'm',
      runtime: '',
      maxBatchSize: 3,
      modelTransactionPolicy: { decoupled: true },
    });
    expect(config.input).toHaveLength(1);
  });

  test('refuses another scheduler', () => {
    const completed = {
      ...written,
      sequenceBatching: undefined,
      dynamicBatching: emptyPart('dynamicBatching'),
    };
    expect(mergeBackendCompletion(written, completed).issues[0]).toMatchObject({
      message: 'Cannot update scheduling choice from 13 to 13 when auto-completing.',
      statusCode: 'INTERNAL',
    });
  });
});
