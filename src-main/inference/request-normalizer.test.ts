import { describe, expect, test } from 'vitest';
import type { ModelConfig, ModelInput } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import type { InferenceRequestInit } from './inference-request.ts';
import { InferInput } from './inference-request.ts';
import { createNormalizer } from './request-normalizer.ts';
import { NO_BYTES, bytesOf } from './tensor-bytes.ts';
import {
  AnswerBook,
  encodeTexts,
  inputConfig,
  int32Input,
  modelConfig,
  outputConfig,
  textInput,
  zeroInput,
} from '../testing/tensors.ts';

type Init = Partial<Omit<InferenceRequestInit, 'onResponse'>>;

function normalize(config: Partial<ModelConfig>, init: Init) {
  const request = new AnswerBook().request({ id: 'r1', ...init });
  createNormalizer(modelConfig(config))(request);
  return request;
}

function failure(config: Partial<ModelConfig>, init: Init): string {
  try {
    normalize(config, init);
  } catch (thrown) {
    const error = thrown as ServerError;
    return error.code === 'INVALID_ARG' ? error.message : `${error.code}: ${error.message}`;
  }
  return 'accepted';
}

const RID = '[request id: r1] ';
const named = (name: string, change: Partial<ModelInput> = {}) => inputConfig({ name, dims: [2], ...change });
const pair = { input: [named('A'), named('B')] };
const a = (rows = 1) => int32Input('A', [rows, 2], new Array<number>(rows * 2).fill(0));
const b = (rows = 1) => int32Input('B', [rows, 2], new Array<number>(rows * 2).fill(0));
const counted = (text: string) => `${RID}${text} Please provide all required input(s).`;

describe('errors, in the order in which they are found', () => {
  const rows: [string, Partial<ModelConfig>, Init, string][] = [
    [
      'unknown output',
      pair,
      { inputs: [], requestedOutputs: ['X'] },
      "unexpected inference output 'X' for model 'M'",
    ],
    [
      'output asked twice',
      pair,
      { inputs: [a(), b()], requestedOutputs: ['OUTPUT0', 'OUTPUT0'] },
      "output 'OUTPUT0' already exists in request",
    ],
    [
      'an input missing',
      pair,
      { inputs: [a()] },
      counted(
        "expected 2 inputs but got 1 inputs for model 'M'. Got input(s) ['A'], but missing required input(s) ['B'].",
      ),
    ],
    [
      'no input at all',
      pair,
      { inputs: [] },
      counted(
        "expected 2 inputs but got 0 inputs for model 'M'. Got input(s) [], but missing required input(s) ['A','B'].",
      ),
    ],
    [
      'too many inputs',
      pair,
      { inputs: [a(), b(), int32Input('C', [1, 2], [0, 0])] },
      counted(
        "expected 2 inputs but got 3 inputs for model 'M'. Got input(s) ['C','B','A'], but missing required input(s) ].",
      ),
    ],
    [
      'a required input missing beside an optional one',
      { input: [named('A'), named('B'), named('C', { optional: true })] },
      { inputs: [a()] },
      counted(
        "expected number of inputs between 2 and 3 but got 1 inputs for model 'M'. Got input(s) ['A'], but missing required input(s) ['B'].",
      ),
    ],
    ['input given twice', pair, { inputs: [a(), a()] }, "input 'A' already exists in request"],
    [
      'wrong name, right count',
      pair,
      { inputs: [a(), int32Input('X', [1, 2], [0, 0])] },
      "unexpected inference input 'X' for model 'M'",
    ],
    [
      'no batch dimension',
      pair,
      { inputs: [a(), int32Input('B', [], [0])] },
      `${RID}input 'B' has no shape but model requires batch dimension for 'M'`,
    ],
    [
      'batch sizes differ',
      pair,
      { inputs: [a(1), b(2)] },
      `${RID}input 'A' batch size does not match other inputs for 'M'`,
    ],
    [
      'batch too large',
      pair,
      { inputs: [a(9), b(9)] },
      `${RID}inference request batch-size must be <= 8 for 'M'`,
    ],
    [
      'batch of nothing',
      pair,
      { inputs: [int32Input('A', [0, 2], []), int32Input('B', [0, 2], [])] },
      `${RID}inference request batch-size must be >= 1 for 'M', got 0`,
    ],
    [
      'data type',
      { input: [named('A')] },
      { inputs: [zeroInput('A', 'FP32', [1, 2], 8)] },
      `${RID}inference input 'A' data-type is 'FP32', but model 'M' expects 'INT32'`,
    ],
    [
      'two faulty inputs: the last is named',
      pair,
      { inputs: [zeroInput('A', 'FP32', [1, 2], 8), zeroInput('B', 'FP64', [1, 2], 16)] },
      `${RID}inference input 'B' data-type is 'FP64', but model 'M' expects 'INT32'`,
    ],
    [
      'unspecified dimension',
      { input: [named('A', { dims: [-1] })] },
      { inputs: [zeroInput('A', 'INT32', [1, -1], 8)] },
      `${RID}All input dimensions should be specified for input 'A' for model 'M', got [1,-1]`,
    ],
    [
      'negative dimension',
      { input: [named('A', { dims: [-1] })] },
      { inputs: [zeroInput('A', 'INT32', [1, -2], 8)] },
      "tensor 'A' contains an invalid dimension [1,-2]",
    ],
    [
      'wrong shape without batching',
      { input: [named('A', { dims: [-1, 16] })], maxBatchSize: 0 },
      { inputs: [zeroInput('A', 'INT32', [1, 17], 68)] },
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [-1,16], got [1,17]. `,
    ],
    [
      'wrong rank without batching',
      { input: [named('A')], maxBatchSize: 0 },
      { inputs: [a()] },
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [2], got [1,2]. `,
    ],
    [
      'byte size',
      { input: [named('A')] },
      { inputs: [zeroInput('A', 'INT32', [3, 2], 23)] },
      `${RID}input byte size mismatch for input 'A' for model 'M'. Expected 24, got 23`,
    ],
    [
      'byte size beyond what numbers hold',
      { input: [named('A', { dims: [-1] })], maxBatchSize: 0 },
      { inputs: [zeroInput('A', 'INT32', [2 ** 52], 4)] },
      `${RID}input byte size mismatch for input 'A' for model 'M'. Expected 18014398509481984, got 4`,
    ],
    [
      'byte size beyond 63 bits',
      { input: [named('A', { dims: [-1, -1] })], maxBatchSize: 0 },
      { inputs: [zeroInput('A', 'INT32', [2 ** 40, 2 ** 40], 4)] },
      "byte size for tensor 'A' exceeds maximum size of 9223372036854775807",
    ],
  ];

  test.each(rows)('%s', (_name, config, init, message) => {
    expect(failure(config, init)).toBe(message);
  });

  test('a wrong shape of a batching model explains the batch dimension', () => {
    const message = failure({ input: [named('A')] }, { inputs: [zeroInput('A', 'INT32', [1, 3], 12)] });
    expect(message).toBe(
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [-1,2], got [1,3]. ` +
        'NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape. ' +
        'If you want to specify the full shape including the batch dim in your input dims config, try setting max_batch_size to zero. ' +
        'See the model configuration docs for more info on max_batch_size.',
    );
  });

  test('a request without id is called unknown', () => {
    expect(failure({ input: [named('A')] }, { id: '', inputs: [a(9)] })).toMatch(
      /^\[request id: <id_unknown>\] inference request batch-size/,
    );
  });
});

describe('what an accepted request looks like', () => {
  test('batching: batch size, shapes with and without batch, all outputs', () => {
    const request = normalize(
      { output: [outputConfig(), outputConfig({ name: 'OUTPUT1' })], ...pair },
      {
        inputs: [a(3), b(3)],
      },
    );
    expect(request.batchSize).toBe(3);
    expect(request.inputs[0]?.shape).toEqual([2]);
    expect(request.inputs[0]?.shapeWithBatch).toEqual([3, 2]);
    expect(request.requestedOutputs).toEqual(['OUTPUT0', 'OUTPUT1']);
  });

  test('not batching: batch size 0 and the full shape', () => {
    const request = normalize({ input: [named('A', { dims: [3, 2] })], maxBatchSize: 0 }, { inputs: [a(3)] });
    expect(request.batchSize).toBe(0);
    expect(request.inputs[0]?.shape).toEqual([3, 2]);
    expect(request.inputs[0]?.shapeWithBatch).toEqual([3, 2]);
  });

  test('optional inputs may be left out', () => {
    const config = { input: [named('A'), named('B', { optional: true })] };
    expect(failure(config, { inputs: [a()] })).toBe('accepted');
    expect(failure(config, { inputs: [a(), b()] })).toBe('accepted');
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
      { inputs: [int32Input('B', [2], [5, 6]), a(3)] },
    );
    expect(request.batchSize).toBe(3);
    expect(request.inputs[0]?.shape).toEqual([2]);
  });

  test('inputs added by an earlier run are dropped', () => {
    const request = new AnswerBook().request({ inputs: [a()] });
    request.overrideInputs.push(b());
    createNormalizer(modelConfig({ input: [named('A')] }))(request);
    expect(request.overrideInputs).toEqual([]);
  });
});

describe('BYTES', () => {
  const config = { input: [named('T', { dataType: 'TYPE_STRING', dims: [-1] })], maxBatchSize: 0 };
  const chunked = (count: number, bytes: Uint8Array, cuts: readonly number[]) => {
    const edges = [0, ...cuts, bytes.byteLength];
    const chunks = edges.slice(1).map((end, at) => bytes.subarray(edges[at], end));
    return new InferInput('T', 'BYTES', [count], { chunks, byteSize: bytes.byteLength });
  };
  const two = encodeTexts(['ab', 'cde']);

  test.each([
    { case: 'whole', input: chunked(2, two, []), expected: 'accepted' },
    { case: 'cut in a payload', input: chunked(2, two, [5]), expected: 'accepted' },
    { case: 'cut in a length', input: chunked(2, two, [2, 8]), expected: 'accepted' },
    {
      case: 'cut everywhere',
      input: chunked(2, two, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
      expected: 'accepted',
    },
    {
      case: 'too many',
      input: chunked(1, two, []),
      expected: `${RID}unexpected number of string elements 2 for inference input 'T' for model 'M', expecting 1`,
    },
    {
      case: 'too few',
      input: chunked(3, two, []),
      expected: `${RID}expected 3 string elements for inference input 'T' for model 'M', got 2`,
    },
    {
      case: 'the last text cut short',
      input: chunked(2, two.subarray(0, -1), []),
      expected: `incomplete string data for inference input 'T', expecting string of length 3 but only 2 bytes available`,
    },
    {
      case: 'ends inside a length',
      input: chunked(2, two.subarray(0, 8), []),
      expected: `${RID}incomplete string length indicator for inference input 'T' for model 'M', expecting 4 bytes but only 2 bytes available. Please make sure the string length indicator is in one buffer.`,
    },
    { case: 'empty texts', input: textInput('T', [2], ['', '']), expected: 'accepted' },
  ])('$case', ({ input, expected }) => {
    expect(failure(config, { inputs: [input] })).toBe(expected);
  });
});

describe('raw input', () => {
  const raw = (byteSize: number) => bytesOf(new Uint8Array(byteSize));

  test('one wildcard is deduced, a batch of 1 is put in front', () => {
    const request = normalize({ input: [named('A', { dims: [-1, 2] })] }, { rawInput: raw(24) });
    expect(request.inputs[0]?.name).toBe('A');
    expect(request.inputs[0]?.clientShape).toEqual([1, 3, 2]);
    expect(request.batchSize).toBe(1);
  });

  test('BYTES: the blob is one element and gets its length', () => {
    const config = { input: [named('T', { dataType: 'TYPE_STRING', dims: [1] })], maxBatchSize: 0 };
    const request = normalize(config, { rawInput: bytesOf(Buffer.from('hello')) });
    expect(request.inputs[0]?.clientShape).toEqual([1]);
    expect(request.inputs[0]?.bytes.byteSize).toBe(9);
  });

  test('an empty blob is a zero-size tensor', () => {
    const request = normalize({ input: [named('A', { dims: [-1] })] }, { rawInput: NO_BYTES });
    expect(request.inputs[0]?.clientShape).toEqual([1, 0]);
  });

  test.each([
    {
      config: pair,
      message:
        "Raw request must only have 1 input (found 1) to be deduced but got 2 inputs in 'M' model configuration",
    },
    {
      config: { input: [named('A', { dims: [-1, -1] })] },
      message:
        "The shape of the raw input 'A' can not be deduced because there are more than one variable-sized dimension",
    },
    {
      config: { input: [named('A', { dataType: 'TYPE_STRING' as const, dims: [2] })] },
      message: "For BYTE datatype raw input 'A', the model must have input shape [1]",
    },
    {
      config: { input: [named('A')] },
      message: "input byte size mismatch for input 'A' for model 'M'. Expected 8, got 4",
    },
  ])('$message', ({ config, message }) => {
    expect(failure(config, { rawInput: raw(4) })).toBe(`${RID}${message}`);
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
    expect(failure(sequence(type), { inputs: [a()], correlationId: id })).toBe(expected);
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
    expect(normalize(config, { inputs: [a()], priority: asked }).priority).toBe(expected);
  });
});
