import { expect, test } from 'vitest';

import { describeTensor } from '../../../src-shared/config/model-description.ts';
import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import { fakeInspection } from '../../testing/fake-views.ts';
import {
  batchingObstacle,
  defaultOptions,
  dimsOf,
  freeName,
  isUnreadable,
  labelFiles,
  problemText,
  wizardConfig,
  withDynamicFirst,
  wizardNameFault,
  writtenFiles,
} from './wizard-config.ts';

function inspectionOf(changes: Partial<OnnxInspection['description']>): OnnxInspection {
  const inspection = fakeInspection('/tmp/mobilenet.onnx');
  return { ...inspection, description: { ...inspection.description, ...changes } };
}

test('a model with dynamic first dimensions is written with batching, as completion would give', () => {
  const inspection = inspectionOf({});
  expect(wizardConfig(inspection, defaultOptions(inspection))).toBe(
    [
      'name: "mobilenet"',
      'platform: "onnxruntime_onnx"',
      'backend: "onnxruntime"',
      'max_batch_size: 4',
      'input {\n  name: "input"\n  data_type: TYPE_FP32\n  dims: [3, 224, 224]\n}',
      'output {\n  name: "output"\n  data_type: TYPE_FP32\n  dims: [1000]\n}',
      'dynamic_batching {\n}',
      'instance_group {\n  count: 1\n  kind: KIND_AUTO\n}',
      '',
    ].join('\n'),
  );
});

test('labels of an output are named in every file that is written, and copied with it', () => {
  const inspection = inspectionOf({});
  const options = { ...defaultOptions(inspection), labels: { output: '/home/ada/classes.txt' } };
  for (const write of ['full', 'minimal'] as const) {
    const text = wizardConfig(inspection, { ...options, write });
    expect(text).toContain('label_filename: "output_labels.txt"');
    expect(labelFiles({ ...options, write })).toEqual({ 'output_labels.txt': '/home/ada/classes.txt' });
  }
  expect(writtenFiles(inspection, options, ['1'])).toContain('mobilenet/output_labels.txt');
  expect(labelFiles({ ...options, write: 'none' })).toEqual({});
});

test('a fixed first dimension switches batching off and names the tensor', () => {
  const inspection = inspectionOf({ outputs: [describeTensor('boxes', 'FP32', [1, 4])] });
  const options = defaultOptions(inspection);
  expect(batchingObstacle(inspection)?.name).toBe('boxes');
  expect(options.isBatched).toBe(false);
  expect(wizardConfig(inspection, options)).toContain('max_batch_size: 0');
  expect(wizardConfig(inspection, options)).not.toContain('dynamic_batching');
});

test('texts are TYPE_STRING, optional inputs are marked, scalars are reshaped', () => {
  const inspection = inspectionOf({
    inputs: [
      describeTensor('text', 'BYTES', [-1]),
      describeTensor('k', 'INT64', [-1, 1], { isOptional: true }),
    ],
  });
  const text = wizardConfig(inspection, defaultOptions(inspection));
  expect(text).toContain('data_type: TYPE_STRING\n  dims: [1]\n  reshape { shape: [] }');
  expect(text).toContain('optional: true');
});

test('the minimal file holds only what was chosen', () => {
  const inspection = inspectionOf({});
  const options = {
    ...defaultOptions(inspection),
    write: 'minimal' as const,
    queueDelayUs: 300,
    instanceCount: 2,
    device: 'cpu' as const,
  };
  expect(wizardConfig(inspection, options)).toBe(
    'name: "mobilenet"\nbackend: "onnxruntime"\nmax_batch_size: 4\ndynamic_batching {\n  max_queue_delay_microseconds: 300\n}\ninstance_group {\n  count: 2\n  kind: KIND_CPU\n}\n',
  );
  expect(wizardConfig(inspection, { ...options, write: 'none' })).toBeUndefined();
});

test('warm-up runs every input at the largest batch, with 1 for what is free', () => {
  const inspection = inspectionOf({ inputs: [describeTensor('x', 'FP32', [-1, -1, 8])] });
  const text = wizardConfig(inspection, { ...defaultOptions(inspection), hasWarmup: true, maxBatchSize: 16 });
  expect(text).toContain('batch_size: 16');
  expect(text).toContain('dims: [1, 8]');
});

test.each([
  [[-1, 3], true, { dims: [3], isReshaped: false }],
  [[-1], true, { dims: [1], isReshaped: true }],
  [[], false, { dims: [1], isReshaped: true }],
  [[-1, 3], false, { dims: [-1, 3], isReshaped: false }],
])('dims of %j, batched %s', (shape, isBatched, result) => {
  expect(dimsOf(shape, isBatched)).toEqual(result);
});

test('names follow the rules of the server, and a free one is found', () => {
  const taken = new Map([
    ['resnet', 1],
    ['resnet_2', 1],
  ]);
  expect(['', 'a b', '../x', 'resnet', 'ok-1.2'].map((name) => wizardNameFault(name, taken))).toEqual([
    'wizard.nameEmpty',
    'wizard.nameBad',
    'wizard.nameBad',
    'wizard.nameTaken',
    undefined,
  ]);
  expect(freeName('resnet', taken)).toBe('resnet_3');
});

test('the review lists exactly the files that will exist', () => {
  const inspection = { ...inspectionOf({}), externalData: [{ name: 'w.bin', byteSize: 1, isFound: true }] };
  const options = defaultOptions(inspection);
  expect(writtenFiles(inspection, options, ['3'])).toEqual([
    'mobilenet/config.pbtxt',
    'mobilenet/3/model.onnx',
    'mobilenet/3/w.bin',
  ]);
  expect(writtenFiles(inspection, { ...options, write: 'none' }, ['1'])).not.toContain(
    'mobilenet/config.pbtxt',
  );
});

test('a copy with a dynamic first dimension batches, and is written as the next version', () => {
  const fixed = inspectionOf({
    inputs: [describeTensor('input', 'FP32', [1, 3, 224, 224])],
    outputs: [describeTensor('output', 'FP32', [1, 1000])],
  });
  expect(batchingObstacle(fixed)?.name).toBe('input');
  const dynamic = withDynamicFirst(fixed);
  expect(batchingObstacle(dynamic)).toBeUndefined();
  expect(wizardConfig(dynamic, defaultOptions(dynamic))).toContain('dims: [3, 224, 224]');
  expect(writtenFiles(dynamic, defaultOptions(dynamic), ['3', '4'])).toEqual([
    'mobilenet/config.pbtxt',
    'mobilenet/3/model.onnx',
    'mobilenet/4/model.onnx',
  ]);
});

test('a file without anything to read is told apart, by its own name and not by that of the upload', () => {
  const inspection = inspectionOf({});
  const problem = `'${inspection.path}' is not an ONNX model: bad tag 0x3c`;
  expect(isUnreadable({ ...inspection, problem })).toBe(false);
  const junk = { ...inspectionOf({ inputs: [], outputs: [] }), problem, operatorCount: 0 };
  expect(isUnreadable(junk)).toBe(true);
  expect(problemText(junk)).toBe("'mobilenet.onnx' is not an ONNX model: bad tag 0x3c");
});
