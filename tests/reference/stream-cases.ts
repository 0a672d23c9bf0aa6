// Streams of inference over gRPC with several requests in flight: decoupled models, ordinary ones, sequences and ensembles
// mixed, faults between them, cancellations, deadlines.

import { grpcCall } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask, wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { Move, StreamOptions } from './stream-exchange.ts';
import { playStream } from './stream-exchange.ts';
import type { Message } from './stream-models.ts';
import { FINAL, play, slow, stepOf, STREAM_MODELS } from './stream-models.ts';

const stream = (name: string, moves: readonly Move[], options: StreamOptions = {}): ReferenceCase => ({
  name: `stream: ${name}`,
  run: ({ grpcPort }) => playStream(grpcPort, moves, options),
});
const ERRORS = { metadata: { triton_grpc_error: 'true' } };
const model = (name: string, more: Message = {}): Message => ({
  ...play('m', '1 f'),
  model_name: name,
  ...more,
});

/** What one request may make of a stream. */
const ALONE: readonly string[] = [
  'f',
  '1 f',
  'f1',
  '1 2 3 f',
  '1 2 f3',
  'e f',
  'fe',
  '1 e f',
  '1 e 2 f3',
  'e e f',
  'here 1 2 f',
  'here f1',
  'here f',
  'here e f',
  '1 s100 2 s100 f',
  's100 f',
  '1 f 2',
  '1 f f',
  'f1 f2',
];
const alone = ALONE.flatMap((words) => [
  stream(`plays ${words}`, [play('a', words)]),
  stream(`plays ${words}, with its end`, [play('a', words, FINAL)]),
  stream(`plays ${words}, with gRPC errors`, [play('a', words, FINAL)], ERRORS),
]);

const mixed: readonly ReferenceCase[] = [
  stream('no id', [play('', '1 f', FINAL), slow('', 0)]),
  stream('an id of odd letters', [play('ä\n"x', '1 f', FINAL), slow('ä\n"x', 0)]),
  stream('the same id twice', [play('a', '1 s200 2 f', FINAL), 80, play('a', '3 f', FINAL)]),
  stream('two at once', [play('a', '1 s200 2 f', FINAL), 80, play('b', '3 s200 4 f', FINAL)]),
  stream('five at once', [
    ...[1, 2, 3, 4, 5].flatMap((at): Move[] => [play(`r${at}`, `${at} s300 ${at}0 f`, FINAL), 40]),
  ]),
  stream('ordinary ones leave in order', [slow('a', 300), slow('b', 20), slow('c', 0)]),
  stream('an ordinary one that fails leaves in order', [slow('a', 300), slow('b', -20), slow('c', 0)]),
  stream('a refused one passes by', [slow('a', 300), slow('b', 0, { model_name: 'nope' }), slow('c', 0)]),
  stream('a decoupled one passes by', [slow('a', 300), play('b', '1 f', FINAL), slow('c', 0)]),
  stream('a slow decoupled one is passed by', [play('b', 's300 1 f', FINAL), slow('a', 0), slow('c', 50)]),
  stream('a decoupled one that fails passes by', [slow('a', 300), play('b', 'e f', FINAL)]),
  stream('half-closed at once', [play('a', 's200 1 s200 2 f', FINAL), 'end']),
  stream('an ordinary one that asks for its end', [slow('a', 0, FINAL), slow('b', -1, FINAL)]),
  stream('models that are none', [
    model('nope'),
    model(''),
    model('player', { model_version: '7' }),
    model('player', { model_version: 'x' }),
    model('player', { model_version: '-1' }),
    model('player', { model_version: '1' }),
  ]),
  stream('faulty requests of a decoupled model', [
    model('player', { inputs: [], raw_input_contents: [] }),
    model('player', { raw_input_contents: [] }),
    model('player', { raw_input_contents: [Buffer.from([1, 2])] }),
    model('player', { inputs: [{ name: 'X', datatype: 'BYTES', shape: [1] }] }),
    model('player', { inputs: [{ name: 'PLAY', datatype: 'INT32', shape: [1] }] }),
    model('player', { inputs: [{ name: 'PLAY', datatype: 'BYTES', shape: [2] }] }),
    model('player', { outputs: [{ name: 'X' }] }),
    model('player', { parameters: { triton_x: { bool_param: true } } }),
    model('player', { parameters: { triton_enable_empty_final_response: { int64_param: 1 } } }),
    model('player', { parameters: { triton_enable_empty_final_response: { bool_param: false } } }),
    model('player', { parameters: { priority: { int64_param: -1 } } }),
    model('player', { parameters: { sequence_id: { bool_param: true } } }),
  ]),
  stream('outputs by name', [
    play('a', '1 2 f', { ...FINAL, outputs: [{ name: 'OUT' }] }),
    300,
    play('b', '1 f', { ...FINAL, outputs: [{ name: 'TEXT' }, { name: 'OUT' }] }),
    300,
    play('c', '1 e f', { ...FINAL, outputs: [{ name: 'TEXT' }] }),
  ]),
  stream('classes of a decoupled model', [
    play('a', '1 2 f', {
      ...FINAL,
      outputs: [{ name: 'OUT', parameters: { classification: { int64_param: 1 } } }],
    }),
  ]),
  stream('a version that is named', [
    play('a', '1 e f', { ...FINAL, model_version: '1' }),
    300,
    slow('b', 0, { model_version: '1' }),
    slow('c', -1, { model_version: '1' }),
  ]),
  stream('parameters of the request', [
    play('a', '1 f', {
      parameters: {
        ...(FINAL['parameters'] as object),
        x: { string_param: 'y' },
        n: { int64_param: 5 },
        sequence_id: { int64_param: 9 },
        sequence_start: { bool_param: true },
      },
    }),
    300,
    slow('b', 0, {
      parameters: {
        x: { string_param: 'y' },
        sequence_id: { int64_param: 9 },
        sequence_start: { bool_param: true },
        sequence_end: { bool_param: false },
      },
    }),
  ]),
  stream('rows of a decoupled model', [
    play('a', '1 f', FINAL, 'rows'),
    300,
    play('b', 'e f', FINAL, 'rows'),
  ]),
];

const failing: readonly ReferenceCase[] = [
  stream(
    'gRPC errors: refused, then a good one',
    [slow('a', 0, { model_name: 'nope' }), slow('b', 0)],
    ERRORS,
  ),
  stream('gRPC errors: the model fails, then a good one', [slow('a', -1), 300, slow('b', 0)], ERRORS),
  stream(
    'gRPC errors: a decoupled one fails beside others',
    [play('a', '1 s400 2 f', FINAL), 100, play('b', '3 e f', FINAL), 100, slow('c', 0)],
    ERRORS,
  ),
  stream(
    'gRPC errors: ordinary ones before and behind',
    [slow('a', 300), slow('b', -10), slow('c', 0)],
    ERRORS,
  ),
  stream(
    'gRPC errors: a wrong input',
    [slow('a', 0, { inputs: [{ name: 'X', datatype: 'INT32', shape: [1] }] })],
    ERRORS,
  ),
];

const sequences: readonly ReferenceCase[] = ['sums', 'oldest'].flatMap((name) => [
  stream(`sequence of ${name}`, [stepOf(name, 1, 1, 's'), stepOf(name, 1, 2), stepOf(name, 1, 3, 'e')]),
  stream(`sequences of ${name} in turns`, [
    ...[11, 12, 13].flatMap((id) => [stepOf(name, id, id, 's')]),
    ...[11, 12, 13].flatMap((id) => [stepOf(name, id, 1), stepOf(name, id, 2)]),
    ...[13, 12, 11].flatMap((id) => [stepOf(name, id, 3, 'e')]),
  ]),
  stream(`sequences of ${name} that wait for a place`, [
    ...[21, 22, 23, 24, 25, 26].flatMap((id) => [stepOf(name, id, id, 's'), stepOf(name, id, 1)]),
    100,
    ...[21, 22, 23, 24, 25, 26].flatMap((id) => [stepOf(name, id, 3, 'e'), 60]),
  ]),
  stream(`sequences of ${name} with faults`, [
    stepOf(name, 31, 1),
    stepOf(name, 31, 1, 's'),
    stepOf(name, 31, 5, 's'),
    stepOf(name, 31, 1, 'e'),
    stepOf(name, 31, 1),
    stepOf(name, 32, 4, 'se'),
    stepOf(name, 0, 4, 'se'),
    slow('x', 1, {}, name),
  ]),
]);
const decoupledSequences: readonly ReferenceCase[] = [
  stream('sequence of a decoupled model', [
    stepOf('counts', 1, 2, 's', FINAL['parameters'] as Message),
    stepOf('counts', 1, 0, '', FINAL['parameters'] as Message),
    stepOf('counts', 1, 1, '', FINAL['parameters'] as Message),
    stepOf('counts', 1, 3, 'e', FINAL['parameters'] as Message),
  ]),
  stream('sequence of a decoupled model without start', [
    stepOf('counts', 4, 2, ''),
    stepOf('counts', 4, 2, 'se'),
  ]),
];

const WORDS = [
  'f',
  '1 f',
  'f1',
  '1 2 3 f',
  '1 2 f3',
  'e f',
  '1 e f',
  '1 e 2 f',
  '5 s100 6 s100 f7',
  'here 1 2 f',
];
/** Behind `played` stands a step that takes so many ms: whether it or the end comes first is made plain. */
const ENDS_LAST = WORDS.map((words) => words.replace(/ e/, ' s600 e').replace(/ f$/, ' s600 f'));
const ENDS_FIRST = ['600 f', '1 600 f', '1 2 600 f', 'f600', '1 f600', 'here 1 600 f'];
const ensembles: readonly ReferenceCase[] = [
  ['alone', WORDS] as const,
  ['played', [...ENDS_LAST, ...ENDS_FIRST]] as const,
].flatMap(([name, texts]) => [
  ...texts.map((words) => stream(`ensemble ${name} plays ${words}`, [play('a', words, FINAL, name)])),
  stream(
    `ensemble ${name} plays 1 e s600 f with gRPC errors`,
    [play('a', '1 e s600 f', FINAL, name)],
    ERRORS,
  ),
]);
const moreEnsembles: readonly ReferenceCase[] = [
  stream('ensemble with a step that fails behind a decoupled one', [play('a', '1 -5 3 f', FINAL, 'played')]),
  stream('ensemble with a step that fails first', [play('a', '-5 200 f', FINAL, 'played')]),
  stream('ensemble of two decoupled steps', [play('a', '1,f s100 2,3,f s100 f s100 f', FINAL, 'twice')]),
  stream('ensembles at once', [
    play('a', '1 s600 2 s600 f', FINAL, 'played'),
    300,
    play('b', '3 s600 4 s600 f', FINAL, 'played'),
  ]),
  stream('an ensemble without its end', [play('a', '1 2 f', {}, 'played')]),
  stream('an ensemble with outputs by name', [
    play('a', '1 2 f', { ...FINAL, outputs: [{ name: 'OUTPUT0' }] }, 'played'),
    300,
    play('b', '1 2 f', { ...FINAL, outputs: [{ name: 'told' }] }, 'played'),
  ]),
];

const cancelled = (name: string, moves: readonly Move[], options: StreamOptions = {}): ReferenceCase => ({
  name: `stream cancelled: ${name}`,
  run: async ({ grpcPort }) => {
    const seen = await playStream(grpcPort, moves, options);
    await wait(1500);
    return [...seen, ...(await playStream(grpcPort, [play('n', 'notes f')]))];
  },
});
const cancellations: readonly ReferenceCase[] = [
  cancelled('by the client', [play('a', '1 c f'), 300, 'cancel']),
  cancelled('by its deadline', [play('a', '1 c f'), 800], { deadlineMs: 500 }),
  cancelled('by an error', [play('a', '1 c f'), 200, play('b', 'e f'), 200], ERRORS),
  cancelled('with two in flight', [play('a', '1 c f'), play('b', 's100 c f'), 300, 'cancel']),
  cancelled('through an ensemble', [play('a', '1 c f', {}, 'alone'), 300, 'cancel']),
  cancelled('while ordinary ones wait', [slow('a', 400), slow('b', 400), slow('c', 0), 100, 'cancel']),
];

const refused: ReferenceCase = {
  name: 'decoupled models without a stream',
  run: async (target: Target) => {
    const answers: unknown[] = [];
    for (const name of ['player', 'rows', 'counts', 'played', 'alone']) {
      const { code, details } = await grpcCall(target.grpcPort, 'ModelInfer', {
        ...play('a', '1 f', {}, name),
      });
      answers.push({ step: `gRPC ${name}`, code, details });
      const inputs = [{ name: 'PLAY', datatype: 'BYTES', shape: [1], data: ['1 f'] }];
      answers.push({
        step: `HTTP ${name}`,
        answer: await ask(target, post(`/v2/models/${name}/infer`, { inputs })),
      });
    }
    const asFinal = await grpcCall(target.grpcPort, 'ModelInfer', slow('a', 0, FINAL));
    return [...answers, { step: 'an ordinary one that asks for its end', asFinal }];
  },
};

const generated: ReferenceCase = {
  name: 'generate of decoupled models',
  run: async (target) => {
    const answers: unknown[] = [];
    for (const name of ['player', 'alone', 'played'])
      for (const verb of ['generate', 'generate_stream'])
        for (const words of ALONE) {
          if (words.includes('f 2') || words.includes('f f') || words.includes('f1 f2')) continue;
          answers.push({
            step: `${name}/${verb} ${words}`,
            answer: await ask(target, post(`/v2/models/${name}/${verb}`, { id: 'g', PLAY: words })),
          });
        }
    return answers;
  },
};

const many: ReferenceCase = {
  name: 'streams: many at once',
  run: ({ grpcPort }) =>
    Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        playStream(grpcPort, [play(`a${at}`, `${at} s50 ${at} f`, FINAL), 300, slow(`b${at}`, at)]),
      ),
    ),
};

export const STREAM_SCENE: Scene = {
  name: 'streams',
  repositories: sameFor(STREAM_MODELS),
  restarts: true,
  cases: [
    ...alone,
    ...mixed,
    ...failing,
    ...sequences,
    ...decoupledSequences,
    ...ensembles,
    ...moreEnsembles,
    refused,
    generated,
    many,
    ...cancellations,
  ],
};
