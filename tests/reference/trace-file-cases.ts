// Which trace files there are once a server has ended, and what stands in them, under the settings of its command line and
// changes of them while it runs.

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, together, wait } from './life-calls.ts';
import { answering, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { modelsOf, tracesOf } from './trace-cases.ts';

const ensemble = (...steps: readonly string[]): string => `platform: "ensemble"\n${ONE_TO_ONE}
ensemble_scheduling { step [ ${steps.join(', ')} ] }\n`;
const step = (model: string, from: string, to: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" } output_map { key: "OUTPUT0" value: "${to}" } }`;
/** Calls two others on behalf of its request. */
const CALLS =
  answering(`calls = [pb_utils.InferenceRequest(model_name=name, requested_output_names=["OUTPUT0"], inputs=request.inputs(), trace=request.trace()).exec() for name in ("echo", "chain")]
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", calls[1].output_tensors()[0].as_numpy())])`);
const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('other', ECHO_MODEL),
  ...pythonFiles(
    'batch',
    ECHO_MODEL,
    `${ONE_TO_ONE}\nmax_batch_size: 4\ndynamic_batching { max_queue_delay_microseconds: 300000 }`,
  ),
  ...pythonFiles('sequence', ECHO_MODEL, `${ONE_TO_ONE}\nsequence_batching { direct {} }`),
  ...pythonFiles('oldest', ECHO_MODEL, `${ONE_TO_ONE}\nmax_batch_size: 2\nsequence_batching { oldest {} }`),
  ...pythonFiles('calls', CALLS),
  'mixed/config.pbtxt': ensemble(step('chain', 'INPUT0', 'm'), step('sequence', 'm', 'OUTPUT0')),
  'mixed/1/': '',
  'chain/config.pbtxt': ensemble(step('echo', 'INPUT0', 'm'), step('other', 'm', 'OUTPUT0')),
  'chain/1/': '',
};

const BASE = 'trace.json';
const fileOf = (folder: string): string => path.join(folder, BASE);

const about = (text: string): object => ({ models: modelsOf(text), traces: tracesOf(text) });

/** What was done, then the files after the server has ended. */
export const ended = (name: string, act: (target: Target) => Promise<readonly unknown[]>): ReferenceCase => ({
  name: `trace files, ${name}`,
  run: async (target) => {
    const answers = await act(target);
    await wait(200);
    const code = await target.stop();
    const [folder = ''] = target.folders;
    const names = (await readdir(folder)).filter((one) => one.startsWith(BASE)).sort();
    const files = names.map(async (one) => ({
      step: one,
      ...about(await readFile(path.join(folder, one), 'utf8')),
    }));
    return [{ step: 'answers', answers, code, names }, ...(await Promise.all(files))];
  },
});

const echoes =
  (count: number) =>
  async (target: Target): Promise<readonly unknown[]> => {
    for (let times = 0; times < count; times += 1) await ask(target, infer('echo', floats([1])));
    return [await settings(target)];
  };
const hidden = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\\"trace_file\\":\\"[^"]*\\"/g, '\\"trace_file\\":\\"#\\"'));
const settings = async (target: Target): Promise<unknown> =>
  hidden(await ask(target, get('/v2/trace/setting')));
const set = async (target: Target, body: object, model = ''): Promise<unknown> =>
  hidden(await ask(target, post(`/v2${model === '' ? '' : `/models/${model}`}/trace/setting`, body)));

const option = (text: string): string => `--trace-config=${text}`;
const scene = (
  name: string,
  options: readonly string[],
  act: (target: Target) => Promise<readonly unknown[]>,
): Scene => ({
  name: `trace files ${name}`,
  repositories: () => [models],
  argsOf: (_, [folder = '']) => [
    option(`triton,file=${fileOf(folder)}`),
    option('level=TIMESTAMPS'),
    ...options.map(option),
  ],
  endsItself: true,
  together: 'trace files',
  cases: [ended(name, act)],
});

export const TRACE_FILE_SCENES: readonly Scene[] = [
  scene('at the end', ['rate=1'], async (target) => [
    await ask(target, infer('echo', { id: 'named', ...floats([1]) })),
    await ask(target, infer('chain', floats([1]))),
    await together(
      target,
      [1, 2].map((value) => infer('batch', floats([value], [1, 1]))),
    ),
  ]),
  scene('every second, two of them', ['rate=2', 'count=2'], echoes(6)),
  scene('two to a file, three of them', ['rate=1', 'count=3', 'triton,log-frequency=2'], echoes(5)),
  scene('tensors too', ['rate=1', 'level=TENSORS'], async (target) => [
    await ask(target, infer('chain', floats([1, 2.5]))),
  ]),
  scene(
    'sequences and what others ask, each by itself',
    ['rate=1', 'level=TENSORS', 'triton,log-frequency=1'],
    async (target) => {
      const parameters = { sequence_id: 1, sequence_start: true, sequence_end: true };
      return [
        await ask(target, infer('sequence', { ...floats([1]), parameters })),
        await ask(target, infer('sequence', floats([1]))),
        await ask(target, infer('oldest', { ...floats([1], [1, 1]), parameters })),
        await ask(target, infer('mixed', { ...floats([1]), parameters })),
        await ask(target, infer('calls', floats([1]))),
      ];
    },
  ),
  scene('a remainder when settings change', ['rate=1', 'triton,log-frequency=3'], async (target) => [
    ...(await echoes(2)(target)),
    await set(target, { log_frequency: '5' }),
    ...(await echoes(1)(target)),
    await set(target, { trace_level: ['OFF'] }),
    ...(await echoes(1)(target)),
  ]),
  scene('settings of one model', ['rate=1'], async (target) => [
    await set(target, { trace_count: '1', log_frequency: '1' }, 'echo'),
    ...(await echoes(2)(target)),
    await ask(target, infer('other', floats([1]))),
    await set(target, { trace_count: null }, 'echo'),
    ...(await echoes(1)(target)),
  ]),
];
