// Checklist: validation, the same key words over HTTP and gRPC.

import { afterAll, beforeAll, expect } from 'vitest';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { checklist } from './checklist.ts';
import { model } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { int32Bytes, textBytes } from './grpc-caller.ts';

let server: ChecklistServer;

const required = ['INPUT0', 'INPUT1', 'INPUT2'].map((name) => [name, 'INT32', [1]] as const);

beforeAll(async () => {
  server = await ChecklistServer.start({
    ...model('input_all_required', { inputs: required }),
    ...model('input_optional', { inputs: [...required, ['INPUT3', 'INT32', [1], 'optional: true']] }),
    ...model('numbers', {
      maxBatchSize: 8,
      inputs: [
        ['INPUT0', 'INT32', [4]],
        ['INPUT1', 'INT32', [4]],
      ],
    }),
    ...model('strings', {
      maxBatchSize: 8,
      inputs: [
        ['INPUT0', 'BYTES', [4]],
        ['INPUT1', 'BYTES', [4]],
      ],
    }),
  });
});
afterAll(() => server.close());

interface Tensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
}

const int32 = (name: string, shape: readonly number[], count = shape.reduce((a, b) => a * b, 1)): Tensor => ({
  name,
  datatype: 'INT32',
  shape,
  bytes: int32Bytes(...Array<number>(count).fill(1)),
});
const texts = (name: string, shape: readonly number[], count: number): Tensor => ({
  name,
  datatype: 'BYTES',
  shape,
  bytes: textBytes(...Array<string>(count).fill('a')),
});
const named = (...names: string[]): Tensor[] => names.map((name) => int32(name, [1]));

/** Error texts of both protocols for the same tensors; both must be refusals of the client's fault. */
async function refusals(
  name: string,
  tensors: readonly Tensor[],
  outputs: readonly string[] = [],
): Promise<string[]> {
  const json = JSON.stringify({
    inputs: tensors.map(({ bytes, ...tensor }) => ({
      ...tensor,
      parameters: { binary_data_size: bytes.length },
    })),
    outputs: outputs.map((output) => ({ name: output })),
  });
  const reply = await server.http({
    path: `/v2/models/${name}/infer`,
    body: Buffer.concat([Buffer.from(json), ...tensors.map(({ bytes }) => bytes)]),
    headers: { 'Inference-Header-Content-Length': json.length },
  });
  const answer = await server.grpc.call('ModelInfer', {
    model_name: name,
    inputs: tensors.map(({ name: input, datatype, shape }) => ({ name: input, datatype, shape })),
    outputs: outputs.map((output) => ({ name: output })),
    raw_input_contents: tensors.map(({ bytes }) => bytes),
  });
  expect([reply.status, answer.code]).toEqual([400, 3]);
  return [(JSON.parse(reply.text) as { error: string }).error, answer.details];
}

async function expectBoth(
  wanted: string | RegExp,
  name: string,
  tensors: readonly Tensor[],
  outputs: readonly string[] = [],
): Promise<void> {
  for (const text of await refusals(name, tensors, outputs)) {
    if (typeof wanted === 'string') expect(text).toContain(wanted);
    else expect(text).toMatch(wanted);
  }
}

checklist('Validation', {
  'no inputs, 3 required': () =>
    expectBoth(
      "[request id: <id_unknown>] expected 3 inputs but got 0 inputs for model 'input_all_required'. Got input(s) [], but missing required input(s) ['INPUT0','INPUT1','INPUT2']. Please provide all required input(s).",
      'input_all_required',
      [],
    ),
  'one of 3': () =>
    expectBoth(
      "expected 3 inputs but got 1 inputs for model 'input_all_required'. Got input(s) ['INPUT0'], but missing required input(s) ['INPUT1','INPUT2']. Please provide all required input(s).",
      'input_all_required',
      named('INPUT0'),
    ),
  'optional model, none, one and too many given': async () => {
    const words = 'expected number of inputs between 3 and 4 but got';
    await expectBoth(`${words} 0 inputs for model 'input_optional'. Got input(s) []`, 'input_optional', []);
    await expectBoth(`${words} 1 inputs for model 'input_optional'`, 'input_optional', named('INPUT0'));
    const five = named('INPUT0', 'INPUT1', 'INPUT2', 'INPUT3', 'INPUT4');
    await expectBoth(`${words} 5 inputs`, 'input_optional', five);
  },
  'shape larger or smaller than the bytes': async () => {
    for (const count of [3, 5]) {
      await expectBoth(
        `input byte size mismatch for input 'INPUT1' for model 'numbers'. Expected 16, got ${count * 4}`,
        'numbers',
        [int32('INPUT0', [1, 4]), int32('INPUT1', [1, 4], count)],
      );
    }
  },
  'strings: 2 too few, 1 too many': async () => {
    await expectBoth(
      "expected 4 string elements for inference input 'INPUT1' for model 'strings', got 2",
      'strings',
      [texts('INPUT0', [1, 4], 4), texts('INPUT1', [1, 4], 2)],
    );
    await expectBoth(
      "unexpected number of string elements 5 for inference input 'INPUT1' for model 'strings', expecting 4",
      'strings',
      [texts('INPUT0', [1, 4], 4), texts('INPUT1', [1, 4], 5)],
    );
  },
  'two wrong inputs: INPUT1 is reported': () =>
    expectBoth(/for input 'INPUT1' for model 'numbers'/, 'numbers', [
      int32('INPUT0', [1, 4], 3),
      int32('INPUT1', [1, 4], 3),
    ]),
  'wrong dtype': () =>
    expectBoth(
      "inference input 'INPUT1' data-type is 'BYTES', but model 'numbers' expects 'INT32'",
      'numbers',
      [int32('INPUT0', [1, 4]), texts('INPUT1', [1, 4], 4)],
    ),
  'no dtype at all, in two inputs: INPUT1 is reported': () =>
    expectBoth(
      "inference input 'INPUT1' data-type is '<invalid>', but model 'numbers' expects 'INT32'",
      'numbers',
      ['INPUT0', 'INPUT1'].map((name) => ({ ...int32(name, [1, 4]), datatype: 'nothing' as DataType })),
    ),
  'wrong name': () =>
    expectBoth(/^unexpected inference input 'NOPE' for model 'input_all_required'$/, 'input_all_required', [
      ...named('INPUT0', 'INPUT1', 'NOPE'),
    ]),
  'wrong output': () =>
    expectBoth(
      /^unexpected inference output 'NOPE' for model 'input_all_required'$/,
      'input_all_required',
      named('INPUT0', 'INPUT1', 'INPUT2'),
      ['NOPE'],
    ),
  'wrong shape': () =>
    expectBoth(
      "unexpected shape for input 'INPUT1' for model 'numbers'. Expected [-1,4], got [1,5]. NOTE: Setting a non-zero max_batch_size in the model config requires a batch dimension to be prepended to each input shape.",
      'numbers',
      [int32('INPUT0', [1, 4]), int32('INPUT1', [1, 5])],
    ),
  'batch too large': () =>
    expectBoth("inference request batch-size must be <= 8 for 'numbers'", 'numbers', [
      int32('INPUT0', [9, 4]),
      int32('INPUT1', [9, 4]),
    ]),
});
