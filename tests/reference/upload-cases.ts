// Model files and configurations that come with a load, over both protocols, and what stands in the index, the metadata
// and the statistics then.

import { gunzipSync, gzipSync } from 'node:zlib';
import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const flat = identityModel('FP32', ['n']);
const wide = identityModel('FP32', ['n', 4]);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const io = (dims: string, more = ''): object => ({
  backend: 'onnxruntime',
  input: [{ name: 'INPUT', data_type: 'TYPE_FP32', dims: [Number(dims)] }],
  output: [{ name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [Number(dims)] }],
  ...(more === '' ? {} : (JSON.parse(more) as object)),
});
const CONFIG = `backend: "onnxruntime" input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ -1 ] } ]`;
const step = (model: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT" value: "INPUT" } output_map { key: "OUTPUT" value: "OUTPUT" } }`;
const ensemble = (model: string): string =>
  `platform: "ensemble" ${CONFIG.replace('backend: "onnxruntime"', '')} ensemble_scheduling { step [ ${step(model)} ] }`;

const models: RepositoryFiles = {
  'flat/config.pbtxt': CONFIG,
  'flat/1/model.onnx': flat,
  'flat/3/model.onnx': flat,
  'bare/1/model.onnx': wide,
  'inner/config.pbtxt': CONFIG,
  'inner/1/model.onnx': flat,
  'outer/config.pbtxt': ensemble('inner'),
  'outer/1/': '',
  'outermost/config.pbtxt': ensemble('outer'),
  'outermost/1/': '',
};

const loaded = (model: string, parameters: object): WireCase =>
  post(`/v2/repository/models/${model}/load`, { parameters });
const infer = (model: string, shape: readonly number[]): WireCase =>
  post(`/v2/models/${model}/infer`, {
    inputs: [
      {
        name: 'INPUT',
        datatype: 'FP32',
        shape,
        data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 1),
      },
    ],
  });
const config = (value: object): { config: string } => ({ config: JSON.stringify(value) });
const INDEX = post('/v2/repository/index');

/** Index entries come in any order. */
function settled(answer: unknown): unknown {
  const [status, body] = answer as [number, string];
  if (!body.startsWith('[{')) return answer;
  const entries = JSON.parse(body) as { name: string; version?: string }[];
  return [status, entries.sort((a, b) => (`${a.name}/${a.version}` < `${b.name}/${b.version}` ? -1 : 1))];
}
/** The configuration is known; the files' names say what is asked. */
const titleOf = ({ name }: WireCase): string =>
  name
    .replace(
      /"config":"\{\\"backend\\":\\"onnxruntime\\",\\"input\\":\[\{\\"name\\":\\"INPUT\\".*?\}\]\}"/,
      '"config":"..."',
    )
    .slice(0, 150);

const asked = (name: string, calls: readonly WireCase[]): ReferenceCase => ({
  name: `uploads: ${name}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const call of calls) {
      const answer = settled(await ask(target, call)) as unknown;
      // Files that were sent lie in folders of any name.
      answers.push({
        step: titleOf(call),
        answer: JSON.parse(JSON.stringify(answer).replace(/\/tmp\/folder\w+/g, '<folder>')) as unknown,
      });
      // What is unloaded goes in the background.
      if (call.name.includes('/unload')) await wait(300);
    }
    return answers;
  },
});

const UPLOADS: readonly ReferenceCase[] = [
  asked('a model that has no folder', [
    loaded('new', { ...config(io('-1')), 'file:1/model.onnx': base64(flat) }),
    infer('new', [3]),
    get('/v2/models/new'),
    get('/v2/models/new/config'),
    INDEX,
    loaded('new', {
      ...config(io('-1')),
      'file:2/model.onnx': base64(flat),
      'file:7/model.onnx': base64(flat),
    }),
    INDEX,
    get('/v2/models/new/versions/1/ready'),
    get('/v2/models/new/versions/2/ready'),
    get('/v2/models/new/versions/7/ready'),
    load('new'),
    infer('new', [3]),
    unload('new'),
    INDEX,
    load('new'),
    INDEX,
  ]),
  asked('a model that has one', [
    load('flat'),
    get('/v2/models/flat'),
    loaded('flat', { ...config(io('4', '{"max_batch_size":8}')), 'file:5/model.onnx': base64(wide) }),
    get('/v2/models/flat'),
    infer('flat', [2, 4]),
    infer('flat', [3]),
    INDEX,
    load('flat'),
    get('/v2/models/flat'),
    loaded('flat', config(io('-1', '{"version_policy":{"all":{}}}'))),
    get('/v2/models/flat'),
    loaded('flat', config(io('-1', '{"version_policy":{"specific":{"versions":[1]}}}'))),
    get('/v2/models/flat'),
    unload('flat'),
    get('/v2/models/flat/ready'),
    INDEX,
  ]),
  asked('faulty files', [
    loaded('bad', { ...config(io('-1')), 'file:1/model.onnx': 'no base64 !' }),
    loaded('bad', { ...config(io('-1')), 'file:1/model.onnx': base64(flat).slice(0, -3) }),
    loaded('bad', { ...config(io('-1')), 'file:1/model.onnx': '' }),
    loaded('bad', { ...config(io('-1')), 'file:model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:x/model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:0/model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:01/model.onnx': base64(flat) }),
    // A version below 0 stays in the reference's list as 18446744073709551615: not asked.
    loaded('bad', { ...config(io('-1')), 'file:1/other.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:1/a/model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:../model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:1/../../model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'file:/tmp/model.onnx': base64(flat) }),
    loaded('bad', { ...config(io('-1')), 'File:1/model.onnx': base64(flat) }),
    loaded('bad', { 'file:1/model.onnx': base64(flat) }),
    loaded('bad', { ...config({}), 'file:1/model.onnx': base64(flat) }),
    loaded('bad', { ...config({ backend: 'onnxruntime' }), 'file:1/model.onnx': base64(flat) }),
    infer('bad', [1, 1]),
    loaded('bad', { ...config(io('-1', '{"name":"good"}')), 'file:1/model.onnx': base64(flat) }),
    loaded('bad', { config: '', 'file:1/model.onnx': base64(flat) }),
    loaded('bad', { config: 5, 'file:1/model.onnx': base64(flat) }),
    loaded('bad', { config: null }),
    loaded('bad', { config: '{"backend":"onnxruntime"' }),
    loaded('bad', { config: 'backend: "onnxruntime"' }),
    loaded('flat', { config: '{"backend":"onnxruntime","max_batch_size":"x"}' }),
    loaded('flat', { config: '{"backend":"onnxruntime","max_batch_size":-1}' }),
    loaded('flat', { config: '{"backend":"onnxruntime","nonsense":1}' }),
    loaded('flat', { config: '{"backend":"onnxruntime","input":{}}' }),
    loaded('flat', {
      config: '{"backend":"onnxruntime","input":[{"name":"X","data_type":"TYPE_FP32","dims":[1]}]}',
    }),
    loaded('flat', { config: '{"backend":"onnxruntime","instance_group":[{"count":2,"kind":"KIND_CPU"}]}' }),
    loaded('flat', { config: '{"backend":"onnxruntime","instance_group":[{"count":2,"kind":"KIND_X"}]}' }),
    loaded('flat', { config: '{"backend":"none"}' }),
    loaded('flat', { config: '{}' }),
    get('/v2/models/flat/config'),
  ]),
  asked('what depends on others', [
    load('outermost'),
    INDEX,
    infer('outermost', [2]),
    unload('inner'),
    INDEX,
    infer('outermost', [2]),
    load('inner'),
    INDEX,
    post('/v2/repository/models/outermost/unload', { parameters: { unload_dependents: true } }),
    INDEX,
    load('outermost'),
    post('/v2/repository/models/outermost/unload', { parameters: { unload_dependents: false } }),
    INDEX,
    post('/v2/repository/models/inner/unload', { parameters: { unload_dependents: true } }),
    INDEX,
    post('/v2/repository/models/inner/unload', { parameters: { unload_dependents: 1 } }),
    post('/v2/repository/models/inner/unload', { parameters: { unload_dependents: 'true' } }),
    post('/v2/repository/models/inner/unload', { parameters: { unload_dependents: null } }),
    post('/v2/repository/models/inner/unload', { unload_dependents: true }),
    post('/v2/repository/models/outer/load', { parameters: null }),
    post('/v2/repository/models/outer/load', { parameters: 5 }),
    post('/v2/repository/models/outer/load', { parameters: 'x' }),
    loaded('outer', { config: JSON.stringify({ platform: 'ensemble' }) }),
  ]),
];

const rpc = (title: string, name: string, message: Record<string, unknown>): ReferenceCase => ({
  name: `uploads over gRPC: ${title}`,
  run: async (target: Target) => {
    const { code, details, response } = await grpcCall(target.grpcPort, name, message);
    return { code, details: details.replaceAll(target.folders[0] ?? '', '<repository>'), response };
  },
});
const file = { bytes_param: Buffer.from(flat) };
const good = { string_param: JSON.stringify(io('-1')) };
const OVER_GRPC: readonly ReferenceCase[] = [
  rpc('files', 'RepositoryModelLoad', {
    model_name: 'g',
    parameters: { config: good, 'file:1/model.onnx': file },
  }),
  rpc('metadata', 'ModelMetadata', { name: 'g' }),
  rpc('a file alone', 'RepositoryModelLoad', { model_name: 'h', parameters: { 'file:1/model.onnx': file } }),
  rpc('a file as text', 'RepositoryModelLoad', {
    model_name: 'h',
    parameters: { config: good, 'file:1/model.onnx': { string_param: base64(flat) } },
  }),
  rpc('a configuration as bytes', 'RepositoryModelLoad', {
    model_name: 'h',
    parameters: { config: { bytes_param: Buffer.from(JSON.stringify(io('-1'))) }, 'file:1/model.onnx': file },
  }),
  rpc('an empty configuration', 'RepositoryModelLoad', {
    model_name: 'h',
    parameters: { config: { string_param: '' } },
  }),
  rpc('a parameter without a value', 'RepositoryModelLoad', {
    model_name: 'flat',
    parameters: { config: {} },
  }),
  rpc('an unknown parameter', 'RepositoryModelLoad', {
    model_name: 'flat',
    parameters: { nonsense: { string_param: 'x' } },
  }),
  rpc('a file without a name', 'RepositoryModelLoad', {
    model_name: 'h',
    parameters: { config: good, 'file:': file },
  }),
  rpc('unload with a number', 'RepositoryModelUnload', {
    model_name: 'g',
    parameters: { unload_dependents: { int64_param: 1 } },
  }),
  rpc('unload with an unknown parameter', 'RepositoryModelUnload', {
    model_name: 'g',
    parameters: { nonsense: { bool_param: true } },
  }),
  rpc('unload', 'RepositoryModelUnload', { model_name: 'g' }),
  rpc('ready ones of the index', 'RepositoryIndex', { ready: true }),
  rpc('the index of another repository', 'RepositoryIndex', { repository_name: 'x', ready: true }),
];

/** Compressed answers, inflated. */
const compressed = (
  accepts: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
): ReferenceCase => ({
  name: `uploads: compressed index, accepting '${accepts}' ${JSON.stringify(headers)}`,
  run: async ({ httpPort }) => {
    const reply = await fetch(`http://127.0.0.1:${httpPort}/v2/repository/models/flat/load`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: { 'Accept-Encoding': accepts, ...headers },
    });
    return {
      status: reply.status,
      encoding: reply.headers.get('content-encoding'),
      text: await reply.text(),
    };
  },
});

export const UPLOAD_SCENE: Scene = {
  name: 'uploads',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  together: 'waiting',
  cases: [
    ...UPLOADS,
    ...OVER_GRPC,
    compressed('gzip', gzipSync('{'), { 'Content-Encoding': 'gzip' }),
    compressed('gzip', gzipSync('{}'), { 'Content-Encoding': 'gzip' }),
    compressed('deflate', gunzipSync(gzipSync('{}'))),
    compressed('br', Buffer.from('{"parameters":{"config":5}}')),
  ],
};
