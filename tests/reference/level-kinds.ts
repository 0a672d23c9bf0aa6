// Queue policies of every making: which load, what is told of those that do not, and what happens to requests of every
// priority and timeout in those that do, with the counts and the reasons of failures afterwards.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { answering, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** Sleeps as many tenths of a second as the first value says. */
const SLOW = answering(`time.sleep(float(first(request).ravel()[0]) / 10)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const LEVELS = 'priority_levels: 3 default_priority_level: 2';
const of = (key: number | string, text: string): string =>
  `priority_queue_policy { key: ${key} value { ${text} } }`;

const POLICIES: Readonly<Record<string, string>> = {
  'levels without a default': 'priority_levels: 3',
  'a default of 0': 'priority_levels: 3 default_priority_level: 0',
  'a default beyond': 'priority_levels: 3 default_priority_level: 4',
  'a default without levels': 'default_priority_level: 1',
  'a default of 0 without levels': 'default_priority_level: 0',
  'a level of 0': `${LEVELS} ${of(0, 'max_queue_size: 1')}`,
  'a level beyond': `${LEVELS} ${of(4, 'max_queue_size: 1')}`,
  'a level without levels': of(1, 'max_queue_size: 1'),
  'a level twice': `${LEVELS} ${of(1, 'max_queue_size: 1')} ${of(1, 'max_queue_size: 2')}`,
  'an empty level': `${LEVELS} priority_queue_policy {}`,
  'very many levels': 'priority_levels: 18446744073709551615 default_priority_level: 18446744073709551615',
  'one level': 'priority_levels: 1 default_priority_level: 1',
  'a size of 0': 'default_queue_policy { max_queue_size: 0 }',
  'a size of 1': 'default_queue_policy { max_queue_size: 1 }',
  'the largest size': 'default_queue_policy { max_queue_size: 4294967295 }',
  'a size beyond': 'default_queue_policy { max_queue_size: 4294967296 }',
  'a size below': 'default_queue_policy { max_queue_size: -1 }',
  'an action of a number': 'default_queue_policy { timeout_action: 1 default_timeout_microseconds: 100000 }',
  'an unknown action': 'default_queue_policy { timeout_action: DROP }',
  'an action that is no number': 'default_queue_policy { timeout_action: 7 }',
  'a timeout of 0': 'default_queue_policy { default_timeout_microseconds: 0 allow_timeout_override: true }',
  'a timeout of 1': 'default_queue_policy { default_timeout_microseconds: 1 }',
  'a timeout of 1, delayed': 'default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 1 }',
  'the largest timeout': 'default_queue_policy { default_timeout_microseconds: 18446744073709551615 }',
  'a timeout beyond': 'default_queue_policy { default_timeout_microseconds: 18446744073709551616 }',
  'a timeout that may be shorter':
    'default_queue_policy { default_timeout_microseconds: 300000 allow_timeout_override: true }',
  'a timeout of some levels': `${LEVELS} ${of(1, 'default_timeout_microseconds: 100000')} ${of(3, 'default_timeout_microseconds: 100000 timeout_action: DELAY')}`,
  'an override of some levels': `${LEVELS} ${of(1, 'allow_timeout_override: true')} default_queue_policy { max_queue_size: 2 }`,
  'order and levels': `preserve_ordering: true ${LEVELS}`,
  'order and delayed ones':
    'preserve_ordering: true default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 100000 }',
  'a preferred size beyond': 'preferred_batch_size: [ 99 ]',
  'a preferred size of 0': 'preferred_batch_size: [ 0 ]',
  'a preferred size below': 'preferred_batch_size: [ -1 ]',
  'no preferred size': 'preferred_batch_size: [ ]',
  'a preferred size twice': 'preferred_batch_size: [ 2, 2 ]',
  'the largest delay': 'max_queue_delay_microseconds: 18446744073709551615 preferred_batch_size: [ 1 ]',
  'two policies': 'default_queue_policy {} default_queue_policy {}',
};
const titles = Object.keys(POLICIES);
const nameOf = (title: string): string => `l_${titles.indexOf(title)}`;
const models: RepositoryFiles = Object.assign(
  {},
  ...titles.map((title) =>
    pythonFiles(
      nameOf(title),
      SLOW,
      `${ONE_TO_ONE}\nmax_batch_size: 1\ninstance_group [ { kind: KIND_CPU count: 1 } ]\ndynamic_batching { ${POLICIES[title]} }`,
    ),
  ),
);

interface Sent {
  readonly takes: number;
  readonly parameters?: Readonly<Record<string, number>>;
  readonly by?: 'grpc';
}
/** The first one holds the instance. */
const SENT: readonly Sent[] = [
  { takes: 7 },
  { takes: 0, parameters: { priority: 3 } },
  { takes: 0, parameters: { timeout: 50_000 } },
  { takes: 0, parameters: { priority: 1 } },
  { takes: 0, parameters: { priority: 9 }, by: 'grpc' },
  { takes: 0, parameters: { priority: 1, timeout: 10_000_000 } },
  { takes: 0, parameters: { priority: 0 } },
  { takes: 0 },
];

function send(target: Target, model: string, { takes, parameters = {}, by }: Sent): Promise<unknown> {
  if (by === 'grpc')
    return grpcCall(target.grpcPort, 'ModelInfer', {
      model_name: model,
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1n, 1n] }],
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [name, { uint64_param: BigInt(value) }]),
      ),
      raw_input_contents: [Buffer.from(Float32Array.of(takes).buffer)],
    });
  const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [takes] }];
  return ask(target, post(`/v2/models/${model}/infer`, { parameters, inputs }));
}

/** Policies of levels come in any order. */
function read(answer: unknown): unknown {
  const [status, body] = answer as [number, string];
  return status === 200 ? (JSON.parse(body) as unknown) : answer;
}

const asked = (title: string): ReferenceCase => ({
  name: `policies: ${title}`,
  run: async (target) => {
    const model = nameOf(title);
    const answers: unknown[] = [
      { step: 'load', answer: await ask(target, load(model)) },
      { step: 'config', answer: read(await ask(target, get(`/v2/models/${model}/config`))) },
    ];
    const running: Promise<unknown>[] = [];
    for (const one of SENT) {
      running.push(send(target, model, one));
      await wait(40);
    }
    for (const [at, answer] of (await Promise.all(running)).entries())
      answers.push({ step: `request ${at}`, answer });
    await wait(200);
    answers.push(...(await countsOf(target, [model])));
    await ask(target, unload(model));
    return answers;
  },
});

export const LEVEL_SCENE: Scene = {
  name: 'policies of every kind',
  repositories: sameFor(models),
  args: ['--model-control-mode=explicit'],
  atOnce: 3,
  cases: titles.map(asked),
};
