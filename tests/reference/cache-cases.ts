// The response cache: which requests are answered from it, what is counted of them, and what it holds.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, reply } from './http-calls.ts';
import { ask, floats, infer, load, together, wait } from './life-calls.ts';
import { saidOf } from './life-log.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const CACHED = 'response_cache { enable: true }';
const tensor = (name: string, type: string, dims = '-1', more = ''): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] ${more} }`;

/** How often the model itself ran, beside an echo: an answer out of the cache tells the number of its first run. */
const COUNTING = `class TritonPythonModel:
    runs = 0

    def execute(self, requests):
        responses = []
        for request in requests:
            self.runs += 1
            time.sleep(0.02)
            responses.append(pb_utils.InferenceResponse([
                pb_utils.Tensor("OUTPUT0", first(request)),
                pb_utils.Tensor("RUN", np.full(first(request).shape, self.runs, dtype=np.int32)),
            ]))
        return responses
`;
const counting = (type: string, more = ''): string =>
  `input [ ${tensor('INPUT0', type)} ]\noutput [ ${tensor('OUTPUT0', type)}, ${tensor('RUN', 'INT32')} ]
instance_group [ { kind: KIND_CPU count: 1 } ]\n${more}`;
const PAIR = `class TritonPythonModel:
    runs = 0

    def execute(self, requests):
        self.runs += 1
        return [pb_utils.InferenceResponse([
            pb_utils.Tensor("OUTPUT0", first(request) + self.runs),
            pb_utils.Tensor("OUTPUT1", first(request, "INPUT1")),
        ]) for request in requests]
`;
const RAISING = answering('response = pb_utils.InferenceResponse(error=pb_utils.TritonError("on purpose"))');
const EMPTY = answering(
  'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.zeros([0], dtype=np.float32))])',
);

const ensemble = (step: string, more = ''): string => `platform: "ensemble"
input [ ${tensor('INPUT0', 'FP32')} ]\noutput [ ${tensor('OUTPUT0', 'FP32')}, ${tensor('RUN', 'INT32')} ]
ensemble_scheduling { step [ { model_name: "${step}" model_version: -1
  input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } output_map { key: "RUN" value: "RUN" } } ] }\n${more}`;

const models: RepositoryFiles = {
  ...pythonFiles('one', COUNTING, counting('FP32', CACHED)),
  ...pythonFiles('slow', COUNTING.replace('sleep(0.02)', 'sleep(0.8)'), counting('FP32', CACHED)),
  ...pythonFiles('plain', COUNTING, counting('FP32')),
  ...pythonFiles('bytes', COUNTING, counting('STRING', CACHED)),
  ...pythonFiles('batched', COUNTING, counting('FP32', `max_batch_size: 4\n${CACHED}`)),
  ...pythonFiles(
    'dynamic',
    COUNTING,
    counting(
      'FP32',
      `max_batch_size: 4\ndynamic_batching { max_queue_delay_microseconds: 150000 }\n${CACHED}`,
    ),
  ),
  ...pythonFiles(
    'labelled',
    COUNTING,
    counting('FP32', CACHED).replace('name: "OUTPUT0"', 'name: "OUTPUT0" label_filename: "labels.txt"'),
  ),
  'labelled/labels.txt': 'zero\none\ntwo\n',
  ...pythonFiles(
    'pair',
    PAIR,
    `input [ ${tensor('INPUT0', 'FP32')}, ${tensor('INPUT1', 'FP32', '-1', 'optional: true')} ]
output [ ${tensor('OUTPUT0', 'FP32')}, ${tensor('OUTPUT1', 'FP32')} ]\n${CACHED}`,
  ),
  ...pythonFiles('raises', RAISING, `${ONE_TO_ONE}\n${CACHED}`),
  ...pythonFiles('empty', EMPTY, `${ONE_TO_ONE}\n${CACHED}`),
  ...pythonFiles('versions', COUNTING, counting('FP32', `version_policy { all {} }\n${CACHED}`)),
  'versions/2/model.py': String(pythonFiles('v', COUNTING)['v/1/model.py']),
  'versions/2/__pycache__': '',
  ...pythonFiles(
    'decoupled',
    COUNTING,
    counting('FP32', `model_transaction_policy { decoupled: true }\n${CACHED}`),
  ),
  ...pythonFiles('sequence', COUNTING, counting('FP32', `sequence_batching {}\n${CACHED}`)),
  ...pythonFiles(
    'warm',
    COUNTING,
    counting(
      'FP32',
      `${CACHED}\nmodel_warmup { name: "w" inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 2 ] zero_data: true } } }`,
    ),
  ),
  'over_cached/config.pbtxt': ensemble('one'),
  'over_cached/1/': '',
  'over_plain/config.pbtxt': ensemble('plain', CACHED),
  'over_plain/1/': '',
  'over_both/config.pbtxt': ensemble('one', CACHED),
  'over_both/1/': '',
  'over_decoupled/config.pbtxt': ensemble('streams', CACHED),
  'over_decoupled/1/': '',
  ...pythonFiles('streams', COUNTING, counting('FP32', 'model_transaction_policy { decoupled: true }')),
};

/** Counts of these models and of the whole cache, durations hidden. */
async function countsOf(target: Target, names: readonly string[]): Promise<readonly object[]> {
  const rows: object[] = [];
  for (const name of names) {
    const { body } = await reply(target.httpPort, get(`/v2/models/${name}/stats`));
    rows.push({
      step: `statistics of ${name}`,
      body: body.replace(/"(ns|last_inference)":\d+/g, (_, key: string, at: number) =>
        key === 'ns' ? '"ns":"#"' : `"last_inference":${body.startsWith(`"${key}":0,`, at) ? 0 : '"#"'}`,
      ),
    });
  }
  const { body } = await reply(target.metricsPort, get('/metrics'));
  const lines = body.split('\n').filter((line) => /^nv_/.test(line));
  const isOurs = (line: string): boolean => names.some((name) => line.includes(`model="${name}"`));
  rows.push({
    step: 'metrics',
    lines: lines
      .filter(
        (line) => isOurs(line) && /count|success|failure|cache|num/.test(line) && !/duration/.test(line),
      )
      .sort(),
  });
  rows.push({
    step: 'the whole cache',
    lines: lines.filter((line) => /^nv_cache_\w+ /.test(line) && !/duration/.test(line)).sort(),
  });
  return rows;
}

const counted = (
  name: string,
  names: readonly string[],
  act: (target: Target) => Promise<unknown>,
): ReferenceCase => ({
  name: `cache: ${name}`,
  run: async (target) => {
    const before = target.log().length;
    for (const model of names) await ask(target, load(model));
    const answered = await act(target);
    // Numbers of the whole cache are renewed once a second.
    await wait(1300);
    const said = saidOf(target, before).filter((line) => /^[EW]/.test(line) && !line.includes('pinned'));
    // Keys are hashes of each server's own.
    const lines = said.map((line) => line.replace(/key \[\d+\]/, 'key [#]').replace(/ model=\w+$/, ''));
    return [{ step: 'answers', answered }, { step: 'said', lines }, ...(await countsOf(target, names))];
  },
});

const inTurn =
  (...calls: readonly WireCase[]) =>
  async (target: Target): Promise<readonly unknown[]> => {
    const answers: unknown[] = [];
    for (const call of calls) answers.push(await ask(target, call));
    return answers;
  };

const input = (values: readonly (number | string)[], more: object = {}, datatype = 'FP32'): object => ({
  inputs: [{ name: 'INPUT0', datatype, shape: [values.length], data: values }],
  ...more,
});
const rows = (values: readonly number[], more: object = {}): object => ({
  ...floats(values, [values.length, 1]),
  ...more,
});
const two = (second?: readonly number[], more: object = {}): object => ({
  inputs: [
    { name: 'INPUT0', datatype: 'FP32', shape: [1], data: [1] },
    ...(second === undefined
      ? []
      : [{ name: 'INPUT1', datatype: 'FP32', shape: [second.length], data: second }]),
  ],
  ...more,
});
const outputs = (...names: readonly string[]): object => ({ outputs: names.map((name) => ({ name })) });

const overGrpc = async ({ grpcPort }: Target, model: string, more: object = {}): Promise<unknown> => {
  const { code, details, response } = await grpcCall(grpcPort, 'ModelInfer', {
    model_name: model,
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n] }],
    raw_input_contents: [Buffer.from([0, 0, 128, 63])],
    ...more,
  });
  return { code, details, response: JSON.stringify(response) };
};

const CASES: readonly ReferenceCase[] = [
  counted('the same request again', ['one'], inTurn(...[1, 1, 2, 1, 2].map((v) => infer('one', input([v]))))),
  counted(
    'requests that differ in what is no tensor',
    ['one'],
    inTurn(
      infer('one', input([10])),
      infer('one', input([10], { id: 'named' })),
      infer('one', input([10], { parameters: { mine: 1 } })),
      infer('one', input([10], { parameters: { priority: 1 } })),
      infer('one', input([10], { parameters: { timeout: 1_000_000 } })),
      infer('one', input([10], { parameters: { binary_data_output: false } })),
    ),
  ),
  counted(
    'all outputs, listed and not',
    ['one'],
    inTurn(infer('one', input([20])), infer('one', input([20], outputs('OUTPUT0', 'RUN')))),
  ),
  counted('over both protocols', ['one'], async (target) => [
    await overGrpc(target, 'one', {}),
    await overGrpc(target, 'one', { id: 'named' }),
    await ask(target, infer('one', input([1]))),
  ]),
  // The first takes so long that all of them have missed the cache before there is an answer in it.
  counted('three at the same time', ['slow'], (target) =>
    together(target, [infer('slow', input([30])), infer('slow', input([30])), infer('slow', input([30]))]),
  ),
  counted('two at the same time, and one after them', ['slow'], async (target) => [
    await together(target, [infer('slow', input([31])), infer('slow', input([31]))]),
    await ask(target, infer('slow', input([31]))),
  ]),
  counted(
    'texts',
    ['bytes'],
    inTurn(
      ...[['a'], ['a'], ['ab', ''], ['a', 'b'], ['a', 'b'], ['']].map((texts) =>
        infer('bytes', input(texts, {}, 'BYTES')),
      ),
    ),
  ),
  counted(
    'batches',
    ['batched'],
    inTurn(
      infer('batched', rows([1, 2])),
      infer('batched', rows([1, 2])),
      infer('batched', rows([1])),
      infer('batched', rows([2])),
      infer('batched', rows([1])),
    ),
  ),
  counted('requests of one dynamic batch', ['dynamic'], (target) =>
    together(target, [infer('dynamic', rows([1])), infer('dynamic', rows([2])), infer('dynamic', rows([3]))]),
  ),
  counted('a dynamic batch of the same ones', ['dynamic'], async (target) => [
    await together(target, [infer('dynamic', rows([7])), infer('dynamic', rows([7]))]),
    await together(target, [infer('dynamic', rows([7])), infer('dynamic', rows([8]))]),
  ]),
  counted('classification', ['labelled'], async (target) => {
    const classes = (count: number): object => ({
      outputs: [{ name: 'OUTPUT0', parameters: { classification: count } }],
    });
    return inTurn(
      infer('labelled', input([1, 3, 2], classes(2))),
      infer('labelled', input([1, 3, 2], classes(2))),
      infer('labelled', input([1, 3, 2], classes(1))),
    )(target);
  }),
  counted(
    'two inputs, one optional',
    ['pair'],
    inTurn(
      infer('pair', two([5])),
      infer('pair', two([5])),
      infer('pair', two([6])),
      infer('pair', two([5], { inputs: [...(two([5]) as { inputs: object[] }).inputs].reverse() })),
    ),
  ),
  counted('no elements', ['empty'], inTurn(infer('empty', input([1])), infer('empty', input([1])))),
  counted(
    'refused requests',
    ['one'],
    inTurn(
      infer('one', { inputs: [] }),
      infer('one', { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] }),
      infer('one', { inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [1] }] }),
    ),
  ),
  counted(
    'versions',
    ['versions'],
    inTurn(
      ...['/versions/1', '/versions/2', '/versions/1', ''].map((version) => ({
        ...infer('versions', input([1])),
        path: `/v2/models/versions${version}/infer`,
      })),
    ),
  ),
  counted('a model that is loaded again', ['one'], async (target) => {
    const before = await ask(target, infer('one', input([40])));
    await ask(target, load('one'));
    return [before, await ask(target, infer('one', input([40])))];
  }),
  counted('a warm-up', ['warm'], inTurn(infer('warm', input([0, 0])), infer('warm', input([0, 0])))),
  ...['over_cached', 'over_plain', 'over_both'].map((name) =>
    counted(
      `an ensemble: ${name}`,
      [name, name === 'over_plain' ? 'plain' : 'one'],
      inTurn(...[50, 50, 51, 50].map((value) => infer(name, input([value])))),
    ),
  ),
  counted('decoupled models', [], inTurn(load('decoupled'), load('over_decoupled'))),
  counted('sequences', [], inTurn(load('sequence'))),
  counted('failures', ['raises'], inTurn(infer('raises', input([1])), infer('raises', input([1])))),
];

const SMALL: readonly ReferenceCase[] = [
  counted(
    'no room for all',
    ['plain', 'one'],
    inTurn(...[1, 2, 3, 1, 2, 3, 3].map((value) => infer('one', input([value])))),
  ),
  counted('an answer larger than the cache', ['one'], async (target) => {
    const many = Array<number>(500).fill(1);
    const answers: unknown[] = [];
    for (let times = 0; times < 2; times += 1)
      answers.push(((await ask(target, infer('one', input(many)))) as [number, string])[1].length);
    return answers;
  }),
];

const scene = (name: string, args: readonly string[], cases: readonly ReferenceCase[]): Scene => ({
  name,
  repositories: () => [models],
  args: ['--model-control-mode=explicit', ...args],
  together: 'caches',
  cases,
});

export const CACHE_SCENES: readonly Scene[] = [
  scene('cache', ['--cache-config=local,size=1048576'], CASES),
  scene('small cache', ['--cache-config=local,size=512'], SMALL),
  scene('no cache', [], CASES.slice(0, 1)),
];
