// Configurations of ONNX models against what the file offers: inferred shapes, overridable constants, optional and
// ragged inputs, controls and states of sequences, batch inputs and outputs.

import { graphModel, identityModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { WritableTensor } from '../../src-main/onnx/onnx-writer.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { loadCase } from './config-cases.ts';
import { get, post } from './http-calls.ts';
import { ask, load } from './life-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const B_CONSTANT: WritableTensor = {
  name: 'B',
  datatype: 'FP32',
  dims: [1, 4],
  data: new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer),
};
const SHAPE: WritableTensor = {
  name: 'shape',
  datatype: 'INT64',
  dims: [2],
  data: new Uint8Array(BigInt64Array.of(-1n, 4n).buffer),
};
const rows = (name: string, dim: number | string = 4): ReturnType<typeof value> =>
  value(name, 'FP32', ['n', dim]);

const FILES: Readonly<Record<string, Uint8Array>> = {
  inferred: graphModel(
    [{ opType: 'Reshape', inputs: ['A', 'shape'], outputs: ['C'] }],
    [rows('A', 'm')],
    [rows('C', 'sym')],
    { initializers: [SHAPE] },
  ),
  overridable: graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }],
    [rows('A'), value('B', 'FP32', [1, 4])],
    [rows('C')],
    { initializers: [B_CONSTANT] },
  ),
  pair: graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }],
    [rows('A'), rows('B')],
    [rows('C')],
  ),
  flat: identityModel('FP32', ['n']),
  wide: identityModel('FP32', ['n', 4]),
  controlled: graphModel(
    [{ opType: 'Add', inputs: ['A', 'START'], outputs: ['C'] }],
    [rows('A', 1), rows('START', 1)],
    [rows('C', 1)],
  ),
  controlled_wide: graphModel(
    [{ opType: 'Add', inputs: ['A', 'START'], outputs: ['C'] }],
    [rows('A'), rows('START')],
    [rows('C')],
  ),
  stateful: graphModel(
    [
      { opType: 'Add', inputs: ['A', 'S'], outputs: ['C'] },
      { opType: 'Identity', inputs: ['C'], outputs: ['T'] },
    ],
    [rows('A', 1), rows('S', 1)],
    [rows('C', 1), rows('T', 1)],
  ),
};

const input = (name: string, more = '', dims = '4', type = 'FP32'): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;
const config = (inputs: readonly string[], outputs: readonly string[], more = ''): string =>
  `backend: "onnxruntime" input [ ${inputs.join(', ')} ] output [ ${outputs.join(', ')} ] ${more}`;
const BATCHES = 'max_batch_size: 8';
const two = (second: string, dims = '-1, 4', more = ''): string =>
  config([input('A', '', dims), second], [input('C', '', dims)], more);
const control = (kind: string, more: string, name = 'START'): string =>
  `${BATCHES} sequence_batching { control_input [ { name: "${name}" control [ { kind: CONTROL_SEQUENCE_${kind} ${more} } ] } ] }`;
const flags = 'fp32_false_true: [ 0, 1 ]';
const state = (more: string, names = 'input_name: "S" output_name: "T"'): string =>
  `${BATCHES} sequence_batching { state [ { ${names} ${more} } ] }`;
const ONE = (more: string): string => config([input('A', '', '1')], [input('C', '', '1')], more);
const copied = (more: string, output = '', dims = '-1'): string =>
  config([input('INPUT', more, dims)], [input('OUTPUT', output, dims)], BATCHES);

const BATCH_INPUT = (type: string): string =>
  `batch_input { kind: BATCH_ELEMENT_COUNT target_name: "N" ${type} source_input: "INPUT" }`;
const GONE = 'default_model_filename: "gone"';
const NO_NUMBER = 'parameters { key: "intra_op_thread_count" value { string_value: "x" } }';

const CONFIGS: readonly (readonly [file: string, text: string])[] = [
  ['inferred', 'backend: "onnxruntime"'],
  ['inferred', config([input('A', '', '-1')], [input('C')], BATCHES)],
  ['inferred', config([input('A', '', '-1')], [input('C', '', '-1')], BATCHES)],
  ['inferred', config([input('A', '', '7')], [input('C')], BATCHES)],
  ['inferred', config([input('A', '', '-1, -1')], [input('C', '', '-1, -1')])],
  ['inferred', `backend: "onnxruntime" ${BATCHES} output [ ${input('C', '', '-1')} ]`],
  ['inferred', `backend: "onnxruntime" ${BATCHES} output [ ${input('C')} ]`],
  ['overridable', 'backend: "onnxruntime"'],
  ['overridable', two(input('B', '', '1, 4'))],
  ['overridable', two(input('B', 'optional: true', '1, 4'))],
  ['overridable', two(input('B', 'optional: true', '1, 4'), '4', BATCHES)],
  ['overridable', two(input('B', 'optional: true', '1, 5'))],
  ['overridable', two(input('B', 'optional: true', '4'))],
  ['overridable', two(input('B', 'optional: true', '-1, 4'))],
  ['overridable', two(input('B', 'optional: true', '1, 4', 'FP64'))],
  ['overridable', two(input('X', 'optional: true', '1, 4'))],
  ['overridable', config([input('A', 'optional: true', '-1, 4')], [input('C', '', '-1, 4')])],
  ['overridable', config([input('A', '', '-1, 4')], [input('C', '', '-1, 4')])],
  ['pair', two(input('B', 'optional: true', '-1, 4'))],
  ['pair', two(input('B'), '4', `${BATCHES} dynamic_batching {}`)],
  ['pair', config([input('A')], [input('C')], BATCHES)],
  ['pair', config([input('A'), input('B'), input('D')], [input('C')], BATCHES)],
  ['pair', config([input('A'), input('D')], [input('C')], BATCHES)],
  ['pair', config([input('A'), input('B')], [input('C'), input('E')], BATCHES)],
  ['pair', config([input('A'), input('B')], [input('E')], BATCHES)],
  ['pair', config([input('A', '', '4', 'STRING'), input('B')], [input('C')], BATCHES)],
  ['pair', config([input('A'), input('B')], [input('C', '', '4', 'STRING')], BATCHES)],
  ['pair', config([input('A'), input('B')], [input('C', '', '3')], BATCHES)],
  ['pair', config([input('A', '', '3'), input('B', '', '3')], [input('C')], BATCHES)],
  ['pair', config([input('A', '', '4, 1'), input('B')], [input('C')], BATCHES)],
  ['pair', config([input('A', '', '2, 2', 'FP32'), input('B')], [input('C')])],
  ['flat', copied('allow_ragged_batch: true')],
  ['flat', config([input('INPUT', 'allow_ragged_batch: true', '-1')], [input('OUTPUT', '', '-1')])],
  ['wide', copied('allow_ragged_batch: true', '', '4')],
  [
    'flat',
    config([input('INPUT', 'allow_ragged_batch: true optional: true', '-1')], [input('OUTPUT', '', '-1')]),
  ],
  ['wide', copied('reshape { shape: [ 2, 2 ] }', '', '4')],
  ['wide', copied('reshape { shape: [ 4 ] }', 'reshape { shape: [ 4 ] }', '2, 2')],
  [
    'flat',
    `${copied('allow_ragged_batch: true')} batch_input [ { kind: BATCH_ELEMENT_COUNT target_name: "N" data_type: TYPE_FP32 source_input: "INPUT" } ]`,
  ],
  [
    'flat',
    `${copied('allow_ragged_batch: true')} batch_output [ { target_name: "OUTPUT" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "INPUT" } ]`,
  ],
  [
    'flat',
    `${copied('allow_ragged_batch: true')} batch_output [ { target_name: "X" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "INPUT" } ]`,
  ],
  [
    'flat',
    `${copied('allow_ragged_batch: true')} batch_output [ { target_name: "OUTPUT" kind: BATCH_SCATTER_WITH_INPUT_SHAPE source_input: "X" } ]`,
  ],
  ['controlled', ONE(control('START', flags))],
  ['controlled', ONE(control('END', flags))],
  ['controlled', ONE(control('READY', flags))],
  ['controlled', ONE(control('START', 'int32_false_true: [ 0, 1 ]'))],
  ['controlled', ONE(control('START', 'bool_false_true: [ false, true ]'))],
  ['controlled', ONE(control('START', flags, 'NONE'))],
  ['controlled', ONE(control('CORRID', 'data_type: TYPE_UINT64'))],
  ['controlled', ONE(control('CORRID', 'data_type: TYPE_STRING'))],
  ['controlled', `backend: "onnxruntime" ${control('START', flags)}`],
  ['controlled_wide', config([input('A')], [input('C')], control('START', flags))],
  ['stateful', ONE(state('data_type: TYPE_FP32 dims: [ 1 ]'))],
  ['stateful', ONE(state('data_type: TYPE_INT32 dims: [ 1 ]'))],
  ['stateful', ONE(state('data_type: TYPE_FP32 dims: [ 2 ]'))],
  ['stateful', ONE(state('data_type: TYPE_FP32 dims: [ -1 ]'))],
  ['stateful', ONE(state('data_type: TYPE_FP32 dims: [ 1 ]', 'input_name: "X" output_name: "T"'))],
  ['stateful', ONE(state('data_type: TYPE_FP32 dims: [ 1 ]', 'input_name: "S" output_name: "X"'))],
  ['stateful', `backend: "onnxruntime" ${state('data_type: TYPE_FP32 dims: [ 1 ]')}`],
  ['stateful', ONE(BATCHES)],
  // Several faults at once: which one is told first.
  ...[
    `${BATCH_INPUT('')}`,
    `${BATCH_INPUT('')} ${GONE}`,
    `${BATCH_INPUT('data_type: TYPE_FP16')} ${GONE}`,
    `${BATCH_INPUT('data_type: TYPE_FP32')}`,
    GONE,
    `${GONE} ${NO_NUMBER}`,
    `${GONE} instance_group { kind: KIND_CPU gpus: [ 0 ] }`,
    `instance_group { kind: KIND_CPU gpus: [ 0 ] } ${NO_NUMBER}`,
    `sequence_batching { state { initial_state {} initial_state {} } }`,
    `sequence_batching { state { input_name: "a" output_name: "a" } state { input_name: "a" output_name: "a" } }`,
  ].flatMap((more): [string, string][] => [
    ['flat', `backend: "onnxruntime" ${BATCHES} ${more}`],
    ['flat', `${copied('', '')} ${more}`],
  ]),
];

const models: RepositoryFiles = Object.fromEntries(
  CONFIGS.flatMap(([file, text], index) => [
    [`m_${index}/config.pbtxt`, text],
    [`m_${index}/1/model.onnx`, FILES[file] ?? ''],
  ]),
);

/** Overridable inputs that are given and that are not. */
const GIVEN: ReferenceCase = {
  name: 'an overridable input that is sent, left out, and of a wrong shape',
  run: async (target) => {
    const model = `m_${CONFIGS.findIndex(([file, text]) => file === 'overridable' && text.includes('optional: true'))}`;
    const tensor = (name: string, shape: readonly number[]): object => ({
      name,
      datatype: 'FP32',
      shape,
      data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, at) => at),
    });
    const infer = (...inputs: readonly object[]): Promise<unknown> =>
      ask(target, post(`/v2/models/${model}/infer`, { inputs }));
    return [
      await ask(target, load(model)),
      await infer(tensor('A', [2, 4])),
      await infer(tensor('A', [2, 4]), tensor('B', [1, 4])),
      await infer(tensor('B', [1, 4]), tensor('A', [1, 4])),
      await infer(tensor('A', [2, 4]), tensor('B', [2, 4])),
      await infer(tensor('A', [2, 4]), tensor('B', [1, 3])),
      await infer(tensor('B', [1, 4])),
      await infer(tensor('A', [2, 5])),
      await ask(target, get(`/v2/models/${model}`)),
    ].map((answer, index) => ({ step: String(index), answer }));
  },
};

const STATE: ReferenceCase = {
  name: 'a state that the model does not give',
  run: async (target) => {
    const model = `m_${CONFIGS.findIndex(([, text]) => text.includes('output_name: "X"'))}`;
    const body = {
      inputs: [{ name: 'A', datatype: 'FP32', shape: [1, 1], data: [1] }],
      parameters: { sequence_id: 5, sequence_start: true, sequence_end: true },
    };
    await ask(target, load(model));
    return ask(target, post(`/v2/models/${model}/infer`, body));
  },
};

export const ONNX_CONFIG_SCENE: Scene = {
  name: 'interfaces',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  cases: [
    ...CONFIGS.map(([file, text], index) => loadCase(`m_${index}`, `of the file ${file}: ${text}`)),
    GIVEN,
    STATE,
  ],
};
