// Ensembles over each protocol: decoupled steps before, behind and beside others, steps that fail or are full in the middle of
// a stream, branches, what is given up, versions of steps that change meanwhile, rows that a step does not take.

import type { Flow } from './flow.ts';
import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { tensor } from './flow-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { load, unload } from './life-calls.ts';
import { answering, executing, pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** A response for each count up to the value; below zero an error comes behind as many. */
const SENDS = executing(`for request in requests:
    sender = request.get_response_sender()
    value = int(first(request).reshape(-1)[0])
    for index in range(abs(value)):
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.full(first(request).shape, index, np.float32))]))
        time.sleep(0.12)
    if value < 0:
        sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("sent no more")))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
/** Adds 10; the value of the configuration's parameter fails, and so does none. */
const ADDS = `class TritonPythonModel:
    def initialize(self, args):
        given = json.loads(args["model_config"]).get("parameters", {})
        self.fails = float(given.get("fails", {}).get("string_value", "-1"))
        self.takes = float(given.get("takes", {}).get("string_value", "0"))
        self.version = args["model_version"]

    def execute(self, requests):
        time.sleep(self.takes)
        responses = []
        for request in requests:
            if float(first(request).reshape(-1)[0]) == self.fails:
                responses.append(pb_utils.InferenceResponse(error=pb_utils.TritonError("no " + str(self.fails), pb_utils.TritonError.UNAVAILABLE)))
            else:
                responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + np.float32(10 * int(self.version)))]))
        return responses
`;
const JOINS = answering(
  'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) * 100 + first(request, "INPUT1"))])',
);
const config = (size: number, more = '', inputs = [tensor('INPUT0')]): string =>
  `max_batch_size: ${size}\ninput [ ${inputs.join(', ')} ]\noutput [ ${tensor('OUTPUT0')} ]\ninstance_group [ { kind: KIND_CPU count: 1 } ]\n${more}`;
const DECOUPLED = 'model_transaction_policy { decoupled: true }';
const setting = (key: string, value: number): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;

interface Step {
  readonly of: string;
  readonly in: Readonly<Record<string, string>>;
  readonly out: string;
  readonly version?: number;
}
const entry = (field: string, key: string, value: string): string =>
  `${field} { key: "${key}" value: "${value}" }`;
const stepText = ({ of, in: given, out, version = -1 }: Step): string =>
  `{ model_name: "${of}" model_version: ${version} ${Object.entries(given)
    .map(([key, value]) => entry('input_map', key, value))
    .join(' ')} ${entry('output_map', 'OUTPUT0', out)} }`;
const ensemble = (name: string, steps: readonly Step[], size = 4, more = ''): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"\nmax_batch_size: ${size}\ninput [ ${tensor('INPUT0')} ]\noutput [ ${tensor('OUTPUT0')} ]
ensemble_scheduling { step [ ${steps.map(stepText).join(', ')} ] }\n${more}`,
  [`${name}/1/`]: '',
});
const chain = (...names: readonly string[]): readonly Step[] =>
  names.map((of, at) => ({
    of,
    in: { INPUT0: at === 0 ? 'INPUT0' : `t${at}` },
    out: at === names.length - 1 ? 'OUTPUT0' : `t${at + 1}`,
  }));
const branches = (root: string, left: string, right: string): readonly Step[] => [
  { of: root, in: { INPUT0: 'INPUT0' }, out: 'r' },
  { of: left, in: { INPUT0: 'r' }, out: 'a' },
  { of: right, in: { INPUT0: 'r' }, out: 'b' },
  { of: 'joins', in: { INPUT0: 'a', INPUT1: 'b' }, out: 'OUTPUT0' },
];

const files: RepositoryFiles = {
  ...pythonFiles('sends', SENDS, config(4, DECOUPLED)),
  ...pythonFiles('sends_too', SENDS, config(4, DECOUPLED)),
  ...pythonFiles('adds', ADDS, config(4)),
  ...pythonFiles('adds_too', ADDS, config(4)),
  ...pythonFiles('small', ADDS, config(2)),
  ...pythonFiles('fails', ADDS, config(4, setting('fails', 1))),
  ...pythonFiles('slow', ADDS, config(4, setting('takes', 0.3))),
  ...pythonFiles(
    'full',
    ADDS,
    config(1, `${setting('takes', 0.4)} dynamic_batching { default_queue_policy { max_queue_size: 1 } }`),
  ),
  ...pythonFiles(
    'late',
    ADDS,
    config(
      1,
      `${setting('takes', 0.4)} dynamic_batching { default_queue_policy { default_timeout_microseconds: 100000 } }`,
    ),
  ),
  ...pythonFiles('joins', JOINS, config(4, '', [tensor('INPUT0'), tensor('INPUT1')])),
  ...pythonFiles('versions', ADDS, config(4, 'version_policy { specific { versions: [ 1, 2 ] } }')),
  ...Object.fromEntries(
    [2, 3].flatMap((version) => [
      [`versions/${version}/model.py`, pythonFiles('v', ADDS)['v/1/model.py'] ?? ''],
      [`versions/${version}/__pycache__`, ''],
    ]),
  ),
  ...ensemble('e_sends_adds', chain('sends', 'adds')),
  ...ensemble('e_adds_sends', chain('adds_too', 'sends')),
  ...ensemble('e_sends_sends', chain('sends', 'sends_too')),
  ...ensemble('e_sends_fails', chain('sends', 'fails')),
  ...ensemble('e_sends_slow', chain('sends', 'slow')),
  ...ensemble('e_sends_full', chain('sends', 'full'), 1),
  ...ensemble('e_sends_late', chain('sends', 'late'), 1),
  ...ensemble('e_branches', branches('sends', 'adds', 'adds_too')),
  ...ensemble('e_branch_fails', branches('sends', 'adds', 'fails')),
  ...ensemble('e_branch_slow', branches('adds', 'slow', 'fails')),
  ...ensemble('e_nested', chain('e_sends_adds', 'adds')),
  ...ensemble('e_nested_in', chain('adds', 'e_sends_adds')),
  ...ensemble('e_two_decoupled', [
    { of: 'sends', in: { INPUT0: 'INPUT0' }, out: 'a' },
    { of: 'sends_too', in: { INPUT0: 'INPUT0' }, out: 'b' },
    { of: 'joins', in: { INPUT0: 'a', INPUT1: 'b' }, out: 'OUTPUT0' },
  ]),
  ...ensemble('e_small', chain('adds', 'small')),
  ...ensemble('e_small_first', chain('small', 'adds'), 8),
  ...ensemble('e_version', [{ of: 'versions', in: { INPUT0: 'INPUT0' }, out: 'OUTPUT0', version: 1 }]),
  ...ensemble('e_newest', [{ of: 'versions', in: { INPUT0: 'INPUT0' }, out: 'OUTPUT0' }]),
  ...ensemble('e_no_version', [{ of: 'versions', in: { INPUT0: 'INPUT0' }, out: 'OUTPUT0', version: 3 }]),
  ...ensemble('e_batching', chain('adds', 'adds_too'), 4, 'dynamic_batching {}'),
  ...ensemble('e_groups', chain('adds'), 4, 'instance_group [ { kind: KIND_CPU count: 2 } ]'),
  ...ensemble(
    'e_warm',
    chain('adds', 'slow'),
    4,
    'model_warmup [ { name: "w" batch_size: 1 inputs { key: "INPUT0" value { data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } } ]',
  ),
};

const streamed = (to: string, takes: number, more: Partial<Send> = {}): Send => ({
  to,
  takes,
  by: 'stream',
  ...more,
});
const FINAL = { triton_enable_empty_final_response: true };
/** The same through every way, one after the other. */
const ways = (to: string, values: readonly number[]): Flow['moves'] => [
  ...values.flatMap((takes) => [streamed(to, takes), 700 as const]),
  ...values.flatMap((takes) => [streamed(to, takes, { parameters: FINAL }), 700 as const]),
  'stream ends',
  ...values.flatMap((takes): Send[] => [
    { to, takes, waits: true },
    { to, takes, by: 'grpc', waits: true },
  ]),
];
const VALUES = [1, 3, 0, -1, -2];
const allowing = (...versions: readonly number[]): object => ({
  parameters: {
    config: JSON.stringify({
      backend: 'python',
      max_batch_size: 4,
      input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
      output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
      instance_group: [{ kind: 'KIND_CPU', count: 1 }],
      parameters: { takes: { string_value: '0.3' } },
      version_policy: { specific: { versions } },
    }),
  },
});

const FLOWS: Readonly<Record<string, Flow>> = {
  ...Object.fromEntries(
    (
      [
        ['a decoupled step, then another one', 'e_sends_adds', ['sends', 'adds']],
        ['a decoupled step at the end', 'e_adds_sends', ['adds_too', 'sends']],
        ['two decoupled steps', 'e_sends_sends', ['sends', 'sends_too']],
        ['a step that fails once behind a decoupled one', 'e_sends_fails', ['sends', 'fails']],
        ['branches behind a decoupled step', 'e_branches', ['sends', 'adds', 'adds_too', 'joins']],
        [
          'a branch that fails behind a decoupled step',
          'e_branch_fails',
          ['sends', 'adds', 'fails', 'joins'],
        ],
        ['a decoupled ensemble in an ensemble', 'e_nested', ['e_sends_adds', 'sends', 'adds']],
        ['a decoupled ensemble at the end of one', 'e_nested_in', ['e_sends_adds', 'sends', 'adds']],
      ] as const
    ).map(([title, name, steps]) => [
      title,
      {
        models: [name, ...steps],
        moves: ways(
          name,
          ['e_nested_in', 'e_adds_sends'].includes(name) ? VALUES.map((value) => value - 10) : VALUES,
        ),
        isOrdered: false,
      } satisfies Flow,
    ]),
  ),
  'a full step behind a decoupled one': {
    models: ['e_sends_full', 'sends', 'full'],
    moves: [streamed('e_sends_full', 5), 2500, streamed('e_sends_full', 1), 800],
    isOrdered: false,
  },
  'a late step behind a decoupled one': {
    models: ['e_sends_late', 'sends', 'late'],
    moves: [streamed('e_sends_late', 4), 3000, streamed('e_sends_late', 1), 800],
    isOrdered: false,
  },
  'given up between the responses': {
    models: ['e_sends_slow', 'sends', 'slow'],
    moves: [streamed('e_sends_slow', 6, { cancelAfter: 450 }), 2500],
    isOrdered: false,
  },
  'a branch that fails beside a slow one': {
    models: ['e_branch_slow', 'adds', 'fails', 'joins'],
    moves: [
      { to: 'e_branch_slow', takes: 1, waits: true },
      { to: 'e_branch_slow', takes: -9, waits: true },
      { to: 'e_branch_slow', takes: -9, by: 'grpc', waits: true },
      600,
      'counts',
    ],
    isOrdered: false,
  },
  'two decoupled steps that are joined': {
    models: ['e_two_decoupled'],
    moves: [load('e_two_decoupled'), get('/v2/models/e_two_decoupled/ready')],
  },
  'rows beyond a step': {
    models: ['e_small', 'e_small_first', 'small'],
    moves: [
      load('e_small'),
      load('e_small_first'),
      ...[2, 3, 4, 5, 8, 9].flatMap((rows): Send[] => [
        { to: 'e_small', rows, waits: true },
        { to: 'e_small_first', rows, waits: true },
        { to: 'e_small_first', rows, by: 'grpc', waits: true },
      ]),
    ],
    isOrdered: false,
  },
  'versions that come and go': {
    models: ['e_version', 'e_newest', 'e_no_version', 'versions'],
    moves: [
      { to: 'e_version', waits: true },
      { to: 'e_newest', waits: true },
      load('e_no_version'),
      { to: 'e_no_version', waits: true },
      post('/v2/repository/models/versions/load', allowing(1, 2, 3)),
      { to: 'e_version', waits: true },
      { to: 'e_newest', waits: true },
      { to: 'e_no_version', waits: true },
      load('e_no_version'),
      { to: 'e_no_version', waits: true },
      { to: 'versions@3', waits: true },
      { to: 'e_newest' },
      { to: 'e_version', by: 'grpc' },
      { call: post('/v2/repository/models/versions/load', allowing(2)) },
      { to: 'e_newest' },
      1500,
      { to: 'e_version', waits: true },
      { to: 'e_version', by: 'grpc', waits: true },
      { to: 'e_newest', waits: true },
      { to: 'versions@1', waits: true },
      { to: 'versions', waits: true },
      get('/v2/models/versions'),
      get('/v2/models/e_version/ready'),
      get('/v2/models/e_no_version/ready'),
      unload('versions'),
      1200,
      { to: 'e_newest', waits: true },
      get('/v2/models/e_newest/ready'),
      load('versions'),
      { to: 'e_newest', waits: true },
      { to: 'e_version', waits: true },
    ],
    isOrdered: false,
  },
  'fields of schedulers in an ensemble': {
    models: ['e_batching', 'e_groups', 'e_warm'],
    moves: ['e_batching', 'e_groups', 'e_warm'].flatMap((name) => [
      load(name),
      get(`/v2/models/${name}/config`),
      { to: name, rows: 2, waits: true } as const,
    ]),
    isOrdered: false,
  },
};

export const ENSEMBLE_FLOW_SCENE: Scene = {
  name: 'flows of ensembles',
  repositories: sameFor(files),
  args: ['--model-control-mode=explicit', '--load-model=*', '--exit-on-error=false'],
  cases: Object.entries(FLOWS).map(([name, flow]) => flowCase(`ensembles, ${name}`, flow)),
};
