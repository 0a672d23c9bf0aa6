import { describe, expect, test } from 'vitest';

import type { DoctorExecution, DoctorFacts } from './batch-doctor.ts';
import { diagnose } from './batch-doctor.ts';

const singles = (count: number, closeReason = 'idle'): DoctorExecution[] =>
  Array.from({ length: count }, () => ({ requestCount: 1, batchSize: 1, closeReason }));

const base: DoctorFacts = {
  maxBatchSize: 8,
  scheduler: 'dynamic',
  preferredBatchSizes: [8],
  delayUs: 0,
  instanceCount: 1,
  executions: singles(200),
  meanInFlight: 1,
  maxInFlight: 1,
  cacheHitCount: 0,
  requestCount: 200,
  windowMs: 10_000,
};

const rows: readonly (readonly [string, Partial<DoctorFacts>, string, RegExp])[] = [
  ['no traffic', { requestCount: 0, executions: [] }, 'no-traffic', /nothing to judge/],
  ['max_batch_size 1', { maxBatchSize: 1 }, 'impossible', /max_batch_size is 1/],
  ['no dynamic_batching', { scheduler: 'none' }, 'no-scheduler', /no dynamic_batching/],
  ['an ensemble', { scheduler: 'ensemble' }, 'ensemble', /each of its steps/],
  ['clients send one at a time', {}, 'one-at-a-time', /clients send one request at a time/],
  ['cache answers everything', { cacheHitCount: 199 }, 'cache-hits', /response cache/],
  [
    'clients send full batches',
    { executions: Array.from({ length: 9 }, () => ({ requestCount: 1, batchSize: 8, closeReason: 'full' })) },
    'already-full',
    /already arrive/,
  ],
  [
    'shapes alternate',
    { executions: singles(20, 'shape'), meanInFlight: 16 },
    'shapes-differ',
    /another shape/,
  ],
  ['free instances take all', { meanInFlight: 6, maxInFlight: 9 }, 'instance-free', /free instance/],
  [
    'delay below the arrival gap',
    { delayUs: 100, meanInFlight: 2, executions: singles(20, 'delay') },
    'delay-too-short',
    /50000 us apart/,
  ],
  [
    'preferred sizes never reached',
    {
      preferredBatchSizes: [4],
      meanInFlight: 20,
      executions: Array.from({ length: 9 }, () => ({ requestCount: 2, batchSize: 2, closeReason: 'idle' })),
    },
    'preferred-missed',
    /preferred batch sizes 4/,
  ],
  [
    'batches form',
    {
      meanInFlight: 32,
      maxInFlight: 32,
      executions: Array.from({ length: 9 }, () => ({ requestCount: 5, batchSize: 5, closeReason: 'idle' })),
    },
    'batching-works',
    /average batch is 5 of 8/,
  ],
];

describe('the batch doctor', () => {
  test.each(rows)('%s', (_name, change, code, sentence) => {
    const diagnosis = diagnose({ ...base, ...change });
    expect(diagnosis.code).toBe(code);
    expect(diagnosis.sentence).toMatch(sentence);
  });

  test('suggests a delay that collects about four requests', () => {
    const { suggestion } = diagnose({ ...base, meanInFlight: 6, requestCount: 20_000 });
    expect(suggestion?.changes).toEqual([
      { path: 'dynamic_batching.max_queue_delay_microseconds', value: 2000n },
    ]);
  });

  test('lists why batches closed, most frequent first', () => {
    const executions = [...singles(3, 'idle'), ...singles(1, 'delay')];
    const row = diagnose({ ...base, executions }).evidence.find(({ label }) =>
      label.startsWith('Batches closed'),
    );
    expect(row?.value).toBe('instance free 75 %, delay reached 25 %');
  });
});
