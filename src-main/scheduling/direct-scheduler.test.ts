import { describe, expect, test } from 'vitest';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { modelConfig } from '../testing/tensors.ts';
import { DirectScheduler } from './direct-scheduler.ts';

function direct(instanceCount = 1): Promise<SchedulerWorld> {
  return SchedulerWorld.create({
    config: modelConfig(),
    createScheduler: (deps) => new DirectScheduler(deps),
    script: { delayMs: 10 },
    instanceCount,
  });
}

describe('DirectScheduler', () => {
  test('never merges requests and passes client batches through', async () => {
    const world = await direct();
    for (const rows of [1, 8, 1]) world.send(rows);
    await world.clock.advance(100);
    expect(world.executed).toEqual([1, 8, 1]);
    expect(world.statistics.snapshot()).toMatchObject({ inferenceCount: 10, executionCount: 3 });
  });

  test('runs as many requests at once as there are instances', async () => {
    const world = await direct(3);
    for (let sent = 0; sent < 4; sent += 1) world.send(1);
    expect(world.statistics.pendingCount).toBe(1);
    expect([world.scheduler.queuedCount, world.scheduler.inflightCount]).toEqual([1, 4]);
    await world.clock.advance(20);
    expect(world.timeline.map(([startedMs]) => startedMs)).toEqual([0, 0, 0, 10]);
  });

  test('a client timeout and a queued cancellation have no effect', async () => {
    const world = await direct();
    world.send(1);
    const second = world.send(1, { timeoutUs: 1 });
    second.request.cancel();
    await world.clock.advance(100);
    expect(world.book.outcomes).toEqual(['ok', 'ok']);
  });

  test('a stopping scheduler refuses new requests; closing answers what waits', async () => {
    const world = await direct();
    world.send(1);
    world.send(1);
    world.scheduler.stop();
    expect(() => world.send(1)).toThrow(
      '[request id: <id_unknown>] Server is stopping, scheduler for model has stopped accepting new inference requests',
    );
    const closing = world.scheduler.close();
    await world.clock.advance(10);
    await closing;
    expect(world.book.outcomes).toEqual(['ok', 'UNAVAILABLE']);
  });
});
