// What the log tells at --log-verbose=2 of models that come and go, of sequences, and of the server's start and end.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { post } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { hideVolatile, logRecords } from './normalise.ts';
import { answering, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

const batching = (more: string): string =>
  `${ONE_TO_ONE}\nmax_batch_size: 2\ninstance_group [ { kind: KIND_CPU count: 1 } ]\n${more}`;
const IDLE = 'max_sequence_idle_microseconds: 2000000';
const SLOW = answering(
  'time.sleep(0.4)\nresponse = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])',
);

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...pythonFiles('two', ECHO_MODEL, `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU count: 2 } ]`),
  ...pythonFiles('named', ECHO_MODEL, `${ONE_TO_ONE}\ninstance_group [ { name: "g" kind: KIND_CPU } ]`),
  ...pythonFiles('bad', 'raise RuntimeError("on purpose")\n'),
  ...pythonFiles('direct', ECHO_MODEL, batching(`sequence_batching { ${IDLE} }`)),
  ...pythonFiles(
    'oldest',
    SLOW,
    batching(`sequence_batching { ${IDLE} oldest { max_candidate_sequences: 1 } }`),
  ),
  ...pythonFiles('dynamic', ECHO_MODEL, batching('dynamic_batching { preferred_batch_size: [ 2 ] }')),
  ...pythonFiles(
    'rich',
    ECHO_MODEL,
    `${ONE_TO_ONE}
version_policy { all {} }
parameters { key: "b" value { string_value: "\\303\\274\\"\\n" } }
parameters { key: "a" value { string_value: "" } }
metric_tags { key: "k" value: "v" }
optimization { priority: PRIORITY_MAX input_pinned_memory { enable: false } }
model_warmup { name: "w" inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 2 ] zero_data: true } } }
model_transaction_policy { decoupled: false }`,
  ),
  'chain/config.pbtxt': `platform: "ensemble"\n${ONE_TO_ONE}\nensemble_scheduling { step [ { model_name: "echo" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n`,
  'chain/1/': '',
};

/** Records that both servers have; each tells of its own threads, queues and libraries besides. */
const OF_MODELS =
  /AsyncLoad|AsyncUnload|CreateModel|OnLoad|OnDestroy|oading|loaded|Creating instance|Created model|Re-using|(Starting|Stopping) backend thread|TRITONBACKEND_Model(Initialize|Finalize|InstanceInitialize: \S+ \(CPU|InstanceFinalize)|Server side/;
const OF_SEQUENCES = /CORRID|Freeing|conflict|Removing|Cleaning/;
/** Idle sequences that ended meanwhile are looked at again there, and found gone. */
const AGAIN = /Reaper: ignoring stale|Reaper: CORRID|force-end timed-out/;

function recordsOf(target: Target, from: number, pattern: RegExp): readonly string[] {
  return logRecords(target.log().slice(from))
    .map(({ level, text }) => `${level} ${hideVolatile(text, target)}`)
    .filter((line) => pattern.test(line) && !AGAIN.test(line))
    .map((line) => line.replace(/^I "(Server side auto-completed config: )"/, 'I $1').replace(/\n+$/, ''));
}

/** The process of an instance takes its time to end. */
async function untilSaid(target: Target, from: number, text: string): Promise<void> {
  const limit = Date.now() + 15_000;
  while (!target.log().slice(from).includes(text) && Date.now() < limit) await wait(100);
}

const told = (name: string, pattern: RegExp, act: (target: Target) => Promise<unknown>): ReferenceCase => ({
  name: `records of ${name}`,
  run: async (target) => {
    const before = target.log().length;
    const answered = await act(target);
    await wait(400);
    if (/^unload of (?!bad|nope)/.test(name)) await untilSaid(target, before, 'successfully unloaded');
    const lines = recordsOf(target, before, pattern);
    // The processes of instances begin and end side by side.
    return [
      { step: 'answers', answered },
      { step: 'lines', lines: pattern === OF_MODELS ? [...lines].sort() : lines },
    ];
  },
});

const step = (
  model: string,
  id: number | string,
  flags: string,
  more: object = {},
): ReturnType<typeof infer> =>
  infer(model, {
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [1] }],
    parameters: { sequence_id: id, sequence_start: flags.includes('s'), sequence_end: flags.includes('e') },
    ...more,
  });
const inTurn =
  (...calls: readonly ReturnType<typeof infer>[]) =>
  async (target: Target): Promise<unknown> => {
    const answers: unknown[] = [];
    for (const call of calls) answers.push(await ask(target, call));
    return answers;
  };
const overlapping =
  (...calls: readonly ReturnType<typeof infer>[]) =>
  async (target: Target): Promise<unknown> => {
    const running: Promise<unknown>[] = [];
    for (const call of calls) {
      running.push(ask(target, call));
      await wait(60);
    }
    return Promise.all(running);
  };

const LOADS = ['echo', 'two', 'named', 'bad', 'dynamic', 'rich', 'chain'].map((model) =>
  told(`load of ${model}`, OF_MODELS, (target) => ask(target, load(model))),
);
const UNLOADS = ['chain', 'two', 'named', 'rich', 'dynamic', 'bad', 'nope'].map((model) =>
  told(`unload of ${model}`, OF_MODELS, (target) => ask(target, unload(model))),
);

const SEQUENCES: readonly ReferenceCase[] = [
  told('load of direct and oldest', OF_MODELS, async (target) => [
    await ask(target, load('direct')),
    await ask(target, load('oldest')),
  ]),
  told(
    'a direct sequence',
    OF_SEQUENCES,
    inTurn(step('direct', 1, 's'), step('direct', 1, ''), step('direct', 1, 'e')),
  ),
  told(
    'two direct sequences and a text',
    OF_SEQUENCES,
    inTurn(
      step('direct', 1, 's'),
      step('direct', 'tëxt', 's', { id: 'named' }),
      step('direct', 'tëxt', 'e', { id: 'named' }),
      step('direct', 1, 'e'),
    ),
  ),
  told(
    'a sequence that is started twice',
    OF_SEQUENCES,
    inTurn(step('direct', 5, 's'), step('direct', 5, 's'), step('direct', 5, 'e'), step('direct', 5, '')),
  ),
  told('a direct sequence of one', OF_SEQUENCES, inTurn(step('direct', 6, 'se'))),
  told('a direct sequence that goes quiet', OF_SEQUENCES, async (target) => {
    const first = await ask(target, step('direct', 7, 's'));
    await wait(3500);
    return [first, await ask(target, step('direct', 7, ''))];
  }),
  told(
    'oldest sequences that wait',
    OF_SEQUENCES,
    overlapping(
      step('oldest', 1, 's', { id: 'a' }),
      step('oldest', 2, 's', { id: 'b' }),
      step('oldest', 2, 'e', { id: 'c' }),
      step('oldest', 3, 'se'),
      step('oldest', 1, 'e', { id: 'd' }),
    ),
  ),
  told('an oldest sequence that goes quiet', OF_SEQUENCES, async (target) => {
    const first = await ask(target, step('oldest', 8, 's'));
    await wait(3500);
    return [first, await ask(target, step('oldest', 8, ''))];
  }),
  told('unload of direct', OF_MODELS, (target) => ask(target, unload('direct'))),
];

const START: ReferenceCase = {
  name: 'records of the start',
  run: async (target) => {
    const text = hideVolatile(target.log(), target);
    const of = (pattern: RegExp): string[] => text.split('\n').filter((line) => pattern.test(line));
    return [
      {
        step: 'calls',
        lines: of(/Ready for RPC/)
          .map((line) => line.replaceAll('"', ''))
          .sort(),
      },
      { step: 'keepalive', lines: of(/^\| (GRPC Keep|keepalive|http2|max_conn)/) },
      {
        step: 'services',
        lines: of(/Started (GRPCInference|HTTP|Metrics )Service at/).map((line) => line.split(' at')[0]),
      },
      { step: 'handlers', lines: of(/Thread started for/).sort() },
      { step: 'pool', lines: of(/Pinned memory pool (disabled|is created)/) },
    ];
  },
};

const END: ReferenceCase = {
  name: 'records of the end',
  run: async (target) => {
    await ask(target, post('/v2/repository/index'));
    const before = target.log().length;
    const code = await target.stop();
    const lines = recordsOf(
      target,
      before,
      /Timeout|Waiting for in|All models|successfully unloaded| v1: UNLOADING/,
    );
    return [
      { step: 'exit code', code },
      // How many seconds a process takes to end is its own affair.
      {
        step: 'lines',
        lines: [...new Set(lines.map((line) => line.replace(/Timeout \d+/, 'Timeout #')))].sort(),
      },
    ];
  },
};

export const RECORD_SCENE: Scene = {
  name: 'records',
  repositories: () => [models],
  args: [
    '--model-control-mode=explicit',
    '--log-verbose=2',
    '--pinned-memory-pool-byte-size=0',
    '--grpc-max-connection-age=3600000',
  ],
  together: 'waiting',
  endsItself: true,
  cases: [START, ...LOADS, ...SEQUENCES, ...UNLOADS, END],
};
