// Parameters of loads and unloads: texts in base64 of all kinds, files of Python models, labels, configurations that change
// one thing, values of other types; the index by repository; and what is served afterwards.

import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const bytes = identityModel('FP32', ['n']);
const rows = identityModel('FP32', ['n', 4]);
const base64 = Buffer.from(bytes).toString('base64');
const tensors = (dims: number): object => ({
  input: [{ name: 'INPUT', data_type: 'TYPE_FP32', dims: [dims] }],
  output: [{ name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [dims] }],
});
const config = (more: object = {}, dims = -1): string =>
  JSON.stringify({ backend: 'onnxruntime', ...tensors(dims), ...more });
const WRITTEN = `backend: "onnxruntime" input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ -1 ] label_filename: "labels.txt" } ]`;

const models: RepositoryFiles = {
  'known/config.pbtxt': WRITTEN,
  'known/labels.txt': 'a\nb\n',
  'known/1/model.onnx': bytes,
  'known/2/model.onnx': bytes,
  'known/configs/custom.pbtxt': `${WRITTEN} version_policy { all {} }`,
  'empty/config.pbtxt': WRITTEN,
  'batched/1/model.onnx': rows,
};
const other: RepositoryFiles = {
  'second/config.pbtxt': WRITTEN.replace('label_filename: "labels.txt"', ''),
  'second/1/model.onnx': bytes,
};

const loaded = (model: string, parameters: unknown): WireCase =>
  post(`/v2/repository/models/${model}/load`, { parameters });
const infer = (
  model: string,
  values: readonly number[],
  more: object = {},
  shape = [values.length],
): WireCase =>
  post(`/v2/models/${model}/infer`, {
    inputs: [{ name: 'INPUT', datatype: 'FP32', shape, data: values }],
    ...more,
  });
const index = (body: object, repository = ''): WireCase =>
  post(`/v2/repository${repository === '' ? '' : `/${repository}`}/index`, body);

/** The index comes in any order; folders of files that were sent have any name. */
function settled(answer: unknown): unknown {
  const [status, body] = answer as [number, string];
  const text = body.replaceAll(/\/tmp\/folder\w+/g, '<folder>');
  if (!text.startsWith('[{')) return [status, text];
  const entries = JSON.parse(text) as { name: string; version?: string }[];
  return [status, entries.sort((a, b) => (`${a.name}/${a.version}` < `${b.name}/${b.version}` ? -1 : 1))];
}
/** What is always the same in short. */
const shortened = ({ name }: WireCase): string =>
  name
    .replaceAll(base64, '<model>')
    .replaceAll(JSON.stringify(config()).slice(1, -2), '<tensors>')
    .slice(0, 190);

const asked = (title: string, calls: readonly WireCase[]): ReferenceCase => ({
  name: `loads: ${title}`,
  run: async (target) => {
    const answers: object[] = [];
    for (const call of calls) {
      answers.push({ step: shortened(call), answer: settled(await ask(target, call)) });
      if (call.name.includes('/unload')) await wait(300);
    }
    return answers;
  },
});

const file = (text: string): WireCase => loaded('sent', { config: config(), 'file:1/model.onnx': text });
const lines = base64.replaceAll(/(.{40})/g, '$1\n');

const HTTP: readonly ReferenceCase[] = [
  asked('base64', [
    file(base64),
    infer('sent', [1]),
    file(lines),
    file(`${base64}\n`),
    file(` ${base64}`),
    file(base64.replaceAll('+', '-').replaceAll('/', '_')),
    file(base64.replace(/=+$/, '')),
    file(`${base64}====`),
    file(`${base64}!`),
    file('===='),
    file('A'),
    file('QQ=='),
    file('Ä'),
    get('/v2/models/sent/ready'),
    index({}),
  ]),
  asked('values of other types', [
    loaded('known', { config: true }),
    loaded('known', { config: {} }),
    loaded('known', { config: [config()] }),
    loaded('known', { 'file:1/model.onnx': 5 }),
    loaded('known', { config: config(), 'file:1/model.onnx': true }),
    loaded('known', { config: config(), 'file:1/model.onnx': null }),
    loaded('known', { config: config(), 'file:1/model.onnx': [] }),
    loaded('known', { config: config(), 'file:1/model.onnx': {} }),
    loaded('known', { nonsense: 1 }),
    loaded('known', { nonsense: 'x' }),
    loaded('known', { nonsense: null }),
    loaded('known', []),
    loaded('known', true),
    loaded('known', {}),
    post('/v2/repository/models/known/load', '{"parameters":{"config":"{}","config":"{}"}}'),
    post('/v2/repository/models/known/load', '{"Parameters":{}}'),
    post('/v2/repository/models/known/load', '[]'),
    post('/v2/repository/models/known/load', '5'),
    post('/v2/repository/models/known/load', ' '),
    post('/v2/repository/models/known/load', '{'),
    get('/v2/models/known'),
  ]),
  asked('configurations that change one thing', [
    load('known'),
    loaded('known', { config: config({ max_batch_size: 2 }) }),
    loaded('known', { config: config({ name: 'known', version_policy: { latest: { num_versions: 2 } } }) }),
    get('/v2/models/known'),
    loaded('known', { config: config({ version_policy: { specific: { versions: [9] } } }) }),
    loaded('known', { config: config({ version_policy: { specific: { versions: ['1'] } } }) }),
    get('/v2/models/known'),
    loaded('known', { config: config({ versionPolicy: { all: {} } }) }),
    loaded('known', { config: config({ instance_group: [{ count: 2 }] }) }),
    get('/v2/models/known/config'),
    loaded('known', { config: config({ instance_group: [{ count: '2', kind: 1 }] }) }),
    loaded('known', { config: config({ instance_group: [{ count: 0 }] }) }),
    loaded('known', { config: config({ instance_group: [{ count: -1 }] }) }),
    loaded('known', { config: config({ parameters: { a: { string_value: 'b' } } }) }),
    loaded('known', { config: config({ parameters: { a: 'b' } }) }),
    loaded('known', { config: config({ dynamic_batching: {} }) }),
    loaded('known', { config: config({ default_model_filename: 'none.onnx' }) }),
    loaded('known', { config: config({ default_model_filename: 'model.onnx' }) }),
    loaded('known', { config: config({ model_warmup: [{ name: 'w', batch_size: 1 }] }) }),
    loaded('known', { config: config({ max_batch_size: 1e3 }) }),
    loaded('known', { config: config({ max_batch_size: '0' }) }),
    loaded('known', { config: config({ max_batch_size: 99999999999 }) }),
    loaded('known', { config: config({ max_batch_size: true }) }),
    loaded('known', { config: config({ platform: 'onnxruntime_onnx', backend: '' }) }),
    loaded('known', { config: config({ platform: 'tensorrt_plan' }) }),
    loaded('known', { config: config({ input: [] }) }),
    loaded('known', { config: config({ output: [{ name: 'OUTPUT', data_type: 'FP32', dims: [-1] }] }) }),
    loaded('known', { config: config({ output: [{ name: 'OUTPUT', data_type: 11, dims: ['-1'] }] }) }),
    loaded('known', { config: ` ${config()} ` }),
    loaded('known', { config: `${config()}x` }),
    loaded('known', { config: config().replace('{', '{"backend":"x",') }),
    loaded('known', { config: 'null' }),
    loaded('known', { config: '5' }),
    loaded('known', { config: '[]' }),
    loaded('known', { config: '""' }),
    load('known'),
    get('/v2/models/known/config'),
  ]),
  asked('files beside the model', [
    loaded('sent', {
      config: config({
        output: [{ name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [-1], label_filename: 'l.txt' }],
      }),
      'file:1/model.onnx': base64,
      'file:l.txt': Buffer.from('x\ny\n').toString('base64'),
    }),
    infer('sent', [1, 2], { outputs: [{ name: 'OUTPUT', parameters: { classification: 1 } }] }),
    loaded('sent', {
      config: config({
        output: [{ name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [-1], label_filename: 'l.txt' }],
      }),
      'file:1/model.onnx': base64,
    }),
    loaded('sent', { config: config(), 'file:1/model.onnx': base64, 'file:1/other.bin': 'QQ==' }),
    loaded('sent', { config: config(), 'file:1/model.onnx': base64, 'file:config.pbtxt': 'QQ==' }),
    loaded('sent', { config: config(), 'file:1': base64 }),
    loaded('sent', { config: config(), 'file:1/': base64 }),
    loaded('sent', { config: config(), 'file:/': base64 }),
    loaded('sent', { config: config(), 'file:.': base64 }),
    loaded('sent', { config: config(), 'file:1/model.onnx/x': base64 }),
    loaded('sent', { config: config(), 'file:1/model.onnx': base64, 'file:1/model.onnx/x': base64 }),
    loaded('sent', { config: config({}, 4), 'file:1/model.onnx': Buffer.from(rows).toString('base64') }),
    loaded('sent', {
      config: config({ max_batch_size: 3 }, 4),
      'file:1/model.onnx': Buffer.from(rows).toString('base64'),
    }),
    infer('sent', [1, 2, 3, 4], {}, [1, 4]),
    loaded('known', { config: config(), 'file:9/model.onnx': base64 }),
    get('/v2/models/known'),
    infer('known', [2], { outputs: [{ name: 'OUTPUT', parameters: { classification: 1 } }] }),
    loaded('empty', { config: config(), 'file:1/model.onnx': base64 }),
    load('empty'),
    loaded('empty', { config: config() }),
    load('batched'),
    loaded('batched', { config: JSON.stringify({ backend: 'onnxruntime', max_batch_size: 0 }) }),
    get('/v2/models/batched/config'),
    loaded('batched', { config: JSON.stringify({ max_batch_size: 2 }) }),
    loaded('none', { config: config() }),
    load('none'),
    load('known/1'),
    load('a%20b'),
    load('..'),
  ]),
  asked('unloads', [
    unload('never'),
    unload('sent'),
    unload('sent'),
    post('/v2/repository/models/known/unload', { parameters: {} }),
    post('/v2/repository/models/known/unload', { parameters: { nonsense: 1 } }),
    post('/v2/repository/models/known/unload', '5'),
    get('/v2/models/known/ready'),
    get('/v2/models/known/stats'),
    infer('known', [1]),
    load('known'),
    get('/v2/models/known/versions/1/ready'),
    get('/v2/models/known/versions/2/ready'),
  ]),
  asked('the index', [
    index({}),
    index({ ready: true }),
    index({ ready: false }),
    index({}, 'nothing'),
    index({ ready: true }, 'nothing'),
    index({ repository_name: 'x' }),
    { name: 'GET index', method: 'GET', path: '/v2/repository/index' },
    post('/v2/repository/index/', {}),
    post('/v2/repository/models/known/reload', {}),
    post('/v2/repository/nothing/models/known/load', {}),
    post('/v2/repository/nothing/models/known/unload', {}),
    load('second'),
    index({ ready: true }),
  ]),
];

const rpc = (title: string, name: string, message: Record<string, unknown>): ReferenceCase => ({
  name: `loads over gRPC: ${title}`,
  run: async (target) => {
    const { code, details, response } = await grpcCall(target.grpcPort, name, message);
    return {
      code,
      details: target.folders.reduce((text, folder) => text.replaceAll(folder, '<repository>'), details),
      response: name === 'RepositoryIndex' ? 'index' : response,
    };
  },
});
const good = { string_param: config() };
const sent = { bytes_param: Buffer.from(bytes) };
const loads = (title: string, parameters: Record<string, unknown>): ReferenceCase =>
  rpc(title, 'RepositoryModelLoad', { model_name: 'wired', parameters });
const GRPC: readonly ReferenceCase[] = [
  loads('bytes', { config: good, 'file:1/model.onnx': sent }),
  loads('no bytes', { config: good, 'file:1/model.onnx': { bytes_param: Buffer.alloc(0) } }),
  loads('a file as a number', { config: good, 'file:1/model.onnx': { int64_param: 1 } }),
  loads('a file as a truth', { config: good, 'file:1/model.onnx': { bool_param: true } }),
  loads('a file without a value', { config: good, 'file:1/model.onnx': {} }),
  loads('a configuration as a truth', { config: { bool_param: true } }),
  loads('a configuration as a number', { config: { int64_param: 1 } }),
  loads('a configuration that is no JSON', { config: { string_param: '{' } }),
  loads('an unknown parameter of another type', { other: { bool_param: true } }),
  loads('a number for an unknown parameter', { other: { int64_param: 4 } }),
  loads('a real number', { config: { double_param: 1.5 } }),
  loads('a file outside', { config: good, 'file:../x': sent }),
  rpc('a repository', 'RepositoryModelLoad', { repository_name: 'x', model_name: 'known' }),
  rpc('an unload with a repository', 'RepositoryModelUnload', { repository_name: 'x', model_name: 'known' }),
  rpc('an unload without a name', 'RepositoryModelUnload', {}),
  rpc('an unload with dependents as text', 'RepositoryModelUnload', {
    model_name: 'known',
    parameters: { unload_dependents: { string_param: 'true' } },
  }),
  rpc('an unload with dependents', 'RepositoryModelUnload', {
    model_name: 'known',
    parameters: { unload_dependents: { bool_param: true } },
  }),
];

export const LOAD_SCENE: Scene = {
  name: 'loads with parameters',
  needs: 'onnxruntime',
  repositories: sameFor(models, other),
  args: ['--model-control-mode=explicit'],
  together: 'waiting',
  cases: [...HTTP, ...GRPC],
};
