// Implicit states through the life of sequences: several of them, growing ones, one buffer for both, sequences that meet in a
// batch, end and begin again, are idle too long, wait for a place, and models that are loaded anew meanwhile.

import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { Step } from './state-steps.ts';
import { end, LIFE, MEETING, of, RELOADS, start, WRONG } from './state-steps.ts';

interface Kept {
  readonly type?: DataType;
  readonly batching: string;
  readonly steps: readonly Step[];
  readonly size?: number;
  readonly instances?: number;
  readonly dims?: string;
  readonly graph?: 'sum' | 'grows' | 'two' | 'swap';
  readonly outputs?: readonly string[];
  /** Sent 60 ms apart, without waiting for answers. */
  readonly overlaps?: true;
}

const state = (more = '', type = 'INT32', suffix = '', dims = '[ 1 ]'): string =>
  `state { input_name: "STATE${suffix}" output_name: "STATE_OUT${suffix}" data_type: TYPE_${type} dims: ${dims} ${more} }`;
const zero = (type = 'INT32', dims = '[ 1 ]'): string =>
  `initial_state { name: "zero" data_type: TYPE_${type} dims: ${dims} zero_data: true }`;
const filed = (file: string, type = 'INT32', dims = '[ 1 ]'): string =>
  `initial_state { name: "filed" data_type: TYPE_${type} dims: ${dims} data_file: "${file}" }`;
const LONG = 'max_sequence_idle_microseconds: 60000000';
const SUM = `${LONG} ${state(zero())}`;

const IDLE = (strategy: string): Kept => ({
  batching: `max_sequence_idle_microseconds: 500000 ${state(zero())} ${strategy}`,
  steps: [
    start(1, of(1)),
    { id: 1, data: [2] },
    { id: 1, data: [3], after: 1700 },
    start(1, of(4)),
    start(2, of(10)),
    { id: 1, data: [5] },
    end(1, of(6)),
    end(2, of(20)),
  ],
});
const TYPES: readonly DataType[] = ['FP32', 'INT64', 'FP64', 'INT32', 'UINT32', 'UINT64'];
const STRATEGIES = { direct: '', oldest: 'oldest { max_candidate_sequences: 2 }' };

const KEPT: Readonly<Record<string, Kept>> = {
  ...Object.fromEntries(
    Object.entries(STRATEGIES).flatMap(([name, strategy]) => [
      [`life, ${name}`, { batching: `${SUM} ${strategy}`, steps: LIFE }],
      [`life without batches, ${name}`, { batching: `${SUM} ${strategy}`, steps: LIFE, size: 0 }],
      [`meeting, ${name}`, { batching: `${SUM} ${strategy}`, steps: MEETING, overlaps: true as const }],
      [
        `meeting where they wait for a place, ${name}`,
        { batching: `${SUM} ${strategy}`, steps: MEETING, size: 1, overlaps: true as const },
      ],
      [`reloads, ${name}`, { batching: `${SUM} ${strategy}`, steps: RELOADS }],
      [`idle, ${name}`, IDLE(strategy)],
      [`wrong, ${name}`, { batching: `${SUM} ${strategy}`, steps: WRONG }],
      [
        `one buffer, ${name}`,
        {
          batching: `${LONG} ${state(`${zero()} use_same_buffer_for_input_output: true`)} ${strategy}`,
          steps: LIFE,
        },
      ],
      [
        `one buffer, meeting, ${name}`,
        {
          batching: `${LONG} ${state(`${zero()} use_same_buffer_for_input_output: true`)} ${strategy}`,
          steps: MEETING,
          overlaps: true as const,
        },
      ],
      [`out of a file, ${name}`, { batching: `${LONG} ${state(filed('ones'))} ${strategy}`, steps: LIFE }],
      [
        `two, ${name}`,
        {
          batching: `${LONG} ${state(zero())} ${state(filed('ones'), 'INT32', '2')} ${strategy}`,
          steps: MEETING,
          graph: 'two',
          outputs: ['OUTPUT', 'OUTPUT2'],
          overlaps: true as const,
        },
      ],
      [
        `growing, ${name}`,
        {
          batching: `${LONG} ${state(zero(), 'INT32', '', '[ -1 ]')} ${strategy}`,
          steps: LIFE,
          graph: 'grows',
          dims: '[ -1 ]',
        },
      ],
      [
        `growing and asked for, ${name}`,
        {
          batching: `${LONG} ${state(zero(), 'INT32', '', '[ -1 ]')} ${strategy}`,
          steps: LIFE,
          graph: 'grows',
          dims: '[ -1 ]',
          size: 1,
          outputs: ['OUTPUT', 'STATE_OUT'],
        },
      ],
      [
        `growing out of a file, ${name}`,
        {
          batching: `${LONG} ${state(filed('many', 'INT32', '[ 3 ]'), 'INT32', '', '[ -1 ]')} ${strategy}`,
          steps: LIFE,
          graph: 'grows',
          dims: '[ -1 ]',
        },
      ],
    ]),
  ),
  ...Object.fromEntries(
    TYPES.map((type) => [
      `of ${type}`,
      { batching: `${LONG} ${state(filed('many', type), type)}`, steps: LIFE, type },
    ]),
  ),
  'two instances': { batching: SUM, steps: MEETING, instances: 2, size: 1, overlaps: true },
  'two instances, oldest': {
    batching: `${SUM} oldest { max_candidate_sequences: 1 }`,
    steps: MEETING,
    instances: 2,
    size: 2,
    overlaps: true,
  },
  'swapped names': {
    batching: `${LONG} ${state(zero())} ${state(filed('ones'), 'INT32', '2')}`,
    steps: LIFE,
    graph: 'swap',
    outputs: ['OUTPUT', 'OUTPUT2'],
  },
  'candidates in a backlog': {
    batching: `${SUM} oldest { max_candidate_sequences: 1 preserve_ordering: true }`,
    steps: MEETING,
    overlaps: true,
  },
  'candidates that wait for a batch': {
    batching: `${SUM} oldest { max_candidate_sequences: 3 max_queue_delay_microseconds: 300000 preferred_batch_size: [ 2 ] }`,
    steps: MEETING,
    overlaps: true,
  },
};

const named = (names: readonly string[], type: DataType, dims: readonly (number | string)[]) =>
  names.map((name) =>
    value(
      name,
      type,
      dims.map((dim) => (dim === '?' ? `${name}0` : dim)),
    ),
  );

function graphOf({ graph = 'sum', type = 'INT32', size = 4 }: Kept): Uint8Array {
  const lead = size === 0 ? [] : ['batch'];
  const axis = BigInt(lead.length);
  if (graph === 'grows')
    return graphModel(
      [
        { opType: 'Concat', inputs: ['STATE', 'INPUT'], outputs: ['OUTPUT'], attributes: { axis } },
        { opType: 'Identity', inputs: ['OUTPUT'], outputs: ['STATE_OUT'] },
      ],
      named(['INPUT', 'STATE'], type, [...lead, '?']),
      named(['OUTPUT', 'STATE_OUT'], type, [...lead, '?']),
    );
  if (graph === 'sum')
    return graphModel(
      [
        { opType: 'Add', inputs: ['INPUT', 'STATE'], outputs: ['OUTPUT'] },
        { opType: 'Identity', inputs: ['OUTPUT'], outputs: ['STATE_OUT'] },
      ],
      named(['INPUT', 'STATE'], type, [...lead, 1]),
      named(['OUTPUT', 'STATE_OUT'], type, [...lead, 1]),
    );
  const [one, other] = graph === 'swap' ? ['STATE_OUT2', 'STATE_OUT'] : ['STATE_OUT', 'STATE_OUT2'];
  return graphModel(
    [
      { opType: 'Add', inputs: ['INPUT', 'STATE'], outputs: ['OUTPUT'] },
      { opType: 'Add', inputs: ['STATE2', 'STATE2'], outputs: ['OUTPUT2'] },
      { opType: 'Identity', inputs: ['OUTPUT'], outputs: [one as string] },
      { opType: 'Identity', inputs: ['OUTPUT2'], outputs: [other as string] },
    ],
    named(['INPUT', 'STATE', 'STATE2'], type, [...lead, 1]),
    named(['OUTPUT', 'OUTPUT2', 'STATE_OUT', 'STATE_OUT2'], type, [...lead, 1]),
  );
}

const titles = Object.keys(KEPT);
const nameOf = (title: string): string => `k_${titles.indexOf(title)}`;

function files(title: string): RepositoryFiles {
  const one = KEPT[title] as Kept;
  const { type = 'INT32', size = 4, batching, instances = 1, dims = '[ 1 ]', outputs = ['OUTPUT'] } = one;
  const name = nameOf(title);
  const tensor = (tensorName: string): string =>
    `{ name: "${tensorName}" data_type: TYPE_${type} dims: ${dims} }`;
  return {
    [`${name}/config.pbtxt`]: `backend: "onnxruntime"
max_batch_size: ${size}
input [ ${tensor('INPUT')} ]
output [ ${outputs.map(tensor).join(', ')} ]
instance_group [ { kind: KIND_CPU count: ${instances} } ]
sequence_batching { ${batching} }`,
    [`${name}/1/model.onnx`]: graphOf(one),
    [`${name}/initial_state/ones`]: Buffer.from([1, 0, 0, 0]),
    [`${name}/initial_state/many`]: Buffer.from(
      Array.from({ length: 64 }, (_, at) => (at % 4 === 0 ? 5 : 0)),
    ),
  };
}

async function sendTo(target: Target, title: string, step: Step): Promise<unknown> {
  const name = nameOf(title);
  if (step === 'load') return ask(target, load(name));
  if (step === 'unload') return ask(target, unload(name));
  if ('config' in step) {
    const current = (await ask(target, {
      name: 'config',
      method: 'GET',
      path: `/v2/models/${name}/config`,
    })) as [number, string];
    const config = JSON.stringify({ ...(JSON.parse(current[1]) as object), ...step.config });
    return ask(target, post(`/v2/repository/models/${name}/load`, { parameters: { config } }));
  }
  const { type = 'INT32', size = 4 } = KEPT[title] as Kept;
  const { id, start: isStart, end: isEnd, data = [0], asks, timeout } = step;
  const parameters = {
    ...(id === undefined ? {} : { sequence_id: id }),
    ...(isStart === undefined ? {} : { sequence_start: isStart }),
    ...(isEnd === undefined ? {} : { sequence_end: isEnd }),
    ...(timeout === undefined ? {} : { timeout }),
  };
  const inputs = [{ name: 'INPUT', datatype: type, shape: [...(size === 0 ? [] : [1]), data.length], data }];
  const outputs = asks === undefined ? {} : { outputs: asks.map((one) => ({ name: one })) };
  return ask(target, post(`/v2/models/${name}/infer`, { parameters, inputs, ...outputs }));
}

const asked = (title: string): ReferenceCase => ({
  name: `states: ${title}`,
  run: async (target) => {
    const { steps, overlaps } = KEPT[title] as Kept;
    const answers: Promise<unknown>[] = [ask(target, load(nameOf(title)))];
    await answers[0];
    for (const step of steps) {
      await wait(
        (overlaps === true ? 60 : 0) + (typeof step === 'object' && 'after' in step ? (step.after ?? 0) : 0),
      );
      const answer = sendTo(target, title, step);
      answers.push(answer);
      if (overlaps !== true) await answer;
    }
    const all = await Promise.all(answers);
    await ask(target, unload(nameOf(title)));
    return all.map((answer, at) => ({
      step: at === 0 ? 'load' : `${at} ${JSON.stringify(steps[at - 1])}`,
      answer,
    }));
  },
});

export const STATE_SCENE: Scene = {
  name: 'kept states',
  needs: 'onnxruntime',
  repositories: sameFor(Object.assign({}, ...titles.map(files))),
  args: ['--model-control-mode=explicit'],
  atOnce: 3,
  cases: titles.map(asked),
};
