// The response cache beside queues and over each protocol: answers out of it while the model is busy, its queue full or late,
// in order with others; given up; asked for by other models; entries that push others out, and what a load or unload leaves.

import type { Flow } from './flow.ts';
import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { telling, tensor } from './flow-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { load, unload } from './life-calls.ts';
import { answering, pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const CACHED = 'response_cache { enable: true }';
const dynamic = (text = ''): string => `dynamic_batching { ${text} }\n${CACHED}`;
const policy = (text: string): string => `default_queue_policy { ${text} }`;
/** Asks a model that is cached, twice. */
const CALLS = answering(`told = []
for _ in range(2):
    asked = pb_utils.InferenceRequest(model_name="called", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request).reshape([1, 1]))])
    found = asked.exec()
    told.append(found.error().message() if found.has_error() else found.output_tensors()[0].as_numpy().reshape(-1)[0].decode())
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([json.dumps(told)], dtype=object))])`);

const files: RepositoryFiles = {
  ...telling('plain', CACHED),
  ...telling('full', dynamic(policy('max_queue_size: 1'))),
  ...telling('late', dynamic(policy('default_timeout_microseconds: 200000'))),
  ...telling('levels', dynamic('priority_levels: 2 default_priority_level: 2')),
  ...telling('in_order', dynamic('preserve_ordering: true'), { count: 2 }),
  ...telling('batches', dynamic('max_queue_delay_microseconds: 400000'), { size: 4 }),
  ...telling('rows', CACHED, { size: 4 }),
  ...telling('two_outputs', CACHED, { outputs: ['OUTPUT0', 'OUTPUT1'] }),
  ...telling('two_inputs', CACHED, { inputs: [tensor('INPUT0'), tensor('INPUT1', 'optional: true')] }),
  ...telling('goes', CACHED),
  ...telling('fails', CACHED),
  ...telling('called', CACHED),
  ...pythonFiles(
    'calls',
    CALLS,
    `input [ ${tensor('INPUT0')} ]\noutput [ ${tensor('OUTPUT0', '', 'STRING', '1')} ]\ninstance_group [ { kind: KIND_CPU count: 1 } ]`,
  ),
};

const to = (name: string, takes: number, more: Partial<Send> = {}): Send => ({ to: name, takes, ...more });
const once = (send: Send): Send => ({ ...send, waits: true });
const quiet = (text: string): string => text.replaceAll(/\\+"run\\+": \d+/g, '');
const pair = (name: string, order: readonly string[], value = 1): Send => ({
  to: name,
  inputs: order.map((input) => ({ name: input, datatype: 'FP32', shape: [1, 1], data: [value] })),
});

const FLOWS: Readonly<Record<string, Flow>> = {
  'over each protocol': {
    models: ['plain'],
    moves: [
      once(to('plain', 0)),
      once(to('plain', 0, { by: 'grpc' })),
      to('plain', 0, { by: 'stream' }),
      300,
      once(to('plain', 1, { by: 'grpc', id: 'b' })),
      to('plain', 1, { by: 'stream', id: 'c' }),
      300,
      once(to('plain', 1, { parameters: { binary_data_output: false, x: 5 } })),
      once(to('plain', 1, { outputs: [{ name: 'OUTPUT0', parameters: { binary_data: false } }] })),
      once(to('plain', 1, { parameters: { priority: 1, timeout: 5 }, by: 'grpc' })),
      once(to('plain', 1, { parameters: { sequence_id: 7, sequence_start: true } })),
      once(to('plain@1', 1)),
      once(to('plain', 1, { outputs: ['NOPE'] })),
      once(to('plain', 1, { width: 2 })),
      once(to('plain', 1, { width: 2, by: 'grpc' })),
    ],
  },
  'answers while the queue is full': {
    models: ['full'],
    moves: [
      once(to('full', 0)),
      to('full', 9),
      to('full', 1),
      to('full', 2),
      to('full', 0),
      to('full', 0, { by: 'grpc' }),
      to('full', 2, { by: 'grpc' }),
      'counts',
      1200,
      to('full', 2),
    ],
  },
  'the same again while it is queued': {
    models: ['full'],
    moves: [
      to('full', 7),
      to('full', 7),
      to('full', 7, { by: 'grpc' }),
      to('full', 0.5),
      1900,
      to('full', 7),
    ],
  },
  'late ones': {
    models: ['late'],
    moves: [
      once(to('late', 0)),
      to('late', 8),
      to('late', 0),
      to('late', 1),
      1200,
      once(to('late', 1)),
      to('late', 1),
    ],
    isOrdered: false,
  },
  levels: {
    models: ['levels'],
    moves: [
      once(to('levels', 0)),
      to('levels', 7),
      to('levels', 1, { parameters: { priority: 2 } }),
      to('levels', 2, { parameters: { priority: 1 } }),
      to('levels', 0, { parameters: { priority: 2 } }),
      to('levels', 2, { parameters: { priority: 2 } }),
      900,
      to('levels', 2),
    ],
  },
  'in order': {
    models: ['in_order'],
    moves: [
      once(to('in_order', 0)),
      to('in_order', 7),
      to('in_order', 0),
      to('in_order', 1),
      to('in_order', 0, { by: 'grpc' }),
    ],
    level: quiet,
  },
  'batches that wait': {
    models: ['batches'],
    moves: [
      to('batches', 0),
      to('batches', 1),
      to('batches', 0),
      700,
      to('batches', 0),
      to('batches', 1, { by: 'grpc' }),
      to('batches', 2),
      to('batches', 0, { rows: 2 }),
      700,
      to('batches', 0, { rows: 2 }),
    ],
  },
  'rows in the counts': {
    models: ['rows'],
    moves: [3, 3, 1, 3, 4].map((rows) => once(to('rows', 0, { rows }))),
  },
  'some of two outputs': {
    models: ['two_outputs'],
    moves: [
      once(to('two_outputs', 0, { outputs: ['OUTPUT0', 'OUTPUT1'] })),
      once(to('two_outputs', 0, { outputs: ['OUTPUT1', 'OUTPUT0'] })),
      once(to('two_outputs', 0)),
    ],
  },
  'inputs in another order': {
    models: ['two_inputs'],
    moves: [
      once(pair('two_inputs', ['INPUT0', 'INPUT1'])),
      once(pair('two_inputs', ['INPUT1', 'INPUT0'])),
      once(pair('two_inputs', ['INPUT0'])),
      once(pair('two_inputs', ['INPUT1'])),
      once({ ...pair('two_inputs', ['INPUT1', 'INPUT0']), by: 'grpc' }),
    ],
  },
  'what a load and an unload leave': {
    models: ['goes'],
    moves: [
      once(to('goes', 0)),
      once(to('goes', 0)),
      load('goes'),
      once(to('goes', 0)),
      unload('goes'),
      1500,
      once(to('goes', 0)),
      load('goes'),
      once(to('goes', 0)),
      once(to('goes', 0)),
    ],
  },
  'given up': {
    models: ['plain'],
    moves: [
      to('plain', 4, { by: 'grpc', cancelAfter: 150 }),
      900,
      once(to('plain', 4)),
      once(to('plain', 4)),
    ],
  },
  'asked for by a model': {
    models: ['called', 'calls'],
    moves: [
      once({ to: 'calls', inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [1] }] }),
      once(to('called', 1)),
      once({ to: 'calls', inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1], data: [2] }] }),
    ],
  },
};
const EVICTED: Readonly<Record<string, Flow>> = {
  'entries that push others out': {
    models: ['plain', 'rows'],
    moves: [0, 0.1, 0.2, 0, 0.3, 0, 0.1, 0.4, 0.2].map((takes) => once(to('plain', takes))),
  },
  'one that is too large': {
    models: ['rows'],
    moves: [4, 4, 1, 1, 4, 1].map((rows) => once(to('rows', 0, { rows }))),
  },
};

const scene = (name: string, size: number, flows: Readonly<Record<string, Flow>>): Scene => ({
  name: `flows of the cache ${name}`,
  repositories: sameFor(files),
  args: [
    '--model-control-mode=explicit',
    '--load-model=*',
    '--exit-on-error=false',
    `--cache-config=local,size=${size}`,
  ],
  cases: Object.entries(flows).map(([title, flow]) => flowCase(`cache, ${title}`, flow)),
});

export const CACHE_FLOW_SCENES: readonly Scene[] = [
  scene('large', 1_048_576, FLOWS),
  scene('small', 2048, EVICTED),
];
