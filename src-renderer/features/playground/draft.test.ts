import { expect, test } from 'vitest';

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import type { InputDraft } from './draft.ts';
import { newDraft, withBatchSize, withLines, withShape } from './draft.ts';
import { inputIssue, parseShape } from './draft-issues.ts';
import { fromRequest, toRequest } from './draft-request.ts';
import { withSize } from './token-inputs.ts';
import { decodeTexts, histogram, sliceShape, sliceStart } from '../../tensors/tensor-slices.ts';

const io: ModelInterface = {
  inputs: [
    { name: 'X', datatype: 'FP32', shape: [-1, 4], optional: false, imageLayout: '' },
    { name: 'T', datatype: 'BYTES', shape: [-1, -1], optional: true, imageLayout: '' },
  ],
  outputs: [{ name: 'Y', datatype: 'FP32', shape: [-1, 2], hasLabels: true }],
  maxBatchSize: 8,
  isSequence: false,
  sequenceIdleMs: 0,
  isDecoupled: false,
};

function inputOf(name: string): InputDraft {
  const input = newDraft(io).inputs.find((one) => one.name === name);
  if (input === undefined) throw new Error(`there is no input ${name}`);
  return input;
}

test('a new draft can be sent as it is, without optional inputs, with labels as classes', () => {
  const draft = newDraft(io);
  expect(draft.inputs.map(inputIssue)).toEqual([undefined, undefined]);
  const request = toRequest(draft, { model: 'm', version: '', isSequence: false });
  expect(request.inputs.map(({ name, shape }) => [name, shape])).toEqual([['X', [1, 4]]]);
  expect(request.outputs).toEqual([{ name: 'Y', classification: 5 }]);
  expect(request.sequence).toBeUndefined();
});

test('a request comes back as the draft it was made from', () => {
  const request = toRequest(newDraft(io), { model: 'm', version: '1', isSequence: false });
  expect(toRequest(fromRequest(request, io), { model: 'm', version: '1', isSequence: false })).toEqual(
    request,
  );
});

test('typed values stay when the batch grows, and new ones are zero', () => {
  const [input] = withBatchSize(newDraft(io), 2).inputs;
  expect(input?.shape).toEqual([2, 4]);
  expect(input?.values).toEqual(['0', '1', '2', '3', '0', '0', '0', '0']);
});

test('a free dimension follows the number of lines', () => {
  expect(withLines(inputOf('T'), ['a', 'b', 'c'], true).shape).toEqual([1, 3]);
});

test('too many elements to type become a generator', () => {
  expect(withShape(inputOf('X'), [5000, 4]).mode).toBe('zeros');
});

test.each([
  ['1, 17', [1, 17]],
  ['[2,3]', [2, 3]],
  ['', []],
  ['1,-1', undefined],
])('shape %j', (text, shape) => {
  expect(parseShape(text)).toEqual(shape);
});

test('what is no number of its type is named with its place', () => {
  const values = ['0', '1', 'x', '3'];
  expect(inputIssue({ ...inputOf('X'), values })).toBe('Element 2, “x”, is no FP32.');
});

test.each([
  ['INT8', '128', 'INT8 goes from -128 to 127'],
  ['UINT64', '18446744073709551616', 'UINT64 goes from 0 to 18446744073709551615'],
  ['UINT8', '-1', 'UINT8 goes from 0 to 255'],
  ['INT64', '9223372036854775807', undefined],
  ['FP16', '70000', 'FP16 goes from -65504 to 65504'],
  ['FP32', '1e39', 'FP32 goes from'],
  ['FP32', '-inf', undefined],
  ['FP32', '3.4028235e38', undefined],
  ['FP16', '65504', undefined],
  ['BF16', '3.39e38', undefined],
  ['FP16', '123456', 'FP16 goes from'],
  ['FP64', '1e308', undefined],
  ['FP64', '1e309', 'FP64 goes from'],
])(
  '%s %s: a number that does not fit is named with what fits, and never becomes infinite',
  (datatype, value, range) => {
    const issue = inputIssue({ ...inputOf('X'), datatype, values: [value, '1', '1', '1'] });
    if (range === undefined) expect(issue).toBeUndefined();
    else expect(issue).toContain(range);
  },
);

test('a slice starts where its position says', () => {
  const slice = sliceShape([2, 3, 4, 5]);
  expect(slice).toEqual({ rows: 4, columns: 5, picked: [2, 3] });
  expect(sliceStart(slice, [1, 2])).toBe((1 * 3 + 2) * 20);
});

test('64-bit integers keep all digits, floats lose the noise', () => {
  const long = new BigInt64Array([9007199254740993n]);
  expect(decodeTexts(new Uint8Array(long.buffer), 'INT64')).toEqual(['9007199254740993']);
  expect(decodeTexts(new Uint8Array(new Float32Array([0.1]).buffer), 'FP32')).toEqual(['0.1']);
});

test('a histogram counts finite values only', () => {
  const bars = histogram(Float64Array.from([0, 0, 1, NaN, Infinity]), 2);
  expect(bars.map(({ count }) => count)).toEqual([2, 1]);
});

test.each([
  [[3, 224, 224], 'FP32', '', 'image'],
  [[-1, 3, -1, -1], 'FP32', '', 'image'],
  [[-1, 480, 640, 3], 'UINT8', '', 'image'],
  [[3, 8, 8], 'FP32', 'NCHW', 'image'],
  [[3, 8, 8], 'FP32', '', 'random'],
  [[1, 28, 28], 'FP32', '', 'image'],
  [[3, 224, 224], 'INT64', '', 'random'],
  [[-1, 384], 'FP32', '', 'random'],
  [[2, 2], 'FP32', '', 'values'],
] as const)('an input %j of %s %s starts as %4$s', (shape, datatype, imageLayout, mode) => {
  const input = { name: 'X', datatype, shape, optional: false, imageLayout };
  expect(newDraft({ ...io, maxBatchSize: 0, inputs: [input] }).inputs[0]?.mode).toBe(mode);
});

test('whole numbers in the shape of a colour picture start with one, and those of tokens do not', () => {
  const mode = (shape: number[], datatype: string) => {
    const inputs = [{ name: 'input', datatype, shape, optional: false, imageLayout: '' as const }];
    const [input] = newDraft({ ...io, inputs, maxBatchSize: 0 }).inputs;
    return [input?.mode, input?.imageOptions.scaling];
  };
  expect(mode([1, 192, 192, 3], 'INT32')).toEqual(['image', 'NONE']);
  expect(mode([1, -1, -1], 'INT64')[0]).toBe('values');
});

const bert = (size: number) =>
  newDraft({
    ...io,
    maxBatchSize: 0,
    inputs: ['input_ids', 'token_type_ids', 'attention_mask', 'other'].map((name) => ({
      ...{ name, datatype: 'INT64', shape: [1, size], optional: false, imageLayout: '' as const },
    })),
  });

test('all tokens count and are of the first sentence, at every length', () => {
  const [, types, mask] = withSize(bert(-1), 'input_ids', { at: 1, size: 3 }).inputs;
  expect([types?.values, mask?.values]).toEqual([
    ['0', '0', '0'],
    ['1', '1', '1'],
  ]);
  expect(bert(384).inputs.map(({ mode }) => mode)).toEqual(['random', 'zeros', 'ones', 'random']);
});

test('what is about the same tokens has one length, and other inputs have their own', () => {
  const sizes = (name: string) =>
    withSize(bert(-1), name, { at: 1, size: 12 }).inputs.map(({ shape }) => shape[1]);
  expect(sizes('attention_mask')).toEqual([12, 12, 12, 1]);
  expect(sizes('other')).toEqual([1, 1, 1, 12]);
});
