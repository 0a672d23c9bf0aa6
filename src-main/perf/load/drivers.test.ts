// How loads keep their requests going, with lanes that are answered by hand in virtual time.

import { expect, test } from 'vitest';

import { FakeClock, settle } from '../../testing/fake-clock.ts';
import { CountingSource, HandLane } from '../../testing/perf-fakes.ts';
import type { Arrivals } from './arrival-times.ts';
import { constantArrivals, scheduledArrivals } from './arrival-times.ts';
import { ClosedLoop } from './closed-loop.ts';
import type { Lane } from './lane.ts';
import { LanePool } from './load-driver.ts';
import type { OpenLoopOptions } from './open-loop.ts';
import { OpenLoop } from './open-loop.ts';
import { ClockPacer } from './pacer.ts';
import { PeriodicLoop } from './periodic-loop.ts';

function world(source = new CountingSource()) {
  const clock = new FakeClock();
  const lanes: HandLane[] = [];
  const pool = new LanePool(() => {
    const lane = new HandLane(clock);
    lanes.push(lane);
    return lane;
  });
  const sent: Lane[] = [];
  const done: (string | undefined)[] = [];
  const listener = { sent: (lane: Lane) => sent.push(lane), done: (lane: Lane) => done.push(lane.error) };
  const waiting = (): HandLane[] => lanes.filter(({ isWaiting }) => isWaiting);
  const answerAll = (): void => waiting().forEach((lane) => lane.answer());
  return { clock, lanes, pool, source, listener, sent, done, waiting, answerAll };
}

const closed = (parts: ReturnType<typeof world>, concurrency: number, requestLimit?: number): ClosedLoop =>
  new ClosedLoop({ ...parts, concurrency, requestLimit });

function open(
  parts: ReturnType<typeof world>,
  arrivals: Arrivals,
  changes: Partial<OpenLoopOptions> = {},
): OpenLoop {
  const pacer = new ClockPacer(parts.clock);
  return new OpenLoop({ ...parts, pacer, arrivals, laneLimit: 8, slotCount: 1, isSerial: false, ...changes });
}

test('a closed loop sends the next request as soon as one is answered, in the same slot', () => {
  const parts = world();
  closed(parts, 3).start();
  expect(
    parts
      .waiting()
      .map(({ slot }) => slot)
      .sort(),
  ).toEqual([0, 1, 2]);
  const [first] = parts.waiting();
  first?.answer();
  expect(parts.waiting()).toHaveLength(3);
  expect(first?.sentMessages.map(({ stream }) => stream)).toEqual([first?.slot, first?.slot]);
  expect(parts.sent).toHaveLength(4);
  expect(parts.done).toEqual([undefined]);
});

test('a closed loop of so many requests sends exactly these, and is exhausted with the last answer', () => {
  const parts = world();
  const loop = closed(parts, 2, 5);
  loop.start();
  while (parts.sent.length < 5) parts.answerAll();
  expect(loop.isExhausted).toBe(false);
  parts.answerAll();
  expect(loop.isExhausted).toBe(true);
  expect([parts.sent.length, parts.done.length]).toEqual([5, 5]);
});

test('nothing new is sent while a closed loop is held, and all lanes go on afterwards', () => {
  const parts = world();
  const loop = closed(parts, 2);
  loop.start();
  loop.hold(true);
  parts.answerAll();
  expect(parts.waiting()).toEqual([]);
  loop.hold(false);
  expect(parts.waiting()).toHaveLength(2);
});

test('a lane whose connection broke waits a moment before it tries again; an error of the server does not', async () => {
  const parts = world();
  closed(parts, 1).start();
  parts.lanes[0]?.answer('[500] no', false);
  expect(parts.waiting()).toHaveLength(1);
  parts.lanes[0]?.answer('refused', true);
  expect(parts.waiting()).toHaveLength(0);
  await parts.clock.advance(99);
  expect(parts.waiting()).toHaveLength(0);
  await parts.clock.advance(1);
  expect(parts.waiting()).toHaveLength(1);
});

test('the end of a closed loop waits for what is out, and gives every lane back once', async () => {
  const parts = world();
  const loop = closed(parts, 3);
  loop.start();
  const drained = loop.drain(1000);
  parts.answerAll();
  await drained;
  expect(parts.pool.freeCount).toBe(3);
  expect(parts.sent).toHaveLength(3);
});

test('the end of a closed loop ends open sequences, and still gives every lane back once', async () => {
  const parts = world(new CountingSource({ isSequence: true }));
  const loop = closed(parts, 2);
  loop.start();
  const drained = loop.drain(1000);
  parts.answerAll();
  await settle();
  expect(parts.waiting().map(({ message }) => message.isSequenceEnd)).toEqual([true, true]);
  parts.answerAll();
  await drained;
  expect(parts.pool.freeCount).toBe(2);
  const taken = [parts.pool.take(), parts.pool.take(), parts.pool.take()];
  expect(new Set(taken).size).toBe(3);
});

test('a lane that waits to try again is given back too, and its sequence is ended', async () => {
  const parts = world(new CountingSource({ isSequence: true }));
  const loop = closed(parts, 1);
  loop.start();
  parts.lanes[0]?.answer('reset', true);
  const drained = loop.drain(1000);
  await settle();
  expect(parts.waiting().map(({ message }) => message.isSequenceEnd)).toEqual([true]);
  parts.answerAll();
  await drained;
  expect([parts.pool.freeCount, parts.clock.timerCount]).toEqual([1, 0]);
});

test('a lane that is never answered is given up after the time for it', async () => {
  const parts = world();
  const loop = closed(parts, 2);
  loop.start();
  const drained = loop.drain(500);
  parts.lanes[0]?.answer();
  await parts.clock.advance(1000);
  await drained;
  expect(parts.lanes.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  expect(parts.pool.freeCount).toBe(1);
});

test('an open loop sends when requests are due, whether or not earlier ones were answered', async () => {
  const parts = world();
  open(parts, constantArrivals(100)).start();
  await parts.clock.advance(35);
  expect(parts.sent).toHaveLength(3);
  expect(parts.waiting()).toHaveLength(3);
  expect(parts.sent.map(({ startNs, dueNs }) => startNs - dueNs)).toEqual([0, 0, 0]);
});

test('a request that finds no lane is sent late, with its due time kept', async () => {
  const parts = world();
  open(parts, constantArrivals(100), { laneLimit: 1 }).start();
  await parts.clock.advance(25);
  expect(parts.sent).toHaveLength(1);
  parts.lanes[0]?.answer();
  expect(parts.sent).toHaveLength(2);
  expect((parts.lanes[0]?.startNs ?? 0) - (parts.lanes[0]?.dueNs ?? 0)).toBe(5e6);
});

test('time held does not count, neither for what was not due yet nor for what waited already', async () => {
  const parts = world();
  const loop = open(parts, constantArrivals(100), { laneLimit: 1 });
  loop.start();
  await parts.clock.advance(22);
  loop.hold(true);
  await parts.clock.advance(1000);
  parts.lanes[0]?.answer();
  expect(parts.sent).toHaveLength(1);
  loop.hold(false);
  // Due at 20 ms, held at 22 ms: two milliseconds late.
  expect(parts.sent).toHaveLength(2);
  expect((parts.lanes[0]?.startNs ?? 0) - (parts.lanes[0]?.dueNs ?? 0)).toBe(2e6);
  parts.lanes[0]?.answer();
  await parts.clock.advance(8);
  expect(parts.sent).toHaveLength(3);
  expect((parts.lanes[0]?.startNs ?? 0) - (parts.lanes[0]?.dueNs ?? 0)).toBe(0);
});

test('holding twice is holding once', async () => {
  const parts = world();
  const loop = open(parts, constantArrivals(100));
  loop.start();
  loop.hold(true);
  await parts.clock.advance(50);
  loop.hold(true);
  await parts.clock.advance(50);
  loop.hold(false);
  loop.hold(false);
  await parts.clock.advance(10);
  expect(parts.sent).toHaveLength(1);
});

test('serial slots have one request outstanding each, and keep their order', async () => {
  const parts = world();
  open(parts, constantArrivals(1000), { slotCount: 2, isSerial: true }).start();
  await parts.clock.advance(5);
  expect(parts.waiting().map(({ slot }) => slot)).toEqual([0, 1]);
  parts.waiting()[1]?.answer();
  expect(parts.sent.at(-1)?.slot).toBe(1);
  expect(parts.waiting()).toHaveLength(2);
});

test('a schedule sends each entry at its time and is exhausted with the last answer', async () => {
  const parts = world();
  const loop = open(parts, scheduledArrivals([5, 5, 20]));
  loop.start();
  await parts.clock.advance(6);
  expect(parts.sent).toHaveLength(2);
  await parts.clock.advance(20);
  expect(parts.sent).toHaveLength(3);
  expect(loop.isExhausted).toBe(false);
  parts.answerAll();
  expect(loop.isExhausted).toBe(true);
});

test('an open loop of so many requests ends with them', async () => {
  const parts = world();
  const loop = open(parts, constantArrivals(1000), { requestLimit: 3 });
  loop.start();
  await parts.clock.advance(100);
  expect(parts.sent).toHaveLength(3);
});

test('the end of an open loop drops what waited, ends sequences and closes what never answers', async () => {
  const parts = world(new CountingSource({ isSequence: true }));
  const loop = open(parts, constantArrivals(1000), { laneLimit: 1 });
  loop.start();
  await parts.clock.advance(10);
  const drained = loop.drain(50);
  parts.lanes[0]?.answer();
  await settle();
  expect(parts.waiting().map(({ message }) => message.isSequenceEnd)).toEqual([true]);
  await parts.clock.advance(200);
  await drained;
  expect(parts.sent).toHaveLength(2);
  expect(parts.lanes.some(({ isClosed }) => isClosed)).toBe(true);
});

test('periodic concurrency launches more each time the newest ones have had their responses', async () => {
  const parts = world();
  const loop = new PeriodicLoop({ ...parts, start: 1, end: 5, step: 2, requestPeriod: 2 });
  loop.start();
  expect(parts.sent).toHaveLength(1);
  parts.lanes[0]?.respond();
  await parts.clock.advance(5);
  expect(parts.sent).toHaveLength(1);
  parts.lanes[0]?.respond();
  await parts.clock.advance(5);
  expect(parts.sent).toHaveLength(3);
  parts.lanes[1]?.respond();
  parts.lanes[1]?.respond();
  await parts.clock.advance(5);
  expect(parts.sent).toHaveLength(3);
  parts.lanes[2]?.answer();
  await parts.clock.advance(5);
  expect(parts.sent).toHaveLength(5);
  parts.answerAll();
  expect(loop.isExhausted).toBe(true);
  await parts.clock.advance(50);
  expect(parts.sent).toHaveLength(5);
});

test('periodic concurrency launches nothing while it is held, and gives up what never ends', async () => {
  const parts = world();
  const loop = new PeriodicLoop({ ...parts, start: 1, end: 4, step: 1, requestPeriod: 1 });
  loop.start();
  loop.hold(true);
  parts.lanes[0]?.respond();
  await parts.clock.advance(20);
  expect(parts.sent).toHaveLength(1);
  loop.hold(false);
  await parts.clock.advance(2);
  expect(parts.sent).toHaveLength(2);
  const drained = loop.drain(100);
  await parts.clock.advance(200);
  await drained;
  expect(parts.lanes.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(parts.clock.timerCount).toBe(0);
});

test('a pool hands a free lane out again, and closes all of them at the end', () => {
  const { pool, lanes } = world();
  const first = pool.take();
  const second = pool.take();
  pool.giveBack(first);
  expect(pool.take()).toBe(first);
  pool.discard(second);
  expect(lanes[1]?.isClosed).toBe(true);
  pool.close();
  expect(lanes.every(({ isClosed }) => isClosed)).toBe(true);
});
