// What an accepted request looks like: batch size, shapes, outputs, correlation id and priority.

import { describe, expect, test } from 'vitest';
import type { ModelConfig, ModelInput } from '../../src-shared/config/model-config.ts';
import { createNormalizer } from './request-normalizer.ts';
import {
  AnswerBook,
  int32Input,
  modelConfig,
  outputConfig,
  textInput,
  zeroInput,
} from '../testing/tensors.ts';
import { failure, named, normalize, PAIR, RID, tensorA, tensorB } from '../testing/normalized-requests.ts';

describe('what an accepted request looks like', () => {
  test('batching: batch size, shapes with and without batch, all outputs', () => {
    const request = normalize(
      { output: [outputConfig(), outputConfig({ name: 'OUTPUT1' })], ...PAIR },
      {
        inputs: [tensorA(3), tensorB(3)],
      },
    );
    expect(request.batchSize).toBe(3);
    expect(request.inputs[0]?.shape).toEqual([2]);
    expect(request.inputs[0]?.shapeWithBatch).toEqual([3, 2]);
    expect(request.requestedOutputs).toEqual(['OUTPUT0', 'OUTPUT1']);
  });

  test('not batching: batch size 0 and the full shape', () => {
    const request = normalize(
      { input: [named('A', { dims: [3, 2] })], maxBatchSize: 0 },
      { inputs: [tensorA(3)] },
    );
    expect(request.batchSize).toBe(0);
    expect(request.inputs[0]?.shape).toEqual([3, 2]);
    expect(request.inputs[0]?.shapeWithBatch).toEqual([3, 2]);
  });

  test('optional inputs may be left out', () => {
    const config = { input: [named('A'), named('B', { optional: true })] };
    expect(failure(config, { inputs: [tensorA()] })).toBe('accepted');
    expect(failure(config, { inputs: [tensorA(), tensorB()] })).toBe('accepted');
  });

  test('zero-size dims, batched and not, fixed-size and BYTES', () => {
    const dims = { dims: [-1, -1] };
    expect(failure({ input: [named('A', dims)] }, { inputs: [zeroInput('A', 'INT32', [8, 0, 4], 0)] })).toBe(
      'accepted',
    );
    expect(
      failure(
        { input: [named('A', dims)], maxBatchSize: 0 },
        { inputs: [zeroInput('A', 'INT32', [0, 4], 0)] },
      ),
    ).toBe('accepted');
    const text = { input: [named('A', { ...dims, dataType: 'TYPE_STRING' })] };
    expect(failure(text, { inputs: [textInput('A', [2, 0, 1], [])] })).toBe('accepted');
  });

  test.each([
    { dims: [1], reshape: [], given: [4, 1], shape: [], withBatch: [4] },
    {
      dims: [2, 4, -1, 6],
      reshape: [8, -1, 1, 6],
      given: [1, 2, 4, 5, 6],
      shape: [8, 5, 1, 6],
      withBatch: [1, 8, 5, 1, 6],
    },
    { dims: [1, -1, 1], reshape: [-1], given: [2, 1, 7, 1], shape: [7], withBatch: [2, 7] },
    { dims: [-1], reshape: [1, -1, 1], given: [2, 7], shape: [1, 7, 1], withBatch: [2, 1, 7, 1] },
  ])('reshape $dims to $reshape', ({ dims, reshape, given, shape, withBatch }) => {
    const count = given.reduce((product, dim) => product * dim, 1);
    const request = normalize(
      { input: [named('A', { dims, reshape: { shape: reshape } })] },
      { inputs: [zeroInput('A', 'INT32', given, count * 4)] },
    );
    expect(request.inputs[0]?.shape).toEqual(shape);
    expect(request.inputs[0]?.shapeWithBatch).toEqual(withBatch);
    expect(request.inputs[0]?.clientShape).toEqual(given);
  });

  test('shape tensors keep their full shape and do not decide the batch size', () => {
    const request = normalize(
      { input: [named('A'), named('B', { isShapeTensor: true })] },
      { inputs: [int32Input('B', [2], [5, 6]), tensorA(3)] },
    );
    expect(request.batchSize).toBe(3);
    expect(request.inputs[0]?.shape).toEqual([2]);
  });

  test('inputs added by an earlier run are dropped', () => {
    const request = new AnswerBook().request({ inputs: [tensorA()] });
    request.overrideInputs.push(tensorB());
    createNormalizer(modelConfig({ input: [named('A')] }))(request);
    expect(request.overrideInputs).toEqual([]);
  });
});

describe('correlation id against the CORRID control', () => {
  const sequence = (dataType: ModelInput['dataType'] | undefined): Partial<ModelConfig> => ({
    input: [named('A')],
    sequenceBatching: {
      direct: { maxQueueDelayMicroseconds: 0n, minimumSlotUtilization: 0 },
      oldest: undefined,
      maxSequenceIdleMicroseconds: 0n,
      controlInput:
        dataType === undefined
          ? []
          : [
              {
                name: 'ID',
                control: [
                  {
                    kind: 'CONTROL_SEQUENCE_CORRID',
                    int32FalseTrue: [],
                    fp32FalseTrue: [],
                    boolFalseTrue: [],
                    dataType,
                  },
                ],
              },
            ],
      state: [],
      iterativeSequence: false,
    },
  });
  const refused = (sent: string, expected: string) =>
    `${RID}sequence batching control 'ID' data-type is '${sent}', but model 'M' expects '${expected}'`;

  test.each([
    { type: 'TYPE_UINT64', id: 5n, expected: 'accepted' },
    { type: 'TYPE_INT64', id: 5n, expected: 'accepted' },
    { type: 'TYPE_UINT32', id: 5n, expected: 'accepted' },
    { type: 'TYPE_INT32', id: 5n, expected: 'accepted' },
    { type: 'TYPE_STRING', id: 'five', expected: 'accepted' },
    { type: 'TYPE_STRING', id: 5n, expected: refused('UINT64', 'BYTES') },
    { type: 'TYPE_INT32', id: 'five', expected: refused('BYTES', 'INT32') },
    { type: 'TYPE_UINT64', id: 'five', expected: refused('BYTES', 'UINT64') },
    { type: undefined, id: 'five', expected: 'accepted' },
    { type: undefined, id: 5n, expected: 'accepted' },
  ] as const)('$type and $id', ({ type, id, expected }) => {
    expect(failure(sequence(type), { inputs: [tensorA()], correlationId: id })).toBe(expected);
  });
});

describe('priority', () => {
  const levels = (priorityLevels: bigint, defaultPriorityLevel: bigint): Partial<ModelConfig> => ({
    input: [named('A')],
    dynamicBatching: {
      preferredBatchSize: [],
      maxQueueDelayMicroseconds: 0n,
      preserveOrdering: false,
      priorityLevels,
      defaultPriorityLevel,
      defaultQueuePolicy: undefined,
      priorityQueuePolicy: {},
    },
  });
  const ensemble: Partial<ModelConfig> = {
    input: [named('A')],
    ensembleScheduling: { step: [], maxInflightRequests: 0 },
  };

  test.each([
    { case: 'unset takes the default', config: levels(4n, 3n), asked: 0n, expected: 3n },
    { case: 'in range stays', config: levels(4n, 3n), asked: 2n, expected: 2n },
    { case: 'above the maximum takes the default', config: levels(4n, 3n), asked: 5n, expected: 3n },
    { case: 'a model without priorities has none', config: { input: [named('A')] }, asked: 5n, expected: 0n },
    { case: 'ensembles pass it on', config: ensemble, asked: 5n, expected: 5n },
  ])('$case', ({ config, asked, expected }) => {
    expect(normalize(config, { inputs: [tensorA()], priority: asked }).priority).toBe(expected);
  });
});
