import { describe, expect, test } from 'vitest';
import { internal } from '../../src-shared/errors.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import { FakeInstance } from '../testing/fake-backend.ts';
import { FakeClock, settle } from '../testing/fake-clock.ts';
import { joinInstance } from '../testing/scheduler-world.ts';
import { AnswerBook, dynamicBatching, inputConfig, modelConfig } from '../testing/tensors.ts';
import { BatchPayload } from './batch-payload.ts';
import { InstanceGroup } from './instance-group.ts';

function world(config = modelConfig()) {
  const clock = new FakeClock();
  const statistics = new StatisticsCollector({ name: 'M', version: '1', clock });
  const group = new InstanceGroup({ config, clock, statistics, limiter: undefined });
  const book = new AnswerBook();
  const instance = (name: string, script: FakeScript = { delayMs: 10 }) =>
    new FakeInstance({ clock, reporter: statistics, script, spec: { name } });
  const accept = (id: string): InferenceRequest => {
    const request = book.request({ id });
    request.times.requestStartNs = request.times.queueStartNs = clock.nowNs();
    request.times.batcherStartNs = clock.nowNs();
    statistics.enterPending(request);
    return request;
  };
  const payload = (...ids: string[]): BatchPayload => {
    const made = new BatchPayload('direct');
    for (const id of ids) made.add(accept(id));
    return made;
  };
  return { clock, statistics, group, book, instance, payload };
}

describe('InstanceGroup', () => {
  test('runs one payload at a time on each instance, in the order of arrival', async () => {
    const { clock, group, instance, payload, book, statistics } = world();
    const first = instance('M_0');
    const second = instance('M_1');
    await joinInstance(group, first);
    await joinInstance(group, second);
    for (const id of ['a', 'b', 'c', 'd', 'e']) group.enqueue(payload(id));
    expect(statistics.pendingCount).toBe(3);
    expect(group.sharedLength).toBe(3);
    await clock.advance(30);
    expect(book.outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    expect([first.maxRunningCount, second.maxRunningCount]).toEqual([1, 1]);
    expect(first.executions.map((run) => run.requestIds[0])).toEqual(['a', 'c', 'e']);
    expect(second.executions.map((run) => run.requestIds[0])).toEqual(['b', 'd']);
    expect(statistics.pendingCount).toBe(0);
    expect(clock.timerCount).toBe(0);
  });

  test('an execution can ask how many requests come next, and whether more may join them', async () => {
    const { clock, group, instance, payload } = world();
    await joinInstance(group, instance('M_0'));
    const running = payload('a');
    group.enqueue(running);
    expect(running.nextCount?.()).toBe(0);
    group.enqueue(payload('b', 'c'));
    expect(running.nextCount?.()).toBe(2);
    group.enqueue(payload('d'));
    expect(running.nextCount?.()).toBe(Infinity);
    await clock.advance(30);
    expect(running.nextCount?.()).toBe(0);
  });

  test('a payload for one instance waits for that instance', async () => {
    const { clock, group, instance, payload } = world();
    const first = instance('M_0');
    const second = instance('M_1');
    const slot = await joinInstance(group, first);
    await joinInstance(group, second);
    group.enqueue(payload('a'), slot);
    group.enqueue(payload('b'), slot);
    await clock.advance(20);
    expect(first.executions.length).toBe(2);
    expect(second.executions.length).toBe(0);
  });

  test('answers every request of a payload whose execute() rejects, reason BACKEND, and goes on', async () => {
    const { clock, group, instance, payload, book, statistics } = world();
    let isBroken = true;
    await joinInstance(
      group,
      instance('M_0', { executeError: () => (isBroken ? internal('device lost') : undefined) }),
    );
    group.enqueue(payload('a', 'b'));
    await clock.advance(1);
    isBroken = false;
    group.enqueue(payload('c'));
    await clock.advance(1);
    expect(book.outcomes).toEqual(['INTERNAL', 'INTERNAL', 'ok']);
    expect(book.answers.map((answer) => [answer.finalCount, answer.releaseCount])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(statistics.failures.BACKEND).toBe(2);
  });

  test('a failing preparation answers the whole payload, reason OTHER, without executing it', async () => {
    const { clock, group, instance, payload, book, statistics } = world();
    const only = instance('M_0');
    await joinInstance(group, only);
    const bad = payload('a');
    bad.prepare = () => {
      throw internal('no state');
    };
    group.enqueue(bad);
    group.enqueue(payload('b'));
    await clock.advance(10);
    expect(book.outcomes).toEqual(['INTERNAL', 'ok']);
    expect(statistics.failures.OTHER).toBe(1);
    expect(statistics.pendingCount).toBe(0);
    expect(only.executions.length).toBe(1);
  });

  test('warm-up runs before the instance takes work; a failing one keeps it out', async () => {
    const { clock, group, instance, payload } = world();
    const order: string[] = [];
    const only = instance('M_0', {
      execute: (given) => {
        order.push('execute');
        for (const request of given.requests) {
          void request.respondOutputs([], true);
          request.release();
        }
        return Promise.resolve();
      },
    });
    group.enqueue(payload('a'));
    const slot = await joinInstance(group, only, {
      prepare: async () => {
        await settle();
        order.push('warm-up');
      },
    });
    await clock.advance(0);
    expect(order).toEqual(['warm-up', 'execute']);
    expect(slot.executionCount).toBe(3);
    const failing = joinInstance(group, instance('M_1'), {
      prepare: () => Promise.reject(internal('warm-up failed')),
    });
    await expect(failing).rejects.toThrow('warm-up failed');
    expect(group.slots.length).toBe(1);
  });

  test('a removed instance finishes its payload and own queue first and takes nothing shared', async () => {
    const { clock, group, instance, payload, book } = world();
    const leaving = instance('M_0');
    const slot = await joinInstance(group, leaving);
    await joinInstance(group, instance('M_1'));
    group.enqueue(payload('a'), slot);
    group.enqueue(payload('b'), slot);
    slot.hold();
    let isGone = false;
    const removal = group.remove(slot).then(() => {
      isGone = true;
    });
    group.enqueue(payload('c'));
    group.enqueue(payload('d'));
    await clock.advance(20);
    expect(book.outcomes).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(leaving.executions.map((run) => run.requestIds[0])).toEqual(['a', 'b']);
    expect(isGone).toBe(false);
    slot.unhold();
    await removal;
    expect(group.slots.map((left) => left.spec.name)).toEqual(['M_1']);
  });

  test('close answers what is queued with UNAVAILABLE and waits for what runs', async () => {
    const { clock, group, instance, payload, book } = world();
    await joinInstance(group, instance('M_0'));
    group.enqueue(payload('a'));
    group.enqueue(payload('b'));
    let isClosed = false;
    const closing = group.close().then(() => {
      isClosed = true;
    });
    await settle();
    expect(book.outcomes).toEqual(['pending', 'UNAVAILABLE']);
    expect(isClosed).toBe(false);
    await clock.advance(10);
    await closing;
    expect(book.outcomes).toEqual(['ok', 'UNAVAILABLE']);
  });

  test('keeps a record of each execution', async () => {
    const { clock, group, instance, payload } = world();
    await joinInstance(group, instance('M_0'));
    group.enqueue(payload('a', 'b'));
    const waiting = payload('c');
    waiting.queueLength = 7;
    group.enqueue(waiting);
    await clock.advance(20);
    expect(group.recentExecutions()).toMatchObject([
      { instanceName: 'M_0', requestCount: 2, batchSize: 2, closeReason: 'direct', oldestQueueNs: 0 },
      { requestCount: 1, queueLength: 7, oldestQueueNs: 10e6, inferNs: 10e6 },
    ]);
  });
});

test('warm-up leaves no record, statistic or gauge', async () => {
  const { clock, group, instance, payload, statistics } = world();
  const slot = await joinInstance(group, instance('M_0'));
  const warmup = payload();
  const filler = new AnswerBook().request();
  filler.isNull = true;
  warmup.add(filler);
  group.enqueue(warmup, slot);
  expect(statistics.pendingCount).toBe(0);
  await clock.advance(20);
  expect(group.recentExecutions()).toEqual([]);
  expect(statistics.inferenceCount).toBe(0);
});

describe('late merge', () => {
  const config = modelConfig({
    maxBatchSize: 4,
    dynamicBatching: dynamicBatching({ maxQueueDelayMicroseconds: 5000n }),
    input: [inputConfig({ dims: [1] })],
  });

  test.each([
    { sizes: [1, 2, 2], waitMs: 10, expected: [1, 4] },
    { sizes: [1, 2, 1, 2], waitMs: 10, expected: [1, 3, 2] },
    { sizes: [1, 2, 2], waitMs: 2, expected: [1, 2, 2] },
  ])('payloads of $sizes requests, taken after $waitMs ms, run as $expected', async (row) => {
    const { clock, group, instance, payload } = world(config);
    const only = instance('M_0', { delayMs: row.waitMs });
    await joinInstance(group, only);
    for (const count of row.sizes) group.enqueue(payload(...Array.from({ length: count }, () => 'x')));
    await clock.advance(100);
    expect(only.batchSizes).toEqual(row.expected);
  });

  test('leaves an unmergeable payload alone', async () => {
    const { clock, group, instance, payload } = world(config);
    const only = instance('M_0');
    await joinInstance(group, only);
    group.enqueue(payload('a'));
    const closed = payload('b');
    closed.isMergeable = false;
    group.enqueue(closed);
    group.enqueue(payload('c'));
    await clock.advance(100);
    expect(only.batchSizes).toEqual([1, 1, 1]);
  });
});
