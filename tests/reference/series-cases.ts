// Series of metrics over the life of a model: from the start of a load on, through a failure, an unload and another load;
// and what is counted where a model with a response cache fails.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, reply } from './http-calls.ts';
import { countsOf } from './flow-counts.ts';
import { ask, floats, infer, load, together, unload, wait } from './life-calls.ts';
import { answering, ECHO_MODEL, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

const CACHED = 'response_cache { enable: true }';
const DYNAMIC = `max_batch_size: 4\ndynamic_batching { max_queue_delay_microseconds: 150000 }`;
const INITIALIZE_MS = 2000;

const slowly = (model: string, more = ''): string =>
  `${model}\n    def initialize(self, args):\n        time.sleep(${INITIALIZE_MS / 1000})\n        ${more}\n`;

/** Fails for negative values: by itself, or as a whole. */
const PICKY = answering(`if first(request).ravel()[0] < 0:
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError("negative"))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
/** So slow that those behind it wait too long. */
const LATE = answering(`time.sleep(0.3)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const RAISING = executing('raise ValueError("on purpose")');

const ONNX_ECHO = graphModel(
  [{ opType: 'Identity', inputs: ['INPUT0'], outputs: ['OUTPUT0'] }],
  [value('INPUT0', 'FP32', ['n'])],
  [value('OUTPUT0', 'FP32', ['n'])],
);

const ensemble = (step: string, more = ''): RepositoryFiles[string] => `platform: "ensemble"
${ONE_TO_ONE}
ensemble_scheduling { step [ { model_name: "${step}" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n${more}`;

const models: RepositoryFiles = {
  ...pythonFiles('slow', slowly(ECHO_MODEL, 'pass')),
  ...pythonFiles('slow_cached', slowly(ECHO_MODEL, 'pass'), `${ONE_TO_ONE}\n${CACHED}`),
  ...pythonFiles('slow_dynamic', slowly(ECHO_MODEL, 'pass'), `${ONE_TO_ONE}\n${DYNAMIC}\n${CACHED}`),
  ...pythonFiles('slow_bad', slowly(ECHO_MODEL, 'raise ValueError("on purpose")')),
  ...pythonFiles(
    'slow_bad_cached',
    slowly(ECHO_MODEL, 'raise ValueError("on purpose")'),
    `${ONE_TO_ONE}\n${CACHED}`,
  ),
  ...pythonFiles('bad_code', 'raise RuntimeError("on purpose")\n'),
  ...pythonFiles('bad_config', ECHO_MODEL, 'max_batch_size: x'),
  ...pythonFiles('bad_batch', ECHO_MODEL, `${ONE_TO_ONE}\nmax_batch_size: -1`),
  'far/config.pbtxt': 'backend: "far"\n',
  'far/1/': '',
  'bad_onnx/config.pbtxt': `backend: "onnxruntime"\n${ONE_TO_ONE}`,
  'bad_onnx/1/model.onnx': 'no model',
  'bare_onnx/config.pbtxt': 'backend: "onnxruntime"\n',
  'bare_onnx/1/model.onnx': 'no model',
  'good_onnx/config.pbtxt': `backend: "onnxruntime"\n${ONE_TO_ONE}`,
  'good_onnx/1/model.onnx': ONNX_ECHO,
  'other_onnx/config.pbtxt': `backend: "onnxruntime"\n${ONE_TO_ONE.replace('FP32', 'INT32')}`,
  'other_onnx/1/model.onnx': ONNX_ECHO,
  'few_onnx/config.pbtxt': `backend: "onnxruntime"\n${ONE_TO_ONE.replace('[ {', '[ { name: "INPUT1" data_type: TYPE_FP32 dims: [ -1 ] }, {')}`,
  'few_onnx/1/model.onnx': ONNX_ECHO,
  'over_slow/config.pbtxt': ensemble('slow'),
  'over_slow/1/': '',
  'over_cached/config.pbtxt': ensemble('slow_cached', CACHED),
  'over_cached/1/': '',
  'over_bad/config.pbtxt': ensemble('slow_bad'),
  'over_bad/1/': '',
  ...pythonFiles('picky', PICKY, `${ONE_TO_ONE}\n${CACHED}`),
  ...pythonFiles('picky_dynamic', PICKY, `${ONE_TO_ONE}\n${DYNAMIC}\n${CACHED}`),
  ...pythonFiles('raising', RAISING, `${ONE_TO_ONE}\n${CACHED}`),
  ...pythonFiles('raising_dynamic', RAISING, `${ONE_TO_ONE}\n${DYNAMIC}\n${CACHED}`),
  ...pythonFiles(
    'late',
    LATE,
    `${ONE_TO_ONE}\nmax_batch_size: 1\ndynamic_batching { default_queue_policy { default_timeout_microseconds: 50000 } }\n${CACHED}`,
  ),
  'over_picky/config.pbtxt': ensemble('picky'),
  'over_picky/1/': '',
  'over_picky_cached/config.pbtxt': ensemble('picky', CACHED),
  'over_picky_cached/1/': '',
};

/** Of newer servers, and one that this release has for decoupled models only. */
const NEWER = /^nv_(model_load_duration_secs|inference_first_response_histogram_ms)/;

/** Slow enough to be looked at while they are loaded. */
const SLOW = new Set(['slow', 'slow_cached', 'slow_dynamic', 'slow_bad', 'slow_bad_cached']);

/** Every series that names the model; durations are "some" or 0. */
async function seriesOf(target: Target, model: string): Promise<readonly string[]> {
  const { body } = await reply(target.metricsPort, get('/metrics'));
  return body
    .split('\n')
    .filter((line) => line.includes(`model="${model}"`) && !NEWER.test(line))
    .map((line) =>
      line.replace(/^(nv_\w*(?:_us|_ms|_sum|_secs|duration\w*|summary\w*)\{.*\}) \S*[1-9]\S*$/, '$1 some'),
    )
    .sort();
}

/** Which series there are at the start of a load and in its middle, and the status of the load. */
async function whileLoaded(target: Target, model: string): Promise<object> {
  const seen: string[][] = [];
  const state = { isDone: false };
  const loading = reply(target.httpPort, load(model)).finally(() => (state.isDone = true));
  while (!state.isDone) {
    const names = (await seriesOf(target, model)).map((line) => line.replace(/\{.*\}/, ''));
    if (names.join() !== seen.at(-1)?.join()) seen.push(names);
    await wait(50);
  }
  return { status: (await loading).status, ...(SLOW.has(model) ? { seen: seen.slice(0, 2) } : {}) };
}

const life = (model: string, alsoUnloads: readonly string[] = []): ReferenceCase => ({
  name: `series of ${model}`,
  run: async (target) => {
    const answers: object[] = [];
    const look = async (step: string): Promise<void> => {
      answers.push({ step, lines: await seriesOf(target, model) });
    };
    for (const time of ['the first', 'the second']) {
      answers.push({ step: `${time} load`, ...(await whileLoaded(target, model)) });
      await look(`after ${time} load`);
      const { status } = await reply(target.httpPort, infer(model, floats([1])));
      answers.push({ step: `${time} request`, status });
      await wait(200);
      await look(`after ${time} request`);
      for (const one of [model, ...alsoUnloads]) await ask(target, unload(one));
      await wait(2500);
      await look(`after ${time} unload`);
    }
    return answers;
  },
});

const values = (...numbers: readonly number[]): object[] => numbers.map((number) => floats([number]));
const rows = (...numbers: readonly number[]): object[] => numbers.map((number) => floats([number], [1, 1]));

/**
 * Requests one after another, then some at once; the last model is loaded first. No request that fails is sent twice:
 * the reference answers the second with what it has kept of the first, which is no error.
 */
const failing = (
  name: string,
  counted: readonly string[],
  bodies: readonly object[],
  atOnce: readonly object[],
): ReferenceCase => ({
  name: `misses of ${name}`,
  run: async (target) => {
    const [model = ''] = counted;
    for (const one of counted.toReversed()) await ask(target, load(one));
    const answers: object[] = [];
    for (const [index, body] of bodies.entries())
      answers.push({ step: `answer ${index + 1}`, answer: await ask(target, infer(model, body)) });
    await wait(300);
    answers.push(...(await countsOf(target, counted)));
    const answer = await together(
      target,
      atOnce.map((body) => infer(model, body)),
    );
    answers.push({ step: 'at once', answer });
    // Numbers of the whole cache are renewed once a second.
    await wait(2500);
    answers.push(...(await countsOf(target, counted)));
    const { body } = await reply(target.metricsPort, get('/metrics'));
    const lines = body.split('\n').filter((line) => /^nv_cache_num_(hits|misses|lookups) /.test(line));
    return [...answers, { step: 'the whole cache', lines }];
  },
});

const scene = (name: string, args: readonly string[], cases: readonly ReferenceCase[]): Scene => ({
  name: `series ${name}`,
  repositories: () => [models],
  args: ['--model-control-mode=explicit', ...args],
  together: 'series',
  cases,
});

const CACHE = '--cache-config=local,size=1048576';
const on = (family: string): string => `--metrics-config=${family}_latencies=true`;

export const SERIES_SCENES: readonly Scene[] = [
  {
    ...scene(
      'of lives of ONNX models',
      [CACHE],
      ['bad_onnx', 'bare_onnx', 'other_onnx', 'few_onnx', 'good_onnx'].map((model) => life(model)),
    ),
    needs: 'onnxruntime',
  },
  {
    ...scene(
      'of lives',
      [CACHE],
      [
        ...[
          'slow',
          'slow_cached',
          'slow_dynamic',
          'slow_bad',
          'slow_bad_cached',
          'bad_code',
          'bad_config',
          'bad_batch',
          'far',
        ].map((model) => life(model)),
        life('over_slow', ['slow']),
        life('over_cached', ['slow_cached']),
        life('over_bad'),
      ],
    ),
  },
  scene(
    'of lives, all families',
    [CACHE, on('summary'), on('histogram')],
    [life('slow'), life('slow_cached'), life('slow_bad')],
  ),
  scene(
    'of failures',
    [CACHE],
    [
      failing('picky', ['picky'], values(1, -1, 1, -2), values(1, -3, -4)),
      failing('picky in batches', ['picky_dynamic'], rows(1, -1, 1, -2, 3), rows(4, -3, 5, -4)),
      failing('raising', ['raising'], values(1, 2), values(3, 4)),
      failing('raising in batches', ['raising_dynamic'], rows(1, 2), rows(3, 4, 5)),
      failing('late ones', ['late'], rows(1, 1), rows(2, 3, 4, 5, 6)),
      failing('a step', ['over_picky', 'picky'], values(11, -11, 11, -12), values(11, -13, -14)),
      failing(
        'a step and its ensemble',
        ['over_picky_cached', 'picky'],
        values(21, -21, 21, -22),
        values(21, -23),
      ),
    ],
  ),
  scene(
    'of failures, summaries',
    [CACHE, on('summary')],
    [failing('picky with summaries', ['picky'], values(1, -1, 1), values(-2, 2))],
  ),
];
