// Warm-up of models of every kind of scheduling: samples of sequences, of ragged inputs, of ensembles and of states, of every
// type and of several rows, files of several elements; and which instances run them when a model is loaded again.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { saidOf } from './life-log.ts';
import { pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** Tells what every execution was given since it was loaded, in whatever instance; random values are not told. */
const TELLING = `SEEN = []


def shown(tensor):
    array = tensor.as_numpy()
    if array.dtype == object:
        return [tensor.name(), list(array.shape), [one.decode("latin1") if len(one) < 9 else len(one) for one in array.reshape(-1)]]
    return [tensor.name(), str(array.dtype), list(array.shape), "some" if np.any(array) else "zeros"]


class TritonPythonModel:
    def execute(self, requests):
        SEEN.append([[
            sorted((shown(tensor) for tensor in request.inputs()), key=str),
            request.request_id(), str(request.correlation_id()), request.flags(), sorted(request.requested_output_names()),
            request.timeout(), request.parameters(),
        ] for request in requests])
        text = json.dumps(SEEN).encode()
        responses = []
        for request in requests:
            rows = request.inputs()[0].as_numpy().shape[0] if BATCHED else 1
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("TOLD", np.full([rows, 1] if BATCHED else [1], text, dtype=object))]))
        return responses
`;
const code = (isBatched: boolean): string =>
  TELLING.replace('SEEN = []', `BATCHED = ${isBatched ? 'True' : 'False'}\nSEEN = []`);

const tensor = (name: string, type = 'FP32', dims = '-1', more = ''): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;
const io = (inputs = tensor('INPUT0'), dims = '1'): string =>
  `input [ ${inputs} ]\noutput [ ${tensor('TOLD', 'STRING', dims)} ]\n`;
const given = (name: string, data: string, type = 'FP32', dims = '2'): string =>
  `inputs { key: "${name}" value { data_type: TYPE_${type} dims: [ ${dims} ] ${data} } }`;
const ZERO = 'zero_data: true';
const RANDOM = 'random_data: true';
const sample = (inputs: string, size = 1, more = ''): string =>
  `model_warmup [ { name: "w" batch_size: ${size} ${more} ${inputs} } ]\n`;
const zeros = given('INPUT0', ZERO);
const size = (count: number): string => `max_batch_size: ${count}\n`;
const CONTROLS = `control_input [
  { name: "START" control [ { kind: CONTROL_SEQUENCE_START int32_false_true: [ 0, 1 ] } ] },
  { name: "END" control [ { kind: CONTROL_SEQUENCE_END int32_false_true: [ 0, 1 ] } ] },
  { name: "READY" control [ { kind: CONTROL_SEQUENCE_READY int32_false_true: [ 0, 1 ] } ] },
  { name: "CORRID" control [ { kind: CONTROL_SEQUENCE_CORRID data_type: TYPE_UINT64 } ] } ]`;
const sequence = (how: string): string => `sequence_batching { ${CONTROLS} ${how} }\n`;
const STATE = `state [ { input_name: "S" output_name: "T" data_type: TYPE_FP32 dims: [ 1 ] initial_state { name: "s" data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } ]`;
const GROUP = (count: number, kind = 'KIND_CPU'): string =>
  `instance_group [ { kind: ${kind} count: ${count} } ]\n`;
const TYPES = [
  ['BOOL', '2'],
  ['UINT8', '2'],
  ['INT16', '2'],
  ['INT64', '2'],
  ['FP16', '2'],
  ['FP64', '2'],
  ['STRING', '2'],
] as const;
const controls = (data = ZERO): string =>
  [
    ...['START', 'END', 'READY'].map((name) => given(name, data, 'INT32', '1')),
    given('CORRID', data, 'UINT64', '1'),
  ].join(' ');

interface Warm {
  readonly config: string;
  readonly isSequence?: true;
  /** Of INPUT0 in the request that follows. */
  readonly type?: string;
}
const CONFIGS: Readonly<Record<string, Warm>> = {
  'direct sequences': {
    config: `${io()}${size(4)}${sequence('direct {}')}${sample(`${zeros} ${controls()}`, 1)}`,
    isSequence: true,
  },
  'direct sequences of several rows': {
    config: `${io()}${size(4)}${sequence('direct {}')}${sample(`${zeros} ${controls()}`, 3, 'count: 2')}`,
    isSequence: true,
  },
  'oldest sequences': {
    config: `${io()}${size(4)}${sequence('oldest { max_candidate_sequences: 2 }')}${sample(`${zeros} ${controls()}`, 2)}`,
    isSequence: true,
  },
  'sequences, one control': {
    config: `${io()}${size(4)}${sequence('oldest { max_candidate_sequences: 2 }')}${sample(`${zeros} ${given('START', ZERO, 'INT32', '1')}`, 2)}`,
    isSequence: true,
  },
  'sequences, a control of another type': {
    config: `${io()}${size(4)}${sequence('direct {}')}${sample(`${zeros} ${given('START', ZERO, 'FP32', '1')}`, 1)}`,
    isSequence: true,
  },
  'sequences without batches': {
    config: `${io()}${sequence('direct {}')}${sample(`${zeros} ${controls()}`, 1)}`,
    isSequence: true,
  },
  'sequences, random controls': {
    config: `${io()}${size(4)}${sequence('direct {}')}${sample(`${zeros} ${controls(RANDOM)}`, 1)}`,
    isSequence: true,
  },
  'a ragged input': {
    config: `${io(tensor('INPUT0', 'FP32', '-1', 'allow_ragged_batch: true'))}${size(4)}dynamic_batching { max_queue_delay_microseconds: 100 }\n${sample(zeros, 3)}`,
  },
  'a reshaped input': {
    config: `${io(tensor('INPUT0', 'FP32', '2', 'reshape { shape: [ 1, 2 ] }'))}${size(4)}${sample(zeros, 2)}`,
  },
  'a reshaped input, of that shape': {
    config: `${io(tensor('INPUT0', 'FP32', '2', 'reshape { shape: [ 1, 2 ] }'))}${size(4)}${sample(given('INPUT0', ZERO, 'FP32', '1, 2'), 2)}`,
  },
  'texts of several rows': {
    config: `${io(tensor('INPUT0', 'STRING'))}${size(4)}${sample(given('INPUT0', 'input_data_file: "texts"', 'STRING'), 2)}`,
    type: 'BYTES',
  },
  'texts of a file that is too short': {
    config: `${io(tensor('INPUT0', 'STRING'))}${sample(given('INPUT0', 'input_data_file: "texts"', 'STRING', '1'), 1)}`,
    type: 'BYTES',
  },
  'numbers of a file in several rows': {
    config: `${io()}${size(4)}${sample(given('INPUT0', 'input_data_file: "eight"', 'FP32', '2'), 3)}`,
  },
  'numbers of a file for all rows': {
    config: `${io()}${size(4)}${sample(given('INPUT0', 'input_data_file: "sixteen"', 'FP32', '2'), 2)}`,
  },
  'two kinds of data': {
    config: `${io()}${sample(given('INPUT0', `${ZERO} ${RANDOM}`), 1)}`,
  },
  'random that is false': { config: `${io()}${sample(given('INPUT0', 'random_data: false'), 1)}` },
  'the same input twice': { config: `${io()}${sample(`${zeros} ${given('INPUT0', RANDOM)}`, 1)}` },
  'a cached model': {
    config: `${io()}response_cache { enable: true }\n${sample(zeros, 1, 'count: 3')}`,
  },
  'levels and timeouts': {
    config: `${io()}${size(2)}dynamic_batching { priority_levels: 2 default_priority_level: 2 default_queue_policy { default_timeout_microseconds: 1 max_queue_size: 1 } }\n${sample(zeros, 2, 'count: 3')}`,
  },
  'two instances of several samples': {
    config: `${io()}${GROUP(2)}model_warmup [ { name: "a" batch_size: 1 ${zeros} }, { name: "b" batch_size: 1 ${zeros} } ]\n`,
  },
  'an instance of kind model': { config: `${io()}${GROUP(1, 'KIND_MODEL')}${sample(zeros)}` },
  ...Object.fromEntries(
    TYPES.flatMap(([type, dims]) =>
      [ZERO, RANDOM].map((data) => [
        `${data.split('_')[0]} ${type}`,
        {
          config: `${io(tensor('INPUT0', type))}${sample(given('INPUT0', data, type, dims))}`,
          type: type === 'STRING' ? 'BYTES' : type,
        } satisfies Warm,
      ]),
    ),
  ),
  'an empty count': {
    config: `${io()}${sample(zeros, 1, 'count: 4294967295').replace('count: 4294967295', 'count: 0')}`,
  },
  'a batch size beyond the largest': { config: `${io()}${size(2)}${sample(zeros, 3)}` },
  'a batch size without batches': { config: `${io()}${sample(zeros, 2)}` },
  'an input too many': { config: `${io()}${sample(`${zeros} ${given('NOPE', ZERO)}`)}` },
  'one input of two': { config: `${io(`${tensor('INPUT0')}, ${tensor('INPUT1')}`)}${sample(zeros)}` },
  'two versions': { config: `${io()}version_policy { all {} }\n${sample(zeros)}` },
  'wrong dimensions': { config: `${io(tensor('INPUT0', 'FP32', '3'))}${sample(zeros)}` },
  'many dimensions': {
    config: `${io(tensor('INPUT0', 'FP32', '-1, -1'))}${sample(given('INPUT0', ZERO, 'FP32', '2, 3'))}`,
  },
};

const titles = Object.keys(CONFIGS);
const nameOf = (title: string): string => `w_${titles.indexOf(title)}`;
const floats = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const FILES: Readonly<Record<string, Uint8Array>> = {
  eight: floats([1, 2]),
  sixteen: floats([1, 2, 3, 4]),
  texts: Buffer.from([2, 0, 0, 0, 104, 105, 3, 0, 0, 0, 121, 111, 117]),
};

const addState = graphModel(
  [
    { opType: 'Add', inputs: ['A', 'S'], outputs: ['C'] },
    { opType: 'Identity', inputs: ['C'], outputs: ['T'] },
  ],
  [value('A', 'FP32', ['n', 1]), value('S', 'FP32', ['n', 1])],
  [value('C', 'FP32', ['n', 1]), value('T', 'FP32', ['n', 1])],
);
const models: RepositoryFiles = Object.assign(
  {},
  ...titles.map((title) => {
    const { config } = CONFIGS[title] as Warm;
    return {
      ...pythonFiles(nameOf(title), code(config.includes('max_batch_size')), config),
      ...(title === 'two versions'
        ? { [`${nameOf(title)}/2/model.py`]: pythonFiles('x', code(false))['x/1/model.py'] ?? '' }
        : {}),
      ...Object.fromEntries(
        Object.entries(FILES).map(([name, bytes]) => [`${nameOf(title)}/warmup/${name}`, bytes]),
      ),
    };
  }),
  {
    'state/config.pbtxt': `backend: "onnxruntime"\n${size(2)}${GROUP(1)}
input [ ${tensor('A', 'FP32', '1')} ]\noutput [ ${tensor('C', 'FP32', '1')} ]
sequence_batching { ${STATE} }\n${sample(`${given('A', 'input_data_file: "one"', 'FP32', '1')} ${given('S', ZERO, 'FP32', '1')}`)}`,
    'state/1/model.onnx': addState,
    'state/warmup/one': floats([1]),
    'bare_state/config.pbtxt': `backend: "onnxruntime"\n${size(2)}${GROUP(1)}
input [ ${tensor('A', 'FP32', '1')} ]\noutput [ ${tensor('C', 'FP32', '1')} ]
sequence_batching { ${STATE} }\n${sample(given('A', ZERO, 'FP32', '1'))}`,
    'bare_state/1/model.onnx': addState,
    'above/config.pbtxt': `platform: "ensemble"\n${io()}ensemble_scheduling { step [ { model_name: "below" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "TOLD" value: "TOLD" } } ] }\n${sample(zeros, 1, 'count: 2')}`,
    'above/1/': '',
  },
  pythonFiles('below', code(false), io()),
  pythonFiles('grows', code(false), `${io()}${GROUP(1)}${sample(zeros)}`),
);

/** What each says in words of its own. Warm-up runs are no requests of clients here: statistics are not asked. */
const OF_EACH = /W warmup sample|ERROR: Failed to create|Poll failed/;

const asked = (title: string): ReferenceCase => ({
  name: `warm-up of kinds: ${title}`,
  run: async (target) => {
    const model = nameOf(title);
    const { config, isSequence, type = 'FP32' } = CONFIGS[title] as Warm;
    const from = target.log().length;
    const loaded = await ask(target, load(model));
    const row = config.includes('"INPUT0" data_type: TYPE_FP32 dims: [ 3 ]')
      ? [3]
      : config.includes('-1, -1')
        ? [1, 2]
        : [2];
    const shape = config.includes('max_batch_size') ? [1, ...row] : row;
    const count = row.reduce((a, b) => a * b, 1);
    const data = Array.from({ length: count }, () => (type === 'BYTES' ? 'a' : type === 'BOOL' ? true : 1));
    const inputs = [{ name: 'INPUT0', datatype: type, shape, data }];
    if (config.includes('"INPUT1"')) inputs.push({ name: 'INPUT1', datatype: type, shape, data });
    const body = {
      ...(isSequence === true
        ? { parameters: { sequence_id: 5, sequence_start: true, sequence_end: true } }
        : {}),
      inputs,
    };
    // JSON has no half precision.
    const answer = type === 'FP16' ? 'not asked' : await ask(target, post(`/v2/models/${model}/infer`, body));
    await wait(100);
    const said = saidOf(target, from).filter((line) => line.includes(`'${model}'`) && !OF_EACH.test(line));
    await ask(target, unload(model));
    return [
      { step: 'load', loaded },
      { step: 'said', said },
      { step: 'answer', answer },
    ];
  },
});

const one =
  (parameters?: object, name = 'A'): ((model: string) => ReturnType<typeof post>) =>
  (model) =>
    post(`/v2/models/${model}/infer`, {
      ...(parameters === undefined ? {} : { parameters }),
      inputs: [
        name === 'A'
          ? { name, datatype: 'FP32', shape: [1, 1], data: [3] }
          : { name, datatype: 'FP32', shape: [2], data: [1, 1] },
      ],
    });
const walks: readonly ReferenceCase[] = [
  ...['state', 'bare_state'].map((model) => ({
    name: `warm-up of kinds: ${model}`,
    run: async (target: Parameters<ReferenceCase['run']>[0]) => [
      { step: 'load', answer: await ask(target, load(model)) },
      { step: 'start', answer: await ask(target, one({ sequence_id: 4, sequence_start: true })(model)) },
      { step: 'next', answer: await ask(target, one({ sequence_id: 4 })(model)) },
    ],
  })),
  {
    name: 'warm-up of kinds: an ensemble',
    run: async (target) => [
      { step: 'load', answer: await ask(target, load('above')) },
      { step: 'answer', answer: await ask(target, one(undefined, 'INPUT0')('above')) },
      ...(await countsOf(target, ['above', 'below'])),
    ],
  },
  {
    name: 'warm-up of kinds: more instances later',
    run: async (target) => {
      const answers: unknown[] = [{ step: 'load', answer: await ask(target, load('grows')) }];
      for (const count of [3, 1]) {
        const [, body] = (await ask(target, get('/v2/models/grows/config'))) as [number, string];
        const config = { ...(JSON.parse(body) as object), instance_group: [{ count, kind: 'KIND_CPU' }] };
        const again = post('/v2/repository/models/grows/load', {
          parameters: { config: JSON.stringify(config) },
        });
        answers.push({ step: `${count} instances`, answer: await ask(target, again) });
      }
      return answers;
    },
  },
];

export const WARMUP_KIND_SCENE: Scene = {
  name: 'warm-up of kinds',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit', '--cache-config=local,size=1048576'],
  atOnce: 4,
  cases: [...titles.map(asked), ...walks],
};
