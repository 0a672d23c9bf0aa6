// Loads against a server of known service time, in virtual time: what is measured is what queueing theory says.

import { expect, it } from 'vitest';

import { histogramPercentiles } from '../../metrics/latency-histogram.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { ServiceQueue } from '../../testing/queue-lane.ts';
import { WindowRecorder } from '../measure/window-recorder.ts';
import { constantArrivals, poissonArrivals } from './arrival-times.ts';
import type { Arrivals } from './arrival-times.ts';
import { ClosedLoop } from './closed-loop.ts';
import { NO_MESSAGE } from './lane.ts';
import { LanePool } from './load-driver.ts';
import { OpenLoop } from './open-loop.ts';
import { ClockPacer } from './pacer.ts';

const source = { next: () => NO_MESSAGE, finish: () => undefined };

function world(serviceMs: number, hasDueTimes: boolean) {
  const clock = new FakeClock();
  const queue = new ServiceQueue(clock, serviceMs);
  const pool = new LanePool(() => queue.lane());
  const recorder = new WindowRecorder({ startNs: clock.nowNs(), hasDueTimes });
  return { clock, pool, recorder };
}

function openLoop(parts: ReturnType<typeof world>, arrivals: Arrivals, laneLimit: number): OpenLoop {
  const { clock, pool, recorder } = parts;
  const pacer = new ClockPacer(clock);
  return new OpenLoop({
    clock,
    pacer,
    arrivals,
    pool,
    source,
    listener: recorder,
    laneLimit,
    slotCount: 1,
    isSerial: false,
  });
}

it('keeps as many requests outstanding as asked: throughput times latency is the concurrency', async () => {
  const { clock, pool, recorder } = world(10, false);
  const driver = new ClosedLoop({ clock, pool, source, listener: recorder, concurrency: 4 });
  driver.start();
  await clock.advance(1000);
  recorder.take(clock.nowNs());
  await clock.advance(5000);
  const window = recorder.take(clock.nowNs());
  const perSecond = window.requestCount / 5;
  const meanMs = window.latencyNs / window.requestCount / 1e6;
  expect(perSecond).toBeCloseTo(100, 0);
  expect((perSecond * meanMs) / 1000).toBeCloseTo(4, 1);
  const [p50 = 0, p99 = 0] = histogramPercentiles(window.histogram, [50, 99]) ?? [];
  for (const us of [p50, p99]) expect(Math.abs(us - 40_000)).toBeLessThan(400);
});

it('waits half a service time on average at half the load, as theory says of Poisson arrivals', async () => {
  const parts = world(1, true);
  const driver = openLoop(parts, poissonArrivals(500), 1000);
  driver.start();
  await parts.clock.advance(20_000);
  const window = parts.recorder.take(parts.clock.nowNs());
  const waitMs = window.latencyNs / window.requestCount / 1e6 - 1;
  // Mean wait of M/D/1: load * service / (2 * (1 - load)).
  expect(Math.abs(waitMs - 0.5)).toBeLessThan(0.05);
  expect(Math.abs(window.requestCount / 20 - 500)).toBeLessThan(15);
  expect(window.lateCount).toBe(0);
}, 60_000);

it('sends at constant gaps whatever the answers do', async () => {
  const parts = world(50, true);
  openLoop(parts, constantArrivals(100), 1000).start();
  await parts.clock.advance(1000);
  const window = parts.recorder.take(parts.clock.nowNs());
  expect(window.sentCount).toBe(100);
  expect(window.requestCount).toBe(19);
});

it('does not hide waiting: with too few lanes requests are late and count from when they were due', async () => {
  const parts = world(20, true);
  openLoop(parts, constantArrivals(100), 1).start();
  await parts.clock.advance(2000);
  const window = parts.recorder.take(parts.clock.nowNs());
  const [service = 0] = histogramPercentiles(window.histogram, [99]) ?? [];
  const [fromDue = 0] = histogramPercentiles(window.fromDue, [99]) ?? [];
  expect(Math.abs(service - 20_000)).toBeLessThan(200);
  expect(fromDue).toBeGreaterThan(900_000);
  expect(window.lateCount / window.sentCount).toBeGreaterThan(0.9);
});

it('holds without losing answers and goes on where it was', async () => {
  const parts = world(1, true);
  const driver = openLoop(parts, constantArrivals(100), 10);
  driver.start();
  await parts.clock.advance(500);
  driver.hold(true);
  await parts.clock.advance(1000);
  const before = parts.recorder.take(parts.clock.nowNs());
  driver.hold(false);
  await parts.clock.advance(500);
  const after = parts.recorder.take(parts.clock.nowNs());
  expect(Math.abs(before.sentCount - 50)).toBeLessThanOrEqual(1);
  expect(Math.abs(after.sentCount - 50)).toBeLessThanOrEqual(1);
  expect(after.lateCount).toBe(0);
});
