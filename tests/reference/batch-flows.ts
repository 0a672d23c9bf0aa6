// Dynamic batches that meet over each protocol: which requests run together when their inputs, outputs, shapes or parameters
// differ, who is refused and how each protocol says so, and what is counted of it.

import { ensemble, step } from './span-cases.ts';
import { get } from './http-calls.ts';
import type { Flow } from './flow.ts';
import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { digits } from './flow-calls.ts';
import { telling, tensor, TELLS } from './flow-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const dynamic = (text = ''): string => `dynamic_batching { ${text} }`;
const DELAY = 'max_queue_delay_microseconds: 600000';
const policy = (text: string): string => `default_queue_policy { ${text} }`;
const levels = 'priority_levels: 3 default_priority_level: 2';
const fp32 = (name: string, shape: readonly number[], value = 0): NonNullable<Send['inputs']>[number] => ({
  name,
  datatype: 'FP32',
  shape,
  data: Array<number>(shape.reduce((a, b) => a * b, 1)).fill(value),
});
const FOUR = { size: 4 };
const OPTIONAL = { size: 4, inputs: [tensor('INPUT0'), tensor('INPUT1', 'optional: true')] };
const RAGGED_ONE = {
  size: 8,
  inputs: [tensor('INPUT0', 'allow_ragged_batch: true'), tensor('INPUT1')],
};
const TWO_OUTPUTS = { size: 4, outputs: ['OUTPUT0', 'OUTPUT1'] };

const models = {
  ...telling('optional', dynamic(DELAY), OPTIONAL),
  ...telling('optional_full', dynamic(`${DELAY} preferred_batch_size: [ 2 ]`), OPTIONAL),
  ...telling('ragged', dynamic(DELAY), RAGGED_ONE),
  ...telling('outputs', dynamic(DELAY), TWO_OUTPUTS),
  ...telling('parameters', dynamic(DELAY), FOUR),
  ...telling('small', dynamic(policy('max_queue_size: 1'))),
  ...telling('small_delays', dynamic(`${policy('max_queue_size: 2')} ${DELAY}`), FOUR),
  ...telling('late', dynamic(policy('default_timeout_microseconds: 200000 allow_timeout_override: true'))),
  ...telling('levels', dynamic(levels)),
  ...telling('whole', dynamic(DELAY), { size: 0 }),
  ...telling('whole_levels', dynamic(`${levels} ${policy('max_queue_size: 1')}`), { size: 0 }),
  ...telling('in_order', dynamic('preserve_ordering: true'), { count: 2 }),
  ...telling('in_order_late', dynamic(`preserve_ordering: true ${policy('max_queue_size: 1')}`), {
    count: 2,
  }),
  ...telling('plain', '', FOUR),
  ...telling('rows', dynamic(`${DELAY} preferred_batch_size: [ 4 ]`), { size: 6 }),
  ...telling('rows_two', dynamic('preferred_batch_size: [ 2, 4 ]'), { size: 6, count: 2 }),
  ...telling('goes', dynamic(levels)),
  ...telling('two_levels', dynamic(`priority_levels: 2 default_priority_level: 2 ${DELAY}`), FOUR),
  ...telling('step', dynamic(policy('max_queue_size: 1'))),
  ...telling('nothing', dynamic(DELAY), {
    size: 4,
    inputs: [tensor('INPUT0', 'optional: true'), tensor('INPUT1', 'optional: true')],
    code: TELLS.replace(
      'request.inputs()[0].as_numpy().shape[0]',
      'max([1] + [one.as_numpy().shape[0] for one in request.inputs()])',
    ),
  }),
};
const over = (name: string, of: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ensemble(name, step(of, 'INPUT0', 'OUTPUT0'))).map(([file, text]) => [
      file,
      String(text)
        .replace(/(output \[[^\]]*data_type: )TYPE_FP32/, '$1TYPE_STRING')
        .replace('platform:', 'max_batch_size: 1\nplatform:'),
    ]),
  );

const both = (send: Send): readonly Send[] => [send, { ...send, by: 'grpc' }];
const PLUG = (to: string, takes = 8): Send => ({ to, takes });

const FLOWS: Readonly<Record<string, Flow>> = {
  'optional inputs': {
    models: ['optional'],
    moves: [
      { to: 'optional', inputs: [fp32('INPUT0', [1, 1])] },
      { to: 'optional', inputs: [fp32('INPUT0', [1, 1])], by: 'grpc' },
      { to: 'optional', inputs: [fp32('INPUT0', [1, 1]), fp32('INPUT1', [1, 1])] },
      { to: 'optional', inputs: [fp32('INPUT1', [1, 1]), fp32('INPUT0', [1, 1])], by: 'grpc' },
      { to: 'optional', inputs: [fp32('INPUT0', [1, 1])] },
      { to: 'optional', inputs: [fp32('INPUT0', [1, 1]), fp32('INPUT1', [1, 2])] },
      { to: 'optional', inputs: [fp32('INPUT1', [1, 1])] },
      { to: 'optional', inputs: [fp32('INPUT0', [2, 1]), fp32('INPUT1', [1, 1])] },
    ],
  },
  'optional inputs of preferred sizes': {
    models: ['optional_full'],
    moves: [
      { to: 'optional_full', inputs: [fp32('INPUT0', [1, 1])] },
      { to: 'optional_full', inputs: [fp32('INPUT0', [1, 1]), fp32('INPUT1', [1, 1])] },
      { to: 'optional_full', inputs: [fp32('INPUT0', [1, 1]), fp32('INPUT1', [1, 1])] },
      { to: 'optional_full', inputs: [fp32('INPUT0', [1, 1])] },
    ],
  },
  'no inputs at all': {
    models: ['nothing'],
    moves: [
      { to: 'nothing', inputs: [] },
      { to: 'nothing', inputs: [], by: 'grpc' },
      { to: 'nothing', inputs: [fp32('INPUT0', [2, 1])] },
      { to: 'nothing', inputs: [fp32('INPUT1', [1, 1])] },
      { to: 'nothing', inputs: [fp32('INPUT1', [1, 1])] },
    ],
  },
  'one ragged input of two': {
    models: ['ragged'],
    moves: [
      { to: 'ragged', inputs: [fp32('INPUT0', [1, 1]), fp32('INPUT1', [1, 2])] },
      { to: 'ragged', inputs: [fp32('INPUT0', [1, 3]), fp32('INPUT1', [1, 2])] },
      { to: 'ragged', inputs: [fp32('INPUT0', [2, 3]), fp32('INPUT1', [2, 2])] },
      { to: 'ragged', inputs: [fp32('INPUT0', [1, 1]), fp32('INPUT1', [1, 1])] },
      { to: 'ragged', inputs: [fp32('INPUT0', [1, 2]), fp32('INPUT1', [1, 1])], by: 'grpc' },
    ],
  },
  'requested outputs': {
    models: ['outputs'],
    moves: [
      { to: 'outputs', outputs: ['OUTPUT0'] },
      { to: 'outputs', outputs: ['OUTPUT1'], by: 'grpc' },
      { to: 'outputs' },
      { to: 'outputs', outputs: ['OUTPUT1', 'OUTPUT0'], by: 'stream' },
      { to: 'outputs', outputs: ['OUTPUT9'] },
      { to: 'outputs', outputs: ['OUTPUT9'], by: 'grpc' },
      { to: 'outputs', outputs: ['OUTPUT9'], by: 'stream', id: 'gone' },
    ].map((one) => (one.id === 'gone' ? 50 : one)) as Flow['moves'],
  },
  parameters: {
    models: ['parameters'],
    moves: [
      { to: 'parameters', id: 'a', parameters: { x: 1, text: 'ä', yes: true, d: 0.5 } },
      { to: 'parameters', id: 'b', parameters: { x: 2, priority: 0 }, by: 'grpc' },
      { to: 'parameters', parameters: { timeout: 5_000_000 } },
      {
        to: 'parameters',
        id: 'c',
        parameters: {
          u: { uint64_param: '18446744073709551615' },
          n: { int64_param: '-5' },
          d: { double_param: 1e300 },
          s: { string_param: '' },
        },
        by: 'stream',
      },
      { to: 'parameters', parameters: { n: -5, big: digits('18446744073709551615'), e: 1e300, f: 0.1 } },
      { to: 'parameters', parameters: { sequence_id: 5, sequence_start: true } },
      { to: 'parameters', parameters: { sequence_id: 'five', sequence_end: true }, by: 'grpc' },
      { to: 'parameters', parameters: { priority: 2 } },
    ],
  },
  'a full queue': {
    models: ['small'],
    moves: [
      PLUG('small', 12),
      { to: 'small', by: 'grpc' },
      ...both({ to: 'small', id: 'full' }),
      { to: 'small', by: 'stream', id: 'full2' },
      'counts',
      1200,
      { to: 'small' },
    ],
  },
  'a full queue that waits for more': {
    models: ['small_delays'],
    moves: [
      { to: 'small_delays' },
      { to: 'small_delays', rows: 2 },
      { to: 'small_delays' },
      { to: 'small_delays', rows: 4 },
      'counts',
    ],
  },
  'late ones': {
    models: ['late'],
    moves: [
      PLUG('late', 10),
      ...both({ to: 'late', id: 'x' }),
      { to: 'late', by: 'grpc', parameters: { timeout: 100_000 } },
      { to: 'late', parameters: { timeout: 9_000_000 } },
      { to: 'late', by: 'grpc', parameters: { timeout: { uint64_param: '100000' } } },
      { to: 'late', by: 'grpc', parameters: { timeout: { string_param: '100000' } } },
      { to: 'late', by: 'grpc', parameters: { timeout: -1 } },
      { to: 'late', parameters: { timeout: digits('18446744073709551615') } },
    ],
  },
  'levels over gRPC': {
    models: ['levels'],
    moves: [
      PLUG('levels', 9),
      { to: 'levels', by: 'grpc', parameters: { priority: 3 } },
      { to: 'levels', by: 'grpc', parameters: { priority: { uint64_param: '1' } } },
      { to: 'levels', by: 'grpc', parameters: { priority: -1 } },
      { to: 'levels', by: 'grpc', parameters: { priority: { uint64_param: '4' } } },
      { to: 'levels', by: 'grpc', parameters: { priority: { bool_param: true } } },
      { to: 'levels', by: 'grpc', parameters: { priority: 4294967297 } },
      { to: 'levels', parameters: { priority: 4294967297 } },
      { to: 'levels', by: 'grpc' },
    ],
  },
  'levels in batches that wait': {
    models: ['two_levels'],
    moves: [
      { to: 'two_levels', parameters: { priority: 2 } },
      { to: 'two_levels', parameters: { priority: 1 }, rows: 2 },
      { to: 'two_levels', parameters: { priority: 1 }, rows: 2 },
      { to: 'two_levels', parameters: { priority: 2 } },
      { to: 'two_levels', width: 2, parameters: { priority: 1 } },
    ],
  },
  'without batches': {
    models: ['whole'],
    moves: [
      PLUG('whole', 4),
      { to: 'whole' },
      { to: 'whole', rows: 2 },
      { to: 'whole', rows: 0 },
      { to: 'whole', by: 'grpc', inputs: [fp32('INPUT0', [3])] },
      { to: 'whole', inputs: [fp32('INPUT0', [3])] },
    ],
  },
  'levels without batches': {
    models: ['whole_levels'],
    moves: [
      { to: 'whole_levels', inputs: [fp32('INPUT0', [1], 9)] },
      ...[1, 1, 2, 2, 3, 3].map((priority): Send => ({
        to: 'whole_levels',
        inputs: [fp32('INPUT0', [1])],
        parameters: { priority },
      })),
      'counts',
    ],
  },
  'answers in order, with failures and one given up': {
    models: ['in_order'],
    moves: [
      { to: 'in_order', takes: 9 },
      { to: 'in_order', takes: -1 },
      { to: 'in_order', takes: 1, by: 'grpc' },
      { to: 'in_order', takes: 1, by: 'grpc', cancelAfter: 200 },
      { to: 'in_order', takes: 1, by: 'stream' },
      { to: 'in_order', takes: 1, inputs: [fp32('NOPE', [1, 1])] },
      { to: 'in_order' },
    ],
    level: (text) => text.replaceAll(/\\+"run\\+": \d+/g, ''),
  },
  'answers in order of a full queue': {
    models: ['in_order_late'],
    moves: [
      { to: 'in_order_late', takes: 8 },
      { to: 'in_order_late', takes: 8 },
      { to: 'in_order_late' },
      { to: 'in_order_late' },
      { to: 'in_order_late', by: 'grpc' },
    ],
    level: (text) => text.replaceAll(/\\+"run\\+": \d+/g, ''),
  },
  'no batcher': {
    models: ['plain'],
    moves: [
      PLUG('plain', 5),
      { to: 'plain', rows: 4 },
      { to: 'plain', rows: 5, by: 'grpc' },
      { to: 'plain', parameters: { timeout: 1, priority: 9 }, by: 'grpc' },
      'counts',
    ],
  },
  'rows beyond a preferred size': {
    models: ['rows'],
    moves: [
      { to: 'rows', rows: 3 },
      { to: 'rows', rows: 2 },
      { to: 'rows', rows: 1 },
      { to: 'rows', rows: 6 },
      { to: 'rows', rows: 3 },
      { to: 'rows', rows: 4 },
      { to: 'rows', rows: 7 },
    ],
  },
  'preferred sizes and two instances': {
    models: ['rows_two'],
    isOrdered: false,
    moves: [
      PLUG('rows_two', 9),
      PLUG('rows_two', 12),
      ...[1, 1, 1, 2, 1].map((rows): Send => ({ to: 'rows_two', rows })),
    ],
    level: (text) => text.replaceAll(/\\+"run\\+": \d+/g, ''),
  },
  'a step with a full queue': {
    models: ['step', 'over'],
    moves: [
      PLUG('over', 9),
      { to: 'over' },
      { to: 'over', id: 'e' },
      { to: 'over', by: 'grpc', id: 'e' },
      { to: 'over', by: 'stream', id: 'e' },
      { to: 'step', by: 'grpc' },
      'counts',
    ],
  },
  'an unload with a queue': {
    models: ['goes'],
    moves: [
      PLUG('goes', 6),
      { to: 'goes' },
      { to: 'goes', by: 'grpc' },
      { call: { ...get('/'), method: 'POST', path: '/v2/repository/models/goes/unload', body: '' } },
      { to: 'goes' },
      { to: 'goes', by: 'grpc' },
      get('/v2/models/goes/ready'),
      get('/v2/models/goes/stats'),
      3000,
      get('/v2/models/goes/stats'),
    ],
  },
};

export const BATCH_FLOW_SCENE: Scene = {
  name: 'flows of batches',
  repositories: sameFor({ ...models, ...over('over', 'step') }),
  args: ['--model-control-mode=explicit', '--load-model=*', '--exit-on-error=false'],
  atOnce: 3,
  cases: Object.entries(FLOWS).map(([name, flow]) => flowCase(name, flow)),
};
