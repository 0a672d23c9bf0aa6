import { describe, expect, test } from 'vitest';
import type { ModelDynamicBatching } from '../../src-shared/config/model-config.ts';
import { ServerError } from '../../src-shared/errors.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { dynamicBatching, modelConfig, queuePolicy } from '../testing/tensors.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';
import { deadlineNs, queuePolicyFrom } from './queue-policy.ts';

const SECONDS = 1000;

function batcher(
  batching: Partial<ModelDynamicBatching>,
  options: { readonly executeMs?: number; readonly instanceCount?: number; readonly holdUntil?: number } = {},
): Promise<SchedulerWorld> {
  const block = dynamicBatching({
    preferredBatchSize: [4],
    maxQueueDelayMicroseconds: 10_000_000n,
    ...batching,
  });
  return SchedulerWorld.create({
    config: modelConfig({ dynamicBatching: block }),
    createScheduler: (deps) => createDynamicBatcher(deps, block),
    script: { delayMs: options.executeMs ?? 0 },
    instanceCount: options.instanceCount ?? 1,
    delayUntilQueuedCount: options.holdUntil ?? 0,
  });
}

describe('deadline of a queued request', () => {
  test.each([
    { defaultUs: 0n, override: false, requestUs: 0, deadlineUs: Number.POSITIVE_INFINITY },
    { defaultUs: 0n, override: true, requestUs: 100, deadlineUs: Number.POSITIVE_INFINITY },
    { defaultUs: 1000n, override: false, requestUs: 100, deadlineUs: 1000 },
    { defaultUs: 1000n, override: true, requestUs: 100, deadlineUs: 100 },
    { defaultUs: 1000n, override: true, requestUs: 5000, deadlineUs: 1000 },
    { defaultUs: 1000n, override: true, requestUs: 0, deadlineUs: 1000 },
  ])('$defaultUs us, override $override, request $requestUs us: $deadlineUs us', (row) => {
    const policy = queuePolicyFrom(
      queuePolicy({
        defaultTimeoutMicroseconds: row.defaultUs,
        allowTimeoutOverride: row.override,
      }),
    );
    expect(deadlineNs(policy, row.requestUs, 0)).toBe(row.deadlineUs * 1000);
  });
});

describe('queue size', () => {
  test('beyond max_queue_size requests are refused synchronously', async () => {
    const world = await batcher(
      { defaultQueuePolicy: queuePolicy({ maxQueueSize: 8 }) },
      { executeMs: 100, holdUntil: 1000 },
    );
    const refusals: string[] = [];
    for (let sent = 0; sent < 10; sent += 1) {
      try {
        world.send(1, { id: `r${sent}` });
      } catch (thrown) {
        refusals.push((thrown as Error).message);
      }
    }
    expect(refusals).toEqual([
      '[request id: r8] Exceeds maximum queue size',
      '[request id: r9] Exceeds maximum queue size',
    ]);
    expect(world.statistics.pendingCount).toBe(8);
    expect(world.statistics.snapshot().inference.fail.count).toBe(0);
  });

  test('a cancelled request frees its place at once', async () => {
    const world = await batcher(
      { defaultQueuePolicy: queuePolicy({ maxQueueSize: 1 }) },
      { holdUntil: 1000 },
    );
    const first = world.send(1);
    expect(() => world.send(1)).toThrow('Exceeds maximum queue size');
    first.request.cancel();
    world.send(1);
    await world.clock.advance(0);
    expect(world.book.outcomes).toEqual(['CANCELLED', 'pending']);
  });

  test('requests in a batch that is being executed do not count', async () => {
    const world = await batcher(
      { defaultQueuePolicy: queuePolicy({ maxQueueSize: 4 }), maxQueueDelayMicroseconds: 0n },
      { executeMs: 100 },
    );
    for (let sent = 0; sent < 4; sent += 1) world.send(1);
    await world.clock.advance(1);
    for (let sent = 0; sent < 4; sent += 1) world.send(1);
    expect(() => world.send(1)).toThrow('Exceeds maximum queue size');
    await world.clock.advance(200);
    expect(world.batchStats).toEqual({ 4: 2 });
  });
});

describe('queue timeout', () => {
  const rejectAfter = (us: bigint) => queuePolicy({ defaultTimeoutMicroseconds: us });

  test('REJECT answers while the only instance is still busy', async () => {
    const world = await batcher(
      { defaultQueuePolicy: rejectAfter(1_000_000n), maxQueueDelayMicroseconds: 0n },
      { executeMs: 8 * SECONDS },
    );
    world.send(4);
    await world.clock.advance(1);
    world.send(1);
    await world.clock.advance(1 * SECONDS);
    expect(world.book.outcomes).toEqual(['pending', 'UNAVAILABLE']);
    expect(world.book.answers[1]?.error?.message).toBe('Request timeout expired');
    expect(world.statistics.failures.REJECTED).toBe(1);
    expect(world.statistics.pendingCount).toBe(0);
  });

  test('DELAY keeps the request and serves it after the others', async () => {
    const world = await batcher({
      defaultQueuePolicy: queuePolicy({ timeoutAction: 'DELAY', defaultTimeoutMicroseconds: 100_000n }),
    });
    world.send(1, { id: 'late' });
    await world.clock.advance(1 * SECONDS);
    world.send(2, { id: 'a' });
    world.send(2, { id: 'b' });
    await world.clock.advance(0);
    expect(world.fakes[0]?.executions.map((run) => run.requestIds)).toEqual([['a', 'b']]);
    await world.clock.advance(9 * SECONDS);
    expect(world.timeline).toEqual([
      [1000, 4],
      [10_000, 1],
    ]);
    expect(world.statistics.failures.REJECTED).toBe(0);
  });

  test.each([
    { allows: true, requestUs: 100_000, rejectedAfterMs: 100 },
    { allows: true, requestUs: 5_000_000, rejectedAfterMs: 1000 },
    { allows: false, requestUs: 100_000, rejectedAfterMs: 1000 },
  ])(
    'override $allows, request $requestUs us: rejected after $rejectedAfterMs ms',
    async ({ allows, requestUs, rejectedAfterMs }) => {
      const world = await batcher({
        defaultQueuePolicy: queuePolicy({
          defaultTimeoutMicroseconds: 1_000_000n,
          allowTimeoutOverride: allows,
        }),
      });
      world.send(1, { timeoutUs: requestUs });
      await world.clock.advance(rejectedAfterMs - 1);
      expect(world.book.outcomes).toEqual(['pending']);
      await world.clock.advance(1);
      expect(world.book.outcomes).toEqual(['UNAVAILABLE']);
    },
  );

  test('each level follows its own policy', async () => {
    const world = await batcher({
      priorityLevels: 2n,
      defaultPriorityLevel: 2n,
      priorityQueuePolicy: {
        1: queuePolicy({ timeoutAction: 'DELAY', defaultTimeoutMicroseconds: 100_000n }),
        2: queuePolicy({ timeoutAction: 'REJECT', defaultTimeoutMicroseconds: 200_000n }),
      },
    });
    world.send(1, { priority: 1n });
    world.send(1, { priority: 2n });
    await world.clock.advance(1 * SECONDS);
    expect(world.book.outcomes).toEqual(['pending', 'UNAVAILABLE']);
    await world.clock.advance(9 * SECONDS);
    expect(world.book.outcomes).toEqual(['ok', 'UNAVAILABLE']);
    expect(world.timeline).toEqual([[10_000, 1]]);
  });
});

describe('priorities', () => {
  const order = (world: SchedulerWorld) => world.fakes[0]?.executions.map((run) => run.requestIds);

  test('a more urgent request goes first and the least urgent waits', async () => {
    const world = await batcher({ priorityLevels: 2n, defaultPriorityLevel: 2n }, { holdUntil: 3 });
    world.send(2, { id: 'first' });
    world.send(1, { id: 'second' });
    world.send(2, { id: 'urgent', priority: 1n });
    await world.clock.advance(0);
    expect(order(world)).toEqual([['urgent', 'first']]);
    await world.clock.advance(10 * SECONDS);
    expect(order(world)).toEqual([['urgent', 'first'], ['second']]);
  });

  test('a request that becomes urgent while others wait is looked at first', async () => {
    const world = await batcher({ priorityLevels: 2n, defaultPriorityLevel: 2n });
    world.send(2, { id: 'first' });
    await world.clock.advance(1);
    world.send(1, { id: 'second' });
    await world.clock.advance(1);
    world.send(2, { id: 'urgent', priority: 1n });
    await world.clock.advance(1);
    expect(order(world)).toEqual([['urgent', 'first']]);
    expect(world.scheduler.recentExecutions().map((record) => record.closeReason)).toEqual(['priority']);
  });

  test('levels up to 2^64-1 work; a level above the maximum is the default one', async () => {
    const top = 2n ** 64n - 1n;
    const world = await batcher(
      {
        priorityLevels: top,
        defaultPriorityLevel: 2n ** 32n,
        maxQueueDelayMicroseconds: 0n,
        preferredBatchSize: [1],
      },
      { holdUntil: 4 },
    );
    world.send(1, { id: 'last', priority: top });
    world.send(1, { id: 'default' });
    world.send(1, { id: 'above default', priority: 2n ** 32n - 1n });
    world.send(1, { id: 'clamped', priority: top + 1n });
    await world.clock.advance(0);
    expect(order(world)).toEqual([['above default'], ['default'], ['clamped'], ['last']]);
  });

  test('without priority levels every request is equal', async () => {
    const world = await batcher({ preferredBatchSize: [1], maxQueueDelayMicroseconds: 0n }, { holdUntil: 2 });
    world.send(1, { id: 'a', priority: 9n });
    world.send(1, { id: 'b', priority: 1n });
    await world.clock.advance(0);
    expect(order(world)).toEqual([['a'], ['b']]);
  });
});

describe('cancellation', () => {
  test('a queued request is answered CANCELLED with an empty message; others go on', async () => {
    const world = await batcher({}, { holdUntil: 0 });
    const first = world.send(1, { id: 'a' });
    world.send(1, { id: 'b' });
    await world.clock.advance(1);
    first.request.cancel();
    await world.clock.advance(0);
    expect(world.book.outcomes).toEqual(['CANCELLED', 'pending']);
    expect(first.error?.message).toBe('');
    expect([first.finalCount, first.releaseCount]).toEqual([1, 1]);
    expect(world.statistics.failures.CANCELED).toBe(1);
    await world.clock.advance(10 * SECONDS);
    expect(world.book.outcomes).toEqual(['CANCELLED', 'ok']);
    expect(world.statistics.pendingCount).toBe(0);
  });

  test('a request that arrives cancelled is not executed', async () => {
    const world = await batcher({});
    const request = world.book.request({ modelName: 'M' });
    request.cancel();
    world.scheduler.enqueue(request);
    await world.clock.advance(20 * SECONDS);
    expect(world.book.outcomes).toEqual(['CANCELLED']);
    expect(world.executed).toEqual([]);
  });

  test('a cancelled request in a queued batch is left out of the execution', async () => {
    const world = await batcher({ maxQueueDelayMicroseconds: 0n }, { executeMs: 50 });
    world.send(4);
    await world.clock.advance(1);
    const cancelled = world.send(1);
    world.send(2);
    await world.clock.advance(1);
    cancelled.request.cancel();
    await world.clock.advance(200);
    expect(world.book.outcomes).toEqual(['ok', 'CANCELLED', 'ok']);
    expect(world.executed).toEqual([4, 2]);
  });

  test('a cancellation during or after execution changes nothing here', async () => {
    const world = await batcher({ maxQueueDelayMicroseconds: 0n }, { executeMs: 50 });
    const answer = world.send(4);
    await world.clock.advance(10);
    answer.request.cancel();
    await world.clock.advance(50);
    expect(answer.outcome).toBe('ok');
    answer.request.cancel();
    await world.clock.advance(50);
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
    expect(world.statistics.failures.CANCELED).toBe(0);
  });

  test('a backend that polls the flag may answer CANCELLED itself, counted as its own failure', async () => {
    const block = dynamicBatching();
    const world = await SchedulerWorld.create({
      config: modelConfig({ dynamicBatching: block }),
      createScheduler: (deps) => createDynamicBatcher(deps, block),
      script: {
        execute: async ({ requests }, { clock, reporter }) => {
          const [request] = requests;
          if (request === undefined) return;
          const computeStartNs = clock.nowNs();
          for (let round = 0; round < 100 && !request.isCancelled; round += 1) await clock.wait(10);
          const endNs = clock.nowNs();
          reporter.request(request, false, {
            computeStartNs,
            computeInputEndNs: computeStartNs,
            computeOutputStartNs: endNs,
            computeEndNs: endNs,
          });
          void request.respondError(new ServerError('CANCELLED', 'stopped'));
          request.release();
        },
      },
    });
    const answer = world.send(1);
    await world.clock.advance(25);
    answer.request.cancel();
    await world.clock.advance(10);
    expect(answer.outcome).toBe('CANCELLED');
    expect(world.statistics.failures).toMatchObject({ BACKEND: 1, CANCELED: 0 });
  });
});
