import { describe, expect, test } from 'vitest';
import { sequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import { END, results, SequenceWorld, START, type SequenceWorldOptions } from '../testing/sequence-world.ts';
import { inputConfig, int32Input, type Answer } from '../testing/tensors.ts';

const ragged = (allowRaggedBatch: boolean): Partial<SequenceWorldOptions> => ({
  config: { input: [inputConfig({ name: 'INPUT', allowRaggedBatch })] },
});

const create = (options: Partial<SequenceWorldOptions> = {}): Promise<SequenceWorld> =>
  SequenceWorld.create({ backend: sequenceBackend, ...options });

/** Four sequences, sent round by round so that long ones take the first slots. */
function interleave(world: SequenceWorld, lengths: readonly number[], shapes?: readonly number[]): Answer[] {
  const answers: Answer[] = [];
  for (let step = 0; step < Math.max(...lengths); step += 1) {
    lengths.forEach((length, at) => {
      if (step >= length) return;
      const flags = (step === 0 ? START : 0) | (step === length - 1 ? END : 0);
      const shape = shapes?.[at];
      answers.push(
        world.send(BigInt(at + 1), step + 1, flags, shape === undefined ? {} : { shape: [shape] }),
      );
    });
  }
  return answers;
}

describe('admission', () => {
  test('refuses a batch of two', async () => {
    const world = await create();
    expect(() => world.send(1n, 0, START, { inputs: [int32Input('INPUT', [2, 1], [1, 2])] })).toThrow(
      `inference request to model 'M' must specify batch-size 1 due to requirements of sequence batcher`,
    );
  });

  test.each([0n, ''])('refuses a request without correlation id ("%s")', async (id) => {
    const world = await create({ batching: { controlInput: [] } });
    expect(() => world.send(id, 1, START)).toThrow(
      `inference request to model 'M' must specify a non-zero or non-empty correlation ID`,
    );
  });

  test.each([7n, 'seven'])('refuses a first request without START (%s)', async (id) => {
    const world = await create({ batching: { controlInput: [] } });
    expect(() => world.send(id, 1)).toThrow(
      `inference request for sequence ${id} to model 'M' must specify the START flag on the first request of the sequence`,
    );
  });

  test('refuses a second request after END without START', async () => {
    const world = await create();
    world.sequence(1n, [1]);
    expect(() => world.send(1n, 2)).toThrow('must specify the START flag');
  });

  test('while stopping refuses new sequences and lets known ones go on', async () => {
    const world = await create();
    world.send(1n, 1, START);
    world.world.scheduler.stop();
    expect(() => world.send(2n, 1, START)).toThrow(
      'Server is stopping, scheduler for model has stopped accepting new inference requests',
    );
    const last = world.send(1n, 2, END);
    await world.advance(1);
    expect(results([last])).toEqual([3]);
    expect(world.world.scheduler.inflightCount).toBe(0);
  });
});

describe('sequences', () => {
  test('one after another give accumulated values in batches of one', async () => {
    const world = await create();
    const answers: Answer[] = [];
    for (const id of [1n, 2n, 3n]) {
      answers.push(...world.sequence(id, [1, 2, 3]));
      await world.advance(1);
    }
    expect(results(answers)).toEqual([1, 3, 6, 1, 3, 6, 1, 3, 6]);
    expect(world.stats).toEqual({ 1: 9 });
  });

  test('START and END in one request is a whole sequence', async () => {
    const world = await create();
    const answers = world.sequence(1n, [9]);
    await world.advance(1);
    expect(results(answers)).toEqual([9]);
    expect(world.world.scheduler.inflightCount).toBe(0);
  });

  test('START again without END resets the state and answers both sets', async () => {
    const world = await create();
    const answers = [...world.sequence(1n, [1, 2], { isOpen: true }), ...world.sequence(1n, [5, 6])];
    await world.advance(1);
    expect(results(answers)).toEqual([1, 3, 5, 11]);
  });

  test('two of four requests run as batches of two', async () => {
    const world = await create({ holdUntilQueued: 8 });
    const answers = [...world.sequence(1n, [1, 2, 3, 4]), ...world.sequence(2n, [10, 20, 30, 40])];
    await world.advance(1);
    expect(results(answers)).toEqual([1, 3, 6, 10, 10, 30, 60, 100]);
    expect(world.stats).toEqual({ 2: 4 });
    expect(world.counts).toEqual({ I: 8, E: 4 });
  });

  test.each<[string, number[], Record<number, number>, { I: number; E: number }]>([
    ['long ones first leave no empty rows at the end', [4, 4, 2, 2], { 4: 2, 2: 2 }, { I: 12, E: 4 }],
    ['four of three', [3, 3, 3, 3], { 4: 3 }, { I: 12, E: 3 }],
    ['a short one in front is filled with null rows', [2, 4, 2, 4], { 4: 4 }, { I: 12, E: 4 }],
  ])('%s', async (_name, lengths, stats, counts) => {
    const world = await create({ holdUntilQueued: lengths.reduce((sum, length) => sum + length, 0) });
    const answers = interleave(world, lengths);
    await world.advance(1);
    expect(answers.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(world.stats).toEqual(stats);
    expect(world.counts).toEqual(counts);
  });

  test('different shapes run apart, each batch filled up with null rows', async () => {
    const world = await create({ holdUntilQueued: 12, ...ragged(false) });
    const answers = interleave(world, [3, 3, 3, 3], [2, 2, 1, 3]);
    await world.advance(1);
    expect(results(answers.slice(-4))).toEqual([6, 6, 6, 6]);
    const { E, I } = world.counts;
    expect(I).toBe(12);
    expect(world.stats).toEqual({ 4: E });
    expect(E).toBe(9);
  });

  test('different shapes of a ragged input run together', async () => {
    const world = await create({ holdUntilQueued: 12, ...ragged(true) });
    interleave(world, [3, 3, 3, 3], [2, 2, 1, 3]);
    await world.advance(1);
    expect(world.stats).toEqual({ 4: 3 });
  });
});

describe('backlog', () => {
  const full = async (holdUntilQueued: number, holdUntilBacklog: number): Promise<SequenceWorld> =>
    create({ holdUntilQueued, holdUntilBacklog });

  test('a fifth sequence runs when one ends', async () => {
    const world = await full(12, 3);
    interleave(world, [3, 3, 3, 3]);
    const fifth = world.sequence(5n, [1, 2, 3]);
    await world.advance(1);
    expect(results(fifth)).toEqual([1, 3, 6]);
    expect(world.stats).toEqual({ 4: 3, 1: 3 });
    expect(world.counts).toEqual({ I: 15, E: 6 });
  });

  test('waiting sequences fill the slots of short ones at once', async () => {
    const world = await full(10, 2);
    interleave(world, [3, 3, 2, 2]);
    world.sequence(5n, [50]);
    world.sequence(6n, [60]);
    await world.advance(1);
    expect(world.stats).toEqual({ 4: 3 });
    expect(world.counts).toEqual({ I: 12, E: 3 });
  });

  test('a waiting sequence whose END comes later', async () => {
    const world = await full(10, 2);
    interleave(world, [3, 3, 2, 2]);
    const open = world.send(5n, 50, START);
    world.sequence(6n, [60]);
    await world.advance(1);
    const rest = [world.send(5n, 1), world.send(5n, 2, END)];
    await world.advance(1);
    expect(results([open, ...rest])).toEqual([50, 51, 53]);
    expect(world.stats).toEqual({ 4: 3, 3: 2 });
    expect(world.counts).toEqual({ I: 14, E: 5 });
  });

  test('the same id started again after END waits as a sequence of its own', async () => {
    const world = await full(12, 2);
    interleave(world, [3, 3, 3, 3]);
    const again = world.sequence(1n, [7, 8]);
    await world.advance(1);
    expect(results(again)).toEqual([7, 15]);
    expect(world.stats).toEqual({ 4: 3, 1: 2 });
  });

  test('the same id started again without END goes on in its slot', async () => {
    const world = await full(16, 0);
    for (const id of [1n, 2n, 3n, 4n]) world.sequence(id, [1, 2], { isOpen: true });
    const again = [1n, 2n, 3n, 4n].map((id) => world.sequence(id, [5, 6]));
    await world.advance(1);
    expect(again.map(results)).toEqual([0, 1, 2, 3].map(() => [5, 11]));
    expect(world.stats).toEqual({ 4: 4 });
    expect(world.counts).toEqual({ I: 16, E: 4 });
  });
});

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

describe('several instances', () => {
  test.each<[number, number, Record<number, number>[]]>([
    [2, 2, [{ 1: 8 }, { 2: 4, 1: 4 }, { 2: 6 }]],
    [4, 1, [{ 1: 8 }, { 1: 12 }, { 1: 12 }]],
  ])(
    '%i instances with batches of %i share the sequences evenly',
    async (instanceCount, maxBatchSize, rows) => {
      const lengths = [
        [4, 4],
        [4, 4, 2, 2],
        [3, 3, 3, 3],
      ];
      for (const [at, row] of lengths.entries()) {
        const holdUntilQueued = row.reduce((sum, length) => sum + length, 0);
        const world = await create({ instanceCount, config: { maxBatchSize }, holdUntilQueued });
        interleave(world, row);
        await world.advance(1);
        expect(world.stats).toEqual(rows[at]);
      }
    },
  );

  test('an instance that is removed keeps its sequence until the end', async () => {
    const world = await create({ instanceCount: 2, config: { maxBatchSize: 1 } });
    const [instance] = world.world.instances.slots;
    world.send(1n, 1, START);
    await world.advance(1);
    let isRemoved = false;
    if (instance === undefined) throw new Error('no instance');
    void world.world.instances.remove(instance).then(() => {
      isRemoved = true;
    });
    await world.advance(1);
    expect(isRemoved).toBe(false);
    const last = world.send(1n, 2, END);
    await world.advance(1);
    expect(results([last])).toEqual([3]);
    expect(isRemoved).toBe(true);
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
