// Direct scheduling of sequences: what time, cancellation and closing do to them.

import { describe, expect, test } from 'vitest';
import { sequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import { END, results, SequenceWorld, START, type SequenceWorldOptions } from '../testing/sequence-world.ts';
import { type Answer } from '../testing/tensors.ts';

const create = (options: Partial<SequenceWorldOptions> = {}): Promise<SequenceWorld> =>
  SequenceWorld.create({ backend: sequenceBackend, ...options });

describe('time', () => {
  test('an idle sequence gives its slot to a waiting one and is forgotten', async () => {
    const world = await create({ config: { maxBatchSize: 1 } });
    const [first] = world.sequence(1n, [1], { isOpen: true });
    await world.advance(1);
    const waiting = world.sequence(2n, [10, 20], { isOpen: true });
    await world.advance(4000);
    expect(results([first as Answer, ...waiting])).toEqual([1, 'pending', 'pending']);
    await world.advance(1000);
    expect(results(waiting)).toEqual([10, 30]);
    expect(() => world.send(1n, 2, END)).toThrow('must specify the START flag');
  });

  const delayed = (utilization: number): Promise<SequenceWorld> =>
    create({
      batching: {
        direct: { maxQueueDelayMicroseconds: 3_000_000n, minimumSlotUtilization: utilization },
      },
    });

  test('the queue delay alone holds nothing back', async () => {
    const world = await delayed(0);
    world.sequence(1n, [1], { isOpen: true });
    world.sequence(2n, [1], { isOpen: true });
    await world.advance(0);
    world.send(1n, 1);
    await world.advance(0);
    expect(world.counts).toEqual({ I: 3, E: 2 });
  });

  test('half of the slots ready run at once, a lone request waits for the delay', async () => {
    const world = await delayed(0.5);
    world.sequence(1n, [1], { isOpen: true });
    world.sequence(2n, [1], { isOpen: true });
    await world.advance(0);
    expect(world.stats).toEqual({ 2: 1 });
    const lone = world.send(1n, 1);
    await world.advance(2999);
    expect(lone.outcome).toBe('pending');
    await world.advance(1);
    expect(lone.outcome).toBe('ok');
  });

  test('full utilisation makes both steps wait', async () => {
    const world = await delayed(1);
    for (const step of [START, 0]) {
      const pair = [world.send(1n, 1, step), world.send(2n, 1, step)];
      await world.advance(2999);
      expect(pair.map(({ outcome }) => outcome)).toEqual(['pending', 'pending']);
      await world.advance(1);
      expect(pair.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    }
  });

  test('a waiting sequence times out whole, one in a slot never', async () => {
    const world = await create({ config: { maxBatchSize: 1 }, delayMs: 5000 });
    const options = { timeoutUs: 3_000_000 };
    const first = [world.send(1n, 1, START, options), world.send(1n, 1, END, options)];
    const second = [world.send(2n, 1, START, options), world.send(2n, 1, 0, options)];
    await world.advance(3000);
    expect(second.map(({ error }) => [error?.code, error?.message])).toEqual([
      ['UNAVAILABLE', 'timeout of the corresponding sequence has been expired'],
      ['UNAVAILABLE', 'timeout of the corresponding sequence has been expired'],
    ]);
    expect(() => world.send(2n, 1, END)).toThrow('must specify the START flag');
    await world.advance(7000);
    expect(first.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect(world.world.statistics.failures.REJECTED).toBe(2);
  });
});

describe('cancellation', () => {
  test('one cancelled request of a waiting sequence cancels all of it', async () => {
    const world = await create({ config: { maxBatchSize: 1 }, delayMs: 100 });
    const busy = world.sequence(1n, [1]);
    const waiting = world.sequence(2n, [1, 2]);
    waiting[1]?.request.cancel();
    await world.advance(200);
    expect(busy[0]?.outcome).toBe('ok');
    expect(waiting.map(({ error }) => [error?.code, error?.message])).toEqual([
      ['CANCELLED', ''],
      ['CANCELLED', ''],
    ]);
    expect(world.world.statistics.failures.CANCELED).toBe(2);
  });

  test('a cancelled front cancels the queued rest while the executing one succeeds', async () => {
    const world = await create({ delayMs: 100 });
    const answers = world.sequence(1n, [1, 2, 3]);
    await world.advance(1);
    answers[1]?.request.cancel();
    await world.advance(200);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['ok', 'CANCELLED', 'CANCELLED']);
    expect(world.world.statistics.failures.CANCELED).toBe(2);
    expect(world.world.scheduler.inflightCount).toBe(0);
  });

  test('sequences after a cancelled one start clean in its slot', async () => {
    const world = await create({ config: { maxBatchSize: 1 }, delayMs: 100 });
    const cancelled = world.sequence(1n, [100, 100], { isOpen: true });
    await world.advance(1);
    cancelled[1]?.request.cancel();
    await world.advance(6000);
    const next = [...world.sequence(2n, [1, 2]), ...world.sequence(3n, [5, 6])];
    await world.advance(1000);
    expect(results(next)).toEqual([1, 3, 5, 11]);
  });
});

test('closing answers what is queued once, and leaves no timer', async () => {
  const world = await create({ config: { maxBatchSize: 1 }, delayMs: 100 });
  const answers = [...world.sequence(1n, [1, 2]), ...world.sequence(2n, [1])];
  await world.advance(1);
  const closing = world.world.scheduler.close();
  await world.advance(100);
  await closing;
  expect(answers.map(({ outcome }) => outcome)).toEqual(['ok', 'UNAVAILABLE', 'UNAVAILABLE']);
  expect(answers.map(({ releaseCount }) => releaseCount)).toEqual([1, 1, 1]);
  expect(world.world.clock.timerCount).toBe(0);
});
