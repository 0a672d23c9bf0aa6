// Model control as tools use it: configurations and files sent with a load, version policies, warm-up data, ensembles
// that fit and that do not, the index, settings read and set over both protocols.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { ENSEMBLES, tensor } from './control-ensembles.ts';
import { SETTINGS_OVER_BOTH } from './control-settings.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { answering, codeFile, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const PAIR = answering(`names = [tensor.name() for tensor in request.inputs()]
total = sum(float(np.sum(tensor.as_numpy())) for tensor in request.inputs())
outputs = [pb_utils.Tensor(name, np.array([total + len(names)], np.float32)) for name in request.requested_output_names()]
response = pb_utils.InferenceResponse(outputs)`);
const PAIR_IO = `input [ ${tensor('INPUT0')}, ${tensor('INPUT1', 'optional: true')} ]
output [ ${tensor('OUTPUT0')}, ${tensor('OUTPUT1')} ]`;

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
    SETTINGS_OVER_BOTH,
    FAMILIES_OF_REQUESTS,
    asked('a warm-up larger than any batch', [load(RISKY), send(RISKY, ['INPUT0'])]),
  ],
};
