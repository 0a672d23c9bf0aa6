// Requests in their order: plain entries in turn, and sequences with ids that never meet.

import { expect, test } from 'vitest';

import type { PerfSequence } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { LoadMessage } from '../load/lane.ts';
import type { DataSet, DataStep, StepPlace } from './data-set.ts';
import { flatPlaces, sentPlaces } from './data-set.ts';
import type { MessageEncoder, SequenceMark } from './message-encoder.ts';
import { PlainSource } from './plain-source.ts';
import { SequenceSource } from './sequence-source.ts';

/** Notes what is encoded instead of encoding it. */
function notingEncoder(batchSize = 1, byteLength = 10) {
  const encoded: { readonly places: readonly StepPlace[]; readonly sequence: SequenceMark | undefined }[] =
    [];
  const encoder = {
    encode: (places: readonly StepPlace[], sequence?: SequenceMark): LoadMessage => {
      encoded.push({ places, sequence });
      const [first = { stream: 0, step: 0 }] = places;
      const bytes = { byteLength } as Buffer;
      const mark = { sequenceId: sequence?.id ?? 0, isSequenceEnd: sequence?.isEnd ?? false };
      return { bytes, ...first, ...mark, rowCount: places.length };
    },
    placesFrom: (all: readonly StepPlace[], index: number) =>
      Array.from({ length: batchSize }, (_, row) => all[(index + row) % all.length] as StepPlace),
  } as unknown as MessageEncoder;
  return { encoder, encoded };
}

const step: DataStep = { inputs: new Map(), expected: undefined, timestampMs: undefined };
const dataOf = (lengths: readonly number[], isGiven = true): DataSet => ({
  streams: lengths.map((length) => Array.from({ length }, () => step)),
  isGiven,
});
const options = (changes: Partial<PerfSequence> = {}): PerfSequence => ({
  ...defaultPerfPlan('m').sequence,
  lengthVariationPercent: 0,
  ...changes,
});

test('entries of all streams are taken in turn', () => {
  expect(flatPlaces(dataOf([2, 1]))).toEqual([
    { stream: 0, step: 0 },
    { stream: 0, step: 1 },
    { stream: 1, step: 0 },
  ]);
});

test('shuffled entries come once each, in the same order in each run; a schedule keeps its own', () => {
  const data = { ...dataOf([20]), isShuffled: true };
  const steps = sentPlaces(data, 'concurrency').map(({ step: at }) => at);
  const inOrder = Array.from({ length: 20 }, (_, at) => at);
  expect(steps).not.toEqual(inOrder);
  expect(steps.toSorted((a, b) => a - b)).toEqual(inOrder);
  expect(sentPlaces(data, 'concurrency').map(({ step: at }) => at)).toEqual(steps);
  expect(sentPlaces(data, 'schedule').map(({ step: at }) => at)).toEqual(inOrder);
});

test.each([
  [3, 1],
  [3, 2],
  [4, 2],
  [1, 4],
  [6, 4],
])('%d entries in batches of %d come as one endless round, each message encoded once', (count, batchSize) => {
  const { encoder, encoded } = notingEncoder(batchSize);
  const source = new PlainSource(encoder, flatPlaces(dataOf([count])), batchSize);
  const kept = encoded.length;
  for (let index = 0; index < 30; index += 1) {
    const message = source.next();
    expect(message.step).toBe((index * batchSize) % count);
  }
  expect(encoded).toHaveLength(kept);
  expect(source.finish()).toBeUndefined();
});

test('messages that would fill the memory are made anew each time', () => {
  const { encoder, encoded } = notingEncoder(1, 100 * 1024 * 1024);
  const source = new PlainSource(encoder, flatPlaces(dataOf([3])), 1);
  expect(encoded).toHaveLength(1);
  expect([source.next(), source.next(), source.next(), source.next()].map((one) => one.step)).toEqual([
    0, 1, 2, 0,
  ]);
  expect(encoded).toHaveLength(5);
});

test('a sequence of a data file has its own length, a start and an end', () => {
  const { encoder, encoded } = notingEncoder();
  const source = new SequenceSource(encoder, dataOf([3]), options());
  for (let index = 0; index < 6; index += 1) source.next(0);
  expect(encoded.map(({ places }) => places[0]?.step)).toEqual([0, 1, 2, 0, 1, 2]);
  expect(encoded.map(({ sequence }) => [sequence?.id, sequence?.isStart, sequence?.isEnd])).toEqual([
    [1, true, false],
    [1, false, false],
    [1, false, true],
    [2, true, false],
    [2, false, false],
    [2, false, true],
  ]);
});

test('a length that was given counts more than that of the file, and repeats its entries', () => {
  const { encoder, encoded } = notingEncoder();
  const source = new SequenceSource(encoder, dataOf([2]), options({ length: 5, isLengthGiven: true }));
  for (let index = 0; index < 5; index += 1) source.next(0);
  expect(encoded.map(({ places }) => places[0]?.step)).toEqual([0, 1, 0, 1, 0]);
  expect(encoded.at(-1)?.sequence?.isEnd).toBe(true);
});

test('lengths vary as far as they may, and a sequence has one request at least', () => {
  const lengths = (changes: Partial<PerfSequence>): number[] => {
    const { encoder, encoded } = notingEncoder();
    const source = new SequenceSource(encoder, dataOf([1], false), options(changes));
    for (let index = 0; index < 2000; index += 1) source.next(0);
    const ends = encoded.flatMap(({ sequence }, index) => (sequence?.isEnd === true ? [index + 1] : []));
    return ends.map((end, index) => end - (ends[index - 1] ?? 0));
  };
  const varied = lengths({ length: 20, lengthVariationPercent: 20 });
  expect(Math.min(...varied)).toBe(16);
  expect(Math.max(...varied)).toBe(24);
  expect(new Set(lengths({ length: 0 }))).toEqual(new Set([1]));
});

test('what a slot has begun is ended; what has not begun, or ended already, is not', () => {
  const { encoder, encoded } = notingEncoder();
  const source = new SequenceSource(encoder, dataOf([3]), options());
  expect(source.finish(0)).toBeUndefined();
  source.next(0);
  expect(source.finish(0)).toMatchObject({ sequenceId: 1, isSequenceEnd: true, step: 1 });
  expect(source.finish(0)).toBeUndefined();
  expect(encoded).toHaveLength(2);
});

test('ids go round within their range', () => {
  const { encoder } = notingEncoder();
  const source = new SequenceSource(encoder, dataOf([1]), options({ firstId: 7, idCount: 3 }));
  const ids = Array.from({ length: 5 }, () => source.next(0).sequenceId);
  expect(ids).toEqual([7, 8, 9, 7, 8]);
});

test('an id that is in use is never given out again, whatever the order in which sequences end', () => {
  const { encoder } = notingEncoder();
  const source = new SequenceSource(encoder, dataOf([2]), options({ idCount: 4, length: 2 }));
  const inUse = new Map<number, number>();
  const begin = (slot: number): void => {
    const { sequenceId } = source.next(slot);
    expect([...inUse.values()]).not.toContain(sequenceId);
    inUse.set(slot, sequenceId);
  };
  const end = (slot: number): void => {
    expect(source.next(slot)).toMatchObject({ sequenceId: inUse.get(slot), isSequenceEnd: true });
    inUse.delete(slot);
  };
  [0, 1, 2, 3].forEach(begin);
  for (const slot of [0, 1]) end(slot);
  begin(1);
  end(3);
  begin(3);
  begin(0);
  // A long run with slots ending in an order of their own.
  let state = 1;
  for (let round = 0; round < 500; round += 1) {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    const slot = state % 4;
    if (inUse.has(slot)) end(slot);
    else begin(slot);
  }
});
