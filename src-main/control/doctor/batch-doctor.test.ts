import { describe, expect, test } from 'vitest';

import type { DoctorExecution, DoctorFacts } from './batch-doctor-facts.ts';
import { diagnose } from './batch-doctor.ts';

const runs = (count: number, change: Partial<DoctorExecution> = {}): DoctorExecution[] =>
  Array.from({ length: count }, () => ({
    requestCount: 1,
    batchSize: 1,
    closeReason: 'idle',
    shapes: undefined,
    queueLength: 0,
    ...change,
  }));

const base: DoctorFacts = {
  maxBatchSize: 8,
  scheduler: 'dynamic',
  preferredBatchSizes: [8],
  delayUs: 0,
  instanceCount: 1,
  hasOneGroup: true,
  executions: runs(200),
  meanInFlight: 1,
  maxInFlight: 1,
  timedOutCount: 0,
  cacheHitCount: 0,
  inferenceCount: 200,
  executionCount: 200,
  requestCount: 200,
  windowMs: 10_000,
};

/** Counts that fit the executions, where a row gives other ones. */
function factsFor(change: Partial<DoctorFacts>): DoctorFacts {
  const { executions } = change;
  if (executions === undefined) return { ...base, ...change };
  const sum = (pick: (run: DoctorExecution) => number): number =>
    executions.reduce((total, run) => total + pick(run), 0);
  const counts = {
    inferenceCount: sum(({ batchSize }) => batchSize),
    executionCount: executions.length,
    requestCount: sum(({ requestCount }) => requestCount),
  };
  return { ...base, ...counts, ...change };
}

test('without batching the average is not one of nothing', () => {
  const values = (maxBatchSize: number): readonly string[] =>
    diagnose(factsFor({ maxBatchSize })).evidence.flatMap(({ label, value }) =>
      label === 'Average batch' ? [value] : [],
    );
  expect(values(0)).toEqual(['1']);
  expect(values(8)).toEqual(['1 of 8']);
});

const rows: readonly (readonly [string, Partial<DoctorFacts>, string, RegExp])[] = [
  ['no traffic', { requestCount: 0, executions: [] }, 'no-traffic', /nothing to judge/],
  ['max_batch_size 1', { maxBatchSize: 1 }, 'impossible', /max_batch_size is 1/],
  ['no dynamic_batching', { scheduler: 'none' }, 'no-scheduler', /no dynamic_batching/],
  ['an ensemble', { scheduler: 'ensemble' }, 'ensemble', /each of its steps/],
  ['clients send one at a time', {}, 'one-at-a-time', /clients send one request at a time/],
  [
    'two clients, two instances',
    { meanInFlight: 1.8, maxInFlight: 2, instanceCount: 2 },
    'few-in-flight',
    /In flight never passed 2, 1\.8 on average, while there are 2 instances/,
  ],
  [
    'requests that seldom overlap',
    { meanInFlight: 0.6, maxInFlight: 3 },
    'few-in-flight',
    /Only 0\.6 requests are in flight/,
  ],
  [
    'requests that just do not overlap',
    { meanInFlight: 1.01, maxInFlight: 3 },
    'few-in-flight',
    /Only 1 request is in flight/,
  ],
  ['cache answers everything', { cacheHitCount: 199 }, 'cache-hits', /response cache/],
  [
    'clients send full batches',
    { executions: runs(9, { batchSize: 8, closeReason: 'full' }) },
    'already-full',
    /already arrive/,
  ],
  [
    'shapes alternate',
    {
      executions: [
        ...runs(12, { closeReason: 'shape', shapes: 'x [1,3]' }),
        ...runs(8, { closeReason: 'shape', shapes: 'x [1,4]' }),
      ],
      meanInFlight: 16,
    },
    'shapes-differ',
    /100 % .* another shape \(seen: x \[1,3\]; x \[1,4\]\)/,
  ],
  ['free instances take all', { meanInFlight: 6, maxInFlight: 9 }, 'instance-free', /free for 100 %/],
  [
    'delay below the arrival gap',
    { delayUs: 100, meanInFlight: 2, maxInFlight: 3, executions: runs(20, { closeReason: 'delay' }) },
    'delay-too-short',
    /100 µs ends before .* 500 ms apart/,
  ],
  [
    'preferred sizes never reached',
    {
      preferredBatchSizes: [4],
      meanInFlight: 20,
      executions: runs(9, { requestCount: 2, batchSize: 2 }),
    },
    'preferred-missed',
    /preferred batch sizes 4/,
  ],
  [
    'sequences that are seldom ready together',
    { scheduler: 'sequence', meanInFlight: 9, executions: runs(9, { closeReason: 'sequence' }) },
    'sequences',
    /one request of each live sequence/,
  ],
  [
    'priorities break batches',
    { meanInFlight: 20, executions: runs(9, { requestCount: 2, batchSize: 2, closeReason: 'priority' }) },
    'priorities-differ',
    /more urgent request/,
  ],
  [
    'requests time out before they run',
    { requestCount: 0, timedOutCount: 40, executions: [], meanInFlight: 0 },
    'timed-out',
    /100 % of the requests timed out/,
  ],
  [
    'most requests time out and the rest find the instance free',
    { timedOutCount: 1461, requestCount: 39, meanInFlight: 0.9, maxInFlight: 9 },
    'timed-out',
    /97 % of the requests timed out/,
  ],
  [
    'full batches formed here',
    { meanInFlight: 32, executions: runs(9, { requestCount: 8, batchSize: 8, closeReason: 'full' }) },
    'full',
    /Batches are full: 8 of 8/,
  ],
  [
    'batches form',
    {
      meanInFlight: 32,
      maxInFlight: 32,
      executions: runs(9, { requestCount: 5, batchSize: 5 }),
    },
    'batching-works',
    /average batch is 5 of 8/,
  ],
];

describe('the batch doctor', () => {
  test.each(rows)('%s', (_name, change, code, sentence) => {
    const diagnosis = diagnose(factsFor(change));
    expect(diagnosis.code).toBe(code);
    expect(diagnosis.sentence).toMatch(sentence);
  });

  test('suggests a delay that collects about four requests', () => {
    const counts = { requestCount: 20_000, inferenceCount: 20_000, executionCount: 20_000 };
    const { suggestions } = diagnose({ ...base, ...counts, meanInFlight: 6 });
    expect(suggestions.map(({ changes }) => changes)).toEqual([
      [{ path: 'dynamic_batching.max_queue_delay_microseconds', value: 2000n }],
    ]);
  });

  test('offers fewer instances only where one count says how many there are', () => {
    const titles = (hasOneGroup: boolean): readonly string[] =>
      diagnose({
        ...base,
        requestCount: 3000,
        inferenceCount: 3000,
        executionCount: 3000,
        hasOneGroup,
        instanceCount: 2,
        meanInFlight: 1.8,
        maxInFlight: 2,
      }).suggestions.map(({ title }) => title);
    expect(titles(true)).toEqual(['Try with 1 instance', 'Try a queue delay of 10 ms']);
    expect(titles(false)).toEqual(['Try a queue delay of 10 ms']);
  });

  test('says that a delay is of no use to a client that waits for each answer', () => {
    const { advice, suggestions } = diagnose({ ...base, delayUs: 500 });
    expect(advice).toContain('Waiting 500 µs for company');
    expect(suggestions[0]?.changes).toEqual([
      { path: 'dynamic_batching.max_queue_delay_microseconds', value: undefined },
    ]);
  });

  test('suggests no delay where requests come too seldom for one', () => {
    const { advice, suggestions } = diagnose({
      ...base,
      delayUs: 50,
      meanInFlight: 2.6,
      maxInFlight: 3,
      requestCount: 316,
      inferenceCount: 316,
      executionCount: 316,
    });
    expect(advice).toContain('would cost more than a batch brings');
    expect(suggestions.map(({ title }) => title)).toEqual(['Try without the queue delay']);
  });

  test('lists why batches closed, most frequent first', () => {
    const executions = [...runs(3), ...runs(1, { closeReason: 'delay' })];
    const row = diagnose(factsFor({ executions })).evidence.find(({ label }) =>
      label.startsWith('Batches closed'),
    );
    expect(row?.value).toBe('instance free 75 %, delay reached 25 %');
  });
});
