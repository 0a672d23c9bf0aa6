// Trace files about requests that are no plain success: failures at every place, late and refused ones, hits of the cache,
// streams of decoupled models, ensembles with a step that fails or is cached, and settings that differ by model.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcCall, grpcStream } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, together, unload, wait } from './life-calls.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { ended } from './trace-file-cases.ts';

const CACHED = 'response_cache { enable: true }';
const step = (model: string, from: string, to: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
const ensemble = (steps: readonly string[], more = ''): string =>
  `platform: "ensemble"\n${ONE_TO_ONE}\n${more}\nensemble_scheduling { step [ ${steps.join(', ')} ] }\n`;
const REPEATS = executing(`for request in requests:
    sender = request.get_response_sender()
    for at in range(int(first(request)[0])):
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([at], np.float32))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
const PICKY = answering(`if first(request).ravel()[0] < 0:
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError("negative"))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const SLOW = answering(`time.sleep(0.5)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('other', ECHO_MODEL),
  ...pythonFiles('picky', PICKY),
  ...pythonFiles('raises', answering('raise ValueError("on purpose")')),
  ...pythonFiles('cached', ECHO_MODEL, `${ONE_TO_ONE}\n${CACHED}`),
  ...pythonFiles(
    'cached_batch',
    ECHO_MODEL,
    `${ONE_TO_ONE}\nmax_batch_size: 2\ndynamic_batching {}\n${CACHED}`,
  ),
  ...pythonFiles('repeats', REPEATS, `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`),
  ...pythonFiles(
    'late',
    SLOW,
    `${ONE_TO_ONE}\nmax_batch_size: 1\ninstance_group [ { kind: KIND_CPU } ]\ndynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }`,
  ),
  ...pythonFiles('numbered', ECHO_MODEL, `${ONE_TO_ONE}\nsequence_batching { direct {} }`),
  'over_picky/config.pbtxt': ensemble([
    step('echo', 'INPUT0', 'a'),
    step('picky', 'a', 'b'),
    step('other', 'b', 'OUTPUT0'),
  ]),
  'over_picky/1/': '',
  'over_cached/config.pbtxt': ensemble([step('cached', 'INPUT0', 'a'), step('echo', 'a', 'OUTPUT0')]),
  'over_cached/1/': '',
  'cached_over/config.pbtxt': ensemble([step('echo', 'INPUT0', 'OUTPUT0')], CACHED),
  'cached_over/1/': '',
  'over_over/config.pbtxt': ensemble([
    step('over_cached', 'INPUT0', 'a'),
    step('over_cached', 'a', 'OUTPUT0'),
  ]),
  'over_over/1/': '',
};

const hidden = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\\"trace_file\\":\\"[^"]*\\"/g, '\\"trace_file\\":\\"#\\"'));
const set = async (target: Target, body: object, model = ''): Promise<unknown> =>
  hidden(await ask(target, post(`/v2${model === '' ? '' : `/models/${model}`}/trace/setting`, body)));
const settings = async (target: Target, model = ''): Promise<unknown> =>
  hidden(await ask(target, get(`/v2${model === '' ? '' : `/models/${model}`}/trace/setting`)));

const message = (model: string, value: number, more: object = {}): Record<string, unknown> => ({
  model_name: model,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n] }],
  raw_input_contents: [Buffer.from(Float32Array.of(value).buffer)],
  ...more,
});

const scene = (
  name: string,
  options: readonly string[],
  act: (target: Target) => Promise<readonly unknown[]>,
): Scene => ({
  name: `trace kinds ${name}`,
  repositories: () => [models],
  args: ['--cache-config=local,size=1048576', '--model-control-mode=explicit', '--load-model=*'],
  argsOf: (_, [folder = '']) => [
    `--trace-config=triton,file=${folder}/trace.json`,
    ...options.map((option) => `--trace-config=${option}`),
  ],
  endsItself: true,
  together: 'trace kinds',
  cases: [ended(name, act)] satisfies readonly ReferenceCase[],
});
const ALL = ['level=TIMESTAMPS', 'rate=1'];

// A request that is refused for its inputs leaves a trace that the reference never writes: not asked.
export const TRACE_KIND_SCENES: readonly Scene[] = [
  scene('failures', [...ALL, 'triton,log-frequency=1'], async (target) => [
    await ask(target, infer('picky', floats([-1]))),
    await ask(target, infer('raises', floats([1]))),
    await ask(target, infer('nope', floats([1]))),
    await ask(target, infer('numbered', floats([1]))),
    await ask(target, infer('repeats', floats([1]))),
    await ask(target, post('/v2/models/echo/infer', '{')),
    await grpcCall(target.grpcPort, 'ModelInfer', message('picky', -1, { id: 'g' })),
    await ask(target, infer('over_picky', floats([-1]))),
    await ask(target, infer('over_picky', floats([1]))),
  ]),
  scene('failures, with tensors', [...ALL, 'level=TENSORS'], async (target) => [
    await ask(target, infer('picky', floats([-1]))),
    await ask(target, infer('over_picky', floats([-1]))),
    await ask(target, infer('echo', floats([], [0]))),
    await grpcCall(target.grpcPort, 'ModelInfer', {
      ...message('echo', 0, { id: 'none' }),
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [0n] }],
      raw_input_contents: [Buffer.alloc(0)],
    }),
  ]),
  scene('tensors alone', ['level=TENSORS', 'rate=1'], async (target) => [
    await ask(target, infer('echo', floats([1, 2]))),
    await ask(target, infer('over_cached', floats([1]))),
  ]),
  scene('late', ALL, async (target) => [
    await together(
      target,
      [1, 2, 3].map((value) => infer('late', { id: `r${value}`, ...floats([value], [1, 1]) })),
    ),
  ]),
  scene('hits of the cache', [...ALL, 'triton,log-frequency=1'], async (target) => [
    await ask(target, infer('cached', floats([1]))),
    await ask(target, infer('cached', floats([1]))),
    await ask(target, infer('cached_batch', floats([1], [1, 1]))),
    await ask(target, infer('cached_batch', floats([1], [1, 1]))),
    await ask(target, infer('over_cached', floats([1]))),
    await ask(target, infer('cached_over', floats([1]))),
    await ask(target, infer('cached_over', floats([1]))),
    await ask(target, infer('over_over', floats([9]))),
  ]),
  scene(
    'hits of the cache, with tensors',
    ['level=TENSORS', ...ALL, 'triton,log-frequency=1'],
    async (target) => [
      await ask(target, infer('cached', floats([1]))),
      await ask(target, infer('cached', floats([1]))),
      await ask(target, infer('cached_over', floats([1]))),
      await ask(target, infer('cached_over', floats([1]))),
    ],
  ),
  // Each on a stream of its own: which of several ends first is chance.
  scene('streams', [...ALL, 'level=TENSORS'], async (target) => {
    const answers: unknown[] = [];
    for (const one of [
      message('repeats', 0),
      message('repeats', 2, { id: 's' }),
      message('echo', 1),
      message('nope', 1),
      message('picky', -1),
    ])
      answers.push(await grpcStream(target.grpcPort, [one]));
    return answers;
  }),
  scene('rates of two', ['level=TIMESTAMPS', 'rate=2', 'triton,log-frequency=2'], async (target) => {
    const answers: unknown[] = [];
    for (const model of ['echo', 'other', 'over_cached', 'echo', 'picky', 'other', 'over_cached', 'echo'])
      answers.push(await ask(target, infer(model, floats([1]))));
    return answers;
  }),
  scene('settings by model', ['level=TIMESTAMPS', 'rate=1000'], async (target) => {
    const answers: unknown[] = [
      await set(target, { trace_rate: '1' }, 'echo'),
      await set(
        target,
        { trace_level: ['TIMESTAMPS', 'TENSORS'], trace_rate: '1', trace_count: '2' },
        'other',
      ),
    ];
    for (const model of ['echo', 'other', 'over_cached', 'other', 'other', 'cached'])
      answers.push(await ask(target, infer(model, floats([1]))));
    answers.push(await settings(target, 'other'), await settings(target));
    answers.push(await set(target, { trace_rate: '1' }));
    for (const model of ['cached', 'other', 'over_picky'])
      answers.push(await ask(target, infer(model, floats([2]))));
    answers.push(await set(target, { trace_count: '1' }, 'over_picky'));
    answers.push(
      await ask(target, infer('over_picky', floats([2]))),
      await ask(target, infer('over_picky', floats([2]))),
    );
    answers.push(await settings(target, 'over_picky'));
    answers.push(await set(target, { trace_level: null, trace_rate: null, trace_count: null }, 'other'));
    answers.push(await ask(target, infer('other', floats([3]))));
    return answers;
  }),
  scene('counts that run out', ['level=TIMESTAMPS', 'rate=1', 'count=2'], async (target) => {
    const answers: unknown[] = [];
    for (const model of ['over_cached', 'echo', 'other'])
      answers.push(await ask(target, infer(model, floats([1]))));
    answers.push(await settings(target));
    answers.push(await set(target, { trace_count: '1' }));
    answers.push(
      await ask(target, infer('other', floats([1]))),
      await ask(target, infer('other', floats([1]))),
    );
    answers.push(await settings(target), await set(target, { trace_count: '0' }));
    answers.push(await ask(target, infer('echo', floats([1]))), await settings(target));
    return answers;
  }),
  // Of those that are whole the second and the fourth are traced; the others count for nothing.
  scene('refused before it is sampled', ['level=TIMESTAMPS', 'rate=2'], async (target) => {
    const answers: unknown[] = [];
    for (const more of [
      { raw_input_contents: [] },
      { id: 'first' },
      { parameters: { triton_own: { bool_param: true } } },
      { outputs: [{ name: 'OUTPUT0', parameters: { shared_memory_region: { string_param: 'nope' } } }] },
      { id: 'second' },
      { inputs: [{ name: 'INPUT0' }, { name: 'INPUT0' }] },
      { id: 'third' },
      { raw_input_contents: [] },
      { id: 'fourth' },
    ])
      answers.push(await grpcCall(target.grpcPort, 'ModelInfer', message('echo', 1, more)));
    answers.push(await settings(target));
    return answers;
  }),
  scene('a model that goes', ALL, async (target) => {
    const answers: unknown[] = [await set(target, { trace_count: '5', log_frequency: '2' }, 'echo')];
    answers.push(await ask(target, infer('echo', floats([1]))), await ask(target, unload('echo')));
    await wait(2500);
    answers.push(await settings(target, 'echo'));
    answers.push(await ask(target, load('echo')), await settings(target, 'echo'));
    answers.push(await ask(target, infer('echo', floats([1]))));
    return answers;
  }),
];
