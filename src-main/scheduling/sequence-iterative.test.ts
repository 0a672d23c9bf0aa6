import { describe, expect, test } from 'vitest';
import { iterativeSequenceBackend } from '../backends/sequence/iterative-sequence-backend.ts';
import { oldest, SequenceWorld, START, type SequenceWorldOptions } from '../testing/sequence-world.ts';
import { int32Values, type Answer } from '../testing/tensors.ts';

const decoupled = { modelTransactionPolicy: { decoupled: true } } as const;

const create = (options: Partial<SequenceWorldOptions> = {}): Promise<SequenceWorld> =>
  SequenceWorld.create({
    backend: iterativeSequenceBackend,
    ...options,
    batching: { iterativeSequence: true, ...options.batching },
    config: { ...decoupled, ...options.config },
  });

const streamed = ({ responses }: Answer): number[] =>
  responses.flatMap(({ outputs }) => outputs.flatMap(({ bytes }) => int32Values(bytes)));

describe.each([
  ['direct', {}],
  ['oldest', oldest()],
])('%s', (_name, batching) => {
  test('one request without id streams until 0 and frees its slot', async () => {
    const world = await create({ batching });
    const answer = world.send(0n, 2);
    await world.advance(1);
    expect(streamed(answer)).toEqual([1, 0]);
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
    expect(world.world.scheduler.inflightCount).toBe(0);
    expect(world.counts).toEqual({ I: 1, E: 2 });
    expect(world.world.statistics.pendingCount).toBe(0);
  });

  test('four requests share one slot through the backlog', async () => {
    const world = await create({
      batching: { ...batching, ...('oldest' in batching ? oldest({ maxCandidateSequences: 1 }) : {}) },
      config: { maxBatchSize: 1 },
    });
    const answers = [2, 2, 2, 2].map((value) => world.send(0n, value));
    await world.advance(1);
    expect(answers.map(streamed)).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(world.world.scheduler.inflightCount).toBe(0);
  });

  test('a client may bring its own id', async () => {
    const world = await create({ batching });
    const answer = world.send(77n, 3, START);
    await world.advance(1);
    expect(streamed(answer)).toEqual([2, 1, 0]);
    expect(() => world.send(77n, 3)).toThrow('must specify the START flag');
  });

  test('a sequence that went idle before it was rescheduled ends with the START error', async () => {
    const world = await create({
      batching: { ...batching, maxSequenceIdleMicroseconds: 200_000n },
      delayMs: 500,
    });
    const answer = world.send(0n, 2);
    await world.advance(1000);
    expect(streamed(answer)).toEqual([1]);
    expect(answer.error?.message).toBe(
      `inference request for sequence 1 to model 'M' must specify the START flag on the first request of the sequence`,
    );
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
  });

  test('a request cancelled during its second run does not run a third time', async () => {
    const world = await create({ batching, delayMs: 100 });
    const answer = world.send(0n, 5);
    await world.advance(150);
    answer.request.cancel();
    await world.advance(1000);
    expect(streamed(answer)).toEqual([4, 3]);
    expect(answer.error?.code).toBe('CANCELLED');
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
    expect(world.world.scheduler.inflightCount).toBe(0);
  });

  test('without iterative_sequence rescheduling is an error', async () => {
    const world = await create({ batching: { ...batching, iterativeSequence: false } });
    const answer = world.send(5n, 2, START);
    await world.advance(1);
    expect(answer.error?.message).toBe(
      'Request is released with TRITONSERVER_REQUEST_RELEASE_RESCHEDULE, while the model is not configured to handle such a flag.',
    );
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
  });
});
