import { expect, test } from 'vitest';

import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import type { FrameworkDraft } from './framework-config.ts';
import { draftFault, draftOfInspection, frameworkConfig, leavesOpen } from './framework-config.ts';

const inspection: FrameworkInspection = {
  path: '/drop/net.pt',
  byteSize: 1,
  backend: 'pytorch',
  title: 'PyTorch',
  platform: 'pytorch_libtorch',
  artefact: 'model.pt',
  suggestedName: 'net',
  inputs: [{ name: 'image', datatype: null, shape: null }],
  outputs: [{ name: 'OUTPUT__0', datatype: null, shape: null }],
  note: undefined,
  problem: undefined,
  completes: false,
  maxBatchSize: undefined,
  isServable: true,
  needs: undefined,
};

const fault = (draft: FrameworkDraft) => draftFault(inspection, draft);

test('what a file does not say is asked for, one thing after the other', () => {
  const draft = draftOfInspection(inspection);
  expect(fault(draft)).toBe('Choose the type of image.');
  const typed = { ...draft, inputs: [{ name: 'image', datatype: 'FP32', dims: '' }] };
  expect(fault(typed)).toContain('Give the sizes of image');
  const sized = { ...typed, inputs: [{ name: 'image', datatype: 'FP32', dims: '3 x 8' }] };
  expect(fault(sized)).toBe('Choose the type of OUTPUT__0.');
  const whole = { ...sized, outputs: [{ name: 'OUTPUT__0', datatype: 'BYTES', dims: '-1' }] };
  expect(fault(whole)).toBeUndefined();
  expect(fault({ ...whole, inputs: [...whole.inputs, ...whole.inputs] })).toBe('Two inputs are named image.');
  expect(fault({ ...whole, outputs: [...whole.outputs, ...whole.outputs] })).toBe(
    'Two outputs are named OUTPUT__0.',
  );
  const echoed = { ...whole, outputs: [{ name: 'image', datatype: 'FP32', dims: '3' }] };
  expect(fault(echoed)).toBeUndefined();
  expect(fault({ ...whole, outputs: [{ name: 'o', datatype: 'FP32', dims: '0' }] })).toContain('sizes of o');
  expect(frameworkConfig(inspection, whole)).toBe(`name: "net"
backend: "pytorch"
platform: "pytorch_libtorch"
max_batch_size: 0
input {
  name: "image"
  data_type: TYPE_FP32
  dims: [3, 8]
}
output {
  name: "OUTPUT__0"
  data_type: TYPE_STRING
  dims: [-1]
}
`);
});

test('a file that says everything with an open first dimension batches', () => {
  const known = {
    ...inspection,
    backend: 'tensorflow',
    inputs: [{ name: 'x', datatype: 'FP32', shape: [-1, 4] }],
    outputs: [{ name: 'y', datatype: 'FP32', shape: [-1] }],
  };
  const draft = draftOfInspection(known);
  expect(fault(draft)).toBeUndefined();
  const text = frameworkConfig(known, draft);
  expect(text).toContain('max_batch_size: 4');
  expect(text).toContain('dims: [4]');
  expect(text).toContain('dims: [1]\n  reshape { shape: [] }');
  expect(text).toContain('dynamic_batching');
});

test('what is missing is a comment in the preview, not a type and a shape that nobody gave', () => {
  const draft = draftOfInspection(inspection);
  const text = frameworkConfig(inspection, draft);
  expect(text).toContain('input {\n  name: "image"\n  # data_type is missing\n  # dims is missing\n}');
  expect(text).not.toContain('TYPE_INVALID');
  expect(text).not.toContain('reshape');
  const empty = frameworkConfig(inspection, {
    ...draft,
    inputs: [{ name: '', datatype: 'FP32', dims: '3' }],
  });
  expect(empty).toContain('input {\n  # name is missing\n  data_type: TYPE_FP32\n  dims: [3]\n}');
});

test('what a load finds out may be left open, and is not written', () => {
  const open = {
    ...inspection,
    backend: 'dali',
    platform: undefined,
    completes: true,
    inputs: [],
    outputs: [],
  };
  const draft = draftOfInspection(open);
  expect(draftFault(open, draft)).toBeUndefined();
  expect(leavesOpen(open, draft)).toBe(true);
  expect(frameworkConfig(open, draft)).toBe('name: "net"\nbackend: "dali"\n');
  const half = { ...draft, inputs: [{ name: 'x', datatype: '', dims: '' }] };
  expect(draftFault(open, half)).toBe('Choose the type of x.');
  const said = { ...draft, inputs: [{ name: 'x', datatype: 'FP32', dims: '3' }] };
  expect(frameworkConfig(open, said)).toBe(
    'name: "net"\nbackend: "dali"\nmax_batch_size: 0\ninput {\n  name: "x"\n  data_type: TYPE_FP32\n  dims: [3]\n}\n',
  );
});

test('a batch that the file names is the one, whatever it leaves undeclared', () => {
  const named = {
    ...inspection,
    backend: 'dali',
    maxBatchSize: 8,
    inputs: [{ name: 'x', datatype: 'FP32', shape: [-1, -1] }],
  };
  expect(draftOfInspection(named)).toMatchObject({
    maxBatchSize: 8,
    inputs: [{ dims: '-1' }],
    outputs: [{ dims: '' }],
  });
});

test('the code of a Python model declares dims without a batch', () => {
  const code = {
    ...inspection,
    backend: 'python',
    inputs: [{ name: 'x', datatype: 'FP32', shape: [-1, 4] }],
    outputs: [],
  };
  expect(draftOfInspection(code)).toMatchObject({ maxBatchSize: 0, inputs: [{ dims: '-1, 4' }] });
});

test('a file that no configuration can help is refused with its reason', () => {
  const weights = { ...inspection, isServable: false, problem: 'These are weights.' };
  expect(draftFault(weights, draftOfInspection(weights))).toBe('These are weights.');
});

test('OpenVINO takes batches as they come; where it is told a size, batches that are not full are filled up', () => {
  const known = {
    ...inspection,
    backend: 'openvino',
    platform: undefined,
    completes: true,
    inputs: [{ name: 'x', datatype: 'FP32', shape: [-1, 4] }],
    outputs: [{ name: 'y', datatype: 'FP32', shape: [-1, 4] }],
  };
  const draft = draftOfInspection(known);
  const text = frameworkConfig(known, draft);
  expect(text).toContain('max_batch_size: 0');
  expect(text).toContain('dims: [-1, 4]');
  expect(text).not.toContain('ENABLE_BATCH_PADDING');
  const batched = frameworkConfig(known, { ...draft, maxBatchSize: 8 });
  expect(batched).toContain('max_batch_size: 8');
  expect(batched).toMatch(/key: "ENABLE_BATCH_PADDING"\n {2}value \{ string_value: "YES" \}/);
});

test('lists of texts of a TorchScript module have a size and are no batch', () => {
  const texts = (name: string) => [{ name, datatype: 'BYTES', shape: [-1] }];
  const draft = draftOfInspection({ ...inspection, inputs: texts('words'), outputs: texts('OUTPUT__0') });
  expect(draft).toMatchObject({
    maxBatchSize: 0,
    inputs: [{ name: 'words', datatype: 'BYTES', dims: '-1' }],
  });
  expect(fault(draft)).toBeUndefined();
});
