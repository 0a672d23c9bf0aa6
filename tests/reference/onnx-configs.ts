// Configurations of ONNX models, good, bad and absent.

import { graphModel, identityModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { start } from './python-configs.ts';

const sum = (): Uint8Array =>
  graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }],
    [value('A', 'FP32', ['n', 4]), value('B', 'FP32', ['n', 4])],
    [value('C', 'FP32', ['n', 4])],
  );
/** Files by the name that the rows use. */
export const CONFIGURED_MODELS: Readonly<Record<string, Uint8Array>> = {
  batching: sum(),
  fixed: identityModel('FP32', [2, 3]),
  scalar: identityModel('FP32', []),
  texts: identityModel('BYTES', ['n']),
  bools: identityModel('BOOL', ['n', 'm']),
  halves: identityModel('FP16', [1, 'm']),
};
const A = '{ name: "A" data_type: TYPE_FP32 dims: [ 4 ] }';
const B = '{ name: "B" data_type: TYPE_FP32 dims: [ 4 ] }';
const C = '{ name: "C" data_type: TYPE_FP32 dims: [ 4 ] }';
const ABC = `input [ ${A}, ${B} ] output [ ${C} ]`;

/** ONNX file, then the whole config.pbtxt; undefined = there is none. */
export const ONNX_CONFIGS: readonly (readonly [string, string | undefined])[] = [
  ...Object.keys(CONFIGURED_MODELS).map((model) => [model, undefined] as const),
  ...Object.keys(CONFIGURED_MODELS).map((model) => [model, 'backend: "onnxruntime"'] as const),
  ...Object.keys(CONFIGURED_MODELS).map(
    (model) => [model, 'platform: "onnxruntime_onnx" max_batch_size: 8'] as const,
  ),
  ['batching', 'platform: "onnxruntime_onnx" max_batch_size: 1'],
  ['batching', 'platform: "onnxruntime_onnx" max_batch_size: 8 dynamic_batching {}'],
  ['batching', 'platform: "onnxruntime_onnx" max_batch_size: 8 sequence_batching {}'],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC}`],
  ['batching', `platform: "onnxruntime_onnx" ${ABC.replaceAll('[ 4 ]', '[ -1, 4 ]')}`],
  ['batching', `platform: "onnxruntime_onnx" ${ABC}`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 input [ ${A} ] output [ ${C} ]`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 input [ ${A}, ${B} ]`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 output [ ${C} ]`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('"B"', '"X"')}`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('"C"', '"X"')}`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('FP32', 'INT32')}`],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('"C" data_type: TYPE_FP32', '"C" data_type: TYPE_FP64')}`,
  ],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('[ 4 ]', '[ 5 ]')}`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('[ 4 ]', '[ -1 ]')}`],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('"C" data_type: TYPE_FP32 dims: [ 4 ]', '"C" data_type: TYPE_FP32 dims: [ -1 ]')}`,
  ],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('[ 4 ]', '[ 2, 2 ]')}`],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('[ 4 ]', '[ 2, 2 ] reshape { shape: [ 4 ] }')}`,
  ],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('[ 4 ]', '[ 4 ] optional: true')}`,
  ],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('[ 4 ]', '[ 4 ] allow_ragged_batch: true')}`,
  ],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC.replace('}, {', '}, { name: "D" data_type: TYPE_FP32 dims: [ 4 ] }, {')}`,
  ],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC} parameters { key: "intra_op_thread_count" value { string_value: "x" } }`,
  ],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC} parameters { key: "intra_op_thread_count" value { string_value: "2" } }`,
  ],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC} optimization { graph { level: 1 } }`],
  ['batching', `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC} default_model_filename: "other.onnx"`],
  [
    'batching',
    `platform: "onnxruntime_onnx" max_batch_size: 8 ${ABC} sequence_batching { ${start('fp32_false_true: [ 0, 1 ]')} }`,
  ],
  [
    'scalar',
    'platform: "onnxruntime_onnx" input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [] } } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 1 ] reshape { shape: [] } } ]',
  ],
  [
    'scalar',
    'platform: "onnxruntime_onnx" input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 2 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 1 ] } ]',
  ],
  [
    'fixed',
    'platform: "onnxruntime_onnx" input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 6 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 2, 3 ] } ]',
  ],
  [
    'fixed',
    'platform: "onnxruntime_onnx" input [ { name: "INPUT" data_type: TYPE_BF16 dims: [ 2, 3 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 2, 3 ] } ]',
  ],
  [
    'texts',
    'platform: "onnxruntime_onnx" input [ { name: "INPUT" data_type: TYPE_STRING dims: [ -1 ] } ] output [ { name: "OUTPUT" data_type: TYPE_STRING dims: [ -1 ] } ]',
  ],
];
