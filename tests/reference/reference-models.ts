// The models of the comparison, written twice: for the reference's Python backend and for our JavaScript backend, with
// one configuration text for both. What they compute must agree; what the servers make of it is compared.

import { DATA_TYPES, dataTypeToConfig } from '../../src-shared/datatypes.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { TwinCode } from './twin-code.ts';
import {
  ACCUMULATE,
  ADD_SUB,
  BROKEN,
  ECHO,
  FAILS,
  REPEAT,
  SLOW,
  SLOW_ACCUMULATE,
  TELL,
} from './twin-code.ts';

/** The reference's Python backend has no array type for BF16. */
export const COMPARED_TYPES = DATA_TYPES.filter(
  (datatype): datatype is Exclude<DataType, 'BF16'> => datatype !== 'BF16',
);

/** Loaded by cases, not at the start. */
export const UNSTARTED = ['broken', 'chain_later'];

interface TwinModel {
  readonly config: string;
  /** Absent for ensembles. */
  readonly code?: TwinCode;
  readonly versions?: readonly number[];
  readonly files?: Readonly<Record<string, string>>;
}

const tensor = (name: string, datatype: DataType, dims: readonly number[], more = ''): string =>
  `{ name: "${name}" data_type: ${dataTypeToConfig(datatype)} dims: [ ${dims.join(', ')} ] ${more} }`;

function config(
  maxBatchSize: number,
  inputs: readonly string[],
  outputs: readonly string[],
  more = '',
): string {
  return `max_batch_size: ${maxBatchSize}
input [ ${inputs.join(', ')} ]
output [ ${outputs.join(', ')} ]
${more}
`;
}

const CPU = 'instance_group [ { kind: KIND_CPU count: 1 } ]';
const one = (datatype: DataType, dims: readonly number[], more = CPU, maxBatchSize = 0): string =>
  config(maxBatchSize, [tensor('INPUT0', datatype, dims)], [tensor('OUTPUT0', datatype, dims)], more);
const two = (
  maxBatchSize: number,
  datatypes: readonly [DataType, DataType],
  dims: readonly number[],
  more = CPU,
): string =>
  config(
    maxBatchSize,
    datatypes.map((datatype, i) => tensor(`INPUT${i}`, datatype, dims)),
    datatypes.map((datatype, i) => tensor(`OUTPUT${i}`, datatype, dims)),
    more,
  );

const ACCUMULATE_CONFIG = config(
  4,
  [tensor('INPUT', 'INT32', [1])],
  [tensor('OUTPUT', 'INT32', [1]), tensor('FLAGS', 'INT32', [3])],
  `${CPU}
sequence_batching {
  max_sequence_idle_microseconds: 60000000
  control_input [
    { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
    { name: "END" control [ { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } ] },
    { name: "READY" control [ { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 0, 1 ] } ] },
    { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] }
  ]
}`,
);

const CHAIN = `platform: "ensemble"
${one('INT32', [-1], '')}ensemble_scheduling { step [
  { model_name: "echo_int32" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "between" } },
  { model_name: "echo_int32" model_version: -1 input_map { key: "INPUT0" value: "between" } output_map { key: "OUTPUT0" value: "OUTPUT0" } }
] }`;

/** By model name. */
export const TWIN_MODELS: Readonly<Record<string, TwinModel>> = {
  add_sub: { config: two(8, ['INT32', 'INT32'], [16]), code: ADD_SUB },
  ...Object.fromEntries(
    COMPARED_TYPES.map((datatype) => [
      `echo_${datatype.toLowerCase()}`,
      { config: one(datatype, [-1]), code: ECHO },
    ]),
  ),
  matrix: { config: one('FP32', [-1, -1]), code: ECHO },
  fixed: { config: one('FP32', [2, 3]), code: ECHO },
  text: { config: one('BYTES', [1]), code: ECHO },
  wide_text: { config: one('BYTES', [2]), code: ECHO },
  pair: { config: two(0, ['INT32', 'FP32'], [-1]), code: ECHO },
  optional: {
    config: config(
      0,
      [tensor('INPUT0', 'INT32', [-1]), tensor('INPUT1', 'INT32', [-1], 'optional: true')],
      [tensor('OUTPUT0', 'INT32', [-1])],
      CPU,
    ),
    code: ECHO,
  },
  reshaped: {
    config: config(
      4,
      [tensor('INPUT0', 'INT32', [4], 'reshape { shape: [ 2, 2 ] }')],
      [tensor('OUTPUT0', 'INT32', [4], 'reshape { shape: [ 2, 2 ] }')],
      CPU,
    ),
    code: ECHO,
  },
  batched: {
    config: config(
      8,
      [tensor('INPUT0', 'FP32', [-1])],
      [tensor('OUTPUT0', 'FP32', [-1], 'label_filename: "labels.txt"')],
      `${CPU} dynamic_batching {}`,
    ),
    code: ECHO,
    files: { 'labels.txt': 'zero\none\ntwo\n' },
  },
  queue: {
    config: one('INT32', [1], `${CPU} dynamic_batching { default_queue_policy { max_queue_size: 1 } }`, 1),
    code: SLOW,
  },
  patient: {
    config: one(
      'INT32',
      [1],
      `${CPU} dynamic_batching { priority_levels: 2 default_priority_level: 2 default_queue_policy { allow_timeout_override: true default_timeout_microseconds: 20000000 } }`,
      1,
    ),
    code: SLOW,
  },
  accumulate: { config: ACCUMULATE_CONFIG, code: ACCUMULATE },
  repeat: {
    config: config(
      0,
      [tensor('IN', 'INT32', [-1])],
      [tensor('OUT', 'INT32', [1])],
      `${CPU} model_transaction_policy { decoupled: true }`,
    ),
    code: REPEAT,
  },
  fails: { config: one('INT32', [1]), code: FAILS },
  tell: {
    config: config(0, [tensor('INPUT0', 'INT32', [1])], [tensor('TOLD', 'BYTES', [1])], CPU),
    code: TELL,
  },
  versions: {
    config: one('INT32', [-1], `${CPU} version_policy { all {} }`),
    code: ECHO,
    versions: [1, 2, 3],
  },
  lifecycle: { config: one('INT32', [-1]), code: ECHO },
  counted: { config: one('INT32', [-1], `${CPU} dynamic_batching {}`, 8), code: ECHO },
  cached: { config: one('INT32', [-1], `${CPU} response_cache { enable: true }`), code: ECHO },
  chain: { config: CHAIN },
  chain_later: { config: CHAIN },
  broken: { config: one('INT32', [1]), code: BROKEN },
  burst_preferred: {
    config: one('INT32', [-1], `${CPU} dynamic_batching { preferred_batch_size: [ 4, 6 ] }`, 8),
    code: SLOW,
  },
  burst_rows: { config: one('INT32', [-1], `${CPU} dynamic_batching {}`, 8), code: SLOW },
  burst_shapes: { config: one('INT32', [-1], `${CPU} dynamic_batching {}`, 8), code: SLOW },
  burst_full: {
    config: one('INT32', [-1], `${CPU} dynamic_batching { default_queue_policy { max_queue_size: 3 } }`, 8),
    code: SLOW,
  },
  burst_late: {
    config: one(
      'INT32',
      [-1],
      `${CPU} dynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }`,
      8,
    ),
    code: SLOW,
  },
  burst_direct: { config: ACCUMULATE_CONFIG, code: SLOW_ACCUMULATE },
};

export const STARTED: readonly string[] = Object.keys(TWIN_MODELS).filter(
  (name) => !UNSTARTED.includes(name),
);

/** The same repository for either server. */
export function twinRepository(side: 'reference' | 'ours'): RepositoryFiles {
  const files: Record<string, string> = {};
  for (const [name, model] of Object.entries(TWIN_MODELS)) {
    const backend = side === 'ours' ? 'javascript' : 'python';
    files[`${name}/config.pbtxt`] =
      model.code === undefined ? model.config : `backend: "${backend}"\n${model.config}`;
    for (const version of model.versions ?? [1]) {
      if (model.code === undefined) files[`${name}/${version}/`] = '';
      else if (side === 'ours') files[`${name}/${version}/model.mjs`] = model.code.javascript;
      else files[`${name}/${version}/model.py`] = model.code.python;
    }
    for (const [file, text] of Object.entries(model.files ?? {})) files[`${name}/${file}`] = text;
  }
  return files;
}
