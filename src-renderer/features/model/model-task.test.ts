import { expect, test } from 'vitest';

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import { guessTask } from './model-task.ts';

type Shape = readonly number[];

const io = (
  input: readonly [name: string, datatype: string, shape: Shape],
  output: readonly [name: string, shape: Shape, hasLabels?: boolean],
): ModelInterface => ({
  inputs: [{ name: input[0], datatype: input[1], shape: input[2], optional: false, imageLayout: '' }],
  outputs: [{ name: output[0], datatype: 'FP32', shape: output[1], hasLabels: output[2] ?? false }],
  maxBatchSize: 4,
  isSequence: false,
  sequenceIdleMs: 0,
  isDecoupled: false,
});
const PICTURE = ['data', 'FP32', [-1, 3, 224, 224]] as const;

test.each([
  ['imageClassification', io(PICTURE, ['prob', [-1, 1000]])],
  ['imageClassification', io(PICTURE, ['out', [-1, 9], true])],
  ['imageEmbedding', io(PICTURE, ['embedding', [-1, 512]])],
  ['objectDetection', io(PICTURE, ['boxes', [-1, -1, 4]])],
  ['segmentation', io(PICTURE, ['mask', [-1, 21, 224, 224]])],
  ['imageToImage', io(PICTURE, ['restored', [-1, 3, 224, 224]])],
  ['textClassification', io(['input_ids', 'INT64', [-1, -1]], ['logits', [-1, 2]])],
  ['textGeneration', io(['input_ids', 'INT64', [-1, -1]], ['logits', [-1, -1, 50_257]])],
  ['textEmbedding', io(['input_ids', 'INT64', [-1, -1]], ['last_hidden_state', [-1, -1, 384]])],
  ['speech', io(['audio', 'FP32', [-1, -1]], ['text', [-1, 10]])],
  ['textProcessing', io(['TEXT', 'BYTES', [-1, 1]], ['GREETING', [-1, 1]])],
  ['tabular', io(['FEATURES', 'FP32', [-1, 64]], ['PROBABILITIES', [-1, 10]])],
  ['tensors', io(['points', 'FP32', [-1, -1, 3]], ['normals', [-1, -1, 3]])],
  ['tensors', io(['INPUT0', 'INT32', [-1, 16]], ['OUTPUT0', [-1, 16]])],
] as const)('%s', (expected, described) => {
  expect(guessTask(described, false)).toBe(expected);
});

test('an ensemble is a pipeline, and without an interface nothing is guessed', () => {
  expect(guessTask(undefined, true)).toBe('pipeline');
  expect(guessTask(undefined, false)).toBe('unknown');
});
