// Sequences that meet: controls one by one, requests that fail, are refused, late or given up in the middle, sequences that
// wait for a place, and models that are unloaded or loaded anew meanwhile.

import { flowCase } from './flow.ts';
import { tensor } from './flow-models.ts';
import { get, post } from './http-calls.ts';
import { load, unload } from './life-calls.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import {
  ALL,
  batching,
  control,
  corrid,
  FlowSet,
  of,
  OLDEST,
  once,
  STRATEGIES,
} from './sequence-flow-parts.ts';

const set = new FlowSet('f');

for (const [strategy, text] of Object.entries(STRATEGIES)) {
  set.add(`failures in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    once(of(name, 1, 's')),
    once(of(name, 1, '', { takes: -1 })),
    once(of(name, 1, '')),
    once(of(name, 1, 'e', { takes: -1 })),
    once(of(name, 1, '')),
    once(of(name, 2, 's', { takes: -1 })),
    once(of(name, 2, 'e')),
  ]);
  set.add(`refusals in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    once(of(name, 1, 's', { inputs: [] })),
    once(of(name, 1, '')),
    once(of(name, 1, 's')),
    once(of(name, 1, '', { rows: 2 })),
    once(of(name, 1, '', { outputs: ['NOPE'] })),
    once(of(name, 1, 'e', { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1, 1], data: [1] }] })),
    once(of(name, 1, '')),
    once(of(name, 1, 'e', { by: 'grpc', rows: 2 })),
    once(of(name, 1, 'e', { by: 'grpc' })),
    once(of(name, 1, 'e')),
    once(of(name, 1, '', { inputs: [{ name: 'START', datatype: 'INT32', shape: [1, 1], data: [1] }] })),
    once(
      of(name, 1, 's', {
        inputs: [
          { name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [0] },
          { name: 'START', datatype: 'INT32', shape: [1, 1], data: [0] },
        ],
      }),
    ),
    once({ to: name, parameters: { sequence_start: true, sequence_end: true } }),
    once({ to: name, by: 'grpc' }),
    once({ to: name, parameters: { sequence_id: 4, sequence_start: 'yes' } }),
    once({ to: name, parameters: { sequence_id: 4, sequence_start: 1 } }),
    once({ to: name, by: 'grpc', parameters: { sequence_id: 4, sequence_start: 1 } }),
    once({ to: name, by: 'grpc', parameters: { sequence_id: 4, sequence_end: 'yes' } }),
    once({ to: name, parameters: { sequence_id: 4, sequence_start: false } }),
    once({ to: name, parameters: { sequence_id: null, sequence_start: true } }),
    once({ to: name, parameters: { sequence_id: [4], sequence_start: true } }),
  ]);
  set.add(`timeouts in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    of(name, 1, 's', { takes: 10 }),
    of(name, 1, '', { parameters: { timeout: 100_000 } }),
    of(name, 1, '', { by: 'grpc', parameters: { timeout: 200_000 } }),
    of(name, 2, 's', { parameters: { timeout: 100_000 } }),
    of(name, 1, ''),
    1300,
    of(name, 2, 'e'),
    of(name, 1, 'e'),
  ]);
  set.add(
    `one place, ${strategy}`,
    batching(`${ALL} ${strategy === 'direct' ? text : 'oldest { max_candidate_sequences: 1 }'}`),
    (name) => [
      of(name, 1, 's', { takes: 2 }),
      of(name, 2, 's'),
      of(name, 2, '', { by: 'grpc' }),
      of(name, 3, '', {}),
      of(name, 2, 'e'),
      of(name, 2, '', {}),
      of(name, 2, 's', { by: 'stream' }),
      of(name, 4, 'se'),
      of(name, 1, 's'),
      'counts',
      of(name, 1, 'e'),
      400,
      of(name, 2, 'e'),
    ],
    { size: 1 },
  );
  set.add(
    `timeouts in the backlog, ${strategy}`,
    batching(`${ALL} ${strategy === 'direct' ? text : 'oldest { max_candidate_sequences: 1 }'}`),
    (name) => [
      of(name, 1, 's'),
      of(name, 2, 's', { parameters: { timeout: 700_000 } }),
      of(name, 2, '', { by: 'grpc', parameters: { timeout: 300_000 } }),
      of(name, 2, '', { by: 'stream' }),
      of(name, 3, 's'),
      900,
      'counts',
      of(name, 2, '', {}),
      of(name, 1, 'e'),
      of(name, 3, 'e'),
      of(name, 2, 'se'),
    ],
    { size: 1 },
  );
  set.add(
    `idle in the backlog, ${strategy}`,
    batching(
      `max_sequence_idle_microseconds: 1000000 ${ALL} ${strategy === 'direct' ? text : 'oldest { max_candidate_sequences: 1 }'}`,
    ),
    (name) => [
      of(name, 1, 's'),
      of(name, 2, 's'),
      of(name, 2, ''),
      of(name, 3, 'se', { by: 'grpc' }),
      3500,
      of(name, 2, ''),
      of(name, 1, 'e'),
      of(name, 2, 'e'),
    ],
    { size: 1 },
  );
  set.add(`given up in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    of(name, 1, 's', { takes: 8 }),
    of(name, 1, '', { by: 'grpc', cancelAfter: 200 }),
    of(name, 1, '', { by: 'grpc' }),
    of(name, 2, 's', { by: 'stream' }),
    1000,
    of(name, 1, 'e'),
    of(name, 1, 's'),
    of(name, 2, 'e', { by: 'stream' }),
    of(name, 1, 'e'),
  ]);
  set.add(`a stream given up in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    of(name, 1, 's', { takes: 6 }),
    of(name, 2, 's', { by: 'stream' }),
    of(name, 2, '', { by: 'stream' }),
    of(name, 2, '', { by: 'stream', cancelAfter: 50 }),
    of(name, 3, 's'),
    900,
    of(name, 2, ''),
    of(name, 2, 'se'),
    of(name, 1, 'e'),
    of(name, 3, 'e'),
  ]);
  set.add(`an unload in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    of(name, 1, 's'),
    of(name, 2, 's'),
    unload(name),
    of(name, 1, ''),
    of(name, 3, 's'),
    of(name, 2, '', { by: 'grpc' }),
    get(`/v2/models/${name}/ready`),
    of(name, 1, 'e'),
    of(name, 2, 'e'),
    2500,
    of(name, 1, 's'),
    get(`/v2/models/${name}/ready`),
    load(name),
    of(name, 1, ''),
    of(name, 1, 'se'),
  ]);
  set.add(`another configuration in the middle, ${strategy}`, batching(`${ALL} ${text}`), (name) => [
    once(of(name, 1, 's')),
    post(`/v2/repository/models/${name}/load`, {
      parameters: {
        config: JSON.stringify({
          backend: 'python',
          max_batch_size: 2,
          input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: [-1] }],
          output: [{ name: 'OUTPUT0', data_type: 'TYPE_STRING', dims: [1] }],
          instance_group: [{ kind: 'KIND_CPU', count: 1 }],
          sequence_batching: { max_sequence_idle_microseconds: 1000000 },
        }),
      },
    }),
    once(of(name, 1, '')),
    once(of(name, 1, 's')),
    once(of(name, 1, 'e')),
    2000,
    once(of(name, 1, 'e')),
    load(name),
    once(of(name, 1, 'se')),
  ]);
  set.add(
    `two instances, ${strategy}`,
    batching(`${control('START')} ${strategy === 'direct' ? text : 'oldest { max_candidate_sequences: 1 }'}`),
    (name) => [
      of(name, 1, 's', { takes: 5 }),
      of(name, 2, 's', { takes: 2 }),
      of(name, 3, 's'),
      of(name, 2, 'e'),
      of(name, 3, 'e'),
      of(name, 1, 'e'),
      of(name, 4, 'se'),
    ],
    { size: 1, count: 2 },
    { level: (words) => words.replaceAll(/\\+"run\\+": \d+/g, '') },
  );
  set.add(
    `shapes that differ, ${strategy}`,
    batching(
      `${ALL} ${strategy === 'direct' ? 'direct { max_queue_delay_microseconds: 500000 minimum_slot_utilization: 1 }' : 'oldest { max_candidate_sequences: 4 max_queue_delay_microseconds: 500000 }'}`,
    ),
    (name) => [
      of(name, 1, 's'),
      of(name, 2, 's', { width: 2 }),
      of(name, 3, 's'),
      of(name, 1, 'e'),
      of(name, 2, 'e', { width: 3 }),
      of(name, 3, 'e', { width: 3 }),
    ],
  );
  set.add(
    `optional inputs, ${strategy}`,
    batching(
      `${ALL} ${strategy === 'direct' ? 'direct { max_queue_delay_microseconds: 500000 minimum_slot_utilization: 1 }' : 'oldest { max_candidate_sequences: 4 max_queue_delay_microseconds: 500000 }'}`,
    ),
    (name) => {
      const one = { name: 'INPUT1', datatype: 'FP32', shape: [1, 1], data: [7] };
      const zero = { name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [0] };
      return [
        of(name, 1, 's', { inputs: [zero] }),
        of(name, 2, 's', { inputs: [zero, one] }),
        of(name, 3, 's', { inputs: [zero, one], by: 'grpc' }),
        of(name, 1, 'e', { inputs: [one, zero] }),
        of(name, 2, 'e', { inputs: [zero] }),
        of(name, 3, 'e', { inputs: [zero] }),
      ];
    },
    { inputs: [tensor('INPUT0'), tensor('INPUT1', 'optional: true')] },
  );
}
for (const kind of ['START', 'END', 'READY', 'CORRID'])
  set.add(
    `${kind} alone`,
    batching(kind === 'CORRID' ? corrid('INT32') : control(kind, 'fp32_false_true: [ -1.5, 2.5 ]')),
    (name) => [
      of(name, 1, 's', { takes: 3 }),
      of(name, 2, 's'),
      of(name, 3, 's'),
      of(name, 2, ''),
      of(name, 1, 'e'),
      of(name, 2, 'e'),
      of(name, 3, 'e'),
    ],
  );
set.add(
  'controls without batches',
  batching(`${ALL} ${OLDEST}`),
  (name) => [
    of(name, 1, 's', { takes: 2 }),
    of(name, 2, 's'),
    of(name, 1, 'e'),
    of(name, 2, 'e', { rows: 2 }),
  ],
  { size: 0, inputs: [tensor('INPUT0', '', 'FP32', '-1, -1')] },
);
set.add(
  'places that wait for others without a delay',
  batching(`${ALL} direct { minimum_slot_utilization: 1 }`),
  (name) => [of(name, 1, 's', { takes: 3 }), of(name, 2, 's'), of(name, 1, 'e'), of(name, 2, 'e')],
);
set.add(
  'answers in order',
  batching(`${ALL} oldest { max_candidate_sequences: 4 preserve_ordering: true }`),
  (name) => [
    of(name, 1, 's', { takes: 5 }),
    of(name, 2, 's', { takes: -1 }),
    of(name, 3, 's', { by: 'grpc', cancelAfter: 150 }),
    of(name, 4, 's'),
    of(name, 1, 'e'),
    of(name, 2, 'e'),
    of(name, 4, 'e'),
  ],
  { size: 1, count: 2 },
  { level: (words) => words.replaceAll(/\\+"run\\+": \d+/g, '') },
);

export const SEQUENCE_FLOW_SCENE: Scene = {
  name: 'flows of sequences',
  repositories: sameFor(set.files),
  args: ['--model-control-mode=explicit', '--load-model=*', '--exit-on-error=false'],
  atOnce: 3,
  cases: Object.entries(set.flows).map(([name, one]) => flowCase(`sequences, ${name}`, one)),
};
