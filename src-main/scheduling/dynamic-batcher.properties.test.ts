import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelDynamicBatching } from '../../src-shared/config/model-config.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import type { Answer } from '../testing/tensors.ts';
import { dynamicBatching, modelConfig, queuePolicy } from '../testing/tensors.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';

const MAX_BATCH = 8;

interface Arrival {
  readonly afterMs: number;
  readonly rows: number;
  readonly width: number;
  readonly priority: number;
  readonly timeoutMs: number;
  readonly cancelAfterMs: number | undefined;
}

const arrivals = fc.array(
  fc.record({
    afterMs: fc.nat({ max: 6 }),
    rows: fc.integer({ min: 1, max: MAX_BATCH }),
    width: fc.integer({ min: 1, max: 2 }),
    priority: fc.nat({ max: 4 }),
    timeoutMs: fc.nat({ max: 30 }),
    cancelAfterMs: fc.option(fc.nat({ max: 20 }), { nil: undefined, freq: 4 }),
  }),
  { minLength: 1, maxLength: 40 },
);

const preferredSizes = fc.uniqueArray(fc.integer({ min: 1, max: MAX_BATCH }), { maxLength: 3 });

const settings = fc.record({
  preferredBatchSize: preferredSizes,
  delayMs: fc.nat({ max: 20 }),
  levels: fc.constantFrom(0, 3),
  instanceCount: fc.integer({ min: 1, max: 3 }),
  executeMs: fc.nat({ max: 12 }),
  action: fc.constantFrom('REJECT', 'DELAY'),
  timeoutMs: fc.constantFrom(0, 15),
  maxQueueSize: fc.constantFrom(0, 5),
});

type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

function batchingOf(chosen: Settings): ModelDynamicBatching {
  return dynamicBatching({
    preferredBatchSize: chosen.preferredBatchSize,
    maxQueueDelayMicroseconds: BigInt(chosen.delayMs * 1000),
    priorityLevels: BigInt(chosen.levels),
    defaultPriorityLevel: BigInt(chosen.levels === 0 ? 0 : 2),
    defaultQueuePolicy: queuePolicy({
      timeoutAction: chosen.action as 'REJECT' | 'DELAY',
      defaultTimeoutMicroseconds: BigInt(chosen.timeoutMs * 1000),
      allowTimeoutOverride: true,
      maxQueueSize: chosen.maxQueueSize,
    }),
  });
}

function worldOf(batching: ModelDynamicBatching, chosen: Settings): Promise<SchedulerWorld> {
  return SchedulerWorld.create({
    config: modelConfig({ dynamicBatching: batching, maxBatchSize: MAX_BATCH }),
    createScheduler: (deps) => createDynamicBatcher(deps, batching),
    instanceCount: chosen.instanceCount,
    script: { delayMs: (_payload, spec) => chosen.executeMs * (1 + spec.ordinal) },
  });
}

/** Sends everything; returns the accepted ones' answers. */
async function play(world: SchedulerWorld, list: readonly Arrival[]): Promise<Answer[]> {
  const accepted: Answer[] = [];
  for (const [at, arrival] of list.entries()) {
    await world.clock.advance(arrival.afterMs);
    try {
      const answer = world.send(arrival.rows, {
        id: String(at),
        width: arrival.width,
        priority: BigInt(arrival.priority),
        timeoutUs: arrival.timeoutMs * 1000,
      });
      accepted.push(answer);
      const { cancelAfterMs } = arrival;
      if (cancelAfterMs !== undefined) world.clock.after(cancelAfterMs, () => answer.request.cancel());
    } catch (thrown) {
      expect((thrown as Error).message).toContain('Exceeds maximum queue size');
    }
  }
  await world.clock.advance(60_000);
  return accepted;
}

test('every accepted request is answered and released exactly once, no batch is too large, nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(settings, arrivals, async (chosen, list) => {
      const world = await worldOf(batchingOf(chosen), chosen);
      const accepted = await play(world, list);
      for (const answer of accepted) {
        expect([answer.finalCount, answer.releaseCount, answer.responses.length]).toEqual([1, 1, 1]);
        expect(['ok', 'CANCELLED', 'UNAVAILABLE']).toContain(answer.outcome);
      }
      for (const { payload } of world.fakes[0]?.executions ?? []) {
        expect(payload.batchSize).toBeLessThanOrEqual(MAX_BATCH);
        const widths = new Set(payload.requests.map((request) => request.inputs[0]?.shape[0]));
        expect(widths.size).toBe(1);
        const rows = payload.requests.reduce((sum, request) => sum + request.batchSize, 0);
        expect(rows).toBe(payload.batchSize);
      }
      const { inference, inferenceCount } = world.statistics.snapshot();
      expect(inference.success.count + inference.fail.count).toBe(accepted.length);
      const okRows = accepted
        .filter((answer) => answer.outcome === 'ok')
        .reduce((sum, answer) => sum + answer.request.batchSize, 0);
      expect(inferenceCount).toBe(okRows);
      expect(world.statistics.pendingCount).toBe(0);
      expect(world.scheduler.inflightCount).toBe(0);
      expect(world.clock.timerCount).toBe(0);
      expect(world.fakes.every((fake) => fake.maxRunningCount <= 1)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('within one level requests start in the order of arrival; with preserve_ordering they are answered in it', async () => {
  await fc.assert(
    fc.asyncProperty(settings, arrivals, async (chosen, list) => {
      const batching: ModelDynamicBatching = {
        ...batchingOf({ ...chosen, levels: 0, timeoutMs: 0, maxQueueSize: 0 }),
        preserveOrdering: true,
      };
      const world = await worldOf(batching, chosen);
      const accepted = await play(
        world,
        list.map((arrival) => ({ ...arrival, cancelAfterMs: undefined })),
      );
      const started = world.fakes[0]?.executions.flatMap((run) => run.requestIds) ?? [];
      expect(started).toEqual(accepted.map((answer) => answer.request.id));
      const order = accepted.map((answer) => answer.responseOrder[0] ?? -1);
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }),
    { numRuns: 40 },
  );
});

test('no request waits longer than the delay while an instance is idle', async () => {
  await fc.assert(
    fc.asyncProperty(settings, arrivals, async (chosen, list) => {
      const idle: Settings = { ...chosen, executeMs: 0, timeoutMs: 0, maxQueueSize: 0, levels: 0 };
      const world = await worldOf(batchingOf(idle), idle);
      const accepted = await play(
        world,
        list.map((arrival) => ({ ...arrival, cancelAfterMs: undefined })),
      );
      for (const answer of accepted) expect(answer.outcome).toBe('ok');
      const longestNs = Math.max(0, ...world.scheduler.recentExecutions().map((run) => run.oldestQueueNs));
      expect(longestNs).toBeLessThanOrEqual(idle.delayMs * 1e6);
    }),
    { numRuns: 40 },
  );
});
