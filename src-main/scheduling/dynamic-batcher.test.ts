import { describe, expect, test } from 'vitest';
import type { ModelConfig, ModelDynamicBatching } from '../../src-shared/config/model-config.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { dynamicBatching, inputConfig, int32Input, modelConfig, outputConfig } from '../testing/tensors.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';

const SECONDS = 1000;

interface Setup {
  readonly batching?: Partial<ModelDynamicBatching>;
  readonly config?: Partial<ModelConfig>;
  readonly script?: FakeScript;
  readonly instanceCount?: number;
  readonly holdUntil?: number;
}

function batcher(setup: Setup = {}): Promise<SchedulerWorld> {
  const batching = dynamicBatching({
    preferredBatchSize: [2, 6],
    maxQueueDelayMicroseconds: 10_000_000n,
    ...setup.batching,
  });
  return SchedulerWorld.create({
    config: modelConfig({ dynamicBatching: batching, ...setup.config }),
    createScheduler: (deps) => createDynamicBatcher(deps, batching),
    script: setup.script ?? {},
    instanceCount: setup.instanceCount ?? 1,
    delayUntilQueuedCount: setup.holdUntil ?? 0,
  });
}

describe('batches formed with preferred sizes 2 and 6, max 8, delay 10 s', () => {
  test.each([
    {
      case: 'one request of each preferred size',
      sizes: [2, 6],
      expected: [
        [0, 2],
        [0, 6],
      ],
    },
    { case: 'a single 1 waits for the delay', sizes: [1], expected: [[10_000, 1]] },
    { case: 'a single 3 waits for the delay', sizes: [3], expected: [[10_000, 3]] },
    { case: 'larger than every preferred size goes at once', sizes: [7], expected: [[0, 7]] },
    { case: '1 then 3 go together after the delay', sizes: [1, 3], expected: [[10_000, 4]] },
    {
      case: '3 then 7: both at once',
      sizes: [3, 7],
      expected: [
        [0, 3],
        [0, 7],
      ],
    },
    {
      case: '3 then 4: 4 would pass the largest preferred size',
      sizes: [3, 4],
      expected: [
        [0, 3],
        [10_000, 4],
      ],
    },
    {
      case: 'three singles: two at once, the third waits',
      sizes: [1, 1, 1],
      expected: [
        [0, 2],
        [10_000, 1],
      ],
    },
  ])('$case', async ({ sizes, expected }) => {
    const world = await batcher();
    for (const size of sizes) {
      world.send(size);
      await world.clock.advance(0);
    }
    await world.clock.advance(30 * SECONDS);
    expect(world.timeline).toEqual(expected);
    expect(world.book.outcomes).toEqual(sizes.map(() => 'ok'));
  });

  test('past the delay of the oldest request the batch grows up to the maximum', async () => {
    const world = await batcher({ holdUntil: 3 });
    world.send(3);
    world.send(4);
    await world.clock.advance(11 * SECONDS);
    expect(world.executed).toEqual([]);
    world.send(1);
    await world.clock.advance(0);
    expect(world.timeline).toEqual([[11_000, 8]]);
    expect(world.statistics.snapshot().inferenceCount).toBe(8);
  });

  test('a batch is as old as its oldest request', async () => {
    const world = await batcher();
    world.send(1);
    await world.clock.advance(6 * SECONDS);
    world.send(3);
    await world.clock.advance(3 * SECONDS);
    expect(world.executed).toEqual([]);
    await world.clock.advance(1 * SECONDS);
    expect(world.timeline).toEqual([[10_000, 4]]);
  });
});

describe('inputs that differ', () => {
  const other = { width: 5 };
  test.each([
    {
      case: '1 and 1 of different shapes',
      sends: [[1], [1, other]],
      expected: [
        [0, 1],
        [10_000, 1],
      ],
    },
    {
      case: '1, 3, then 1 of another shape',
      sends: [[1], [3], [1, other]],
      expected: [
        [0, 4],
        [10_000, 1],
      ],
    },
    {
      case: '1, 3, then 1, 5 of another shape',
      sends: [[1], [3], [1, other], [5, other]],
      expected: [
        [0, 4],
        [0, 6],
      ],
    },
  ] as const)('$case', async ({ sends, expected }) => {
    const world = await batcher();
    for (const [rows, init] of sends) {
      world.send(rows, init ?? {});
      await world.clock.advance(0);
    }
    await world.clock.advance(20 * SECONDS);
    expect(world.timeline).toEqual(expected);
  });

  test('ragged inputs are batched whatever their shape', async () => {
    const world = await batcher({ config: { input: [inputConfig({ allowRaggedBatch: true })] } });
    world.send(1);
    world.send(1, other);
    await world.clock.advance(0);
    expect(world.batchStats).toEqual({ 2: 1 });
  });

  test('requested outputs never split a batch and each request gets its own', async () => {
    const world = await batcher({
      config: {
        input: [inputConfig(), inputConfig({ name: 'INPUT1' })],
        output: [outputConfig(), outputConfig({ name: 'OUTPUT1' })],
      },
    });
    const inputs = () => [int32Input('INPUT0', [1, 1], [1]), int32Input('INPUT1', [1, 1], [2])];
    const wanted = [['OUTPUT0'], ['OUTPUT1'], ['OUTPUT1', 'OUTPUT0'], []];
    const answers = wanted.map((requestedOutputs) => world.submit({ inputs: inputs(), requestedOutputs }));
    await world.clock.advance(0);
    expect(world.batchStats).toEqual({ 2: 2 });
    const names = answers.map((answer) => answer.responses[0]?.outputs.map((output) => output.name).sort());
    expect(names).toEqual([['OUTPUT0'], ['OUTPUT1'], ['OUTPUT0', 'OUTPUT1'], ['OUTPUT0', 'OUTPUT1']]);
  });

  test('a client batch above the maximum is refused synchronously and counted nowhere', async () => {
    const world = await batcher();
    expect(() => world.send(9)).toThrow("inference request batch-size must be <= 8 for 'M'");
    expect(world.statistics.pendingCount).toBe(0);
    expect(world.statistics.snapshot().inference.fail.count).toBe(0);
  });
});

describe('delay 0', () => {
  test.each([
    { preferred: [4, 6], singles: 4, stats: { 4: 1 } },
    { preferred: [4, 6], singles: 5, stats: { 4: 1, 1: 1 } },
    { preferred: [4, 6], singles: 7, stats: { 6: 1, 1: 1 } },
    { preferred: [4, 6], singles: 3, stats: { 3: 1 } },
    { preferred: [], singles: 6, stats: { 6: 1 } },
  ])('$singles held singles with preferred $preferred give $stats', async ({ preferred, singles, stats }) => {
    const world = await batcher({
      batching: { preferredBatchSize: preferred, maxQueueDelayMicroseconds: 0n },
      holdUntil: singles,
      script: { delayMs: 10 },
    });
    for (let sent = 0; sent < singles; sent += 1) {
      world.send(1);
      await world.clock.advance(0);
    }
    await world.clock.advance(100);
    expect(world.batchStats).toEqual(stats);
  });

  test('12 requests behind a 100 ms execution make exactly 2 executions', async () => {
    const world = await batcher({
      batching: { preferredBatchSize: [], maxQueueDelayMicroseconds: 0n },
      config: { maxBatchSize: 100 },
      script: { delayMs: 100 },
    });
    for (let sent = 0; sent < 12; sent += 1) {
      world.send(1);
      await world.clock.advance(1);
    }
    await world.clock.advance(300);
    expect(world.batchStats).toEqual({ 1: 1, 11: 1 });
  });

  test('a delay shorter than the execution makes no more executions than none', async () => {
    const world = await batcher({
      batching: { preferredBatchSize: [], maxQueueDelayMicroseconds: 20_000n },
      config: { maxBatchSize: 100 },
      script: { delayMs: 100 },
    });
    for (let sent = 0; sent < 12; sent += 1) {
      world.send(1);
      await world.clock.advance(1);
    }
    await world.clock.advance(300);
    expect(world.batchStats).toEqual({ 12: 1 });
  });

  test('a queued batch grows until it is taken; a further one forms behind it', async () => {
    const world = await batcher({
      batching: { preferredBatchSize: [], maxQueueDelayMicroseconds: 0n },
      config: { maxBatchSize: 4 },
      script: { delayMs: 10 },
    });
    for (let sent = 0; sent < 11; sent += 1) {
      world.send(1);
      await world.clock.advance(0);
    }
    await world.clock.advance(100);
    expect(world.executed).toEqual([1, 4, 4, 2]);
    const reasons = world.scheduler.recentExecutions().map((record) => record.closeReason);
    expect(reasons).toEqual(['idle', 'full', 'full', 'idle']);
  });

  test('max_batch_size 0 runs every request alone', async () => {
    const world = await batcher({
      batching: { preferredBatchSize: [], maxQueueDelayMicroseconds: 0n },
      config: { maxBatchSize: 0 },
    });
    for (let sent = 0; sent < 3; sent += 1) world.submit({ inputs: [int32Input('INPUT0', [1], [1])] });
    await world.clock.advance(0);
    expect(world.batchStats).toEqual({ 1: 3 });
    expect(world.statistics.inferenceCount).toBe(3);
  });
});

describe('preserve_ordering', () => {
  const slowSecond: FakeScript = { delayMs: (_payload, spec) => (spec.ordinal === 0 ? 400 : 100) };

  test.each([true, false])('preserve_ordering %s with instances of 400 and 100 ms', async (preserves) => {
    const world = await batcher({
      batching: { preferredBatchSize: [4], preserveOrdering: preserves },
      instanceCount: 2,
      script: slowSecond,
    });
    for (let sent = 0; sent < 12; sent += 1) world.send(1);
    await world.clock.advance(2 * SECONDS);
    expect(world.batchStats).toEqual({ 4: 3 });
    const order = world.book.answers.map((answer) => answer.responseOrder[0] ?? -1);
    const sorted = [...order].sort((a, b) => a - b);
    if (preserves) expect(order).toEqual(sorted);
    else expect(order).not.toEqual(sorted);
  });
});

describe('close reasons', () => {
  test.each([
    { case: 'delay', sizes: [1], reason: 'delay' },
    { case: 'preferred', sizes: [2], reason: 'preferred' },
    { case: 'full', sizes: [8], reason: 'full' },
  ])('$case', async ({ sizes, reason }) => {
    const world = await batcher();
    for (const size of sizes) world.send(size);
    await world.clock.advance(20 * SECONDS);
    expect(world.scheduler.recentExecutions().map((record) => record.closeReason)).toEqual([reason]);
  });

  test('shape', async () => {
    const world = await batcher();
    world.send(1);
    world.send(1, { width: 3 });
    await world.clock.advance(20 * SECONDS);
    expect(world.scheduler.recentExecutions().map((record) => record.closeReason)).toEqual([
      'shape',
      'delay',
    ]);
  });
});

describe('stop and close', () => {
  test('a stopping batcher refuses new requests and finishes the old ones', async () => {
    const world = await batcher();
    world.send(1, { id: 'a' });
    world.scheduler.stop();
    expect(() => world.send(1, { id: 'b' })).toThrow(
      '[request id: b] Server is stopping, scheduler for model has stopped accepting new inference requests',
    );
    expect(world.scheduler.inflightCount).toBe(1);
    await world.clock.advance(10 * SECONDS);
    expect(world.book.outcomes).toEqual(['ok']);
    expect(world.scheduler.inflightCount).toBe(0);
  });

  test('close answers queued requests, cancels timers and waits for running ones', async () => {
    const world = await batcher({ script: { delayMs: 50 } });
    world.send(2);
    await world.clock.advance(0);
    world.send(1);
    await world.clock.advance(1);
    const closing = world.scheduler.close();
    await world.clock.advance(100);
    await closing;
    expect(world.book.outcomes).toEqual(['ok', 'UNAVAILABLE']);
    expect(world.clock.timerCount).toBe(0);
    expect(world.statistics.pendingCount).toBe(0);
  });
});
