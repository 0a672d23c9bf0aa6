// Direct scheduling of sequences: what is admitted, what runs together, who waits, on one instance and on several.

import { describe, expect, test } from 'vitest';
import { sequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import type { RequestTrace } from '../inference/request-trace.ts';
import {
  END,
  results,
  interleave,
  SequenceWorld,
  START,
  type SequenceWorldOptions,
} from '../testing/sequence-world.ts';
import { inputConfig, int32Input, type Answer } from '../testing/tensors.ts';

const ragged = (allowRaggedBatch: boolean): Partial<SequenceWorldOptions> => ({
  config: { input: [inputConfig({ name: 'INPUT', allowRaggedBatch })] },
});

const create = (options: Partial<SequenceWorldOptions> = {}): Promise<SequenceWorld> =>
  SequenceWorld.create({ backend: sequenceBackend, ...options });

test('a trace hears of the queue, without the inputs that other schedulers record there', async () => {
  const world = await create();
  const heard: string[] = [];
  const trace: RequestTrace = {
    activity: (name) => heard.push(name),
    customActivity: (name) => heard.push(name),
    tensors: (kind) => heard.push(kind),
    child: () => trace,
    setModel: () => undefined,
    refused: () => undefined,
    end: () => undefined,
  };
  const inputs = [int32Input('INPUT', [1, 1], [1])];
  world.world.submit({ correlationId: 1n, flags: START | END, inputs, trace });
  await world.advance(0);
  expect(heard).toContain('COMPUTE_END');
  expect(heard.filter((name) => name.includes('QUEUE'))).toEqual(['QUEUE_START']);
});

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
