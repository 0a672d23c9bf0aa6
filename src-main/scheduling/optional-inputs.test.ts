import { expect, test } from 'vitest';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { dynamicBatching, inputConfig, int32Input, modelConfig } from '../testing/tensors.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';

const batching = dynamicBatching({ preferredBatchSize: [4], maxQueueDelayMicroseconds: 5_000_000n });

async function optionalModel(): Promise<{ world: SchedulerWorld; send: (...names: string[]) => void }> {
  const world = await SchedulerWorld.create({
    config: modelConfig({
      dynamicBatching: batching,
      input: ['INPUT0', 'INPUT1'].map((name) => inputConfig({ name, dims: [1], optional: true })),
    }),
    createScheduler: (deps) => createDynamicBatcher(deps, batching),
  });
  const send = (...names: string[]) => {
    world.submit({ inputs: names.map((name) => int32Input(name, [1, 1], [1])) });
  };
  return { world, send };
}

test('requests with equal sets of inputs share a batch after the delay', async () => {
  const { world, send } = await optionalModel();
  send('INPUT0');
  send('INPUT0');
  await world.clock.advance(4999);
  expect(world.executed).toEqual([]);
  await world.clock.advance(1);
  expect(world.batchStats).toEqual({ 2: 1 });
});

test('the order in which inputs are given does not matter', async () => {
  const { world, send } = await optionalModel();
  send('INPUT0', 'INPUT1');
  send('INPUT1', 'INPUT0');
  await world.clock.advance(5000);
  expect(world.batchStats).toEqual({ 2: 1 });
});

test('alternating sets are never batched; only the last waits for the delay', async () => {
  const { world, send } = await optionalModel();
  for (const name of ['INPUT0', 'INPUT1', 'INPUT0', 'INPUT1']) {
    send(name);
    await world.clock.advance(0);
  }
  expect(world.batchStats).toEqual({ 1: 3 });
  await world.clock.advance(5000);
  expect(world.batchStats).toEqual({ 1: 4 });
  const reasons = world.scheduler.recentExecutions().map((record) => record.closeReason);
  expect(reasons).toEqual(['shape', 'shape', 'shape', 'delay']);
});
