// Configurations, good and bad, with and without completion: the load's answer, and what the server made of it.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { graphModel, identityModel, value } from '../../src-main/testing/onnx-test-models.ts';
import { get, post, reply } from './http-calls.ts';
import { codeFile, ECHO_MODEL } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const IN = '{ name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }';
const OUT = '{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }';
const IO = `input [ ${IN} ] output [ ${OUT} ]`;
const io = (change: string, output = ''): string =>
  `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] ${change} } ] output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] ${output} } ]`;
const control = (kinds: string): string => `${IO} max_batch_size: 4 sequence_batching { ${kinds} }`;
const start = (more: string): string =>
  `control_input [ { name: "START" control [ { kind: CONTROL_SEQUENCE_START ${more} } ] } ]`;

/** Behind `backend: "python"`. */
// Files that are not there and batch tensors that Python models do not take hang or end the reference: not asked.
const PYTHON: readonly string[] = [
  IO,
  '',
  'max_batch_size: 4',
  `${IO} max_batch_size: 4`,
  `${IO} max_batch_size: -1`,
  `${IO} max_batch_size: 4 dynamic_batching {}`,
  `${IO} dynamic_batching {}`,
  `${IO} max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 2, 4 ] }`,
  `${IO} max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 8 ] }`,
  `${IO} max_batch_size: 4 dynamic_batching { preferred_batch_size: [ 0 ] }`,
  `${IO} max_batch_size: 4 dynamic_batching { priority_levels: 2 }`,
  `${IO} max_batch_size: 4 dynamic_batching { priority_levels: 2 default_priority_level: 3 }`,
  `${IO} max_batch_size: 4 dynamic_batching { priority_levels: 2 default_priority_level: 1 priority_queue_policy { key: 3 value {} } }`,
  `${IO} max_batch_size: 4 dynamic_batching { priority_levels: 2 default_priority_level: 1 priority_queue_policy { key: 0 value {} } }`,
  `${IO} max_batch_size: 4 dynamic_batching { default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 5 allow_timeout_override: true max_queue_size: 7 } }`,
  `${IO} max_batch_size: 4 dynamic_batching { max_queue_delay_microseconds: 100 preserve_ordering: true }`,
  `${IO} max_batch_size: 4 sequence_batching {}`,
  `${IO} sequence_batching {}`,
  `${IO} sequence_batching { oldest { max_candidate_sequences: 4 } }`,
  `${IO} max_batch_size: 4 sequence_batching { oldest { max_candidate_sequences: 4 preferred_batch_size: [ 8 ] } }`,
  `${IO} max_batch_size: 4 sequence_batching { oldest { max_candidate_sequences: 4 max_queue_delay_microseconds: 5 } }`,
  `${IO} max_batch_size: 4 sequence_batching { direct { minimum_slot_utilization: 0.5 } }`,
  `${IO} max_batch_size: 4 sequence_batching { direct { minimum_slot_utilization: 1.5 } }`,
  `${IO} max_batch_size: 4 sequence_batching { max_sequence_idle_microseconds: 5 }`,
  control(start('int32_false_true: [ 0, 1 ]')),
  control(start('int32_false_true: [ 0 ]')),
  control(start('int32_false_true: [ 0, 1, 2 ]')),
  control(start('fp32_false_true: [ 0, 1 ] int32_false_true: [ 0, 1 ]')),
  control(start('')),
  control(start('bool_false_true: [ false, true ]')),
  control(`${start('int32_false_true: [ 0, 1 ]')} ${start('int32_false_true: [ 0, 1 ]')}`),
  control('control_input [ { name: "C" control [ { kind: CONTROL_SEQUENCE_CORRID } ] } ]'),
  control(
    'control_input [ { name: "C" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_FP32 } ] } ]',
  ),
  control(
    'control_input [ { name: "C" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] } ]',
  ),
  control(
    'control_input [ { name: "C" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 int32_false_true: [ 0, 1 ] } ] } ]',
  ),
  control(
    'control_input [ { name: "" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] } ]',
  ),
  control('control_input [ { name: "C" } ]'),
  control('state [ { input_name: "I" output_name: "O" data_type: TYPE_FP32 dims: [ 1 ] } ]'),
  control('state [ { input_name: "I" data_type: TYPE_FP32 dims: [ 1 ] } ]'),
  control('state [ { input_name: "I" output_name: "O" dims: [ 1 ] } ]'),
  control(
    'state [ { input_name: "I" output_name: "O" data_type: TYPE_FP32 dims: [ 1 ] initial_state: { data_type: TYPE_FP32 dims: [ 1 ] name: "z" zero_data: true } } ]',
  ),
  control(
    'state [ { input_name: "I" output_name: "O" data_type: TYPE_FP32 dims: [ 1 ] initial_state: { data_type: TYPE_FP32 dims: [ -1 ] name: "z" zero_data: true } } ]',
  ),
  control('iterative_sequence: true'),
  `${IO} max_batch_size: 4 dynamic_batching {} sequence_batching {}`,
  `${IO} ensemble_scheduling { step [ { model_name: "x" model_version: -1 } ] }`,
  `${IO} name: "other"`,
  `${IO} platform: "onnxruntime_onnx"`,
  `${IO} platform: "nonsense"`,
  `${IO} cc_model_filenames { key: "7.5" value: "x.py" }`,
  `${IO} runtime: "nonsense.so"`,
  `${IO} version_policy { latest { num_versions: 2 } }`,
  `${IO} version_policy { latest { num_versions: 0 } }`,
  `${IO} version_policy { specific { versions: [ 9 ] } }`,
  `${IO} version_policy { specific { versions: [ 1, 9 ] } }`,
  `${IO} version_policy { specific { } }`,
  `${IO} version_policy { all {} }`,
  `${IO} instance_group [ { kind: KIND_CPU count: 2 } ]`,
  `${IO} instance_group [ { kind: KIND_CPU count: 0 } ]`,
  `${IO} instance_group [ { kind: KIND_CPU count: -1 } ]`,
  `${IO} instance_group [ { kind: KIND_CPU gpus: [ 0 ] } ]`,
  `${IO} instance_group [ { kind: KIND_MODEL } ]`,
  `${IO} instance_group [ { kind: KIND_MODEL gpus: [ 0 ] } ]`,
  `${IO} instance_group [ { kind: KIND_AUTO count: 2 } ]`,
  `${IO} instance_group [ { name: "a" kind: KIND_CPU }, { name: "a" kind: KIND_CPU } ]`,
  `${IO} instance_group [ { kind: KIND_CPU passive: true } ]`,
  `${IO} instance_group [ { kind: KIND_CPU profile: [ "x" ] } ]`,
  `${IO} instance_group [ { kind: KIND_CPU host_policy: "far" } ]`,
  `${IO} instance_group [ { kind: KIND_CPU rate_limiter { resources [ { name: "R" count: 1 } ] priority: 2 } } ]`,
  `${IO} instance_group [ { kind: KIND_CPU secondary_devices [ { kind: KIND_NVDLA device_id: 0 } ] } ]`,
  io('reshape { shape: [ -1 ] }'),
  io('reshape { shape: [ -1, 1 ] }'),
  io('reshape { shape: [ 2 ] }'),
  io('reshape { shape: [ -1, -1 ] }'),
  io('reshape { shape: [] }'),
  io('', 'reshape { shape: [ 3 ] }'),
  io('format: FORMAT_NHWC'),
  io('format: FORMAT_NCHW'),
  io('is_shape_tensor: true'),
  io('optional: true'),
  io('allow_ragged_batch: true'),
  io('is_non_linear_format_io: true'),
  io('', 'label_filename: "labels.txt"'),
  io('', 'label_filename: "../labels.txt"'),
  `${IO} max_batch_size: 2 ${'batch_input [ { kind: BATCH_ELEMENT_COUNT target_name: "N" data_type: TYPE_FP32 source_input: "INPUT0" } ]'}`,
  `${IO} batch_input [ { kind: BATCH_ELEMENT_COUNT target_name: "N" data_type: TYPE_FP32 source_input: "X" } ]`,
  `input [ { name: "INPUT0" data_type: TYPE_FP32 } ] output [ ${OUT} ]`,
  `input [ { name: "INPUT0" dims: [ 1 ] } ] output [ ${OUT} ]`,
  `input [ { data_type: TYPE_FP32 dims: [ 1 ] } ] output [ ${OUT} ]`,
  `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 0 ] } ] output [ ${OUT} ]`,
  `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -2 ] } ] output [ ${OUT} ]`,
  `input [ ${IN}, ${IN} ] output [ ${OUT} ]`,
  `input [ ${IN} ] output [ ${OUT}, ${OUT} ]`,
  `input [ ${IN} ] output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 0 ] } ]`,
  `input [ ${IN} ] output [ { data_type: TYPE_FP32 dims: [ 1 ] } ]`,
  `output [ ${OUT} ]`,
  `input [ ${IN} ]`,
  `${IO} model_transaction_policy { decoupled: true }`,
  `${IO} response_cache { enable: true }`,
  `${IO} response_cache { enable: true } model_transaction_policy { decoupled: true }`,
  `${IO} parameters { key: "a" value { string_value: "b" } }`,
  `${IO} optimization { priority: PRIORITY_MAX input_pinned_memory { enable: false } }`,
  `${IO} optimization { execution_accelerators { cpu_execution_accelerator [ { name: "x" } ] } }`,
  `${IO} metric_tags { key: "a" value: "b" }`,
  `${IO} model_warmup [ { name: "w" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } } ]`,
  `${IO} model_warmup [ { name: "w" batch_size: 1 inputs { key: "X" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } } ]`,
  `${IO} model_warmup [ { name: "w" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_INT32 dims: [ 1 ] zero_data: true } } } ]`,
  `${IO} model_warmup [ { name: "w" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ -1 ] zero_data: true } } } ]`,
  `${IO} model_warmup [ { name: "w" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] input_data_file: "none" } } } ]`,
  `${IO} model_warmup [ { name: "w" inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } } ]`,
  `${IO} model_repository_agents { agents [ { name: "none" } ] }`,
  `${IO} model_operations { op_library_filename: "x.so" }`,
];

const sum = (): Uint8Array =>
  graphModel(
    [{ opType: 'Add', inputs: ['A', 'B'], outputs: ['C'] }],
    [value('A', 'FP32', ['n', 4]), value('B', 'FP32', ['n', 4])],
    [value('C', 'FP32', ['n', 4])],
  );
const MODELS: Readonly<Record<string, Uint8Array>> = {
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
const ONNX: readonly (readonly [string, string | undefined])[] = [
  ...Object.keys(MODELS).map((model) => [model, undefined] as const),
  ...Object.keys(MODELS).map((model) => [model, 'backend: "onnxruntime"'] as const),
  ...Object.keys(MODELS).map((model) => [model, 'platform: "onnxruntime_onnx" max_batch_size: 8'] as const),
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

const step = (model: string, from: string, to: string, input = 'INPUT0', output = 'OUTPUT0'): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "${input}" value: "${from}" } output_map { key: "${output}" value: "${to}" } }`;
const ensemble = (...steps: readonly string[]): string =>
  `platform: "ensemble" ${IO} ensemble_scheduling { step [ ${steps.join(', ')} ] }`;

/** Whole configurations of ensembles over the model `c_0`. */
const ENSEMBLES: readonly string[] = [
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'x'), step('c_0', 'x', 'OUTPUT0')),
  ensemble(step('nope', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'x')),
  ensemble(step('c_0', 'x', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0', 'X')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0', 'INPUT0', 'X')),
  ensemble(step('c_0', 'INPUT0', 'x'), step('c_0', 'INPUT0', 'x'), step('c_0', 'x', 'OUTPUT0')),
  ensemble(step('c_0', 'x', 'y'), step('c_0', 'y', 'x'), step('c_0', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0').replace('-1', '1')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0').replace('-1', '9')),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0').replace('-1', '-2')),
  ensemble(step('', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_0', '', 'OUTPUT0')),
  ensemble(`{ model_name: "c_0" model_version: -1 output_map { key: "OUTPUT0" value: "OUTPUT0" } }`),
  ensemble(`{ model_name: "c_0" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } }`),
  ensemble(),
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} max_batch_size: 4`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} instance_group [ { kind: KIND_CPU } ]`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} dynamic_batching {}`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} response_cache { enable: true }`,
  `${ensemble(step('c_0', 'INPUT0', 'OUTPUT0'))} model_warmup [ { name: "w" inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } } ]`,
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')).replace('TYPE_FP32 dims: [ -1 ]', 'TYPE_INT32 dims: [ -1 ]'),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')).replace('dims: [ -1 ]', 'dims: [ 2, 2 ]'),
  ensemble(step('c_0', 'INPUT0', 'OUTPUT0')).replace('dims: [ -1 ]', 'dims: [ 7 ]'),
  `platform: "ensemble" ${IO}`,
  ensemble(step('e_26', 'INPUT0', 'OUTPUT0')),
  ensemble(step('e_28', 'INPUT0', 'OUTPUT0')),
  ensemble(step('e_27', 'INPUT0', 'OUTPUT0')),
  ensemble(step('c_96', 'INPUT0', 'OUTPUT0')),
];

/** Texts that are no configuration. */
const BROKEN: readonly string[] = [
  'max_batch_size: x',
  'nonsense: 5',
  'input [',
  'input { name: 5 }',
  'backend: "python" backend: "python"',
  'backend: python',
  'input [ { data_type: TYPE_X } ]',
  'max_batch_size: 99999999999',
  'dynamic_batching: 5',
  'backend: "python"\n# comment',
];

const rows: readonly (readonly [name: string, text: string])[] = [
  ...PYTHON.map((text, index) => [`c_${index}`, `python | ${text}`] as const),
  ...ONNX.map(([model, text], index) => [`o_${index}`, `${model} | ${text ?? 'no file'}`] as const),
  ...ENSEMBLES.map((text, index) => [`e_${index}`, text] as const),
  ...BROKEN.map((text, index) => [`b_${index}`, text] as const),
];

function files(): RepositoryFiles {
  const found: Record<string, string | Uint8Array> = {};
  PYTHON.forEach((text, index) => {
    found[`c_${index}/config.pbtxt`] = `backend: "python"\n${text}\n`;
    found[`c_${index}/1/model.py`] = codeFile(ECHO_MODEL);
    found[`c_${index}/labels.txt`] = 'a\nb\n';
  });
  ONNX.forEach(([model, text], index) => {
    if (text !== undefined) found[`o_${index}/config.pbtxt`] = text;
    found[`o_${index}/1/model.onnx`] = MODELS[model] ?? '';
  });
  ENSEMBLES.forEach((text, index) => {
    found[`e_${index}/config.pbtxt`] = text;
    found[`e_${index}/1/`] = '';
  });
  BROKEN.forEach((text, index) => {
    found[`b_${index}/config.pbtxt`] = text;
    found[`b_${index}/1/model.py`] = codeFile(ECHO_MODEL);
  });
  return found;
}

/** Without what later servers have more. */
function settled(body: string): object {
  const config = JSON.parse(body) as Record<string, unknown>;
  delete config['max_inflight_requests'];
  return config;
}

export const loadCase = (name: string, text: string): ReferenceCase => ({
  name: `configuration ${text}`,
  run: async ({ httpPort, folders }) => {
    const hide = (said: string): string => said.replaceAll(folders[0] ?? '', '<repository>');
    const loaded = await reply(httpPort, post(`/v2/repository/models/${name}/load`));
    const answers: unknown[] = [{ step: 'load', status: loaded.status, body: hide(loaded.body) }];
    if (loaded.status === 200) {
      const { status, body } = await reply(httpPort, get(`/v2/models/${name}/config`));
      answers.push({ step: 'config', status, body: status === 200 ? settled(body) : body });
    }
    // Each Python model is a process.
    if (name !== 'c_0' && loaded.status === 200)
      await reply(httpPort, post(`/v2/repository/models/${name}/unload`));
    return answers;
  },
});

const cases: readonly ReferenceCase[] = rows.map(([name, text]) => loadCase(name, text));

export const CONFIG_SCENE: Scene = {
  name: 'configurations',
  needs: 'onnxruntime',
  repositories: sameFor(files()),
  args: ['--model-control-mode=explicit', '--cache-config=local,size=1048576'],
  atOnce: 4,
  cases,
};

/** Python models take long to load, and completion changes little about them. */
export const STRICT_SCENE: Scene = {
  ...CONFIG_SCENE,
  name: 'strict',
  args: [...(CONFIG_SCENE.args ?? []), '--disable-auto-complete-config'],
  cases: rows
    .filter(([name], index) => name.startsWith('o_') || name === 'c_0' || index < 10)
    .map(([name, text]) => ({ ...loadCase(name, text), name: `strict configuration ${text}` })),
};
