// Requests that run while their model is unloaded, replaced or loaded again: what is answered, told and counted meanwhile
// and afterwards, of models, queues, sequences, ensembles and calls between models.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { Send } from './flow-calls.ts';
import type { Flow } from './flow.ts';
import { flowCase } from './flow.ts';
import { telling } from './flow-models.ts';
import { get, post } from './http-calls.ts';
import { load, unload } from './life-calls.ts';
import { answering, ONE_TO_ONE, playing, pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ensemble, step } from './span-cases.ts';
import type { WireCase } from './wire-cases.ts';

/** Tenths of a second: longer than any load here takes. */
const LONG = 60;
const to = (name: string, takes = 0, more: Partial<Send> = {}): Send => ({
  to: name,
  takes,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [takes] }],
  ...more,
});
const row = (name: string, takes = 0, more: Partial<Send> = {}): Send => ({ to: name, takes, ...more });
const once = (send: Send): Send => ({ ...send, waits: true });
const SEQUENCE = 'sequence_batching { max_sequence_idle_microseconds: 60000000 }';
const of = (name: string, id: number, flags: string, takes = 0): Send =>
  row(name, takes, {
    parameters: {
      sequence_id: id,
      sequence_start: flags.includes('s'),
      sequence_end: flags.includes('e'),
    },
  });

const SLEEPS = answering(`time.sleep(abs(float(first(request).reshape(-1)[0])) / 10)
if first(request).reshape(-1)[0] < 0:
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero"))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const CALLS =
  answering(`asked = pb_utils.InferenceRequest(model_name="called", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))]).exec()
if asked.has_error():
    response = pb_utils.InferenceResponse(error=asked.error())
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked.output_tensors()[0].as_numpy())])`);
const PLAYS = playing();
const CPU = 'instance_group [ { kind: KIND_CPU } ]';
const plain = (name: string): RepositoryFiles => pythonFiles(name, SLEEPS, `${ONE_TO_ONE}\n${CPU}`);
const grown = (name: string, more: object = {}): WireCase =>
  post(`/v2/repository/models/${name}/load`, {
    parameters: {
      config: JSON.stringify({
        backend: 'python',
        input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
        output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
        instance_group: [{ kind: 'KIND_CPU', count: 1 }],
        parameters: { changed: { string_value: 'yes' } },
        ...more,
      }),
    },
  });

const files: RepositoryFiles = {
  ...Object.assign(
    {},
    ...['gone', 'fails', 'replaced', 'again', 'broken', 'called', 'part', 'last', 'traced'].map(plain),
  ),
  ...pythonFiles('calls', CALLS, `${ONE_TO_ONE}\n${CPU}`),
  ...pythonFiles('plays', PLAYS, `${ONE_TO_ONE}\n${CPU}\nmodel_transaction_policy { decoupled: true }`),
  ...telling('queue', 'dynamic_batching { max_queue_delay_microseconds: 100000 }', { size: 2 }),
  ...telling('sequence', SEQUENCE, { size: 2 }),
  ...telling('oldest', `${SEQUENCE.slice(0, -1)} oldest { max_candidate_sequences: 2 } }`, { size: 2 }),
  ...pythonFiles('cached', SLEEPS, `${ONE_TO_ONE}\n${CPU}\nresponse_cache { enable: true }`),
  ...ensemble('chain', step('part', 'INPUT0', 'x'), step('last', 'x', 'OUTPUT0')),
};

const told = (name: string): readonly (WireCase | 'counts')[] => [
  get(`/v2/models/${name}`),
  get(`/v2/models/${name}/config`),
  get(`/v2/models/${name}/ready`),
  get(`/v2/models/${name}/versions/1/ready`),
  get('/v2/health/ready'),
  'counts',
];
/** Without counts: whether a load or the request before it ends first is a matter of the machine. */
const uncounted = (name: string): readonly (WireCase | 'counts')[] =>
  told(name).filter((one) => one !== 'counts');
const states = (...names: readonly string[]): readonly WireCase[] =>
  names.flatMap((name) => [get(`/v2/models/${name}/ready`)]);

const FLOWS: Readonly<Record<string, Flow>> = {
  'an unload while it runs': {
    models: ['gone'],
    moves: [to('gone', LONG), 300, unload('gone'), ...told('gone'), once(to('gone')), 7500, ...told('gone')],
  },
  'a failure that ends after the unload': {
    models: ['fails'],
    moves: [once(to('fails', -1)), to('fails', -LONG), 300, unload('fails'), 7500, ...told('fails')],
  },
  'another one while it runs': {
    models: ['replaced'],
    moves: [
      once(to('replaced')),
      to('replaced', LONG),
      to('replaced', -LONG, { by: 'grpc' }),
      300,
      grown('replaced'),
      ...uncounted('replaced'),
      once(to('replaced')),
      14000,
      ...told('replaced'),
    ],
  },
  'a load while an unload waits': {
    models: ['again'],
    moves: [
      once(to('again')),
      to('again', LONG),
      300,
      unload('again'),
      load('again'),
      once(to('again')),
      ...uncounted('again'),
      7500,
      ...told('again'),
      unload('again'),
      1500,
      ...told('again'),
    ],
  },
  'a load that fails while it runs': {
    models: ['broken'],
    moves: [
      to('broken', LONG),
      300,
      grown('broken', { max_batch_size: -1 }),
      grown('broken', { input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [0] }] }),
      ...told('broken'),
      once(to('broken', 0, { by: 'grpc' })),
      7500,
      ...told('broken'),
    ],
  },
  'an unload of a queue': {
    models: ['queue'],
    moves: [
      row('queue', LONG / 2),
      300,
      row('queue', 1),
      row('queue', 1),
      row('queue', 1),
      300,
      unload('queue'),
      'counts',
      row('queue', 1),
      4000,
      ...told('queue'),
    ],
    level: (text) => text.replaceAll(/\\+"run\\+": \d+/g, ''),
  },
  ...Object.fromEntries(
    ['sequence', 'oldest'].map((name) => [
      `an unload of sequences, ${name}`,
      {
        models: [name],
        moves: [
          once(of(name, 1, 's')),
          of(name, 2, 's', LONG / 2),
          300,
          unload(name),
          'counts',
          once(of(name, 1, '')),
          once(of(name, 3, 's')),
          3000,
          once(of(name, 2, 'e')),
          once(of(name, 1, 'e')),
          1500,
          ...told(name),
        ],
      },
    ]),
  ),
  'an unload of what is called': {
    models: ['calls', 'called'],
    moves: [
      to('calls', LONG),
      500,
      unload('called'),
      ...states('calls', 'called'),
      once(to('calls')),
      7500,
      ...states('calls', 'called'),
      load('called'),
      once(to('calls')),
    ],
  },
  'an unload of a step': {
    models: ['chain', 'part', 'last'],
    moves: [
      to('chain', LONG / 2),
      500,
      unload('last'),
      ...states('chain', 'part', 'last'),
      once(to('chain')),
      7500,
      ...states('chain', 'part', 'last'),
      'counts',
      load('last'),
      ...states('chain', 'part', 'last'),
      once(to('chain')),
      to('chain', LONG / 2),
      500,
      unload('chain'),
      once(to('chain')),
      ...states('chain', 'part', 'last'),
      'counts',
      7500,
    ],
  },
  'an unload of a stream': {
    models: ['plays'],
    moves: [
      to('plays', 1, { by: 'stream', parameters: { triton_enable_empty_final_response: true } }),
      500,
      unload('plays'),
      once(to('plays', 1, { by: 'stream' })),
      ...states('plays'),
      'counts',
      7500,
      'stream ends',
    ],
  },
  'an unload of what is cached': {
    models: ['cached'],
    moves: [
      to('cached', LONG / 2),
      500,
      unload('cached'),
      'counts',
      3000,
      load('cached'),
      once(to('cached', LONG / 2)),
      to('cached', 15),
      500,
      grown('cached', { response_cache: { enable: true } }),
      2000,
      once(to('cached', 15)),
      'counts',
    ],
  },
  'settings of traces of a model that goes': {
    models: ['traced'],
    moves: [
      post('/v2/models/traced/trace/setting', { trace_rate: '7', trace_level: ['TIMESTAMPS'] }),
      to('traced', LONG / 2),
      300,
      unload('traced'),
      get('/v2/models/traced/trace/setting'),
      post('/v2/models/traced/trace/setting', { trace_rate: '8' }),
      post('/v2/trace/setting', { trace_count: '9' }),
      3000,
      get('/v2/models/traced/trace/setting'),
      load('traced'),
      get('/v2/models/traced/trace/setting'),
      grown('traced'),
      get('/v2/models/traced/trace/setting'),
      post('/v2/models/traced/trace/setting', { trace_rate: null, trace_level: null }),
      post('/v2/trace/setting', { trace_count: null }),
    ],
  },
};

export const GOING_FLOW_SCENE: Scene = {
  name: 'flows of models that go',
  repositories: sameFor(files),
  args: [
    '--model-control-mode=explicit',
    '--load-model=*',
    '--cache-config=local,size=1048576',
    '--strict-readiness=true',
  ],
  cases: Object.entries(FLOWS).map(([title, flow]) =>
    flowCase(`going, ${title}`, { ...flow, isOrdered: false }),
  ),
};
