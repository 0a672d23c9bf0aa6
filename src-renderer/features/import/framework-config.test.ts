import { expect, test } from 'vitest';

import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import { draftFault, draftOfInspection, frameworkConfig } from './framework-config.ts';

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
  note: '',
  problem: undefined,
  needs: '',
};

test('what a file does not say is asked for, one thing after the other', () => {
  const draft = draftOfInspection(inspection);
  expect(draftFault(draft)).toBe('Choose the type of image.');
  const typed = { ...draft, inputs: [{ name: 'image', datatype: 'FP32', dims: '' }] };
  expect(draftFault(typed)).toContain('Give the sizes of image');
  const sized = { ...typed, inputs: [{ name: 'image', datatype: 'FP32', dims: '3 x 8' }] };
  expect(draftFault(sized)).toBe('Choose the type of OUTPUT__0.');
  const whole = { ...sized, outputs: [{ name: 'OUTPUT__0', datatype: 'BYTES', dims: '-1' }] };
  expect(draftFault(whole)).toBeUndefined();
  expect(draftFault({ ...whole, inputs: [...whole.inputs, ...whole.inputs] })).toBe(
    'Two inputs are named image.',
  );
  expect(draftFault({ ...whole, outputs: [...whole.outputs, ...whole.outputs] })).toBe(
    'Two outputs are named OUTPUT__0.',
  );
  const echoed = { ...whole, outputs: [{ name: 'image', datatype: 'FP32', dims: '3' }] };
  expect(draftFault(echoed)).toBeUndefined();
  expect(draftFault({ ...whole, outputs: [{ name: 'o', datatype: 'FP32', dims: '0' }] })).toContain(
    'sizes of o',
  );
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
    inputs: [{ name: 'x', datatype: 'FP32', shape: [-1, 4] }],
    outputs: [{ name: 'y', datatype: 'FP32', shape: [-1] }],
  };
  const draft = draftOfInspection(known);
  expect(draftFault(draft)).toBeUndefined();
  const text = frameworkConfig(known, draft);
  expect(text).toContain('max_batch_size: 4');
  expect(text).toContain('dims: [4]');
  expect(text).toContain('dims: [1]\n  reshape { shape: [] }');
  expect(text).toContain('dynamic_batching');
});
