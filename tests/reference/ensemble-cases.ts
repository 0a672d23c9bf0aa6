// Requests to ensembles of models that tell how they were asked, and the statistics that they leave.

import { ENSEMBLE_FILES, ENSEMBLES_IN_USE } from './ensemble-models.ts';
import { exchange } from './exchange.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

interface Body {
  readonly [member: string]: unknown;
}
const ints = (name: string, data: readonly number[], shape: readonly number[] = [1, data.length]): Body => ({
  name,
  datatype: 'INT32',
  shape,
  data,
});
const texts = (name: string, data: readonly string[], shape: readonly number[] = [1, data.length]): Body => ({
  name,
  datatype: 'BYTES',
  shape,
  data,
});
const a = (...data: readonly number[]): Body => ({ inputs: [ints('A', data)] });
const shaped = (shape: readonly number[]): Body => ({
  inputs: [
    ints(
      'A',
      Array.from({ length: shape.reduce((x, y) => x * y, 1) }, (_, at) => at),
      shape,
    ),
  ],
});
const FAILURES = [-1, -3, -4, -5, -6, -8].map((value) => a(value, 2));
const sequence = (id: number | string, flags: string, value = 1): Body => ({
  ...a(value),
  parameters: {
    sequence_id: id,
    ...(flags.includes('s') ? { sequence_start: true } : {}),
    ...(flags.includes('e') ? { sequence_end: true } : {}),
  },
});
const SEQUENCES: readonly Body[] = [
  sequence(5, ''),
  sequence(5, 's'),
  sequence(5, ''),
  sequence(5, 'e'),
  sequence(5, 'e'),
  sequence(6, 's', -1),
  sequence(6, ''),
  sequence(6, 'e', -4),
  sequence(0, 's'),
  a(1),
  { ...sequence(7, 'se'), inputs: [ints('A', [1, 2], [2, 1])] },
];
const PARAMETERS: readonly Body[] = [
  { ...a(1), id: 'an id' },
  { ...a(1), id: 'p', parameters: { x: 'text', n: 5, yes: true, d: 1.5 } },
  { ...a(1), parameters: { priority: 1, timeout: 9_000_000 } },
  { ...a(1), parameters: { priority: 7 } },
  { ...a(1), parameters: { sequence_id: 9, sequence_start: true, sequence_end: true } },
  { ...a(1), parameters: { sequence_id: 'nine', sequence_start: true } },
  { ...a(1), parameters: { triton_x: 1 } },
];
const outputs = (...names: readonly string[]): Body => ({
  ...a(1, 2),
  outputs: names.map((name) => ({ name })),
});
const SHAPES = [[1, 4], [3, 2], [8, 1], [9, 1], [0, 2], [2, 0], [2], [1, 2, 2], [4, 4]].map(shaped);

const REQUESTS: Readonly<Record<string, readonly Body[]>> = {
  e_chain: [
    a(1, 2),
    ...FAILURES,
    ...PARAMETERS,
    ...SHAPES,
    outputs('Z'),
    outputs('T'),
    outputs('T', 'Z'),
    outputs('m'),
    outputs('nope'),
    { inputs: [] },
    { inputs: [ints('X', [1])] },
    { inputs: [{ ...ints('A', [1]), datatype: 'FP32' }] },
  ],
  e_told: [...FAILURES, ...PARAMETERS],
  e_small: [...SHAPES],
  e_into_whole: [...SHAPES, ...FAILURES],
  e_into_list: [...SHAPES, a(1)],
  e_whole_of_batches: [...SHAPES, ...FAILURES],
  e_list_of_batches: [[1], [4], [0], [1, 2], [3, 2]].map(shaped),
  e_out_and_in: [...SHAPES],
  e_branches: [
    { inputs: [ints('A', [1, 2]), ints('B', [10, 20])] },
    { inputs: [ints('A', [1, 2]), ints('B', [10])] },
    { inputs: [ints('A', [1, 2, 3, 4], [2, 2]), ints('B', [10, 20], [1, 2])] },
    { inputs: [ints('A', [1, 2]), ints('B', [-1, 20])] },
    { inputs: [ints('A', [-1, 2]), ints('B', [1, 20])] },
    { inputs: [ints('A', [-3, 2]), ints('B', [1, 20])] },
    { inputs: [ints('A', [1, 2]), ints('B', [-3, 20])] },
    { inputs: [ints('A', [-6, 2]), ints('B', [1, 20])] },
    { inputs: [ints('A', [1, 2])] },
    { inputs: [ints('A', [1, 2]), ints('B', [10, 20])], outputs: [{ name: 'T' }] },
    { inputs: [ints('A', [1, 2]), ints('B', [10, 20])], outputs: [{ name: 'Z' }] },
    { inputs: [ints('A', [1, 2]), ints('B', [-1, 20])], outputs: [{ name: 'T' }] },
  ],
  e_optional: [
    a(1, 2),
    { inputs: [ints('A', [1, 2]), ints('B', [10, 20])] },
    { inputs: [ints('B', [10, 20]), ints('A', [1, 2])] },
    { inputs: [ints('B', [10, 20])] },
  ],
  e_optional_needed: [a(1, 2), { inputs: [ints('A', [1, 2]), ints('B', [10, 20])] }],
  e_queue: [a(1), ...PARAMETERS, ...FAILURES],
  e_sequence: [...SEQUENCES],
  e_sequences: [...SEQUENCES],
  e_nested: [a(1, 2), ...FAILURES, ...PARAMETERS.slice(0, 3)],
  e_reshaped: [a(1, 2, 3, 4), a(1, 2), shaped([3, 4]), a(-4, 1, 1, 1)],
  e_classes: [
    { ...a(5, 9, 7), outputs: [{ name: 'Z', parameters: { classification: 2 } }] },
    { ...a(5, 9, 7, 11), outputs: [{ name: 'Z', parameters: { classification: 9 } }] },
    { ...shaped([2, 3]), outputs: [{ name: 'Z', parameters: { classification: 1 } }] },
    { ...a(-1, 9, 7), outputs: [{ name: 'Z', parameters: { classification: 1 } }] },
  ],
  e_texts: [
    { inputs: [texts('A', ['', 'ä', 'long '.repeat(50)])] },
    { inputs: [texts('A', ['a', 'b', 'c', 'd'], [2, 2])] },
    { inputs: [texts('A', [], [1, 0])] },
    { inputs: [ints('A', [1])] },
  ],
  e_overwriting_both: [
    { inputs: [ints('A', [1, 2]), ints('B', [10, 20])] },
    { inputs: [ints('A', [1, 2]), ints('B', [10, 20])] },
  ],
  e_passing: [a(1, 2), outputs('A'), outputs('Z')],
  e_inner: [a(1, 2), outputs('m'), outputs('Z', 'm'), a(-3, 1), a(-6, 1)],
};

/** A name stands once in an object: the reference repeats these for each output. */
const REPEATED = /("sequence_id":[^,]*,"sequence_start":\w+,"sequence_end":\w+)(,\1)+/g;
const told = (answer: unknown): unknown =>
  (answer as readonly unknown[]).map((part) =>
    typeof part === 'string' ? part.replace(REPEATED, '$1') : part,
  );

interface Counts {
  readonly inference_count: number;
  readonly execution_count: number;
  readonly inference_stats: Readonly<Record<string, { readonly count: number }>>;
  readonly batch_stats: readonly {
    readonly batch_size: number;
    readonly compute_infer: { readonly count: number };
  }[];
}
type Numbers = Readonly<Record<string, number>>;

/** Every number of the statistics that is no time, by a name. */
async function countsOf(target: Target, model: string): Promise<Numbers> {
  const { body } = await exchange(target.httpPort, get(`/v2/models/${model}/stats`));
  const [found] = (JSON.parse(body) as { model_stats?: Counts[] }).model_stats ?? [];
  if (found === undefined) return {};
  return Object.fromEntries([
    ['inferences', found.inference_count],
    ['executions', found.execution_count],
    ...Object.entries(found.inference_stats).map(([name, { count }]) => [name, count] as const),
    ...found.batch_stats.map(
      ({ batch_size: size, compute_infer: { count } }) => [`of ${size}`, count] as const,
    ),
  ]);
}
const grown = (before: Numbers, after: Numbers): Numbers =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));

/** Ensembles whose load fails answer that; models are loaded on demand so that statistics are those of the case. */
const inUse = (name: string): ReferenceCase => ({
  name: `ensemble in use ${name}`,
  run: async (target) => {
    const answers: unknown[] = [{ step: 'load', answer: await ask(target, load(name)) }];
    const counted = [name, 'tell', 'tell_too', 'tell_queue', 'tell_sequence', 'whole'].filter(
      (model) => model === name || (ENSEMBLES_IN_USE[name] ?? '').includes(`"${model}"`),
    );
    const before = await Promise.all(counted.map((model) => countsOf(target, model)));
    for (const body of REQUESTS[name] ?? []) {
      const { inputs = [], ...rest } = body as { inputs?: readonly Body[] };
      const brief = [...inputs.map(({ name: of, shape, data }) => [of, shape, (data as unknown[])[0]]), rest];
      answers.push({
        step: JSON.stringify(brief),
        answer: told(await ask(target, post(`/v2/models/${name}/infer`, body))),
      });
    }
    await wait(200);
    for (const [at, model] of counted.entries())
      answers.push({
        step: `counts of ${model}`,
        counts: grown(before[at] ?? {}, await countsOf(target, model)),
      });
    return answers;
  },
});

const burst = (name: string, bodies: readonly Body[], gapMs = 60): ReferenceCase => ({
  name: `ensemble in use ${name}, a burst`,
  run: async (target) => {
    const running: Promise<unknown>[] = [];
    for (const body of bodies) {
      running.push(ask(target, post(`/v2/models/${name}/infer`, body)).then(told));
      await wait(gapMs);
    }
    return Promise.all(running);
  },
});

const overGrpc: ReferenceCase = {
  name: 'ensembles over gRPC',
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const name of ['e_chain', 'e_sequence', 'e_nested', 'e_optional'])
      for (const value of [1, -1, -3])
        for (const parameters of [
          {},
          { x: { string_param: 'y' }, n: { int64_param: 5 } },
          { sequence_id: { int64_param: 3 }, sequence_start: { bool_param: true } },
          { sequence_id: { string_param: 'text' }, sequence_start: { bool_param: true } },
        ]) {
          const { code, details, response } = await grpcCall(grpcPort, 'ModelInfer', {
            model_name: name,
            id: 'g',
            parameters,
            inputs: [{ name: 'A', datatype: 'INT32', shape: [1, 1], contents: { int_contents: [value] } }],
          });
          answers.push({ step: JSON.stringify([name, value, parameters]), code, details, response });
        }
    return answers;
  },
};

const timed = (value: number, timeout: number): Body => ({ ...a(value), parameters: { timeout } });

export const ENSEMBLE_SCENE: Scene = {
  name: 'ensembles',
  repositories: sameFor(ENSEMBLE_FILES),
  args: ['--model-control-mode=explicit'],
  restarts: true,
  cases: [
    ...Object.keys(ENSEMBLES_IN_USE).map(inUse),
    burst('e_queue', [a(-7), timed(1, 100_000), timed(1, 3_000_000), a(1)]),
    burst('e_sequence', [sequence(21, 's', -7), sequence(21, ''), sequence(21, 'e'), sequence(22, 's', -7)]),
    overGrpc,
  ],
};
