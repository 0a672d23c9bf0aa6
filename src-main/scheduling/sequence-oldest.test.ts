import { describe, expect, test, vi } from 'vitest';
import { dynaSequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import {
  END,
  oldest,
  interleave,
  results,
  SequenceWorld,
  START,
  type SequenceWorldOptions,
} from '../testing/sequence-world.ts';
import { inputConfig } from '../testing/tensors.ts';

const create = (
  strategy: Parameters<typeof oldest>[0] = {},
  options: Partial<SequenceWorldOptions> = {},
): Promise<SequenceWorld> =>
  SequenceWorld.create({ backend: dynaSequenceBackend, batching: oldest(strategy), ...options });

const slow = { preferredBatchSize: [4], maxQueueDelayMicroseconds: 10_000n };

test('adds up per correlation id, and the id itself at END', async () => {
  const world = await create();
  const answers = world.sequence(100n, [1, 2, 3]);
  await world.advance(1);
  expect(results(answers)).toEqual([1, 3, 106]);
});

test('batches the fronts of four sequences, never two requests of one', async () => {
  const world = await create(slow, { holdUntilQueued: 11, delayMs: 1 });
  interleave(world, [3, 3, 3, 2]);
  await world.advance(1000);
  expect(world.stats).toEqual({ 4: 2, 3: 1 });
  expect(world.counts.I).toBe(11);
});

test.each([
  [false, { 1: 11 }],
  [true, { 4: 2, 3: 1 }],
])('shapes that all differ batch only when ragged (%s)', async (allowRaggedBatch, stats) => {
  const world = await create(slow, {
    holdUntilQueued: 11,
    delayMs: 1,
    config: { input: [inputConfig({ name: 'INPUT', allowRaggedBatch })] },
  });
  interleave(world, [3, 3, 3, 2], [1, 2, 3, 4]);
  await world.advance(1000);
  expect(world.stats).toEqual(stats);
});

test('sequences go on in the order in which their requests were released', async () => {
  const patient = { preferredBatchSize: [2], maxQueueDelayMicroseconds: 1_000_000n };
  const world = await create(patient, { delayMs: 10 });
  const first = [world.send(1n, 1, START), world.send(2n, 1, START)];
  await world.advance(5);
  const [other] = world.sequence(3n, [1], { isOpen: true });
  first.push(world.send(1n, 1), world.send(2n, 1));
  // Now the other one runs with the second request of sequence 1, ahead of it.
  await world.advance(10);
  const next = [world.send(1n, 1), world.send(3n, 1)];
  await world.advance(20);
  expect([...first, other].map((answer) => answer?.outcome)).toEqual(Array(5).fill('ok'));
  expect(next.map(({ outcome }) => outcome)).toEqual(['pending', 'ok']);
});

describe('backlog', () => {
  test('a fifth sequence runs when one ended', async () => {
    const world = await create(slow, { holdUntilQueued: 12, holdUntilBacklog: 3 });
    interleave(world, [3, 3, 3, 3]);
    const fifth = world.sequence(5n, [1, 2, 3]);
    await world.advance(1000);
    expect(results(fifth)).toEqual([1, 3, 11]);
    expect(world.stats).toEqual({ 4: 3, 1: 3 });
  });

  test('waiting sequences fill the slots of short ones', async () => {
    const world = await create(slow, { holdUntilQueued: 10, holdUntilBacklog: 2 });
    interleave(world, [3, 3, 2, 2]);
    world.sequence(5n, [50]);
    world.sequence(6n, [60]);
    await world.advance(1000);
    expect(world.stats).toEqual({ 4: 3 });
  });

  test('the same id started again without END goes on in its slot', async () => {
    const world = await create(slow, { holdUntilQueued: 12, holdUntilBacklog: 2 });
    interleave(world, [3, 3, 3, 3]);
    const again = world.sequence(1n, [7, 8], { isOpen: true });
    await world.advance(1000);
    expect(results(again)).toEqual([7, 15]);
    expect(world.stats).toEqual({ 4: 3, 1: 2 });
  });
});

test('the next owner of a slot waits until the END request was released', async () => {
  const world = await create({ maxCandidateSequences: 1 }, { delayMs: 10 });
  const first = world.sequence(1n, [1]);
  const second = world.sequence(2n, [1]);
  await world.advance(10);
  expect([...first, ...second].map(({ outcome }) => outcome)).toEqual(['ok', 'pending']);
  await world.advance(10);
  expect(second[0]?.outcome).toBe('ok');
});

test('an idle sequence frees its slot and is forgotten', async () => {
  const world = await create({ maxCandidateSequences: 1 });
  world.sequence(1n, [1], { isOpen: true });
  await world.advance(1);
  const waiting = world.sequence(2n, [10, 20], { isOpen: true });
  await world.advance(4998);
  expect(waiting.map(({ outcome }) => outcome)).toEqual(['pending', 'pending']);
  await world.advance(1);
  expect(results(waiting)).toEqual([10, 30]);
  expect(() => world.send(1n, 2, END)).toThrow('must specify the START flag');
});

test('preserve_ordering keeps the arrival order across sequences', async () => {
  const world = await create({ preserveOrdering: true, maxCandidateSequences: 8 }, { delayMs: 5 });
  const answers = interleave(world, [3, 3, 3, 3, 3]);
  await world.advance(100);
  const order = answers.map(({ responseOrder }) => responseOrder[0] ?? -1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

describe('cancellation', () => {
  test('a cancelled front cancels the queued rest', async () => {
    const world = await create({}, { delayMs: 100 });
    const answers = world.sequence(1n, [1, 2, 3]);
    await world.advance(1);
    answers[1]?.request.cancel();
    await world.advance(200);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['ok', 'CANCELLED', 'CANCELLED']);
    expect(world.world.statistics.failures.CANCELED).toBe(2);
    expect(world.world.scheduler.inflightCount).toBe(0);
  });

  test('a request cancelled inside the inner batcher goes alone; the next one runs', async () => {
    const world = await create(slow);
    const answers = world.sequence(1n, [1, 2]);
    await world.advance(5);
    answers[0]?.request.cancel();
    await world.advance(100);
    expect(answers.map(({ outcome }) => outcome)).toEqual(['CANCELLED', 'ok']);
  });
});

test('closing answers everything once', async () => {
  const world = await create({ maxCandidateSequences: 2 }, { delayMs: 100 });
  const answers = [1n, 2n, 3n].flatMap((id) => world.sequence(id, [1, 2]));
  await world.advance(1);
  const closing = world.world.scheduler.close();
  await world.advance(200);
  await closing;
  expect(answers.every(({ finalCount, releaseCount }) => finalCount === 1 && releaseCount === 1)).toBe(true);
  expect(world.world.clock.timerCount).toBe(0);
});

test('an instance that was removed leaves nothing behind: its batcher no longer listens', async () => {
  const world = await create();
  const { instances, clock } = world.world;
  let listenerCount = 0;
  const addListener = instances.addListener.bind(instances);
  vi.spyOn(instances, 'addListener').mockImplementation((listener) => {
    listenerCount += 1;
    const stop = addListener(listener);
    return () => {
      listenerCount -= 1;
      stop();
    };
  });
  for (let round = 1; round <= 5; round += 1) {
    const slot = await world.world.addInstance();
    world.send(BigInt(2 * round), 1, START);
    world.send(BigInt(2 * round + 1), 1, START);
    await world.advance(1);
    const removed = instances.remove(slot);
    world.send(BigInt(2 * round), 1, END);
    world.send(BigInt(2 * round + 1), 1, END);
    await world.advance(1);
    await removed;
    expect(listenerCount).toBe(0);
  }
  const [last] = world.sequence(99n, [4]);
  await world.advance(1);
  expect(last?.outcome).toBe('ok');
  expect([instances.slots.length, world.world.scheduler.inflightCount]).toEqual([1, 0]);
  await world.advance(60_000);
  expect(clock.timerCount).toBe(0);
});
