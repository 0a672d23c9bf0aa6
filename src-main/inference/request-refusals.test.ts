// The requests that a model refuses, in the words of the reference and in its order.

import { describe, expect, test } from 'vitest';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { int32Input, zeroInput } from '../testing/tensors.ts';
import { failure, named, PAIR, RID, tensorA, tensorB } from '../testing/normalized-requests.ts';
import type { RequestParts } from '../testing/normalized-requests.ts';

const BATCH_NOTE =
  'NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape. ' +
  'If you want to specify the full shape including the batch dim in your input dims config, try setting max_batch_size to zero. ' +
  'See the model configuration docs for more info on max_batch_size.';
const counted = (text: string) => `${RID}${text} Please provide all required input(s).`;

describe('errors, in the order in which they are found', () => {
  const rows: [string, Partial<ModelConfig>, RequestParts, string][] = [
    [
      'unknown output',
      PAIR,
      { inputs: [], requestedOutputs: ['X'] },
      "unexpected inference output 'X' for model 'M'",
    ],
    [
      'output asked twice',
      PAIR,
      { inputs: [tensorA(), tensorB()], requestedOutputs: ['OUTPUT0', 'OUTPUT0'] },
      "output 'OUTPUT0' already exists in request",
    ],
    [
      'an input missing',
      PAIR,
      { inputs: [tensorA()] },
      counted(
        "expected 2 inputs but got 1 inputs for model 'M'. Got input(s) ['A'], but missing required input(s) ['B'].",
      ),
    ],
    [
      'no input at all',
      PAIR,
      { inputs: [] },
      counted(
        "expected 2 inputs but got 0 inputs for model 'M'. Got input(s) [], but missing required input(s) ['A','B'].",
      ),
    ],
    [
      'too many inputs',
      PAIR,
      { inputs: [tensorA(), tensorB(), int32Input('C', [1, 2], [0, 0])] },
      counted(
        "expected 2 inputs but got 3 inputs for model 'M'. Got input(s) ['B','C','A'], but missing required input(s) ].",
      ),
    ],
    [
      'a required input missing beside an optional one',
      { input: [named('A'), named('B'), named('C', { optional: true })] },
      { inputs: [tensorA()] },
      counted(
        "expected number of inputs between 2 and 3 but got 1 inputs for model 'M'. Got input(s) ['A'], but missing required input(s) ['B'].",
      ),
    ],
    [
      'input given twice',
      PAIR,
      { inputs: [tensorA(), tensorA()] },
      `${RID}input 'A' already exists in request`,
    ],
    [
      'wrong name, right count',
      PAIR,
      { inputs: [tensorA(), int32Input('X', [1, 2], [0, 0])] },
      "unexpected inference input 'X' for model 'M'",
    ],
    [
      'no batch dimension',
      PAIR,
      { inputs: [tensorA(), int32Input('B', [], [0])] },
      `${RID}input 'B' has no shape but model requires batch dimension for 'M'`,
    ],
    [
      'batch sizes differ',
      PAIR,
      { inputs: [tensorA(1), tensorB(2)] },
      `${RID}input 'A' batch size does not match other inputs for 'M'`,
    ],
    [
      'batch too large',
      PAIR,
      { inputs: [tensorA(9), tensorB(9)] },
      `${RID}inference request batch-size must be <= 8 for 'M'`,
    ],
    [
      'batch of nothing',
      PAIR,
      { inputs: [int32Input('A', [0, 2], []), int32Input('B', [0, 2], [])] },
      `${RID}inference request batch-size must be >= 1 for 'M', got 0`,
    ],
    [
      'batch of nothing of another data type',
      { input: [named('A')] },
      { inputs: [zeroInput('A', 'FP32', [0, 2], 0)] },
      `${RID}inference input 'A' data-type is 'FP32', but model 'M' expects 'INT32'`,
    ],
    [
      'data type',
      { input: [named('A')] },
      { inputs: [zeroInput('A', 'FP32', [1, 2], 8)] },
      `${RID}inference input 'A' data-type is 'FP32', but model 'M' expects 'INT32'`,
    ],
    [
      'an unknown input behind one of another batch size: the first that the reference comes to',
      { input: [named('A'), named('B'), named('C', { optional: true })] },
      { inputs: [tensorA(), int32Input('B', [2, 2], [0, 0, 0, 0]), int32Input('x', [1, 2], [0, 0])] },
      "unexpected inference input 'x' for model 'M'",
    ],
    [
      'two faulty inputs: the last is named',
      PAIR,
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
      'unspecified dimension of a shape of another rank',
      { input: [named('A', { dims: [-1] })] },
      { inputs: [zeroInput('A', 'INT32', [1, -1, 3], 8)] },
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [-1,-1], got [1,-1,3]. ${BATCH_NOTE}`,
    ],
    [
      'unspecified dimension behind one that does not fit',
      { input: [named('A', { dims: [2, 2] })], maxBatchSize: 0 },
      { inputs: [zeroInput('A', 'INT32', [1, -1], 8)] },
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [2,2], got [1,-1]. `,
    ],
    [
      'batch of -1',
      { input: [named('A')] },
      { inputs: [zeroInput('A', 'INT32', [-1, 2], 8)] },
      `${RID}inference request batch-size must be >= 1 for 'M', got -1`,
    ],
    [
      'batch of -1 of another shape',
      { input: [named('A')] },
      { inputs: [zeroInput('A', 'INT32', [-1, 3], 8)] },
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [-1,2], got [-1,3]. ${BATCH_NOTE}`,
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
      { inputs: [tensorA()] },
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
      `${RID}unexpected shape for input 'A' for model 'M'. Expected [-1,2], got [1,3]. ${BATCH_NOTE}`,
    );
  });

  test('a request without id is called unknown', () => {
    expect(failure({ input: [named('A')] }, { id: '', inputs: [tensorA(9)] })).toMatch(
      /^\[request id: <id_unknown>\] inference request batch-size/,
    );
  });
});
