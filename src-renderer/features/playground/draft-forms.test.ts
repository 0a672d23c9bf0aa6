// A request in its forms: as it is put together, as it is sent, as it comes back; and what of it can never be sent.

import { expect, test } from 'vitest';

import type { InputDraft, RequestDraft } from './draft.ts';
import {
  halfTypeOf,
  MAX_TYPED,
  newDraft,
  signatureOf,
  takesImage,
  withBatchSize,
  withLines,
  withShape,
} from './draft.ts';
import { inputIssue, isValueOf, parseShape, splitValues } from './draft-issues.ts';
import { fromRequest, toInput, toRequest } from './draft-request.ts';
import { fakeInterface } from '../../testing/fake-playground.ts';

type Tensor = Parameters<typeof newDraft>[0]['inputs'][number];

const tensor = (changes: Partial<Tensor> = {}): Tensor => ({
  ...{ name: 'X', datatype: 'FP32', shape: [4], optional: false, imageLayout: '' },
  ...changes,
});

function inputOf(changes: Partial<Tensor> = {}): InputDraft {
  const [input] = newDraft(fakeInterface({ inputs: [tensor(changes)] })).inputs;
  if (input === undefined) throw new Error('no input');
  return input;
}

const FILE = { blob: 'b1', name: 'a.npy', byteSize: 9 };
const PICTURE = tensor({ shape: [3, 32, 32], imageLayout: 'NCHW' });

test.each<[string, Partial<InputDraft>, object]>([
  ['values', { values: ['1', '2', '3', '4'] }, { kind: 'values', values: ['1', '2', '3', '4'] }],
  ['zeros', {}, { kind: 'fill', value: 'zeros' }],
  ['ones', {}, { kind: 'fill', value: 'ones' }],
  ['constant', { constant: '7' }, { kind: 'constant', value: '7' }],
  ['random', { random: { seed: 5, min: -2, max: 3 } }, { kind: 'random', seed: 5, min: -2, max: 3 }],
  ['range', { range: { start: 2, step: 0.5 } }, { kind: 'range', start: 2, step: 0.5 }],
  ['file', { file: { ...FILE, format: 'npy' } }, { kind: 'blob', blob: 'b1', format: 'npy' }],
  ['sound', { sound: { ...FILE, rate: 8000 } }, { kind: 'blob', blob: 'b1', format: 'raw' }],
])('%s are sent as such, and come back as what can be sent again', (mode, changes, source) => {
  const input = { ...inputOf(), ...changes, mode: mode as InputDraft['mode'] };
  expect(toInput(input)).toEqual({ name: 'X', datatype: 'FP32', shape: [4], source });
  const io = fakeInterface();
  const draft: RequestDraft = { ...newDraft(io), inputs: [input] };
  const request = toRequest(draft, { model: 'm', version: '2', isSequence: false });
  const again = toRequest(fromRequest(request, io), { model: 'm', version: '2', isSequence: false });
  expect(again).toEqual(request);
});

test('a picture is sent with its steps; means and deviations only where they are the user’s own', () => {
  const input = { ...inputOf(PICTURE), image: FILE };
  expect(toInput(input).source).toEqual({
    ...{
      kind: 'image',
      blob: 'b1',
      resize: 'stretch',
      layout: 'NCHW',
      channels: 'RGB',
      scaling: 'INCEPTION',
    },
  });
  const custom = {
    ...input,
    imageOptions: { ...input.imageOptions, scaling: 'CUSTOM' as const, mean: [1, 2, 3] },
  };
  expect(toInput(custom).source).toMatchObject({
    scaling: 'CUSTOM',
    mean: [1, 2, 3],
    std: [58.395, 57.12, 57.375],
  });
  const io = fakeInterface({ inputs: [PICTURE] });
  const draft = { ...newDraft(io), inputs: [custom] };
  const request = toRequest(draft, { model: 'm', version: '', isSequence: false });
  expect(fromRequest(request, io).inputs[0]?.imageOptions).toEqual(custom.imageOptions);
});

test('options of a request come back: id, priority, timeout, outputs, parameters, sequence', () => {
  const io = fakeInterface({
    isSequence: true,
    outputs: [...fakeInterface().outputs, { name: 'Z', datatype: 'INT64', shape: [1], hasLabels: false }],
  });
  const draft: RequestDraft = {
    ...newDraft(io),
    ...{ id: 'r1', priority: 2, timeoutUs: 500, protocol: 'grpc' },
    outputs: newDraft(io).outputs.map((output) => ({
      ...output,
      isWanted: output.name === 'Z',
      classification: output.name === 'Z' ? 5 : 0,
    })),
    parameters: [
      { key: 'n', kind: 'number', value: '1.5' },
      { key: 'b', kind: 'boolean', value: 'false' },
      { key: 't', kind: 'text', value: '1.5' },
      { key: '', kind: 'text', value: 'not sent' },
    ],
    sequence: { id: 'a', start: false, end: true },
  };
  const request = toRequest(draft, { model: 'm', version: '', isSequence: true });
  expect(request).toMatchObject({
    ...{
      id: 'r1',
      priority: 2,
      timeoutUs: 500,
      protocol: 'grpc',
      outputs: [{ name: 'Z', classification: 5 }],
    },
    parameters: { n: 1.5, b: false, t: '1.5' },
    sequence: { id: 'a', start: false, end: true },
  });
  expect(Object.keys(request.parameters)).toHaveLength(3);
  expect(fromRequest(request, io)).toMatchObject({ ...draft, parameters: draft.parameters.slice(0, 3) });
});

test('what the model no longer has is left out, and what it has got since is as in a new draft', () => {
  const before = fakeInterface({ inputs: [tensor(), tensor({ name: 'OLD' })] });
  const now = fakeInterface({ inputs: [tensor(), tensor({ name: 'NEW', optional: true })] });
  const request = toRequest(newDraft(before), { model: 'm', version: '', isSequence: false });
  const { inputs } = fromRequest(request, now);
  expect(inputs.map(({ name, isSent }) => [name, isSent])).toEqual([
    ['X', true],
    ['NEW', false],
  ]);
});

test.each<[string, Partial<InputDraft>, string]>([
  ['a file that was not chosen', { mode: 'file' }, 'file'],
  ['a picture that was not chosen', { mode: 'image' }, 'image'],
  ['a sound that was not chosen', { mode: 'sound' }, 'sound'],
  ['too few values', { mode: 'values', values: ['1'] }, '4'],
  ['more values than can be typed', { mode: 'values', shape: [MAX_TYPED + 1], values: [] }, '4,096'],
])('%s is said beside the input', (_what, changes, words) => {
  expect(inputIssue({ ...inputOf(), ...changes })?.toLowerCase()).toContain(words);
});

test('an input that is not sent, or that something else fills, has no issue', () => {
  expect(inputIssue({ ...inputOf(), mode: 'file', isSent: false })).toBe(undefined);
  expect(inputIssue({ ...inputOf(), mode: 'random', values: [] })).toBe(undefined);
});

test.each([
  ['INT32', ' -7 ', true],
  ['INT32', '7.0', false],
  ['UINT8', '+3', true],
  ['INT64', '', false],
  ['FP32', '1e-3', true],
  ['FP32', '.5', true],
  ['FP32', '5.', true],
  ['FP32', '-Infinity', true],
  ['FP32', 'NaN', true],
  ['FP32', '1,5', false],
  ['BF16', '0x10', false],
  ['BOOL', 'TRUE', true],
  ['BOOL', '1', true],
  ['BOOL', 'yes', false],
  ['BYTES', '', true],
])('as %s, %j is a value: %s', (datatype, text, isOne) => {
  expect(isValueOf(datatype, text)).toBe(isOne);
});

test.each([
  ['[1, 2, 3]', ['1', '2', '3']],
  ['1\t2\n3', ['1', '2', '3']],
  ['(1; 2) {3}', ['1', '2', '3']],
  ['[[1,2],[3,4]]', ['1', '2', '3', '4']],
  ['  ', []],
])('pasted %j is %j', (text, values) => {
  expect(splitValues(text)).toEqual(values);
});

test.each([
  ['1x3x4', [1, 3, 4]],
  ['1 × 3', [1, 3]],
  [' [ 0 , 5 ] ', [0, 5]],
  ['2,', [2]],
  ['a', undefined],
  ['1.5', undefined],
  ['12345678901', undefined],
])('a shape written %j is %j', (text, shape) => {
  expect(parseShape(text)).toEqual(shape);
});

test.each([
  ['FP32', [4], ['0', '1', '2', '3']],
  ['FP32', [1], ['1']],
  ['BOOL', [2], ['true', 'true']],
  ['BYTES', [1], ['hello']],
  ['INT8', [-1, 2], ['0', '1']],
])('a new %s of %j holds %j', (datatype, shape, values) => {
  expect(inputOf({ datatype, shape }).values).toEqual(values);
});

test('random numbers start in a range that the type can hold', () => {
  expect(inputOf({ datatype: 'UINT8' }).random).toMatchObject({ min: 0, max: 255 });
  expect(inputOf({ datatype: 'INT32' }).random).toMatchObject({ min: 0, max: 9 });
  expect(inputOf({ datatype: 'FP16' }).random).toMatchObject({ min: -1, max: 1 });
});

test('a decoupled model is asked over gRPC, and half floats never as JSON', () => {
  expect(newDraft(fakeInterface()).protocol).toBe('http-json');
  expect(newDraft(fakeInterface({ isDecoupled: true })).protocol).toBe('grpc');
  const half = newDraft(fakeInterface({ inputs: [tensor({ datatype: 'BF16' })] }));
  expect([half.protocol, halfTypeOf(half)]).toEqual(['http-binary', 'BF16']);
  expect(halfTypeOf({ ...half, inputs: half.inputs.map((input) => ({ ...input, isSent: false })) })).toBe(
    undefined,
  );
  const asked = fakeInterface({ outputs: [{ name: 'Y', datatype: 'FP16', shape: [2], hasLabels: true }] });
  expect(halfTypeOf(newDraft(asked))).toBe(undefined);
});

test('classes are asked for where labels name the elements, not where they name pixels or boxes', () => {
  const asks = (shape: readonly number[], maxBatchSize = 0): number | undefined =>
    newDraft(
      fakeInterface({
        maxBatchSize,
        outputs: [{ name: 'Y', datatype: 'FP32', shape: [...shape], hasLabels: true }],
      }),
    ).outputs[0]?.classification;
  expect([asks([1, 1000]), asks([-1, 1000]), asks([-1, 1000, 1, 1], 8)]).toEqual([5, 5, 5]);
  expect([asks([1, 21, 64, 64]), asks([1, 7, 8400]), asks([-1, 100, 4], 8)]).toEqual([0, 0, 0]);
});

test('what is large is sent as bytes, if it is sent at all', () => {
  const large = tensor({ shape: [3, 64, 64] });
  expect(newDraft(fakeInterface({ inputs: [large] })).protocol).toBe('http-binary');
  const out = { name: 'Y', datatype: 'FP32', shape: [-1, 3, 224, 224], hasLabels: false };
  expect(newDraft(fakeInterface({ outputs: [out] })).protocol).toBe('http-binary');
  expect(newDraft(fakeInterface({ outputs: [{ ...out, shape: [-1, 1000] }] })).protocol).toBe('http-json');
  expect(newDraft(fakeInterface({ inputs: [tensor(), { ...large, optional: true }] })).protocol).toBe(
    'http-json',
  );
});

test('a shape keeps what was typed, up to what can be typed', () => {
  const typed = { ...inputOf(), values: ['5', '6', '7', '8'] };
  expect(withShape(typed, [2]).values).toEqual(['5', '6']);
  expect(withShape(typed, [0]).values).toEqual([]);
  expect(withShape(withShape(typed, [6]), [4]).values).toEqual(['5', '6', '7', '8']);
  const large = withShape(typed, [MAX_TYPED + 1]);
  expect([large.mode, large.values]).toEqual(['zeros', typed.values]);
  expect(withShape({ ...typed, mode: 'random' }, [99_999]).mode).toBe('random');
});

test('lines of text set the one free size, and leave a shape that they do not fit', () => {
  const free = inputOf({ datatype: 'BYTES', shape: [-1, 2] });
  expect(withLines(free, ['a', 'b', 'c', 'd'], false).shape).toEqual([2, 2]);
  expect(withLines(free, ['a', 'b', 'c'], false)).toMatchObject({ shape: [1, 2], values: ['a', 'b', 'c'] });
  const fixed = inputOf({ datatype: 'BYTES', shape: [2] });
  expect(withLines(fixed, ['a'], false).shape).toEqual([2]);
  const batched = inputOf({ datatype: 'BYTES', shape: [-1, 1] });
  expect(withLines(batched, ['a', 'b'], true).shape).toEqual([1, 1]);
});

test('the batch size is set in every input that has one', () => {
  const draft = newDraft(
    fakeInterface({ inputs: [tensor({ shape: [-1, 2] }), tensor({ name: 'S', shape: [] })] }),
  );
  expect(withBatchSize(draft, 3).inputs.map(({ shape }) => shape)).toEqual([[3, 2], []]);
});

test.each([
  [[3, 8, 8], 'FP32', true],
  [[8, 8, 1], 'UINT8', true],
  [[-1, -1, -1], 'FP16', true],
  [[3, 8, 8], 'INT32', true],
  [[3, 8, 8], 'INT8', false],
  [[8, 8], 'FP32', false],
  [[7, 8, 9], 'FP32', false],
])('an input %j of %s takes pictures: %s', (template, datatype, takes) => {
  expect(takesImage({ template, datatype, isBatched: false })).toBe(takes);
});

test('a batch is no side of a picture', () => {
  expect(takesImage({ template: [-1, -1, 3], datatype: 'FP32', isBatched: true })).toBe(false);
  expect(takesImage({ template: [-1, 8, 8, 3], datatype: 'FP32', isBatched: true })).toBe(true);
  const [input] = fakeInterface().inputs;
  const io = {
    ...fakeInterface(),
    maxBatchSize: 4,
    inputs: [{ ...input!, datatype: 'FP32', shape: [-1, -1, 3] }],
  };
  expect(newDraft(io).inputs[0]?.mode).toBe('values');
  expect(newDraft({ ...io, maxBatchSize: 0 }).inputs[0]?.mode).toBe('image');
});

test('an interface is another one when a name, a type, a shape or the way it is asked changes', () => {
  const io = fakeInterface();
  const same = signatureOf({ ...io, sequenceIdleMs: 5 });
  expect(same).toBe(signatureOf(io));
  for (const other of [
    { isDecoupled: true },
    { isSequence: true },
    { maxBatchSize: 1 },
    { inputs: [tensor({ shape: [5] })] },
  ]) {
    expect(signatureOf({ ...io, ...other })).not.toBe(signatureOf(io));
  }
});
