// The rate limiter under load: instances of several groups, batches, sequences, ensembles, decoupled models and calls between
// models that share resources; priorities of instances; what is given up or unloaded while it waits for a resource.

import type { Flow } from './flow.ts';
import { flowCase } from './flow.ts';
import type { Send } from './flow-calls.ts';
import { telling } from './flow-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { get } from './http-calls.ts';
import { load, unload } from './life-calls.ts';
import { ensemble, step } from './span-cases.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const group = (name: string, count: number, priority = 1, instances = 1, more = ''): string =>
  `{ kind: KIND_CPU count: ${instances} ${more} rate_limiter { priority: ${priority} resources [ { name: "${name}" count: ${count} } ] } }`;
const groups = (...all: readonly string[]): string => `instance_group [ ${all.join(', ')} ]`;
const SEQUENCE = 'sequence_batching { max_sequence_idle_microseconds: 60000000';
const quiet = (text: string): string => text.replaceAll(/\\+"run\\+": \d+/g, '');

const files: RepositoryFiles = {
  ...telling('p_first', groups(group('P', 1, 1))),
  ...telling('p_second', groups(group('P', 1, 2))),
  ...telling('p_third', groups(group('P', 1, 3))),
  ...telling('n_two', groups(group('N', 2, 1, 2))),
  ...telling('n_one', groups(group('N', 1, 1))),
  ...telling(
    'd_queue',
    `${groups(group('D', 1))}\ndynamic_batching { default_queue_policy { max_queue_size: 2 } }`,
    { size: 4 },
  ),
  ...telling(
    'd_late',
    `${groups(group('D', 1))}\ndynamic_batching { default_queue_policy { default_timeout_microseconds: 300000 } }`,
  ),
  ...telling(
    'd_levels',
    `${groups(group('D', 1))}\ndynamic_batching { priority_levels: 2 default_priority_level: 2 }`,
  ),
  ...telling('s_direct', `${groups(group('S', 1))}\n${SEQUENCE} direct {} }`, { size: 2 }),
  ...telling('s_oldest', `${groups(group('S', 1))}\n${SEQUENCE} oldest { max_candidate_sequences: 2 } }`, {
    size: 2,
  }),
  ...telling('e_step', groups(group('E', 1))),
  ...ensemble('e_once', step('e_step', 'INPUT0', 'OUTPUT0')),
  ...telling('c_wait', groups(group('C', 1))),
  ...telling('c_other', groups(group('C', 1))),
  ...telling('u_goes', groups(group('U', 2))),
  ...telling('u_stays', groups(group('U', 1))),
  ...telling('g_groups', groups(group('G', 1, 1), group('G', 2, 5))),
  ...telling('o_order', `${groups(group('O', 1, 1, 2))}\ndynamic_batching { preserve_ordering: true }`),
  ...telling('o_other', groups(group('O', 2, 1))),
};
const given = Object.fromEntries(
  Object.entries(files).map(([file, text]) => [
    file,
    file === 'e_once/config.pbtxt'
      ? String(text)
          .replace(/(output \[[^\]]*data_type: )TYPE_FP32/, '$1TYPE_STRING')
          .replace('platform:', 'max_batch_size: 1\nplatform:')
      : text,
  ]),
);
const to = (name: string, takes = 1, more: Partial<Send> = {}): Send => ({ to: name, takes, ...more });
const sequence = (name: string, id: number, flags: string, takes = 1): Send =>
  to(name, takes, {
    parameters: {
      sequence_id: id,
      ...(flags.includes('s') ? { sequence_start: true } : {}),
      ...(flags.includes('e') ? { sequence_end: true } : {}),
    },
  });

const FLOWS: Readonly<Record<string, Flow>> = {
  'priorities of instances': {
    models: ['p_first', 'p_second', 'p_third'],
    moves: [
      to('p_third', 6),
      to('p_third', 2),
      to('p_second', 2),
      to('p_first', 2),
      to('p_third', 2),
      to('p_first', 2),
      to('p_second', 2),
      to('p_first', 2),
    ],
  },
  'two of two each, and one of one': {
    models: ['n_two', 'n_one'],
    moves: [to('n_two', 5), to('n_two', 3), to('n_one', 2), to('n_one', 2), to('n_two', 2)],
    level: quiet,
  },
  'queues in front of it': {
    models: ['d_queue', 'd_late', 'd_levels'],
    moves: [
      to('d_levels', 8),
      to('d_queue', 1),
      to('d_queue', 1, { by: 'grpc' }),
      to('d_queue', 1),
      to('d_queue', 1, { by: 'grpc' }),
      to('d_late', 1),
      to('d_late', 1, { by: 'grpc' }),
      to('d_levels', 1, { parameters: { priority: 2 } }),
      to('d_levels', 1, { parameters: { priority: 1 } }),
      'counts',
    ],
    isOrdered: false,
  },
  'sequences that share': {
    models: ['s_direct', 's_oldest'],
    moves: [
      sequence('s_direct', 1, 's', 4),
      sequence('s_oldest', 1, 's', 2),
      sequence('s_oldest', 2, 's', 1),
      sequence('s_direct', 1, '', 1),
      sequence('s_oldest', 1, 'e', 1),
      1200,
      sequence('s_oldest', 2, 'e', 1),
      sequence('s_direct', 1, 'e', 1),
    ],
    isOrdered: false,
  },
  'an ensemble and its step': {
    models: ['e_once', 'e_step'],
    moves: [to('e_once', 4), to('e_step', 1), to('e_once', 1), to('e_step', 1, { by: 'stream' })],
  },
  'given up while it waits': {
    models: ['c_wait', 'c_other'],
    moves: [
      to('c_other', 7),
      to('c_wait', 1, { by: 'grpc', cancelAfter: 450 }),
      to('c_wait', 1, { by: 'grpc' }),
      1000,
      'counts',
    ],
  },
  'unloads with what runs': {
    models: ['u_goes', 'u_stays'],
    moves: [
      to('u_goes', 6),
      to('u_stays', 1),
      { call: unload('u_goes') },
      to('u_stays', 1),
      get('/v2/models/u_goes/ready'),
      1500,
      to('u_stays', 1),
      load('u_goes'),
      to('u_goes', 1),
      to('u_stays', 1, { by: 'grpc' }),
    ],
    isOrdered: false,
  },
  'groups that need more than others': {
    models: ['g_groups'],
    moves: [to('g_groups', 5), to('g_groups', 5), to('g_groups', 1), to('g_groups', 1), to('g_groups', 1)],
    level: quiet,
    isOrdered: false,
  },
  'answers in order': {
    models: ['o_order', 'o_other'],
    moves: [
      to('o_order', 6),
      to('o_order', 1),
      to('o_other', 2),
      to('o_order', 1),
      to('o_order', 1, { by: 'grpc' }),
    ],
    level: quiet,
  },
};

const scene = (name: string, args: readonly string[]): Scene => ({
  name: `flows of the limiter ${name}`,
  repositories: sameFor(given),
  args: ['--model-control-mode=explicit', '--load-model=*', '--exit-on-error=false', ...args],
  cases: Object.entries(FLOWS).map(([title, flow]) => flowCase(`limiter ${name}, ${title}`, flow)),
});

export const LIMITER_FLOW_SCENES: readonly Scene[] = [
  scene('on', ['--rate-limit=execution_count']),
  scene('off', ['--rate-limit=off']),
];
