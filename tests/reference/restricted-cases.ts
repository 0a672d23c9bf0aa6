// Restricted APIs: every route and every call, with the key, with a wrong one and without, under several options.

import { Metadata } from '@grpc/grpc-js';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, unload } from './life-calls.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const REGION = { key: '/conch_restricted', offset: 0, byte_size: 8 };
const ROUTES: readonly WireCase[] = [
  ...['', '/health/live', '/health/ready', '/nowhere', '/logging', '/trace/setting', '/models/stats'].map(
    (path) => get(`/v2${path}`),
  ),
  ...['', '/ready', '/config', '/stats', '/versions/1', '/versions/1/ready', '/trace/setting'].map((path) =>
    get(`/v2/models/echo${path}`),
  ),
  ...['', '/ready', '/config'].map((path) => get(`/v2/models/nope${path}`)),
  infer('echo'),
  infer('nope'),
  post('/v2/models/echo/generate', floats([1])),
  post('/v2/models/echo/versions/1/infer', floats([1])),
  post('/v2/repository/index'),
  load('echo'),
  unload('nope'),
  post('/v2/logging', { log_info: true }),
  post('/v2/trace/setting', { trace_rate: '1000' }),
  post('/v2/models/echo/trace/setting', { trace_rate: '1000' }),
  get('/v2/systemsharedmemory/status'),
  get('/v2/cudasharedmemory/status'),
  post('/v2/systemsharedmemory/region/r/register', REGION),
  post('/v2/systemsharedmemory/unregister'),
  post('/v2/cudasharedmemory/unregister'),
  { ...get('/v2/health/live'), method: 'POST', name: 'POST health' },
  { ...post('/v2/repository/index'), method: 'GET', name: 'GET index' },
];
const CALLS: readonly (readonly [name: string, message: Record<string, unknown>])[] = [
  ['ServerLive', {}],
  ['ServerReady', {}],
  ['ModelReady', { name: 'echo' }],
  ['ServerMetadata', {}],
  ['ModelMetadata', { name: 'nope' }],
  ['ModelConfig', { name: 'nope' }],
  ['ModelStatistics', { name: 'nope' }],
  ['ModelInfer', { model_name: 'nope' }],
  ['RepositoryIndex', {}],
  ['RepositoryModelLoad', { model_name: 'nope' }],
  ['RepositoryModelUnload', { model_name: 'nope' }],
  ['SystemSharedMemoryStatus', {}],
  ['SystemSharedMemoryUnregister', {}],
  ['CudaSharedMemoryStatus', {}],
  ['CudaSharedMemoryUnregister', {}],
  ['TraceSetting', { model_name: 'nope' }],
  ['LogSettings', {}],
];

/** Times, and which release it is, are no part of the question. */
const still = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer).replace(
      /\\"(ns|last_inference|version)\\":(\d+|\\"\d+\.\d+\.\d+\\")/g,
      (_, name: string) => `\\"${name}\\":0`,
    ),
  ) as unknown;

const asked = (key: string, value: string | undefined): ReferenceCase => ({
  name: `restricted, ${key} ${value ?? 'left out'}`,
  run: async (target) => {
    const headers: Record<string, string> = value === undefined ? {} : { [key]: value };
    const answers: unknown[] = [];
    for (const call of ROUTES)
      answers.push({ step: `${call.name}`, answer: still(await ask(target, { ...call, headers })) });
    for (const [name, message] of CALLS) {
      const metadata = new Metadata();
      if (value !== undefined) metadata.set(`triton-grpc-protocol-${key}`, value);
      const { code, details } = await grpcCall(target.grpcPort, name, message, metadata);
      answers.push({ step: name, code, details });
    }
    return answers;
  },
});

const scene = (name: string, http: readonly string[], grpc: readonly string[]): Scene => ({
  name: `restricted ${name}`,
  repositories: () => [pythonFiles('echo', ECHO_MODEL)],
  args: [
    '--model-control-mode=explicit',
    '--load-model=echo',
    ...http.map((value) => `--http-restricted-api=${value}`),
    ...grpc.map((value) => `--grpc-restricted-protocol=${value}`),
  ],
  together: 'restricted',
  cases: [
    asked('key', undefined),
    asked('key', 'value'),
    asked('key', 'Value'),
    asked('Other', 'one two'),
  ].map((one) => ({ ...one, name: `${one.name} with ${name}` })),
});

const REST = 'model-repository,shared-memory,trace,logging,model-config,statistics';
export const RESTRICTED_SCENES: readonly Scene[] = [
  scene('requests', ['inference,health:key=value'], ['inference,health:key=value']),
  scene('the rest', [`${REST},metadata:Other=one two`], [`${REST},metadata:other=one two`]),
  scene(
    'two keys',
    ['metadata:key=value', 'model-config:other=x'],
    ['metadata:key=value', 'model-config:other=x'],
  ),
];
