// Namespaces: models of the same name in two repositories, loaded and unloaded one by one, ensembles and calls of models that
// mean the one beside them, and what every other call says of a name that two models have.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { hideVolatile } from './normalise.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ensemble, step } from './span-cases.ts';
import type { WireCase } from './wire-cases.ts';

const CPU = `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 1 } ]`;
const adds = (name: string, value: number): RepositoryFiles =>
  pythonFiles(
    name,
    answering(
      `response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + np.float32(${value}))])`,
    ),
    CPU,
  );
const calls = (name: string, called: string): RepositoryFiles =>
  pythonFiles(
    name,
    answering(`asked = pb_utils.InferenceRequest(model_name="${called}", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))])
found = asked.exec()
response = pb_utils.InferenceResponse(error=found.error()) if found.has_error() else pb_utils.InferenceResponse(found.output_tensors())`),
    CPU,
  );
const chain = (name: string, ...models: readonly string[]): RepositoryFiles =>
  ensemble(
    name,
    ...models.map((model, at) =>
      step(model, at === 0 ? 'INPUT0' : `x${at}`, at === models.length - 1 ? 'OUTPUT0' : `x${at + 1}`),
    ),
  );

const FIRST: RepositoryFiles = {
  ...adds('both', 1),
  ...adds('first', 2),
  ...chain('chain', 'both'),
  ...chain('far', 'second'),
  ...chain('lost', 'third'),
  ...chain('half', 'third'),
  ...chain('torn', 'third'),
  ...pythonFiles('bad', 'raise ValueError("on purpose")\n', CPU),
  ...pythonFiles('bad_both', 'raise ValueError("on purpose")\n', CPU),
  ...chain('over_bad', 'bad'),
  ...ensemble('old', step('first', 'INPUT0', 'OUTPUT0').replace('model_version: -1', 'model_version: 3')),
  ...chain('over_lost', 'lost'),
  ...chain('ring', 'rings'),
  ...chain('rings', 'ring'),
  'wrong/config.pbtxt': 'nonsense: 5',
  ...calls('calls_both', 'both'),
  ...calls('calls_second', 'second'),
};
const SECOND: RepositoryFiles = {
  ...adds('both', 10),
  ...adds('second', 20),
  ...chain('chain', 'both', 'both'),
  ...chain('far_chain', 'chain'),
  ...chain('mixed', 'both', 'first'),
  ...adds('half', 5),
  ...chain('torn', 'third'),
  ...adds('bad_both', 5),
  ...calls('calls_first', 'first'),
};
const NAMES = ['both', 'first', 'second', 'chain', 'far', 'far_chain', 'mixed'];
/** Those that cannot be loaded, in one repository or in both. */
const FAULTY = [
  'lost',
  'half',
  'torn',
  'bad',
  'bad_both',
  'over_bad',
  'over_lost',
  'old',
  'ring',
  'wrong',
  'none',
];
const CALLERS = ['calls_both', 'calls_first', 'calls_second'];

const all = (kind: (name: string) => WireCase, names: readonly string[] = NAMES): readonly WireCase[] =>
  names.map(kind);
const inferred = (name: string): WireCase => infer(name, floats([1]));
const index: WireCase = post('/v2/repository/index');

/** Entries and failures in one order; those of equal names by their texts. Without a trace of Python. */
async function told(target: Target, call: WireCase): Promise<unknown> {
  const [status, body] = (await ask(target, call)) as [number, string];
  const text = body.replaceAll(',"max_inflight_requests":0', '');
  if (call.path.endsWith('/index') && status === 200)
    return [
      status,
      (JSON.parse(text) as object[])
        .map((entry) => JSON.stringify(entry).replace(/(\\n)+At:.*(?=")/, ''))
        .sort(),
    ];
  if (call.path.endsWith('/load') && text.includes('load failed')) return [status, text.split('\\n').sort()];
  return [status, text.replaceAll(/"(ns|last_inference)":\d+/g, '"$1":"#"')];
}

const asked = (
  title: string,
  moves: readonly (WireCase | number)[],
  more: (target: Target) => Promise<readonly object[]> = () => Promise.resolve([]),
): ReferenceCase => ({
  name: `namespaces: ${title}`,
  run: async (target) => {
    const answers: object[] = [];
    for (const move of moves)
      if (typeof move === 'number') await wait(move);
      else answers.push({ step: move.name, answer: await told(target, move) });
    return [...answers, ...(await more(target))];
  },
});

const overGrpc = async (target: Target): Promise<readonly object[]> => {
  const found: object[] = [];
  const settled = (answer: unknown): string =>
    JSON.stringify(answer).replaceAll(/"(ns|last_inference)":"?\d+"?/g, '"$1":"#"');
  for (const [rpc, message] of [
    ['ModelMetadata', { name: 'both' }],
    ['ModelConfig', { name: 'both' }],
    ['ModelStatistics', { name: 'both' }],
    ['ModelReady', { name: 'both' }],
    ['ModelReady', { name: 'first' }],
    ['ModelReady', { name: 'none' }],
    ['TraceSetting', { model_name: 'both' }],
    ['RepositoryModelUnload', { model_name: 'none' }],
    [
      'ModelInfer',
      {
        model_name: 'both',
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n] }],
        raw_input_contents: [Buffer.from(Float32Array.of(1).buffer)],
      },
    ],
  ] as const)
    found.push({
      step: `${rpc} ${message === undefined ? '' : JSON.stringify(message, (_, one) => (typeof one === 'bigint' ? String(one) : one))}`,
      answer: settled(await grpcCall(target.grpcPort, rpc, message)),
    });
  return found;
};

const LOADED: readonly ReferenceCase[] = [
  asked('what is there', [
    index,
    post('/v2/repository/index', { ready: true }),
    get('/v2/health/ready'),
    ...all((name) => get(`/v2/models/${name}/ready`)),
    ...all((name) => get(`/v2/models/${name}/versions/1/ready`)),
    ...all((name) => get(`/v2/models/${name}`)),
    ...all((name) => get(`/v2/models/${name}/config`)),
    ...all((name) => get(`/v2/models/${name}/trace/setting`)),
  ]),
  asked('requests', [
    ...all(inferred),
    ...all(inferred, CALLERS),
    ...all((name) => ({ ...inferred(name), path: `/v2/models/${name}/versions/1/infer`, name: `${name} 1` })),
    ...all((name) => ({ ...inferred(name), path: `/v2/models/${name}/versions/2/infer`, name: `${name} 2` })),
    post('/v2/models/both/generate', { INPUT0: [1] }),
    post('/v2/models/second/generate', { INPUT0: [1] }),
    ...all((name) => get(`/v2/models/${name}/stats`)),
    get('/v2/models/both/versions/1/stats'),
    post('/v2/models/both/trace/setting', { trace_rate: '7' }),
    post('/v2/models/first/trace/setting', { trace_rate: '7' }),
    post('/v2/models/first/trace/setting', { trace_rate: null }),
  ]),
  asked('over gRPC', [], overGrpc),
  asked('faulty ones', [
    ...all((name) => get(`/v2/models/${name}/ready`), FAULTY),
    ...all((name) => get(`/v2/models/${name}/versions/1/ready`), FAULTY),
    ...all((name) => get(`/v2/models/${name}`), FAULTY),
    ...all((name) => get(`/v2/models/${name}/config`), FAULTY),
    ...all((name) => get(`/v2/models/${name}/stats`), FAULTY),
    ...all((name) => get(`/v2/models/${name}/trace/setting`), FAULTY),
    ...all(inferred, FAULTY),
  ]),
  asked('metrics', [], (target) =>
    countsOf(target, ['first', 'second', 'chain', 'far']).then((rows) =>
      rows
        .filter((row) => row.step.startsWith('metrics'))
        .map((row) => ({
          ...row,
          lines: (row as unknown as { lines: string[] }).lines
            .map((line) => hideVolatile(line, target))
            .sort(),
        })),
    ),
  ),
];

const EXPLICIT: readonly ReferenceCase[] = [
  asked('nothing loaded', [index, ...all(inferred, ['both', 'first'])]),
  asked('one of each', [load('first'), load('second'), index, ...all(inferred, ['first', 'second'])]),
  asked('a name of two', [
    load('both'),
    index,
    get('/v2/models/both/ready'),
    inferred('both'),
    unload('both'),
    2500,
    index,
    load('both'),
  ]),
  asked('ensembles', [load('chain'), load('far'), load('far_chain'), load('mixed'), index, ...all(inferred)]),
  asked('faulty ones', [...all(load, FAULTY), ...all(inferred, FAULTY), index]),
  asked('faulty ones again', all(load, FAULTY)),
  asked('callers', [...all(load, CALLERS), ...all(inferred, CALLERS)]),
  asked('one goes', [
    unload('first'),
    2500,
    ...all(inferred, ['first', 'mixed', 'calls_first']),
    index,
    load('first'),
    ...all(inferred, ['first', 'mixed', 'calls_first']),
  ]),
  asked('what depends goes too', [
    post('/v2/repository/models/far/unload', { parameters: { unload_dependents: true } }),
    2500,
    index,
    ...all(inferred, ['second', 'far']),
  ]),
  asked('a configuration for a name of two', [
    post('/v2/repository/models/both/load', {
      parameters: {
        config: JSON.stringify({
          backend: 'python',
          input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
          output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
          instance_group: [{ kind: 'KIND_CPU' }],
        }),
      },
    }),
    inferred('both'),
  ]),
  asked('over gRPC, one by one', [], overGrpc),
];

const scene = (name: string, args: readonly string[], cases: readonly ReferenceCase[]): Scene => ({
  name: `namespaces ${name}`,
  repositories: sameFor(FIRST, SECOND),
  args: ['--model-namespacing=true', '--exit-on-error=false', ...args],
  cases: cases.map((one) => ({ ...one, name: one.name.replace('namespaces:', `namespaces, ${name}:`) })),
});

export const NAMESPACE_SCENES: readonly Scene[] = [
  scene('loaded', [], LOADED),
  scene('explicit', ['--model-control-mode=explicit'], EXPLICIT),
  scene('all by name', ['--model-control-mode=explicit', '--load-model=*'], LOADED.slice(0, 2)),
];
