// Sequences: each kind and type of control, correlation ids of each type over both protocols, idle sequences, waiting
// ones, both strategies. A model answers with every input that it was given, and its batch.

import { grpcCall } from './grpc-exchange.ts';
import { post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { executing, pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const SHOWS = executing(`time.sleep(float(max(np.max(first(request)) for request in requests)) / 10)
responses = []
for request in requests:
    told = {"batch": len(requests)}
    for one in sorted(request.inputs(), key=lambda one: one.name()):
        told[one.name()] = [str(one.as_numpy().dtype), list(one.as_numpy().shape), str(one.as_numpy().tolist())]
    told["id"] = str(request.correlation_id())
    text = np.array([json.dumps(told).encode()], np.object_).reshape([1] * first(request).ndim)
    responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", text)]))
return responses`);

type Id = number | string;
interface Send {
  readonly id?: Id;
  readonly start?: true;
  readonly end?: true;
  readonly takes?: number;
  readonly after?: number;
  readonly timeout?: number;
  readonly priority?: number;
}
interface Sequences {
  readonly batching: string;
  readonly sends: readonly Send[];
  readonly size?: number;
  readonly instances?: number;
  /** Sent 60 ms apart, without waiting for answers. */
  readonly overlaps?: true;
}

const control = (name: string, kind: string, more: string): string =>
  `control_input { name: "${name}" control { kind: CONTROL_SEQUENCE_${kind} ${more} } }`;
const flags = (type: string): string => {
  const pair = type === 'bool' ? 'false, true' : '3, 7';
  return ['START', 'END', 'READY']
    .map((one) => control(one, one, `${type}_false_true: [ ${pair} ]`))
    .join(' ');
};
const corrid = (type: string): string => control('CORRID', 'CORRID', `data_type: TYPE_${type}`);
const start = (id: Id, more: Send = {}): Send => ({ id, start: true, ...more });
const end = (id: Id, more: Send = {}): Send => ({ id, end: true, ...more });
const round = (id: Id): readonly Send[] => [start(id), { id }, end(id)];
const ODD: readonly Send[] = [
  {},
  { id: 0 },
  { id: 0, start: true },
  { id: 5 },
  end(5),
  start(5, { end: true }),
  { id: 5 },
  start(6),
  start(6),
  { id: 6 },
  end(6),
  end(6),
  { start: true },
  { id: '' },
  start(7, { timeout: 1 }),
  { id: 7, priority: 3 },
  end(7),
];
const OVERLAP: readonly Send[] = [
  start(1, { takes: 5 }),
  start(2),
  start(3),
  { id: 2 },
  { id: 1, takes: 2 },
  end(2),
  start(4),
  { id: 3 },
  end(1),
  end(3, { takes: 2 }),
  { id: 4 },
  end(4),
];
const BOTH = `${flags('int32')} ${corrid('UINT64')}`;

const SEQUENCES: Readonly<Record<string, Sequences>> = {
  ...Object.fromEntries(
    ['int32', 'fp32', 'bool'].map((type) => [`flags of ${type}`, { batching: flags(type), sends: round(1) }]),
  ),
  ...Object.fromEntries(
    ['INT32', 'UINT32', 'INT64', 'UINT64'].map((type) => [
      `ids of ${type}`,
      { batching: `${flags('fp32')} ${corrid(type)}`, sends: [1, 2 ** 31, 2 ** 32 + 5, -1].flatMap(round) },
    ]),
  ),
  'odd ones': { batching: BOTH, sends: ODD },
  'odd ones, oldest': { batching: `${BOTH} oldest { max_candidate_sequences: 4 }`, sends: ODD },
  'odd ones without batches': { batching: BOTH, sends: ODD, size: 0 },
  'no controls': { batching: '', sends: round(1) },
  overlapping: { batching: BOTH, sends: OVERLAP, overlaps: true },
  'overlapping, oldest': {
    batching: `${BOTH} oldest { max_candidate_sequences: 2 }`,
    sends: OVERLAP,
    overlaps: true,
  },
  'overlapping, oldest in order': {
    batching: `${BOTH} oldest { max_candidate_sequences: 4 preserve_ordering: true }`,
    sends: OVERLAP,
    overlaps: true,
  },
  'overlapping, oldest with a delay': {
    batching: `${BOTH} oldest { max_candidate_sequences: 4 preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 400000 }`,
    sends: OVERLAP,
    overlaps: true,
  },
  'overlapping, slots that wait for others': {
    batching: `${BOTH} direct { minimum_slot_utilization: 0.75 max_queue_delay_microseconds: 500000 }`,
    sends: OVERLAP,
    overlaps: true,
  },
  'overlapping without batches': { batching: BOTH, sends: OVERLAP, overlaps: true, size: 0 },
  'overlapping, oldest without batches': {
    batching: `${BOTH} oldest { max_candidate_sequences: 3 }`,
    sends: OVERLAP,
    overlaps: true,
    size: 0,
  },
  'one slot': { batching: BOTH, sends: OVERLAP, overlaps: true, size: 1 },
  'idle ones': {
    batching: `${BOTH} max_sequence_idle_microseconds: 500000`,
    sends: [start(1), { id: 1 }, { id: 1, after: 1600 }, start(1), end(1)],
  },
  'idle ones, oldest': {
    batching: `${BOTH} max_sequence_idle_microseconds: 500000 oldest {}`,
    sends: [start(1), { id: 1 }, { id: 1, after: 1600 }, start(1), end(1)],
  },
  'idle ones that others wait for': {
    batching: `${BOTH} max_sequence_idle_microseconds: 900000`,
    sends: [start(1), start(2), { id: 2 }, end(2)],
    size: 1,
    overlaps: true,
  },
};

const TEXT: Sequences = {
  batching: `${flags('int32')} ${corrid('STRING')}`,
  sends: ['a', 'ü', 'x'.repeat(128), 'x'.repeat(129), 7].flatMap(round),
};

const titles = Object.keys(SEQUENCES);
const nameOf = (title: string): string => `s_${titles.indexOf(title)}`;
const files = (name: string, { batching, size = 3, instances = 1 }: Sequences): RepositoryFiles =>
  pythonFiles(
    name,
    SHOWS,
    `max_batch_size: ${size}
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ 1 ] } ]
instance_group [ { kind: KIND_CPU count: ${instances} } ]
sequence_batching { ${batching.includes('max_sequence_idle') ? '' : 'max_sequence_idle_microseconds: 60000000'} ${batching} }`,
  );
const models: RepositoryFiles = Object.assign(
  files('text', TEXT),
  ...titles.map((title) => files(nameOf(title), SEQUENCES[title] as Sequences)),
);

const shapeOf = ({ size = 3 }: Sequences): readonly number[] => (size === 0 ? [1] : [1, 1]);
const told = (answer: unknown): unknown => {
  const [status, body] = answer as [number, string];
  if (status !== 200) return answer;
  const { outputs, parameters } = JSON.parse(body) as { outputs: { data: string[] }[]; parameters: unknown };
  return [outputs[0]?.data, parameters];
};

const asked = (title: string): ReferenceCase => ({
  name: `sequences: ${title}`,
  run: async (target) => {
    const one = SEQUENCES[title] as Sequences;
    await ask(target, load(nameOf(title)));
    const running: Promise<unknown>[] = [];
    for (const { id, takes = 0, after = 0, start: isStart, end: isEnd, timeout, priority } of one.sends) {
      await wait((one.overlaps === true ? 80 : 0) + after);
      const parameters = {
        ...(id === undefined ? {} : { sequence_id: id }),
        ...(isStart === undefined ? {} : { sequence_start: true }),
        ...(isEnd === undefined ? {} : { sequence_end: true }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(priority === undefined ? {} : { priority }),
      };
      const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: shapeOf(one), data: [takes] }];
      const answer = ask(target, post(`/v2/models/${nameOf(title)}/infer`, { parameters, inputs })).then(
        told,
      );
      running.push(answer);
      if (one.overlaps !== true) await answer;
    }
    const answers = await Promise.all(running);
    await ask(target, unload(nameOf(title)));
    return answers.map((answer, index) => ({ step: String(index), answer }));
  },
});

const overGrpc = (model: string, ids: readonly Record<string, unknown>[]): ReferenceCase => ({
  name: `sequences over gRPC: ${model}`,
  run: async (target) => {
    const answers: unknown[] = [];
    await ask(target, load(model));
    for (const id of ids)
      for (const more of [
        { sequence_start: { bool_param: true } },
        {},
        { sequence_end: { bool_param: true } },
      ]) {
        const { code, details, response } = await grpcCall(target.grpcPort, 'ModelInfer', {
          model_name: model,
          parameters: { sequence_id: id, ...more },
          inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], contents: { fp32_contents: [0] } }],
        });
        answers.push({ step: JSON.stringify([id, more]), code, details, response });
      }
    return answers;
  },
});

export const SEQUENCE_SCENE: Scene = {
  name: 'sequences',
  repositories: () => [models],
  args: ['--model-control-mode=explicit'],
  atOnce: 4,
  cases: [
    ...titles.map(asked),
    overGrpc('text', [{ string_param: 'a' }, { string_param: '' }, { string_param: 'x'.repeat(129) }]),
    overGrpc(nameOf('odd ones'), [
      { int64_param: '9' },
      { int64_param: '-9' },
      { uint64_param: '9' },
      { uint64_param: '18446744073709551615' },
      { string_param: 'a' },
      { bool_param: true },
      { double_param: 9 },
    ]),
  ],
};
