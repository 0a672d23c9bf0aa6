// The ONNX models of the comparison: a pair of tensors with batches, and copies of one tensor of every type and shape.

import { graphModel, identityModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { DataType } from '../../src-shared/datatypes.ts';

const ints = (name: string, dim = 16): ReturnType<typeof value> => value(name, 'INT32', ['n', dim]);
const SIMPLE = graphModel(
  [
    { opType: 'Add', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT0'] },
    { opType: 'Sub', inputs: ['INPUT0', 'INPUT1'], outputs: ['OUTPUT1'] },
  ],
  [ints('INPUT0'), ints('INPUT1')],
  [ints('OUTPUT0'), ints('OUTPUT1')],
);
const DIVIDE = graphModel(
  [{ opType: 'MatMul', inputs: ['A', 'B'], outputs: ['C'] }],
  [value('A', 'FP32', ['i', 'j']), value('B', 'FP32', ['k', 'l'])],
  [value('C', 'FP32', ['i', 'l'])],
);
const NOT_ZERO = graphModel(
  [{ opType: 'NonZero', inputs: ['A'], outputs: ['C'] }],
  [value('A', 'FP32', ['n'])],
  [value('C', 'INT64', [1, 'm'])],
);
const io = (type: string, dims: string, more = ''): string => `platform: "onnxruntime_onnx"
input [ { name: "INPUT" data_type: TYPE_${type} dims: [ ${dims} ] } ]
output [ { name: "OUTPUT" data_type: TYPE_${type} dims: [ ${dims} ] ${more} } ]
`;
const PAIR = `platform: "onnxruntime_onnx" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 16 ] }, { name: "INPUT1" data_type: TYPE_INT32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 16 ] label_filename: "labels.txt" }, { name: "OUTPUT1" data_type: TYPE_INT32 dims: [ 16 ] } ]
`;
const identity = (
  name: string,
  type: DataType,
  shape: readonly (number | string)[],
  config: string,
): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: config,
  [`${name}/1/model.onnx`]: identityModel(type, shape),
});

/** One repository for all questions about ONNX models. */
export const ONNX_MODELS: RepositoryFiles = {
  'simple/config.pbtxt': PAIR,
  'simple/labels.txt': 'zero\none\n\nthree\n four \nfive\r\nsi:x\nüü\n\n',
  'simple/1/model.onnx': SIMPLE,
  'bare/1/model.onnx': SIMPLE,
  'dynamic/config.pbtxt': `${PAIR.replace('label_filename: "labels.txt"', '')} dynamic_batching {}`,
  'dynamic/1/model.onnx': SIMPLE,
  ...identity('text', 'BYTES', ['n', 1], io('STRING', '1', '') + 'max_batch_size: 4'),
  ...identity('texts', 'BYTES', ['n', 'm'], io('STRING', '-1, -1')),
  ...identity('halves', 'FP16', ['n'], io('FP16', '-1')),
  ...identity('bools', 'BOOL', ['n'], io('BOOL', '-1')),
  ...identity('longs', 'INT64', ['n'], io('INT64', '-1')),
  ...identity('bytes', 'UINT8', ['n'], io('UINT8', '-1')),
  ...identity('doubles', 'FP64', ['n'], io('FP64', '-1')),
  ...identity('scalar', 'FP32', [], io('FP32', '1', '')),
  ...identity('fixed', 'FP32', [2, 3], io('FP32', '2, 3')),
  ...identity(
    'folded',
    'FP32',
    [6],
    io('FP32', '2, 3').replaceAll('dims: [ 2, 3 ]', 'dims: [ 2, 3 ] reshape { shape: [ 6 ] }'),
  ),
  ...identity('limited', 'FP32', ['n'], io('FP32', '-1').replace(/(output.*)\[ -1 \]/, '$1[ 3 ]')),
  'product/config.pbtxt': `platform: "onnxruntime_onnx"\n`,
  'product/1/model.onnx': DIVIDE,
  'not_zero/config.pbtxt': `platform: "onnxruntime_onnx"\n`,
  'not_zero/1/model.onnx': NOT_ZERO,
};
