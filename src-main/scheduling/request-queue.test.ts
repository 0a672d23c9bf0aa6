import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { AnswerBook } from '../testing/tensors.ts';
import type { QueuePolicy } from './queue-policy.ts';
import { DEFAULT_QUEUE_POLICY } from './queue-policy.ts';
import { RequestQueue } from './request-queue.ts';

function queueWith(change: Partial<QueuePolicy> = {}, levelPolicies = new Map<bigint, QueuePolicy>()) {
  const cancelled: string[] = [];
  const book = new AnswerBook();
  const queue = new RequestQueue({
    defaultPolicy: { ...DEFAULT_QUEUE_POLICY, ...change },
    levelPolicies,
    onCancelled: (request) => cancelled.push(request.id),
  });
  const put = (id: string, priority = 0n, nowNs = 0): InferenceRequest => {
    const request = book.request({ id, priority });
    queue.enqueue(request, nowNs);
    return request;
  };
  const order = (): string => {
    const ids: string[] = [];
    for (let entry = queue.first(); entry !== undefined; entry = queue.next(entry))
      ids.push(entry.request.id);
    return ids.join('');
  };
  return { queue, put, order, cancelled };
}

describe('RequestQueue', () => {
  test('serves levels in ascending order, first in first out, up to 2^64-1', () => {
    const { put, order } = queueWith();
    put('d', 2n ** 64n - 1n);
    put('b', 5n);
    put('a', 1n);
    put('c', 5n);
    expect(order()).toBe('abcd');
  });

  test('parks expired requests of a DELAY level behind the live ones, before lower levels', () => {
    const delay: QueuePolicy = { ...DEFAULT_QUEUE_POLICY, timeoutAction: 'DELAY', defaultTimeoutNs: 100 };
    const { queue, put, order } = queueWith({}, new Map([[1n, delay]]));
    put('x', 2n);
    put('a', 1n, 0);
    put('b', 1n, 50);
    expect(queue.nearestDeadlineNs).toBe(100);
    expect(queue.expire(100)).toEqual([]);
    expect(order()).toBe('bax');
    put('c', 1n, 100);
    expect(order()).toBe('bcax');
    expect(queue.nearestDeadlineNs).toBe(150);
    queue.expire(500);
    expect(order()).toBe('abcx');
    expect(queue.nearestDeadlineNs).toBe(Number.POSITIVE_INFINITY);
  });

  test('rejects expired requests of a REJECT level in order', () => {
    const { queue, put, order } = queueWith({ defaultTimeoutNs: 100 });
    put('a', 0n, 0);
    put('b', 0n, 10);
    put('c', 0n, 200);
    expect(queue.expire(99)).toEqual([]);
    expect(queue.expire(120).map((request) => request.id)).toEqual(['a', 'b']);
    expect(order()).toBe('c');
  });

  test('counts live and delayed requests against the size of their level only', () => {
    const { put } = queueWith({ maxQueueSize: 2 });
    put('a', 1n);
    put('b', 1n);
    put('c', 2n);
    expect(() => put('d', 1n)).toThrow('[request id: d] Exceeds maximum queue size');
  });

  test('a cancelled request leaves at once, wherever it stands, and is reported once', () => {
    const { queue, put, order, cancelled } = queueWith();
    const [, middle] = [put('a'), put('b'), put('c')];
    middle?.cancel();
    middle?.cancel();
    expect([order(), queue.length, cancelled]).toEqual(['ac', 2, ['b']]);
  });

  test('a dispatched request is no longer watched', () => {
    const { queue, put, cancelled } = queueWith();
    const request = put('a');
    const entry = queue.first();
    if (entry !== undefined) queue.take(entry);
    request.cancel();
    expect([queue.length, cancelled]).toEqual([0, []]);
  });

  test('walks begun earlier are invalidated by urgent arrivals and departures, not by arrivals at the end', () => {
    const { queue, put } = queueWith();
    put('b', 5n);
    const before = queue.restartCount;
    const last = put('c', 5n);
    expect(queue.restartCount).toBe(before);
    put('a', 1n);
    expect(queue.restartCount).toBe(before + 1);
    last.cancel();
    expect(queue.restartCount).toBe(before + 2);
  });

  test('behaves as a sorted list under random arrivals, dispatches and cancellations', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), priority: fc.bigInt({ min: 0n, max: 4n }) }),
      fc.record({ kind: fc.constant('take' as const) }),
      fc.record({ kind: fc.constant('cancel' as const), at: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { queue, put } = queueWith();
        let model: { request: InferenceRequest; priority: bigint }[] = [];
        for (const [at, one] of steps.entries()) {
          if (one.kind === 'put') {
            const request = put(`${at}`, one.priority);
            const behind = model.findIndex((other) => other.priority > one.priority);
            model.splice(behind < 0 ? model.length : behind, 0, { request, priority: one.priority });
          } else if (one.kind === 'take') {
            const entry = queue.first();
            expect(entry?.request).toBe(model.shift()?.request);
            if (entry !== undefined) queue.take(entry);
          } else if (model.length > 0) {
            const target = model[one.at % model.length]?.request;
            target?.cancel();
            model = model.filter((other) => other.request !== target);
          }
          expect(queue.length).toBe(model.length);
        }
        expect(queue.drain()).toEqual(model.map((other) => other.request));
      }),
    );
  });
});
