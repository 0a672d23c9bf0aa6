// Model control as tools use it: configurations and files sent with a load, version policies, warm-up data, ensembles
// that fit and that do not, the index, settings read and set over both protocols.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { answering, codeFile, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const PAIR = answering(`names = [tensor.name() for tensor in request.inputs()]
total = sum(float(np.sum(tensor.as_numpy())) for tensor in request.inputs())
outputs = [pb_utils.Tensor(name, np.array([total + len(names)], np.float32)) for name in request.requested_output_names()]
response = pb_utils.InferenceResponse(outputs)`);
const tensor = (name: string, more = ''): string =>
  `{ name: "${name}" data_type: TYPE_FP32 dims: [ -1 ] ${more} }`;
const PAIR_IO = `input [ ${tensor('INPUT0')}, ${tensor('INPUT1', 'optional: true')} ]
output [ ${tensor('OUTPUT0')}, ${tensor('OUTPUT1')} ]`;

interface Step {
  readonly model?: string;
  readonly version?: number;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
}
const map = (field: string, entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `${field} { key: "${key}" value: "${value}" }`)
    .join(' ');
const step = ({
  model = 'echo',
  version = -1,
  inputs = { INPUT0: 'A' },
  outputs = { OUTPUT0: 'Z' },
}: Step): string =>
  `{ model_name: "${model}" model_version: ${version} ${map('input_map', inputs)} ${map('output_map', outputs)} }`;
const ensemble = (
  steps: readonly Step[],
  io = `input [ ${tensor('A')} ] output [ ${tensor('Z')} ]`,
  more = '',
): string =>
  `platform: "ensemble"\n${io}\nensemble_scheduling { step [ ${steps.map(step).join(', ')} ] }\n${more}`;
const TWO_IN = `input [ ${tensor('A')}, ${tensor('B')} ] output [ ${tensor('Z')} ]`;
const OPTIONAL_IN = `input [ ${tensor('A')}, ${tensor('B', 'optional: true')} ] output [ ${tensor('Z')} ]`;
const TWO_OUT = `input [ ${tensor('A')} ] output [ ${tensor('Y')}, ${tensor('Z')} ]`;
const pair = (more: Step = {}): Step => ({ model: 'pair', inputs: { INPUT0: 'A', INPUT1: 'B' }, ...more });

const ENSEMBLES: Readonly<Record<string, string>> = {
  'one step': ensemble([{}]),
  'two steps': ensemble([{ outputs: { OUTPUT0: 'm' } }, { inputs: { INPUT0: 'm' } }]),
  'steps in the other order': ensemble([{ inputs: { INPUT0: 'm' } }, { outputs: { OUTPUT0: 'm' } }]),
  'two inputs': ensemble([pair()], TWO_IN),
  'an optional input': ensemble([pair()], OPTIONAL_IN),
  'an optional input left out of the map': ensemble([pair({ inputs: { INPUT0: 'A' } })]),
  'a needed input left out of the map': ensemble([pair({ inputs: { INPUT1: 'A' } })]),
  'an input that no step takes': ensemble([{}], TWO_IN),
  'an output that no step gives': ensemble([{}], TWO_OUT),
  'an input that the model does not have': ensemble([{ inputs: { INPUT0: 'A', INPUT9: 'A' } }]),
  'an output that the model does not have': ensemble([{ outputs: { OUTPUT0: 'Z', OUTPUT9: 'Y' } }]),
  'no input map': ensemble([{ inputs: {} }]),
  'no output map': ensemble([{ outputs: {} }]),
  'an empty key': ensemble([{ inputs: { '': 'A' } }]),
  'an empty value': ensemble([{ inputs: { INPUT0: '' } }]),
  'a tensor that nobody makes': ensemble([{ inputs: { INPUT0: 'm' } }]),
  'a tensor that two steps make': ensemble([{}, {}]),
  'a ring of steps': ensemble([
    { inputs: { INPUT0: 'm' }, outputs: { OUTPUT0: 'n' } },
    { inputs: { INPUT0: 'n' }, outputs: { OUTPUT0: 'm' } },
    {},
  ]),
  'a step on its own output': ensemble([{ inputs: { INPUT0: 'Z' } }]),
  'a tensor that nobody takes': ensemble([
    pair({ inputs: { INPUT0: 'A' }, outputs: { OUTPUT0: 'Z', OUTPUT1: 'unused' } }),
  ]),
  'two outputs': ensemble(
    [pair({ inputs: { INPUT0: 'A' }, outputs: { OUTPUT0: 'Z', OUTPUT1: 'Y' } })],
    TWO_OUT,
  ),
  // An input that is an output too ends in silence there: not asked.
  'no steps':
    'platform: "ensemble"\ninput [ { name: "A" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "Z" data_type: TYPE_FP32 dims: [ -1 ] } ]\nensemble_scheduling {}',
  'no scheduling': `platform: "ensemble"\ninput [ ${tensor('A')} ] output [ ${tensor('Z')} ]`,
  'scheduling without the platform': ensemble([{}]).replace('platform: "ensemble"', ''),
  'another platform': ensemble([{}]).replace('"ensemble"', '"onnxruntime_onnx"'),
  'a backend too': `backend: "python"\n${ensemble([{}])}`,
  'an empty model name': ensemble([{ model: '' }]),
  'version 1': ensemble([{ version: 1 }]),
  'version 9': ensemble([{ version: 9 }]),
  'version 0': ensemble([{ version: 0 }]),
  'version -2': ensemble([{ version: -2 }]),
  'a model that is absent': ensemble([{ model: 'absent' }]),
  'another type': ensemble(
    [{}],
    `input [ { name: "A" data_type: TYPE_INT32 dims: [ -1 ] } ] output [ ${tensor('Z')} ]`,
  ),
  'another type of output': ensemble(
    [{}],
    `input [ ${tensor('A')} ] output [ { name: "Z" data_type: TYPE_INT32 dims: [ -1 ] } ]`,
  ),
  'another rank': ensemble(
    [{}],
    `input [ { name: "A" data_type: TYPE_FP32 dims: [ -1, 2 ] } ] output [ ${tensor('Z')} ]`,
  ),
  'a fixed shape': ensemble(
    [{}],
    `input [ { name: "A" data_type: TYPE_FP32 dims: [ 2 ] } ] output [ { name: "Z" data_type: TYPE_FP32 dims: [ 2 ] } ]`,
  ),
  'batches where the step has none': ensemble([{}], undefined, 'max_batch_size: 4'),
  'no batches where the step has them': ensemble([{ model: 'batches' }]),
  batches: ensemble([{ model: 'batches' }], undefined, 'max_batch_size: 4'),
  'larger batches than the step': ensemble([{ model: 'batches' }], undefined, 'max_batch_size: 8'),
  'instance groups': ensemble([{}], undefined, 'instance_group [ { kind: KIND_CPU } ]'),
  'dynamic batching too': ensemble([{}], undefined, 'dynamic_batching {}'),
  'a response cache': ensemble([{}], undefined, 'response_cache { enable: true }'),
  'a warm-up': ensemble(
    [{}],
    undefined,
    'model_warmup { name: "w" inputs { key: "A" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } }',
  ),
  'an ensemble of an ensemble': ensemble([{ model: 'e_0' }])
    .replace(/INPUT0/g, 'A')
    .replace(/OUTPUT0/g, 'Z'),
};

const warm = (more: string, sample = ''): string =>
  `${ONE_TO_ONE}\nmodel_warmup [ { name: "w" ${sample} inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 2 ] ${more} } } } ]`;
/** The reference may end there. */
const RISKY = 'w_batch';
const WARM: Readonly<Record<string, string>> = {
  w_file: warm('input_data_file: "raw"'),
  w_short: warm('input_data_file: "short"'),
  w_random: warm('random_data: true'),
  w_count: warm('zero_data: true', 'count: 3'),
  w_batch: warm('zero_data: true', 'batch_size: 2'),
  w_none: warm(''),
  w_name: warm('zero_data: true').replace('key: "INPUT0"', 'key: "X"'),
  w_type: warm('zero_data: true').replace(/TYPE_FP32 dims: \[ 2 \]/, 'TYPE_INT32 dims: [ 2 ]'),
};

const ensembleNames = Object.keys(ENSEMBLES).map((title, index) => ({ title, name: `e_${index}` }));
const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('pair', PAIR, PAIR_IO),
  ...pythonFiles('batches', ECHO_MODEL, `${ONE_TO_ONE}\nmax_batch_size: 4`),
  ...pythonFiles('versions', ECHO_MODEL, `${ONE_TO_ONE}\nversion_policy { all {} }`),
  'versions/2/model.py': codeFile(ECHO_MODEL),
  'versions/2/__pycache__': '',
  'versions/5/model.py': codeFile(ECHO_MODEL),
  'versions/5/__pycache__': '',
  'no_version/config.pbtxt': `backend: "python"\n${ONE_TO_ONE}\n`,
  'other_file/config.pbtxt': `backend: "python"\ndefault_model_filename: "other.py"\n${ONE_TO_ONE}\n`,
  'other_file/1/other.py': codeFile(ECHO_MODEL),
  'other_file/1/__pycache__': '',
  ...Object.assign(
    {},
    ...Object.entries(WARM).map(([name, config]) => pythonFiles(name, ECHO_MODEL, config)),
  ),
  'w_file/warmup/raw': Buffer.alloc(8),
  'w_short/warmup/short': Buffer.alloc(3),
  ...Object.fromEntries(
    ensembleNames.flatMap(({ title, name }) => [
      [`${name}/config.pbtxt`, `${ENSEMBLES[title]}\n`],
      [`${name}/1/`, ''],
    ]),
  ),
};

const asked = (name: string, calls: readonly WireCase[]): ReferenceCase => ({
  name: `control: ${name}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const call of calls)
      answers.push({ step: call.name.slice(0, 200), answer: await ask(target, call) });
    return answers;
  },
});
const send = (model: string, names: readonly string[]): WireCase =>
  infer(model, { inputs: names.map((name) => ({ name, datatype: 'FP32', shape: [2], data: [1, 2] })) });

const ENSEMBLE_CASES: readonly ReferenceCase[] = ensembleNames.map(({ title, name }) =>
  asked(`an ensemble with ${title}`, [load(name), send(name, ['A']), send(name, ['A', 'B'])]),
);

const override = (model: string, config: object | string, more: object = {}): WireCase =>
  post(`/v2/repository/models/${model}/load`, {
    parameters: { config: typeof config === 'string' ? config : JSON.stringify(config), ...more },
  });
const ECHO_JSON = {
  backend: 'python',
  input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
  output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
};
const ready = (model: string, version: number): WireCase =>
  get(`/v2/models/${model}/versions/${version}/ready`);
const policy = (value: object): readonly WireCase[] => [
  override('versions', { ...ECHO_JSON, version_policy: value }),
  ...[1, 2, 3, 5].map((version) => ready('versions', version)),
];

const LOADS: readonly ReferenceCase[] = [
  asked('configurations sent with a load', [
    override('echo', ECHO_JSON),
    send('echo', ['INPUT0']),
    override('echo', { ...ECHO_JSON, parameters: { a: { string_value: 'b' } } }),
    override('echo', { ...ECHO_JSON, max_batch_size: '4' }),
    override('echo', { ...ECHO_JSON, maxBatchSize: 4 }),
    override('echo', { ...ECHO_JSON, max_batch_size: 4.5 }),
    override('echo', { ...ECHO_JSON, unknown: 1 }),
    override('echo', { ...ECHO_JSON, name: 'echo' }),
    override('echo', { ...ECHO_JSON, name: 'else' }),
    override('echo', { ...ECHO_JSON, backend: 'nothing' }),
    override('echo', { ...ECHO_JSON, instance_group: [{ count: 2, kind: 'KIND_CPU' }] }),
    override('echo', { ...ECHO_JSON, instance_group: [{ count: -1 }] }),
    override('echo', { ...ECHO_JSON, input: [] }),
    override('echo', { ...ECHO_JSON, input: [{ name: 'INPUT0', data_type: 'FP32', dims: [-1] }] }),
    override('echo', { ...ECHO_JSON, input: [{ name: 'INPUT0', data_type: 11, dims: ['-1'] }] }),
    override('echo', '{}'),
    override('echo', 'null'),
    override('echo', '[]'),
    override('echo', 'backend: "python"'),
    override('absent', ECHO_JSON),
    load('echo'),
    send('echo', ['INPUT0']),
    get('/v2/models/echo'),
  ]),
  asked('version policies sent with a load', [
    ...policy({ all: {} }),
    ...policy({ latest: { num_versions: 1 } }),
    ...policy({ latest: { num_versions: 2 } }),
    ...policy({ specific: { versions: [1, 5] } }),
    ...policy({ specific: { versions: [3] } }),
    ...policy({ specific: {} }),
    ...policy({ latest: { num_versions: 0 } }),
    load('versions'),
    ...[1, 2, 5].map((version) => ready('versions', version)),
    unload('versions'),
  ]),
  asked('missing and odd files', [
    // A folder without model.py hangs the reference: not asked.
    load('no_version'),
    load('other_file'),
    send('other_file', ['INPUT0']),
    ...Object.keys(WARM)
      .filter((name) => name !== RISKY)
      .flatMap((name) => [load(name), send(name, ['INPUT0'])]),
  ]),
  asked('files sent without a configuration', [
    post('/v2/repository/models/echo/load', { parameters: { 'file:1/model.py': 'AAAA' } }),
    post('/v2/repository/models/echo/load', {
      parameters: { 'file:': 'AAAA', config: JSON.stringify(ECHO_JSON) },
    }),
    post('/v2/repository/models/echo/load', {
      parameters: { 'file:1/x': true, config: JSON.stringify(ECHO_JSON) },
    }),
    post('/v2/repository/models/echo/load', {
      parameters: { config: JSON.stringify(ECHO_JSON), other: 'x' },
    }),
    post('/v2/repository/models/echo/load', { parameters: { config: true } }),
    load('echo'),
    send('echo', ['INPUT0']),
  ]),
];

interface Entry {
  readonly name: string;
  readonly version?: string;
}
/** The index of these models, in order. */
const index = (name: string, body: string): ReferenceCase => ({
  name: `control: index ${name}`,
  run: async (target) => {
    const [status, text] = (await ask(target, post('/v2/repository/index', body))) as [number, string];
    if (status !== 200) return { status, text };
    const entries = (JSON.parse(text) as Entry[]).filter((entry) =>
      /^(echo|pair|batches|e_[0-4]|no_)/.test(entry.name),
    );
    return {
      status,
      entries: entries.sort((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`)),
    };
  },
});
const INDEX: readonly ReferenceCase[] = [
  index('', ''),
  index('of none', '{}'),
  index('of ready ones', '{"ready":true}'),
  index('of all', '{"ready":false}'),
  index('with null', '{"ready":null}'),
  index('with another member', '{"ready":true,"more":1}'),
  index('of a list', '[]'),
  index('of a text', '"ready"'),
];

const FILE = /"trace_file":"[^"]*"|"log_file":"[^"]*"/g;
const setting = async (target: Target, call: WireCase): Promise<unknown> => {
  const [status, body] = (await ask(target, call)) as [number, string];
  return [status, body.replaceAll(FILE, '"file"')];
};
/** The members of both sides in one order, files of each side left out. */
function withoutFiles(response: unknown): unknown {
  const { settings = {} } = (response ?? {}) as { settings?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.endsWith('_file')));
}

const overBoth: ReferenceCase = {
  name: 'control: settings over both protocols',
  run: async (target) => {
    const answers: unknown[] = [];
    const http = async (call: WireCase): Promise<void> => {
      answers.push({ step: call.name, answer: await setting(target, call) });
    };
    const rpc = async (name: string, message: object): Promise<void> => {
      const { code, details, response } = await grpcCall(
        target.grpcPort,
        name,
        message as Record<string, unknown>,
      );
      answers.push({
        step: `${name} ${JSON.stringify(message)}`,
        code,
        details,
        settings: withoutFiles(response),
      });
    };
    const level = (...value: string[]): object => ({ settings: { trace_level: { value } } });
    await http(post('/v2/trace/setting', { trace_level: ['TIMESTAMPS'], trace_rate: '100' }));
    await rpc('TraceSetting', {});
    await rpc('TraceSetting', { model_name: 'echo' });
    await rpc('TraceSetting', { model_name: 'echo', settings: { trace_rate: { value: ['7'] } } });
    await http(get('/v2/models/echo/trace/setting'));
    await rpc('TraceSetting', { model_name: 'echo', settings: { trace_rate: { value: [] } } });
    await http(get('/v2/models/echo/trace/setting'));
    await rpc('TraceSetting', level('TIMESTAMPS', 'TENSORS'));
    await http(get('/v2/trace/setting'));
    await rpc('TraceSetting', level());
    await rpc('TraceSetting', level('off'));
    await rpc('TraceSetting', level('OFF'));
    await rpc('TraceSetting', { settings: { nothing: { value: ['1'] } } });
    await http(post('/v2/trace/setting', { trace_level: 'OFF' }));
    await http(post('/v2/trace/setting', { trace_level: [] }));
    await http(post('/v2/trace/setting', { trace_rate: '0' }));
    await http(post('/v2/trace/setting', { trace_count: '0' }));
    await http(post('/v2/trace/setting', { trace_level: ['OFF'], trace_count: '-1', trace_rate: '1000' }));
    await rpc('LogSettings', {
      settings: { log_verbose_level: { uint32_param: 1 }, log_info: { bool_param: true } },
    });
    await http(get('/v2/logging'));
    await http(post('/v2/logging', { log_verbose_level: 0, log_format: 'ISO8601' }));
    await rpc('LogSettings', {});
    await rpc('LogSettings', { settings: { log_format: { string_param: 'default' } } });
    await rpc('LogSettings', { settings: { nothing: { bool_param: true } } });
    await http(get('/v2/logging'));
    return answers;
  },
};

const FAMILIES_OF_REQUESTS: ReferenceCase = {
  name: 'control: statistics of all models, over both protocols',
  run: async (target) => {
    await wait(200);
    const { response } = await grpcCall(target.grpcPort, 'ModelStatistics', { name: 'pair' });
    const [status, body] = (await ask(target, get('/v2/models/pair/stats'))) as [number, string];
    const hidden = (text: string): string => text.replace(/"(ns|last_inference)":("?)\d+\2/g, '"$1":"#"');
    return [
      { step: 'gRPC', answer: hidden(JSON.stringify(response)) },
      { step: 'HTTP', status, body: hidden(body) },
      { step: 'an unknown version', answer: await ask(target, get('/v2/models/pair/versions/7/stats')) },
    ];
  },
};

export const CONTROL_SCENE: Scene = {
  name: 'control',
  repositories: () => [models],
  args: [
    '--model-control-mode=explicit',
    ...['echo', 'pair', 'batches'].map((name) => `--load-model=${name}`),
    '--cache-config=local,size=1048576',
  ],
  together: 'waiting',
  cases: [
    ...ENSEMBLE_CASES,
    ...LOADS,
    ...INDEX,
    overBoth,
    FAMILIES_OF_REQUESTS,
    asked('a warm-up larger than any batch', [load(RISKY), send(RISKY, ['INPUT0'])]),
  ],
};
