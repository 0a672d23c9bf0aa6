// The models that the official clients are tried on: an echo of every datatype, and small models for everything that
// an echo cannot show. Names are those the checks in Python use.

import { DATA_TYPES, dataTypeToConfig } from '../../src-shared/datatypes.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { identityModel } from '../../src-main/testing/onnx-test-models.ts';

/** Loaded by the checks themselves, never at the start. */
export const NOT_STARTED: readonly string[] = ['not_started', 'broken', 'pipeline', 'member'];

const SEQUENCE_CONTROLS = `
  control_input [
    { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
    { name: "END" control [ { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } ] },
    { name: "READY" control [ { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 0, 1 ] } ] }`;

function tensors(kind: 'input' | 'output', entries: readonly string[]): string {
  return `${kind} [ ${entries.map((entry) => `{ ${entry} }`).join(', ')} ]`;
}

function tensor(name: string, datatype: DataType, dims: readonly number[], more = ''): string {
  return `name: "${name}" data_type: ${dataTypeToConfig(datatype)} dims: [ ${dims.join(', ')} ] ${more}`;
}

function echo(datatype: DataType, dims: readonly number[]): string {
  return [
    'backend: "identity" max_batch_size: 0',
    tensors('input', [tensor('INPUT0', datatype, dims)]),
    tensors('output', [tensor('OUTPUT0', datatype, dims)]),
  ].join('\n');
}

function delayed(delayMs: number, batching: string): string {
  return [
    'backend: "identity" max_batch_size: 1',
    tensors('input', [tensor('INPUT0', 'INT32', [1])]),
    tensors('output', [tensor('OUTPUT0', 'INT32', [1])]),
    'instance_group [ { count: 1 kind: KIND_CPU } ]',
    `parameters { key: "execute_delay_ms" value { string_value: "${delayMs}" } }`,
    `dynamic_batching { ${batching} }`,
  ].join('\n');
}

function accumulator(backend: string, strategy: string, more = ''): string {
  return [
    `backend: "${backend}" max_batch_size: 8`,
    tensors('input', [tensor('INPUT', 'INT32', [-1])]),
    tensors('output', [tensor('OUTPUT', 'INT32', [-1])]),
    'instance_group [ { count: 1 kind: KIND_CPU } ]',
    `sequence_batching { ${strategy} ${SEQUENCE_CONTROLS}${more} ] }`,
  ].join('\n');
}

const corrid = (datatype: DataType): string =>
  `, { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: ${dataTypeToConfig(datatype)} } ] }`;

const step = (model: string, inputs: readonly string[], outputs: readonly string[]): string => {
  const map = (kind: string, pairs: readonly string[]): string =>
    pairs
      .map((pair) => pair.split('='))
      .map(([key, value]) => `${kind}_map { key: "${key}" value: "${value}" }`)
      .join(' ');
  return `{ model_name: "${model}" model_version: -1 ${map('input', inputs)} ${map('output', outputs)} }`;
};

const TELL = `export const execute = (requests) => requests.map((request) => ({
  outputs: { TOLD: [JSON.stringify({
    id: request.id,
    parameters: request.parameters,
    priority: request.priority,
    timeout: String(request.timeoutUs),
    sequence: request.correlationId,
  }, (key, value) => (typeof value === 'bigint' ? String(value) : value))] },
}));
`;

const TELL_CONFIG = [
  'backend: "javascript" max_batch_size: 0',
  tensors('input', [tensor('INPUT0', 'INT32', [1])]),
  tensors('output', [tensor('TOLD', 'BYTES', [1])]),
].join('\n');

function echoes(): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {};
  for (const datatype of DATA_TYPES) {
    const name = datatype.toLowerCase();
    files[`echo_${name}/config.pbtxt`] = echo(datatype, [-1]);
    files[`echo_${name}/1/`] = '';
    files[`matrix_${name}/config.pbtxt`] = echo(datatype, [-1, -1]);
    files[`matrix_${name}/1/`] = '';
  }
  return files;
}

function ensembles(): Record<string, string> {
  const pair = (output: string): string[] => [
    'platform: "ensemble" max_batch_size: 0',
    tensors('input', [tensor('INPUT0', 'INT32', [1])]),
    output,
  ];
  return {
    'pipeline/config.pbtxt': [
      ...pair(tensors('output', [tensor('OUTPUT0', 'INT32', [1])])),
      `ensemble_scheduling { step [ ${step('member', ['INPUT0=INPUT0'], ['OUTPUT0=OUTPUT0'])} ] }`,
    ].join('\n'),
    'pipeline/1/': '',
    'member/config.pbtxt': echo('INT32', [1]),
    'member/1/': '',
    'pass/config.pbtxt': echo('INT32', [1]),
    'pass/1/': '',
    'told_pipeline/config.pbtxt': [
      ...pair(tensors('output', [tensor('TOLD', 'BYTES', [1])])),
      `ensemble_scheduling { step [ ${step('pass', ['INPUT0=INPUT0'], ['OUTPUT0=passed'])}, ${step('tell', ['INPUT0=passed'], ['TOLD=TOLD'])} ] }`,
    ].join('\n'),
    'told_pipeline/1/': '',
  };
}

function decoupled(): Record<string, string> {
  const transaction = 'model_transaction_policy { decoupled: true }';
  return {
    'repeat_int32/config.pbtxt': [
      'backend: "repeat" max_batch_size: 0',
      transaction,
      tensors('input', [
        tensor('IN', 'INT32', [-1]),
        tensor('DELAY', 'UINT32', [-1]),
        tensor('WAIT', 'UINT32', [1]),
      ]),
      tensors('output', [tensor('OUT', 'INT32', [1]), tensor('IDX', 'UINT32', [1])]),
    ].join('\n'),
    'repeat_int32/1/': '',
    'square_int32/config.pbtxt': [
      'backend: "square" max_batch_size: 0',
      transaction,
      tensors('input', [tensor('IN', 'INT32', [1])]),
      tensors('output', [tensor('OUT', 'INT32', [1])]),
    ].join('\n'),
    'square_int32/1/': '',
  };
}

/** Everything the checks need beside the quick start's models. */
export function conformanceModels(): RepositoryFiles {
  return {
    ...echoes(),
    ...ensembles(),
    ...decoupled(),
    'two/config.pbtxt': [
      'backend: "identity" max_batch_size: 0',
      tensors('input', [tensor('INPUT0', 'INT32', [-1]), tensor('INPUT1', 'FP32', [-1])]),
      tensors('output', [tensor('OUTPUT0', 'INT32', [-1]), tensor('OUTPUT1', 'FP32', [-1])]),
    ].join('\n'),
    'two/1/': '',
    'optional/config.pbtxt': [
      'backend: "identity" max_batch_size: 0',
      tensors('input', [tensor('INPUT0', 'INT32', [-1]), tensor('INPUT1', 'FP32', [-1], 'optional: true')]),
      tensors('output', [tensor('OUTPUT0', 'INT32', [-1])]),
    ].join('\n'),
    'optional/1/': '',
    'batch_fp32/config.pbtxt': [
      'backend: "identity" max_batch_size: 8',
      tensors('input', [tensor('INPUT0', 'FP32', [-1])]),
      tensors('output', [tensor('OUTPUT0', 'FP32', [-1], 'label_filename: "labels.txt"')]),
      'dynamic_batching {}',
    ].join('\n'),
    'batch_fp32/labels.txt': 'zero\none\ntwo\n',
    'batch_fp32/1/': '',
    'queue/config.pbtxt': delayed(200, 'default_queue_policy { max_queue_size: 1 }'),
    'queue/1/': '',
    'patient/config.pbtxt': delayed(
      300,
      'priority_levels: 2 default_priority_level: 2 default_queue_policy { allow_timeout_override: true default_timeout_microseconds: 20000000 }',
    ),
    'patient/1/': '',
    'accumulate/config.pbtxt': accumulator('sequence', 'direct {}'),
    'accumulate/1/': '',
    'accumulate_oldest/config.pbtxt': accumulator(
      'dyna_sequence',
      'oldest { max_candidate_sequences: 64 }',
      corrid('UINT64'),
    ),
    'accumulate_oldest/1/': '',
    'accumulate_text/config.pbtxt': accumulator(
      'dyna_sequence',
      'oldest { max_candidate_sequences: 4 }',
      corrid('BYTES'),
    ),
    'accumulate_text/1/': '',
    'tell/config.pbtxt': TELL_CONFIG,
    'tell/1/model.mjs': TELL,
    'fails/config.pbtxt': TELL_CONFIG,
    'fails/1/model.mjs': `export function execute() { throw new Error('fails on purpose'); }\n`,
    'lifecycle/config.pbtxt': [
      'backend: "onnxruntime" max_batch_size: 8',
      tensors('input', [tensor('INPUT', 'FP32', [4])]),
      tensors('output', [tensor('OUTPUT', 'FP32', [4])]),
    ].join('\n'),
    'lifecycle/1/model.onnx': identityModel('FP32', ['batch', 4]),
    'not_started/config.pbtxt': echo('INT32', [1]),
    'not_started/1/': '',
    'broken/config.pbtxt': 'backend: "onnxruntime" max_batch_size: 0',
    'broken/1/model.onnx': 'this is no model',
  };
}

/** An ONNX graph with other types than the stored one: INT64 [3]. */
export function overrideModel(): Uint8Array {
  return identityModel('INT64', [3]);
}
