// Requests to a model while its versions, instances or batching change: what is under way or queued in a version that goes,
// sequences in it, in which order requests come out of other instances; loads that fail at first and are tried again.

import type { Flow } from './flow.ts';
import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { telling, TELLS } from './flow-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get, post } from './http-calls.ts';
import { load, unload } from './life-calls.ts';
import { pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const SEQUENCE = 'sequence_batching { max_sequence_idle_microseconds: 60000000 }';
const ALL = 'version_policy { all {} }';
const code = String(pythonFiles('v', TELLS)['v/1/model.py']);
/** A model of three versions. */
const versions = (name: string, more = ''): RepositoryFiles => ({
  ...telling(name, `${ALL}\n${more}`),
  ...Object.fromEntries(
    [2, 3].flatMap((version) => [
      [`${name}/${version}/model.py`, code],
      [`${name}/${version}/__pycache__`, ''],
    ]),
  ),
});
/** Fails as often as the configuration says; counts in a file outside of the model's folder. */
const FAILS = `class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        times = int(config["parameters"]["fails"]["string_value"])
        place = os.path.join(args["model_repository"], "..", "tried_" + args["model_name"])
        with open(place, "a") as file:
            file.write("x")
        self.tries = os.path.getsize(place)
        if self.tries <= times:
            raise ValueError("not yet " + str(self.tries))

    def execute(self, requests):
        text = np.array([[str(self.tries)]], dtype=object)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", text)]) for _ in requests]
`;
const failing = (name: string, times: number): RepositoryFiles =>
  telling(name, `parameters { key: "fails" value { string_value: "${times}" } }`, { code: FAILS });

const files: RepositoryFiles = {
  ...versions('latest'),
  ...versions('queued', 'dynamic_batching {}'),
  ...versions('kept', SEQUENCE),
  ...telling('instances', 'dynamic_batching {}'),
  ...telling('batching', 'dynamic_batching {}'),
  ...telling('sequences', SEQUENCE),
};
const retried: RepositoryFiles = { ...failing('once', 1), ...failing('twice', 2), ...failing('thrice', 3) };

interface Change {
  readonly policy?: object;
  readonly count?: number;
  readonly more?: object;
}
const changed = (name: string, { policy = { all: {} }, count = 1, more = {} }: Change): WireCase =>
  post(`/v2/repository/models/${name}/load`, {
    parameters: {
      config: JSON.stringify({
        backend: 'python',
        max_batch_size: 1,
        input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
        output: [{ name: 'OUTPUT0', data_type: 'TYPE_STRING', dims: [1] }],
        instance_group: [{ kind: 'KIND_CPU', count }],
        version_policy: policy,
        ...more,
      }),
    },
  });
const only = (...numbers: readonly number[]): object => ({ specific: { versions: numbers } });
const newest = (count: number): object => ({ latest: { num_versions: count } });
const to = (name: string, takes = 0, more: Partial<Send> = {}): Send => ({ to: name, takes, ...more });
const once = (send: Send): Send => ({ ...send, waits: true });
const of = (name: string, id: number, flags = ''): Send =>
  once(
    to(name, 0, {
      parameters: {
        sequence_id: id,
        ...(flags.includes('s') ? { sequence_start: true } : {}),
        ...(flags.includes('e') ? { sequence_end: true } : {}),
      },
    }),
  );
const each = (name: string): readonly Send[] => [
  once(to(name)),
  ...[1, 2, 3, 4].flatMap((version) => [
    once(to(`${name}@${version}`)),
    once(to(`${name}@${version}`, 0, { by: 'grpc' })),
  ]),
];
const told = (name: string): readonly WireCase[] => [
  get(`/v2/models/${name}`),
  get(`/v2/models/${name}/ready`),
  get(`/v2/models/${name}/versions/1/ready`),
];
const DYNAMIC = { more: { dynamic_batching: {} } };
const quiet = (text: string): string => text.replaceAll(/\\+"run\\+": \d+/g, '');

const FLOWS: Readonly<Record<string, Flow>> = {
  'versions that come and go': {
    models: ['latest'],
    moves: [
      ...each('latest'),
      changed('latest', { policy: newest(2) }),
      ...each('latest'),
      ...told('latest'),
      changed('latest', { policy: only(1) }),
      ...each('latest'),
      ...told('latest'),
      changed('latest', { policy: only(4) }),
      ...each('latest'),
      changed('latest', { policy: only(1, 3) }),
      ...each('latest'),
      unload('latest'),
      1500,
      ...each('latest'),
      load('latest'),
      ...each('latest'),
    ],
    gap: 40,
    isOrdered: false,
  },
  'requests in a version that goes': {
    models: ['queued'],
    moves: [
      to('queued@1', 8),
      to('queued@1'),
      to('queued@1', 0, { by: 'grpc' }),
      to('queued', 5),
      { call: changed('queued', { policy: only(2, 3), ...DYNAMIC }) },
      300,
      to('queued@1'),
      to('queued@1', 0, { by: 'grpc' }),
      to('queued@2'),
      to('queued'),
      2500,
      ...told('queued'),
    ],
    isOrdered: false,
  },
  'sequences in a version that goes': {
    models: ['kept'],
    moves: [
      of('kept@1', 1, 's'),
      of('kept', 2, 's'),
      of('kept@3', 2),
      of('kept@2', 2),
      {
        call: changed('kept', {
          policy: only(3),
          more: { sequence_batching: { max_sequence_idle_microseconds: 60000000 } },
        }),
      },
      1500,
      of('kept@1', 1),
      of('kept@1', 3, 's'),
      of('kept', 2),
      of('kept@1', 1, 'e'),
      1500,
      of('kept@1', 1),
      of('kept', 2, 'e'),
    ],
    isOrdered: false,
  },
  'more instances, and fewer': {
    models: ['instances'],
    moves: [
      to('instances', 8),
      to('instances', 2),
      { call: changed('instances', { count: 2, ...DYNAMIC }) },
      to('instances', 2),
      1500,
      to('instances', 5),
      to('instances', 5),
      to('instances', 1),
      { call: changed('instances', { count: 1, ...DYNAMIC }) },
      to('instances', 1),
      4500,
      once(to('instances')),
      get('/v2/models/instances/config'),
    ],
    isOrdered: false,
    level: quiet,
  },
  'another batching': {
    models: ['batching'],
    moves: [
      to('batching', 6),
      to('batching', 1),
      {
        call: changed('batching', {
          more: { dynamic_batching: { default_queue_policy: { max_queue_size: 1 } } },
        }),
      },
      4500,
      to('batching', 6),
      to('batching'),
      to('batching'),
      { call: changed('batching', {}) },
      4500,
      to('batching', 4),
      to('batching'),
      to('batching'),
    ],
    isOrdered: false,
    level: quiet,
  },
  'more instances for sequences': {
    models: ['sequences'],
    moves: [
      of('sequences', 1, 's'),
      changed('sequences', {
        count: 2,
        more: { sequence_batching: { max_sequence_idle_microseconds: 60000000 } },
      }),
      of('sequences', 1),
      of('sequences', 2, 's'),
      of('sequences', 2, 'e'),
      of('sequences', 1, 'e'),
      changed('sequences', {
        count: 1,
        more: { sequence_batching: { max_sequence_idle_microseconds: 60000000 } },
      }),
      of('sequences', 3, 'se'),
    ],
    isOrdered: false,
    level: quiet,
  },
};
const RETRIES: Readonly<Record<string, Flow>> = Object.fromEntries(
  ['once', 'twice', 'thrice'].map((name) => [
    `tried again, ${name}`,
    {
      models: [name],
      moves: [
        load(name),
        once({ to: name, inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [0] }] }),
        get(`/v2/models/${name}/ready`),
        post('/v2/repository/index', { ready: false }),
        load(name),
        once({ to: name, inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [0] }] }),
      ],
    },
  ]),
);

const scene = (
  name: string,
  given: RepositoryFiles,
  flows: typeof FLOWS,
  args: readonly string[],
): Scene => ({
  name: `flows of versions ${name}`,
  repositories: sameFor(given),
  args: ['--model-control-mode=explicit', '--exit-on-error=false', ...args],
  cases: Object.entries(flows).map(([title, flow]) => flowCase(`versions ${name}, ${title}`, flow)),
});

export const VERSION_FLOW_SCENES: readonly Scene[] = [
  scene('that change', files, FLOWS, ['--load-model=*']),
  scene('loaded once', retried, RETRIES, []),
  scene('loaded again', retried, RETRIES, ['--model-load-retry-count=2']),
];
