// What is counted while requests wait, run, are refused, late or given up: statistics and metrics are read in the middle, of
// each scheduler. How many wait is told by metrics alone.

import type { Flow, FlowMove } from './flow.ts';
import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { telling } from './flow-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ALL, batching, of, OLDEST } from './sequence-flow-parts.ts';
import { ensemble, step } from './span-cases.ts';

const dynamic = (text = ''): string => `dynamic_batching { ${text} }`;
const policy = (text: string): string => `default_queue_policy { ${text} }`;
const LATE = 'default_timeout_microseconds: 300000';
const FOUR = { size: 4 };

const models = {
  ...telling('plain'),
  ...telling('plain_two', '', { count: 2 }),
  ...telling('rows', '', FOUR),
  ...telling('batched', dynamic(), FOUR),
  ...telling('waits', dynamic('max_queue_delay_microseconds: 900000 preferred_batch_size: [ 3 ]'), FOUR),
  ...telling('full', dynamic(policy('max_queue_size: 2')), FOUR),
  ...telling('refuses', dynamic(policy(LATE))),
  ...telling('delays', dynamic(policy(`timeout_action: DELAY max_queue_size: 3 ${LATE}`))),
  ...telling(
    'levels',
    dynamic(
      `priority_levels: 2 default_priority_level: 2 priority_queue_policy { key: 1 value { max_queue_size: 1 } }`,
    ),
  ),
  ...telling('in_order', dynamic('preserve_ordering: true'), { count: 2 }),
  ...telling('direct', batching(`${ALL} direct {}`), { size: 1 }),
  ...telling('oldest', batching(`${ALL} ${OLDEST}`), { size: 1 }),
  ...telling('idle', batching(`${ALL} max_sequence_idle_microseconds: 500000`), { size: 1 }),
  ...telling('step'),
  ...Object.fromEntries(
    Object.entries(ensemble('chain', step('step', 'INPUT0', 'OUTPUT0'))).map(([file, text]) => [
      file,
      String(text)
        .replace(/(output \[[^\]]*data_type: )TYPE_FP32/, '$1TYPE_STRING')
        .replace('platform:', 'max_batch_size: 1\nplatform:'),
    ]),
  ),
};

const PLUG = (to: string, takes = 12): Send => ({ to, takes });
const around = (to: string, sends: readonly Send[], after = 0): readonly FlowMove[] => [
  PLUG(to),
  'counts',
  ...sends,
  'counts',
  ...(after === 0 ? [] : [after, 'counts' as const]),
];
const times = (count: number, send: Send): readonly Send[] => Array.from({ length: count }, () => send);
const level = (to: string, priority: number): Send => ({ to, parameters: { priority } });
const one = (to: string, moves: readonly FlowMove[], more: Partial<Flow> = {}): Flow => ({
  models: [to],
  moves,
  ...more,
});

const FLOWS: Readonly<Record<string, Flow>> = {
  'no batcher': one('plain', around('plain', [...times(2, { to: 'plain' }), { to: 'plain', takes: -1 }])),
  'two instances': one(
    'plain_two',
    [PLUG('plain_two'), ...around('plain_two', times(2, { to: 'plain_two' }))],
    {
      isOrdered: false,
    },
  ),
  'rows without a batcher': one(
    'rows',
    around('rows', [
      { to: 'rows', rows: 3 },
      { to: 'rows', rows: 5 },
    ]),
  ),
  'a batcher': one(
    'batched',
    around('batched', [
      { to: 'batched', rows: 2 },
      { to: 'batched' },
      { to: 'batched', rows: 4 },
      { to: 'nope' },
    ]),
  ),
  'a delay': one('waits', [{ to: 'waits' }, 'counts', { to: 'waits' }, 'counts', { to: 'waits' }, 'counts']),
  'a full queue': one('full', around('full', times(5, { to: 'full' }))),
  'late ones': one('refuses', around('refuses', times(2, { to: 'refuses' }), 1500)),
  'late ones that wait on': one('delays', around('delays', times(4, { to: 'delays' }), 300)),
  levels: one(
    'levels',
    around('levels', [level('levels', 1), level('levels', 1), level('levels', 2), level('levels', 2)]),
  ),
  'answers in order': one(
    'in_order',
    [
      PLUG('in_order'),
      { to: 'in_order', takes: 1 },
      300,
      'counts',
      ...times(2, { to: 'in_order' }),
      300,
      'counts',
    ],
    { isOrdered: false },
  ),
  'given up': one(
    'batched',
    around('batched', [{ to: 'batched', by: 'grpc', cancelAfter: 100 }, { to: 'batched' }], 600),
  ),
  'given up, without a batcher': one(
    'plain',
    around('plain', [{ to: 'plain', by: 'grpc', cancelAfter: 100 }, { to: 'plain' }], 600),
  ),
  'an ensemble': one('chain', around('chain', times(2, { to: 'chain' })), { models: ['chain', 'step'] }),
  ...Object.fromEntries(
    ['direct', 'oldest'].map((name) => [
      `sequences, ${name}`,
      one(name, [
        of(name, 1, 's', { takes: 8 }),
        'counts',
        of(name, 1),
        of(name, 2, 's'),
        of(name, 3, 's'),
        of(name, 9),
        'counts',
        900,
        'counts',
        of(name, 1, 'e'),
        of(name, 2, 'e'),
        of(name, 3, 'e'),
      ]),
    ]),
  ),
  'idle sequences': one('idle', [
    of('idle', 1, 's'),
    of('idle', 2, 's'),
    'counts',
    of('idle', 2),
    1500,
    'counts',
    of('idle', 1),
    of('idle', 2, 'e'),
  ]),
};

export const WAITING_FLOW_SCENE: Scene = {
  name: 'counts of those that wait',
  repositories: sameFor(models),
  cases: Object.entries(FLOWS).map(([title, flow]) => flowCase(`waiting, ${title}`, flow)),
};
