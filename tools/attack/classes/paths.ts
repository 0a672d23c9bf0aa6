// Names that lead out of where they may lead, in every field that names a file, a folder, a model or a version. Beside
// the models lie a file that no answer may hold, and code that no load may run.

import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { identityModel } from '../../../src-main/testing/onnx-test-models.ts';
import { attackClass } from '../attack-class.ts';
import type { Victim } from '../victim.ts';
import { WindowCaller } from '../window-caller.ts';

const SECRET = 'never-shown-to-anybody';
const ONNX = Buffer.from(identityModel('FP32', [1])).toString('base64');

const UPS = [
  '../',
  '../../',
  '../../../',
  './../',
  'x/../../',
  '..//..//',
  '1/../../',
  '..\\',
  '%2e%2e/',
  '..%2f',
  '....//',
];
const ENDS = ['', '/', '/.', '/..', '/x/..', '\0', '\0.onnx', '%00', '\n', ' ', '.', '/./', '//'];
const TARGETS = [
  'outside/secret.txt',
  'outside/model.js',
  'outside/model.mjs',
  'outside/model.py',
  'outside/model.onnx',
  'outside',
];
const FIXED = [
  '/etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  '/dev/stdin',
  '~/.ssh',
  'file:///etc/passwd',
  '..',
  '.',
  '',
  '/',
  '\0',
  '-rf',
  '$(touch x)',
  'link',
  'link/secret.txt',
  'linked.js',
  'CON',
  '\u202e',
  'a'.repeat(300),
  'a/'.repeat(2000),
];

interface Named {
  readonly field: string;
  readonly name: string;
}

function nameOf(random: Random): string {
  if (random.below(4) === 0) return random.pick(FIXED) + (random.below(3) === 0 ? random.pick(ENDS) : '');
  const up = Array.from({ length: 1 + random.below(3) }, () => random.pick(UPS)).join('');
  const start = random.pick(['', '', '1/', './', '/', 'sure/', 'link/../']);
  return start + up + random.pick(TARGETS) + (random.below(3) === 0 ? random.pick(ENDS) : '');
}

type Try = (name: string, victim: Victim, index: number) => Promise<string>;

const load =
  (
    config: (name: string) => object,
    files: (name: string) => Readonly<Record<string, string>> = () => ({ 'file:1/model.onnx': ONNX }),
  ): Try =>
  async (name, { http }, index) => {
    // Names are used again, since a server remembers each that failed, with the reason.
    const model = `paths${Math.abs(index % 64)}`;
    const address = `/v2/repository/models/${model}`;
    const parameters = { config: JSON.stringify(config(name)), ...files(name) };
    const loaded = await http.post(`${address}/load`, JSON.stringify({ parameters }));
    const body =
      '{"inputs":[{"name":"INPUT","datatype":"FP32","shape":[1],"data":[0]}],"outputs":[{"name":"OUTPUT","parameters":{"classification":1}}]}';
    const asked = loaded.status === 200 ? (await http.post(`/v2/models/${model}/infer`, body)).text : '';
    if (loaded.status === 200) await http.post(`${address}/unload`, '{}');
    return loaded.text + asked;
  };

const onnx = (more: object) => ({ backend: 'onnxruntime', ...more });
const tensors = {
  input: [{ name: 'INPUT', data_type: 'TYPE_FP32', dims: [1] }],
  output: [{ name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [1] }],
};

const get =
  (address: (name: string) => string): Try =>
  async (name, { http }) =>
    (await http.get(address(encodeURIComponent(name)))).text;

const post =
  (address: (name: string) => string, body: (name: string) => object): Try =>
  async (name, { http }) =>
    (await http.post(address(encodeURIComponent(name)), JSON.stringify(body(name)))).text;

let page: WindowCaller | undefined;

const call =
  (rpc: string, args: (name: string, victim: Victim) => object): Try =>
  async (name, victim) => {
    if (page?.isOpen !== true) page = await WindowCaller.open(victim.ports.ui, victim.token);
    return JSON.stringify(await page.call(rpc, args(name, victim)));
  };

const overGrpc =
  (rpc: string, message: (name: string) => Readonly<Record<string, unknown>>): Try =>
  async (name, { grpc }) =>
    JSON.stringify(await grpc.call(rpc, message(name)));

const FIELDS: Readonly<Record<string, Try>> = {
  'file of a load': load(
    () => onnx({}),
    (name) => ({ [`file:${name}`]: ONNX }),
  ),
  'file of a load beside a model': load(
    () => onnx({}),
    (name) => ({
      'file:1/model.onnx': ONNX,
      [`file:${name}`]: ONNX,
    }),
  ),
  default_model_filename: load((name) => onnx({ default_model_filename: name })),
  'default_model_filename of javascript': load((name) => ({
    backend: 'javascript',
    ...tensors,
    default_model_filename: name,
  })),
  'default_model_filename of python': load((name) => ({
    backend: 'python',
    ...tensors,
    default_model_filename: name,
  })),
  cc_model_filenames: load((name) => onnx({ cc_model_filenames: { '7.5': name } })),
  label_filename: load((name) =>
    onnx({ ...tensors, output: [{ ...tensors.output[0], label_filename: name }] }),
  ),
  input_data_file: load((name) =>
    onnx({
      ...tensors,
      model_warmup: [
        {
          name: 'w',
          batch_size: 1,
          inputs: { INPUT: { data_type: 'TYPE_FP32', dims: [1], input_data_file: name } },
        },
      ],
    }),
  ),
  'initial state': load((name) =>
    onnx({
      ...tensors,
      sequence_batching: {
        state: [
          {
            input_name: 'S',
            output_name: 'S',
            data_type: 'TYPE_FP32',
            dims: [1],
            initial_state: [{ name: 's', data_type: 'TYPE_FP32', dims: [1], data_file: name }],
          },
        ],
      },
    }),
  ),
  op_library_filename: load((name) => onnx({ model_operations: { op_library_filename: [name] } })),
  runtime: load((name) => onnx({ runtime: name })),
  backend: load((name) => ({ ...tensors, backend: name })),
  platform: load((name) => ({ ...tensors, platform: name })),
  'execution environment': load((name) => ({
    backend: 'python',
    ...tensors,
    parameters: { EXECUTION_ENV_PATH: { string_value: name } },
  })),
  'shared memory key': post(
    () => '/v2/systemsharedmemory/region/p/register',
    (name) => ({ key: name, offset: 0, byte_size: 8 }),
  ),
  trace_file: post(
    () => '/v2/trace/setting',
    (name) => ({ trace_file: [name] }),
  ),
  log_file: post(
    () => '/v2/logging',
    (name) => ({ log_file: name }),
  ),
  'model in an address': get((name) => `/v2/models/${name}/config`),
  'version in an address': get((name) => `/v2/models/sure/versions/${name}/config`),
  'model to load': post(
    (name) => `/v2/repository/models/${name}/load`,
    () => ({}),
  ),
  'model to unload': post(
    (name) => `/v2/repository/models/${name}/unload`,
    () => ({}),
  ),
  'repository in an address': post(
    (name) => `/v2/repository/${name}/index`,
    () => ({}),
  ),
  'model of a call': overGrpc('ModelConfig', (name) => ({ name })),
  'model to load by a call': overGrpc('RepositoryModelLoad', (model_name) => ({ model_name })),
  'file of a load by a call': overGrpc('RepositoryModelLoad', (name) => ({
    model_name: 'paths',
    parameters: {
      config: { string_param: '{"backend":"onnxruntime"}' },
      [`file:${name}`]: { bytes_param: Buffer.from(ONNX, 'base64') },
    },
  })),
  'file of the page': async (name, { ports }) =>
    (await fetch(`http://127.0.0.1:${ports.ui}/${encodeURIComponent(name)}`)).text(),
  'file of an upload': async (name, { ports, token }) => {
    const headers = { authorization: `Bearer ${token}` };
    const address = `http://127.0.0.1:${ports.ui}/upload`;
    const made = (await (await fetch(address, { method: 'POST', headers })).json()) as {
      readonly upload: string;
    };
    const sent = await fetch(`${address}/${made.upload}?path=${encodeURIComponent(name)}`, {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '0' },
      body: 'x',
    });
    const text = await sent.text();
    await fetch(`${address}/${made.upload}`, { method: 'DELETE', headers });
    return text;
  },
  'upload by name': async (name, { ports, token }) =>
    (
      await fetch(`http://127.0.0.1:${ports.ui}/upload/${encodeURIComponent(name)}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
    ).text(),
  'config/read': call('config/read', (model) => ({ model })),
  'config/write': call('config/write', (model) => ({ model, text: 'backend: "identity"' })),
  'config/readProfile': call('config/readProfile', (profile) => ({ model: 'sure', profile })),
  'config/writeProfile': call('config/writeProfile', (profile) => ({
    model: 'sure',
    profile: `../${profile}`,
    text: '',
  })),
  'config/inspectOnnx': call('config/inspectOnnx', (name) => ({ path: name })),
  'config/readScratch': call('config/readScratch', (name) => ({
    path: name.startsWith('/') ? name : `/${name}`,
  })),
  'repository/files': call('repository/files', (model) => ({ model })),
  'repository/browse': call('repository/browse', (name) => ({ path: `/${name}` })),
  'repository/createFolder': call('repository/createFolder', (name, { models }) => ({
    parent: models,
    name: `../${name}`,
  })),
  'repository/createFromConfig': call('repository/createFromConfig', (name, { models }) => ({
    repository: models,
    name: `../${name}`,
    text: '',
  })),
  'repository/duplicateModel': call('repository/duplicateModel', (name) => ({
    model: 'sure',
    newName: `../${name}`,
  })),
  'repository/renameModel': call('repository/renameModel', (name) => ({
    model: 'echo',
    newName: `../${name}`,
  })),
  'repository/createVersionFolder': call('repository/createVersionFolder', (version) => ({
    model: 'sure',
    version: `../${version}`,
  })),
  'repository/addDataFile': call('repository/addDataFile', (name, { models }) => ({
    model: 'simple',
    version: '1',
    name: `../${name}`,
    source: path.join(models, 'sure/config.pbtxt'),
    taskId: 't',
  })),
  'warmup/writeFile': call('warmup/writeFile', (name) => ({ model: 'sure', name: `../${name}`, blob: 'b' })),
  'repository/restore': call('repository/restore', (undo) => ({ undo })),
  'playground/deleteSaved': call('playground/deleteSaved', (id) => ({ model: 'sure', id: `../../${id}` })),
  'perf/delete': call('perf/delete', (id) => ({ id: `../../${id}`, run: `../../${id}` })),
};

const NAMES = Object.keys(FIELDS);

function placesOf({ folder }: Victim): string {
  return JSON.stringify([readdirSync(folder).sort(), readdirSync(path.join(folder, 'outside')).sort()]);
}

let placesBefore = '';

export const paths = attackClass<Named>({
  name: 'paths',
  sends: `names that lead out, in ${NAMES.length} fields`,
  inputs: 12_000,
  width: 4,
  prepare: async (victim) => {
    const outside = path.join(victim.folder, 'outside');
    const ran = path.join(outside, 'ran');
    await mkdir(outside);
    const code = `require('fs').writeFileSync(${JSON.stringify(ran)}, '')`;
    await writeFile(path.join(outside, 'secret.txt'), SECRET);
    await writeFile(path.join(outside, 'model.js'), code);
    await writeFile(
      path.join(outside, 'model.mjs'),
      `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(ran)}, '')`,
    );
    await writeFile(path.join(outside, 'model.py'), `open(${JSON.stringify(ran)}, 'w')`);
    await writeFile(path.join(outside, 'model.onnx'), identityModel('FP32', [1]));
    symlinkSync(outside, path.join(victim.models, 'sure', 'link'));
    symlinkSync(path.join(outside, 'model.js'), path.join(victim.models, 'sure', '1', 'linked.js'));
    placesBefore = placesOf(victim);
    return () => {
      page?.close();
      page = undefined;
      return Promise.resolve();
    };
  },
  make: (random) => ({ field: random.pick(NAMES), name: nameOf(random) }),
  send: async ({ field, name }, victim, index) => {
    const answer = await FIELDS[field]?.(name, victim, index);
    return answer?.includes(SECRET) === true || answer?.includes('root:x:0') === true
      ? `tells what it may not: ${answer.slice(0, 300)}`
      : undefined;
  },
  judge: (victim) => {
    if (existsSync(path.join(victim.folder, 'outside/ran')))
      return Promise.resolve('code outside of the models ran');
    const after = placesOf(victim);
    return Promise.resolve(
      after === placesBefore
        ? undefined
        : `files outside of the models: ${placesBefore} before, ${after} after`,
    );
  },
});
