// What servers do beside answering: log lines of loads and failures, statistics after each kind of failure, changes of
// instances while they serve, system shared memory, trace files, the cache, metrics.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { get, post, reply } from './http-calls.ts';
import { ask, floats, infer, load, together, unload, wait } from './life-calls.ts';
import { MEMORY } from './memory-cases.ts';
import { REGIONS } from './region-cases.ts';
import { saidDuring } from './life-log.ts';
import { hideVolatile, logRecords } from './normalise.ts';
import { answering, codeFile, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { TRACES } from './trace-cases.ts';
import type { WireCase } from './wire-cases.ts';

const SLOW = `class TritonPythonModel:
    def execute(self, requests):
        time.sleep(0.5)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]
`;
const RAISES = answering('raise ValueError("on purpose")');
const cpu = (count: number): string => `instance_group [ { kind: KIND_CPU count: ${count} } ]`;
const batching = (more: string): string => `${ONE_TO_ONE}\nmax_batch_size: 2\n${more}`;
const CHAIN = `platform: "ensemble"\n${ONE_TO_ONE}\nensemble_scheduling { step [ { model_name: "echo" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }`;

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('other', ECHO_MODEL),
  ...pythonFiles('raises', RAISES),
  ...pythonFiles('slow', SLOW, `${ONE_TO_ONE}\n${cpu(1)}`),
  ...pythonFiles(
    'queue',
    SLOW,
    `${batching('dynamic_batching { default_queue_policy { max_queue_size: 1 } }').replace('size: 2', 'size: 1')}\n${cpu(1)}`,
  ),
  ...pythonFiles(
    'late',
    SLOW,
    `${batching('dynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }').replace('size: 2', 'size: 1')}\n${cpu(1)}`,
  ),
  ...pythonFiles('batch', ECHO_MODEL, batching('dynamic_batching { max_queue_delay_microseconds: 200000 }')),
  ...pythonFiles('cached', ECHO_MODEL, `${ONE_TO_ONE}\nresponse_cache { enable: true }`),
  ...pythonFiles('bad_code', 'raise RuntimeError("on purpose")\n'),
  ...pythonFiles('bad_config', ECHO_MODEL, 'max_batch_size: x'),
  ...pythonFiles('bad_batch', ECHO_MODEL, `${ONE_TO_ONE}\nmax_batch_size: -1`),
  ...pythonFiles('no_version', ECHO_MODEL, `${ONE_TO_ONE}\nversion_policy { specific { versions: [ 7 ] } }`),
  'far/config.pbtxt': 'backend: "far"\n',
  'far/1/': '',
  'chain/config.pbtxt': CHAIN,
  'chain/1/': '',
  'lost/config.pbtxt': CHAIN.replace('"echo"', '"nope"'),
  'lost/1/': '',
  'over_bad/config.pbtxt': CHAIN.replace('"echo"', '"bad_code"'),
  'over_bad/1/': '',
  'ring_a/config.pbtxt': CHAIN.replace('"echo"', '"ring_b"'),
  'ring_a/1/': '',
  'ring_b/config.pbtxt': CHAIN.replace('"echo"', '"ring_a"'),
  'ring_b/1/': '',
  ...pythonFiles('changing', ECHO_MODEL, `${ONE_TO_ONE}\n${cpu(1)}`),
};

/** The first load of a Python model may write bytecode beside it, which makes it a changed one. */
async function settle(target: Target, model: string): Promise<void> {
  for (let times = 0; times < 2; times += 1) await reply(target.httpPort, load(model));
}

const logCase = (
  name: string,
  steps: readonly WireCase[],
  settled: readonly string[] = [],
): ReferenceCase => ({
  name: `log of ${name}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const model of settled) await settle(target, model);
    if (settled.length > 0) await wait(2000);
    for (const step of steps) {
      let answered: unknown;
      const said = await saidDuring(
        target,
        async () => {
          const { status, body } = await reply(target.httpPort, step);
          answered = { status, body: hideVolatile(body, target).replace(/(\\n)+At:.*?(?=["}])/s, '') };
        },
        step.name.includes('/unload'),
      );
      answers.push(
        { step: `${step.name.slice(0, 90)} lines`, said },
        { step: step.name.slice(0, 90), answered },
      );
    }
    return answers;
  },
});

const LOGS: readonly ReferenceCase[] = [
  logCase(
    'a model that comes and goes',
    [load('other'), unload('other'), unload('other'), load('other'), load('other')],
    ['other'],
  ),
  ...['bad_code', 'bad_config', 'bad_batch', 'no_version', 'far', 'lost', 'over_bad', 'ring_a', 'nope'].map(
    (model) => logCase(model, [load(model), load(model), unload(model)]),
  ),
  logCase(
    'an ensemble',
    [load('chain'), unload('echo'), load('echo'), load('chain'), unload('chain')],
    ['echo'],
  ),
  logCase(
    'index',
    [
      post('/v2/repository/index', {}),
      post('/v2/repository/index', { ready: true }),
      post('/v2/repository/index', { ready: false }),
    ].slice(1, 2),
  ),
];

interface Counted {
  readonly model_stats: readonly Record<string, unknown>[];
}

/** Counts of the statistics; times are hidden. */
async function countsOf(target: Target, model: string): Promise<string> {
  const { body } = await reply(target.httpPort, get(`/v2/models/${model}/stats`));
  const { model_stats: [found] = [] } = JSON.parse(body) as Counted;
  return JSON.stringify(found).replace(/"(ns|last_inference)":\d+/g, (_, key: string) => `"${key}":"#"`);
}

async function failuresOf(target: Target, model: string): Promise<readonly string[]> {
  const { body } = await reply(target.metricsPort, get('/metrics'));
  return body
    .split('\n')
    .filter((line) => line.includes(`model="${model}"`) && /failure|request_success|count|pending/.test(line))
    .filter((line) => !/nv_inference_\w*(duration|_us)/.test(line))
    .sort();
}

const counted = (name: string, model: string, act: (target: Target) => Promise<unknown>): ReferenceCase => ({
  name: `statistics after ${name}`,
  run: async (target) => {
    await reply(target.httpPort, unload(model));
    await wait(100);
    await reply(target.httpPort, load(model));
    const answered = await act(target);
    await wait(700);
    return [
      { step: 'answers', answered },
      { step: 'statistics', counts: await countsOf(target, model) },
      { step: 'metrics', lines: await failuresOf(target, model) },
    ];
  },
});

const STATISTICS: readonly ReferenceCase[] = [
  counted('nothing', 'echo', async () => []),
  counted('two good ones', 'echo', (target) => together(target, [infer('echo'), infer('echo')])),
  counted('a wrong type', 'echo', (target) =>
    together(target, [
      infer('echo', { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] }),
    ]),
  ),
  counted('a wrong shape', 'echo', (target) => together(target, [infer('echo', floats([1, 2], [1, 2]))])),
  counted('a missing input', 'echo', (target) => together(target, [infer('echo', { inputs: [] })])),
  counted('a failure of the model', 'raises', (target) =>
    together(target, [infer('raises'), infer('raises')]),
  ),
  counted('a full queue', 'queue', (target) =>
    together(
      target,
      [1, 2, 3, 4].map((value) => infer('queue', floats([value], [1, 1]))),
    ),
  ),
  counted('a timeout in the queue', 'late', (target) =>
    together(
      target,
      [1, 2, 3].map((value) => infer('late', floats([value], [1, 1]))),
    ),
  ),
  counted('a batch of two', 'batch', (target) =>
    together(
      target,
      [1, 2].map((value) => infer('batch', floats([value], [1, 1]))),
    ),
  ),
  counted('a batch that is too large', 'batch', (target) =>
    together(target, [infer('batch', floats([1, 2, 3], [3, 1]))]),
  ),
  counted('a miss and a hit', 'cached', (target) => together(target, [infer('cached'), infer('cached')])),
  counted('an ensemble', 'chain', (target) => together(target, [infer('chain'), infer('chain')])),
  counted('a wrong type at an ensemble', 'chain', (target) =>
    together(target, [
      infer('chain', { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }] }),
    ]),
  ),
  counted('an unload while it runs', 'slow', async (target) => {
    const running = ask(target, infer('slow'));
    await wait(100);
    const gone = await ask(target, unload('slow'));
    const refused = await ask(target, infer('slow'));
    const answered = await running;
    await wait(500);
    await reply(target.httpPort, load('slow'));
    return [gone, refused, answered];
  }),
];

async function rewrite(target: Target, model: string, config: string): Promise<void> {
  await writeFile(
    path.join(target.folders[0] ?? '', model, 'config.pbtxt'),
    `backend: "python"\n${config}\n`,
  );
}

const changes: ReferenceCase = {
  name: 'changes of a model that is served',
  run: async (target) => {
    const answers: unknown[] = [];
    await settle(target, 'changing');
    const tell = async (step: string, config: string): Promise<void> => {
      await rewrite(target, 'changing', config);
      const said = await saidDuring(target, async () => {
        answers.push({ step: `${step}: load`, answer: await ask(target, load('changing')) });
      });
      answers.push({ step: `${step}: lines`, said });
      answers.push({ step: `${step}: infer`, answer: await ask(target, infer('changing')) });
      await wait(100);
      const { body } = await reply(target.httpPort, get('/v2/models/changing/config'));
      const { instance_group: groups, parameters } = JSON.parse(body) as Record<string, unknown>;
      answers.push({ step: `${step}: groups`, groups, parameters });
      answers.push({ step: `${step}: statistics`, counts: await countsOf(target, 'changing') });
    };
    await tell('first', `${ONE_TO_ONE}\n${cpu(1)}`);
    await tell('more instances', `${ONE_TO_ONE}\n${cpu(2)}`);
    await tell('fewer instances', `${ONE_TO_ONE}\n${cpu(1)}`);
    await tell('a named group', `${ONE_TO_ONE}\ninstance_group [ { name: "g" kind: KIND_CPU count: 1 } ]`);
    await tell('a bad group', `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU gpus: [ 0 ] } ]`);
    await tell('nothing changed', `${ONE_TO_ONE}\ninstance_group [ { name: "g" kind: KIND_CPU count: 1 } ]`);
    await tell(
      'a parameter',
      `${ONE_TO_ONE}\n${cpu(1)}\nparameters { key: "a" value { string_value: "b" } }`,
    );
    await tell('a broken one', `${ONE_TO_ONE}\nnonsense: 5`);
    await tell('mended', `${ONE_TO_ONE}\n${cpu(1)}`);
    return answers;
  },
};

const shutdown: ReferenceCase = {
  name: 'shutdown while a request runs',
  run: async (target) => {
    const running = ask(target, infer('slow'));
    await wait(150);
    const before = target.log().length;
    const code = await target.stop();
    const lines = target.log().slice(before);
    return [
      { step: 'the running one', answer: await running },
      { step: 'exit code', code },
      { step: 'signal', said: /^Signal \(\d+\) received\.$/m.exec(lines)?.[0] },
      {
        step: 'lines',
        said: logRecords(lines)
          .map(({ level, text }) => `${level} ${hideVolatile(text, target)}`)
          .filter((line) => /Waiting for in-flight|All models are stopped|successfully unloaded/.test(line))
          .sort(),
      },
    ];
  },
};

export const LIFE_SCENE: Scene = {
  name: 'life',
  repositories: () => [{ ...models, 'raises/1/model.py': codeFile(RAISES) }],
  args: [
    '--model-control-mode=explicit',
    '--cache-config=local,size=1048576',
    ...['echo', 'raises', 'slow', 'queue', 'late', 'batch', 'cached', 'chain'].map(
      (name) => `--load-model=${name}`,
    ),
  ],
  argsOf: (_, [folder = '']) => [
    `--trace-config=triton,file=${path.join(folder, '..', `${path.basename(folder)}-trace.json`)}`,
  ],
  endsItself: true,
  cases: [...STATISTICS, MEMORY, REGIONS, ...TRACES, changes, ...LOGS, shutdown],
};
