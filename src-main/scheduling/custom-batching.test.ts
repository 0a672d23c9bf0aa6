import { expect, test } from 'vitest';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { dynamicBatching, modelConfig } from '../testing/tensors.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';
import type { CustomBatching } from './custom-batching.ts';

/** At most `limit` bytes of input per batch. */
class VolumeStrategy implements CustomBatching {
  readonly #limit: number;
  openCount = 0;
  isClosed = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  startBatch(): { byteSize: number } {
    this.openCount += 1;
    return { byteSize: 0 };
  }

  include(request: InferenceRequest, batch: { byteSize: number }): boolean {
    const byteSize = request.inputs.reduce((sum, input) => sum + input.bytes.byteSize, 0);
    if (batch.byteSize > 0 && batch.byteSize + byteSize > this.#limit) return false;
    batch.byteSize += byteSize;
    return true;
  }

  endBatch(): void {
    this.openCount -= 1;
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

async function model(strategy: CustomBatching): Promise<SchedulerWorld> {
  const batching = dynamicBatching();
  return SchedulerWorld.create({
    config: modelConfig({ maxBatchSize: 64, dynamicBatching: batching }),
    createScheduler: (deps) => createDynamicBatcher(deps, batching),
    customBatching: strategy,
    script: { delayMs: 50 },
    delayUntilQueuedCount: 12,
  });
}

test('a volume limit cuts 12 requests into batches below it', async () => {
  const strategy = new VolumeStrategy(12);
  const world = await model(strategy);
  for (let sent = 0; sent < 12; sent += 1) world.send(1);
  await world.clock.advance(1000);
  expect(world.executed).toEqual([3, 3, 3, 3]);
  const reasons = world.scheduler.recentExecutions().map((record) => record.closeReason);
  expect(reasons.slice(0, 3)).toEqual(['custom', 'custom', 'custom']);
  await world.scheduler.close();
  expect([strategy.openCount, strategy.isClosed]).toEqual([0, true]);
});

test('a strategy of single requests makes 12 executions', async () => {
  const world = await model(new VolumeStrategy(1));
  for (let sent = 0; sent < 12; sent += 1) world.send(1);
  await world.clock.advance(1000);
  expect(world.batchStats).toEqual({ 1: 12 });
});

test('the limit holds while a queued batch grows', async () => {
  const world = await model(new VolumeStrategy(12));
  for (let sent = 0; sent < 12; sent += 1) world.send(1);
  await world.clock.advance(1);
  for (let sent = 0; sent < 12; sent += 1) {
    world.send(1);
    await world.clock.advance(1);
  }
  await world.clock.advance(1000);
  expect(Math.max(...world.executed)).toBe(3);
  expect(world.book.outcomes.every((outcome) => outcome === 'ok')).toBe(true);
});

test('a strategy that throws includes nothing, and the server goes on', async () => {
  const broken = new VolumeStrategy(1000);
  broken.include = () => {
    throw new Error('bad strategy');
  };
  const world = await model(broken);
  for (let sent = 0; sent < 12; sent += 1) world.send(1);
  await world.clock.advance(1000);
  expect(world.batchStats).toEqual({ 1: 12 });
});
