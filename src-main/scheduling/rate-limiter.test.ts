import { describe, expect, test } from 'vitest';
import type { ModelRateLimiter } from '../../src-shared/config/model-config.ts';
import { addLogSink, setLogSwitches } from '../base/log.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { fakeSpec } from '../testing/fake-backend.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { dynamicBatching, modelConfig } from '../testing/tensors.ts';
import type { ModelInstance } from '../inference/backend.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';
import { DirectScheduler } from './direct-scheduler.ts';
import { InstanceSlot } from './instance-slot.ts';
import type { ResourceAmount } from './rate-limit-resources.ts';
import { RateLimitResources } from './rate-limit-resources.ts';
import { RateLimiter } from './rate-limiter.ts';

function limits(priority: number, ...resources: [name: string, count: number, global?: boolean][]) {
  return {
    priority,
    resources: resources.map(([name, count, isGlobal = false]) => ({ name, count, global: isGlobal })),
  };
}

function slot(rateLimiter: ModelRateLimiter, gpu?: number): InstanceSlot {
  const spec = fakeSpec(gpu === undefined ? {} : { kind: 'KIND_GPU', deviceId: gpu });
  const instance: ModelInstance = {
    spec,
    memoryByteSize: undefined,
    execute: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return new InstanceSlot(instance, rateLimiter);
}

const amount = (name: string, count: number, deviceId?: number): ResourceAmount => ({
  name,
  count,
  deviceId,
});

async function model(name: string, limiter: RateLimiter, clock: FakeClock, rateLimiter: ModelRateLimiter) {
  return SchedulerWorld.create({
    config: modelConfig({
      name,
      instanceGroup: [
        {
          name: `${name}_0`,
          kind: 'KIND_CPU',
          count: 1,
          rateLimiter,
          gpus: [],
          secondaryDevices: [],
          profile: [],
          passive: false,
          hostPolicy: '',
        },
      ],
    }),
    createScheduler: (deps) => new DirectScheduler(deps),
    script: { delayMs: 10 },
    clock,
    limiter,
  });
}

describe('the map of resources', () => {
  const HEAD = '\nMax Resource Map===>\n';

  test('follows the instances, global resources first', () => {
    const resources = new RateLimitResources([]);
    expect(resources.describe()).toBe(HEAD);
    const hungry = slot(limits(1, ['B', 4], ['A', 1], ['G', 3, true]));
    resources.register(hungry);
    resources.register(slot(limits(1, ['B', 2])));
    resources.register(slot(limits(1, ['A', 9]), 1));
    expect(resources.describe()).toBe(
      `${HEAD}\tDevice: GLOBAL\n\t\tResource: G\t Count: 3\n` +
        '\tDevice: 0\n\t\tResource: A\t Count: 1\n\t\tResource: B\t Count: 4\n' +
        '\tDevice: 1\n\t\tResource: A\t Count: 9\n',
    );
    resources.unregister(hungry);
    expect(resources.describe()).toBe(
      `${HEAD}\tDevice: 0\n\t\tResource: B\t Count: 2\n\tDevice: 1\n\t\tResource: A\t Count: 9\n`,
    );
  });

  test('keeps explicit amounts', () => {
    const resources = new RateLimitResources([amount('R', 4)]);
    const only = slot(limits(1, ['R', 2]));
    resources.register(only);
    resources.unregister(only);
    expect(resources.describe()).toBe(`${HEAD}\tDevice: 0\n\t\tResource: R\t Count: 4\n`);
  });
});

test('the map is told after each instance that comes, is refused or goes', () => {
  const told: string[] = [];
  const remove = addLogSink(({ message }) => told.push(message));
  setLogSwitches({ verboseLevel: 1 });
  const limiter = new RateLimiter({ clock: new FakeClock(), resources: [amount('R', 3)] });
  const only = slot(limits(1, ['R', 2]));
  expect(() => limiter.register(slot(limits(1, ['R', 4])))).toThrow('limited to 3');
  limiter.register(only);
  limiter.unregister(only);
  setLogSwitches({ verboseLevel: 0 });
  remove();
  const map = '\nMax Resource Map===>\n\tDevice: 0\n\t\tResource: R\t Count: 3\n';
  expect(told).toEqual(['\nMax Resource Map===>\n', map, map]);
});

describe('loading instances with resources', () => {
  test('an amount that is too small is refused, for a device and for all', () => {
    const resources = new RateLimitResources([amount('R', 4), amount('R', 6, 1)]);
    expect(() => resources.register(slot(limits(1, ['R', 5])))).toThrow(
      'Resource count for "R" is limited to 4 which will prevent scheduling of one or more model instances, the minimum required count is 5',
    );
    resources.register(slot(limits(1, ['R', 6]), 1));
    expect(() => resources.register(slot(limits(1, ['R', 6]), 0))).toThrow('"R" is limited to 4');
  });

  test('of an amount that is told again the smaller one counts, whichever comes first', () => {
    const resources = new RateLimitResources([
      ...[1, 6].map((count) => amount('up', count)),
      ...[6, 1].map((count) => amount('down', count)),
      ...[amount('both', 5, 0), amount('both', 2), amount('both', 3), amount('both', 1, 0)],
    ]);
    for (const [name, limit] of [
      ['up', 1],
      ['down', 1],
      ['both', 2],
    ] as const)
      expect(() => resources.register(slot(limits(1, [name, 9])))).toThrow(
        `"${name}" is limited to ${limit}`,
      );
  });

  test('one explicit amount makes every unnamed resource 0', () => {
    const resources = new RateLimitResources([amount('R', 4)]);
    expect(() => resources.register(slot(limits(1, ['S', 1])))).toThrow('"S" is limited to 0');
  });

  test('names are case-sensitive', () => {
    const resources = new RateLimitResources([amount('r', 4)]);
    expect(() => resources.register(slot(limits(1, ['R', 1])))).toThrow('"R" is limited to 0');
  });

  test('the global pool is the largest entry of the name', () => {
    const resources = new RateLimitResources([amount('R', 2), amount('R', 5, 3)]);
    resources.register(slot(limits(1, ['R', 5, true])));
    expect(() => resources.register(slot(limits(1, ['R', 6, true])))).toThrow('"R" is limited to 5');
  });

  test.each([
    { case: 'in one model', first: limits(1, ['R', 1, true], ['R', 1]), second: undefined },
    { case: 'across models', first: limits(1, ['R', 1, true]), second: limits(1, ['R', 1]) },
  ])('a name used globally and per device is refused $case', ({ first, second }) => {
    const resources = new RateLimitResources([]);
    expect(() => {
      resources.register(slot(first));
      if (second !== undefined) resources.register(slot(second));
    }).toThrow(
      'Resource "R" is present as both global and device-specific resource in the model configuration.',
    );
  });

  test('by default the hungriest instance fits and unloading it shrinks the pool', () => {
    const resources = new RateLimitResources([]);
    const hungry = slot(limits(1, ['R', 5]));
    const small = slot(limits(1, ['R', 2]));
    const other = slot(limits(1, ['R', 2]));
    for (const each of [hungry, small, other]) resources.register(each);
    expect([resources.tryTake(small), resources.tryTake(other), resources.tryTake(hungry)]).toEqual([
      true,
      true,
      false,
    ]);
    resources.giveBack(small);
    resources.unregister(hungry);
    expect(resources.tryTake(small)).toBe(false);
    resources.giveBack(other);
    expect(resources.tryTake(small)).toBe(true);
  });
});

describe('executions under the limiter', () => {
  async function race(resources: ResourceAmount[]): Promise<[number, number]> {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ clock, resources });
    const first = await model('A', limiter, clock, limits(1, ['R', 1]));
    const second = await model('B', limiter, clock, limits(2, ['R', 1]));
    for (let sent = 0; sent < 120; sent += 1) {
      first.send(1);
      second.send(1);
    }
    await clock.advance(600);
    const counts: [number, number] = [first.executed.length, second.executed.length];
    await clock.advance(60_000);
    expect(first.book.outcomes.every((outcome) => outcome === 'ok')).toBe(true);
    expect(second.book.outcomes.every((outcome) => outcome === 'ok')).toBe(true);
    expect(clock.timerCount).toBe(0);
    return counts;
  }

  test('a shared resource is used 2:1 by priorities 1 and 2, one at a time', async () => {
    const [first, second] = await race([amount('R', 1)]);
    expect(first / second).toBeGreaterThanOrEqual(1.8);
    expect(first / second).toBeLessThan(2.3);
    expect(first + second).toBeLessThanOrEqual(61);
  });

  test('with plenty of resources priorities do not matter', async () => {
    const [first, second] = await race([amount('R', 10)]);
    expect(Math.abs(first - second)).toBeLessThan(first * 0.1);
  });

  test('without explicit amounts instances that ask for one resource take turns', async () => {
    const [first, second] = await race([]);
    expect(first + second).toBeLessThanOrEqual(61);
  });

  test('only the most urgent instance is tried, even if another would fit', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ clock, resources: [amount('R', 3)] });
    const large = await model('A', limiter, clock, limits(1, ['R', 3]));
    const small = await model('B', limiter, clock, limits(5, ['R', 1]));
    const other = await model('C', limiter, clock, limits(5, ['R', 1]));
    small.send(1);
    large.send(1);
    other.send(1);
    await clock.advance(5);
    expect([small.executed.length, large.executed.length, other.executed.length]).toEqual([1, 0, 0]);
    await clock.advance(10);
    expect([small.executed.length, large.executed.length, other.executed.length]).toEqual([1, 1, 0]);
    await clock.advance(10);
    expect(other.executed.length).toBe(1);
  });

  test('after 300 s without resources a payload runs anyway', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ clock, resources: [amount('R', 1)] });
    const stuck = await SchedulerWorld.create({
      config: (await model('A', limiter, clock, limits(1, ['R', 1]))).config,
      createScheduler: (deps) => new DirectScheduler(deps),
      script: { delayMs: 1_000_000 },
      clock,
      limiter,
    });
    const waiting = await model('B', limiter, clock, limits(1, ['R', 1]));
    stuck.send(1);
    waiting.send(1);
    await clock.advance(299_000);
    expect(waiting.executed.length).toBe(0);
    await clock.advance(2000);
    expect(waiting.book.outcomes).toEqual(['ok']);
  });

  test('batches stay full under the limiter', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ clock, resources: [amount('R', 1)] });
    const batching = dynamicBatching({ preferredBatchSize: [4], maxQueueDelayMicroseconds: 1_000_000n });
    const world = await SchedulerWorld.create({
      config: modelConfig({ dynamicBatching: batching, maxBatchSize: 4 }),
      createScheduler: (deps) => createDynamicBatcher(deps, batching),
      script: { delayMs: 10 },
      instanceCount: 2,
      clock,
      limiter,
    });
    for (let sent = 0; sent < 40; sent += 1) {
      world.send(1);
      await clock.advance(1);
    }
    await clock.advance(2000);
    expect(world.batchStats).toEqual({ 4: 10 });
  });
});
