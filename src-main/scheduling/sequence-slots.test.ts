import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CorrelationId } from '../inference/inference-request.ts';
import { END_MARKER, SequenceSlots, type SequenceItem, type SequenceSlot } from './sequence-slots.ts';

const START = 1;
const END = 2;

interface Item extends SequenceItem {
  isCancelled: boolean;
  readonly label: string;
}

function item(label: string, id: CorrelationId, flags = 0, timeoutUs = 0): Item {
  return { label, correlationId: id, flags, timeoutUs, isCancelled: false };
}

function slotsOf(instanceCount: number, slotsPerInstance: number, idleNs = 1000): SequenceSlots<Item> {
  const slots = new SequenceSlots<Item>({ slotsPerInstance, idleNs });
  for (let count = 0; count < instanceCount; count += 1) slots.addInstance();
  return slots;
}

const where = (slot: SequenceSlot<Item> | undefined): string => `${slot?.instance}.${slot?.index}`;
const labels = (slot: SequenceSlot<Item> | undefined): string[] =>
  (slot?.queue ?? []).map((entry) => (entry === END_MARKER ? '|' : entry.label));

function placed(slots: SequenceSlots<Item>, request: Item, nowNs = 0): SequenceSlot<Item> {
  const arrival = slots.arrive(request, nowNs);
  if (arrival.kind !== 'slot') throw new Error(`expected a slot for ${request.label}, got ${arrival.kind}`);
  return arrival.slot;
}

test('takes slot 0 of every instance before slot 1 of any', () => {
  const slots = slotsOf(2, 2);
  const taken = [1n, 2n, 3n, 4n].map((id) => where(placed(slots, item('s', id, START))));
  expect(taken).toEqual(['0.0', '1.0', '0.1', '1.1']);
  expect(slots.heldCount).toBe(4);
});

test('keeps numbers and texts apart as ids', () => {
  const slots = slotsOf(1, 2);
  expect(where(placed(slots, item('n', 7n, START)))).toBe('0.0');
  expect(where(placed(slots, item('t', '7', START)))).toBe('0.1');
});

test('does not know a sequence without START, nor one after its END', () => {
  const slots = slotsOf(1, 1);
  expect(slots.arrive(item('a', 1n), 0).kind).toBe('unknown');
  placed(slots, item('a', 1n, START | END));
  expect(slots.arrive(item('b', 1n), 0).kind).toBe('unknown');
});

test('lets a restarted sequence run on in its slot', () => {
  const slots = slotsOf(1, 2);
  const slot = placed(slots, item('a', 1n, START));
  const again = slots.arrive(item('b', 1n, START), 0);
  expect(again).toEqual({ kind: 'slot', slot, isRestart: true, isTaken: false });
});

test('starts the same id anew after END, in another slot', () => {
  const slots = slotsOf(1, 2);
  placed(slots, item('a', 1n, START));
  placed(slots, item('b', 1n, END));
  expect(where(placed(slots, item('c', 1n, START)))).toBe('0.1');
});

test.each([false, true])('a sequence may wait with any number of requests; cancelled: %s', (isCancelled) => {
  const count = 600_000;
  const slots = slotsOf(1, 1);
  const slot = placed(slots, item('a', 1n, START | END));
  const waiting = Array.from({ length: count }, (_, at) => item('b', 2n, at === 0 ? START : 0));
  expect(waiting.every((request) => slots.arrive(request, 0).kind === 'backlog')).toBe(true);
  slot.queue.length = 0;
  for (const request of waiting.slice(-1)) request.isCancelled = isCancelled;
  const release = slots.release(slot);
  expect([release.cancelled.length, slot.queue.length]).toEqual(isCancelled ? [count, 0] : [0, count]);
});

test('moves a waiting sequence into the released slot, and knows it there', () => {
  const slots = slotsOf(1, 1);
  const slot = placed(slots, item('a', 1n, START | END));
  expect(slots.arrive(item('b', 2n, START), 0).kind).toBe('backlog');
  expect(slots.arrive(item('c', 2n), 0).kind).toBe('backlog');
  slot.queue.shift();
  expect(slots.release(slot)).toEqual({ cancelled: [], isRefilled: true });
  expect(labels(slot)).toEqual(['b', 'c']);
  expect(where(placed(slots, item('d', 2n, END)))).toBe('0.0');
});

test('keeps two complete sequences of one id apart in the backlog', () => {
  const slots = slotsOf(1, 1);
  const slot = placed(slots, item('a', 1n, START | END));
  slots.arrive(item('b', 2n, START | END), 0);
  slots.arrive(item('c', 2n, START), 0);
  expect(slots.backlogSequenceCount).toBe(2);
  slot.queue.shift();
  slots.release(slot);
  expect(labels(slot)).toEqual(['b']);
  slot.queue.shift();
  slots.release(slot);
  expect(labels(slot)).toEqual(['c']);
});

test('throws out a waiting sequence whole when one of its requests was cancelled', () => {
  const slots = slotsOf(1, 1);
  const slot = placed(slots, item('a', 1n, START | END));
  const cancelled = item('c', 2n);
  slots.arrive(item('b', 2n, START), 0);
  slots.arrive(cancelled, 0);
  slots.arrive(item('d', 3n, START), 0);
  cancelled.isCancelled = true;
  slot.queue.shift();
  const release = slots.release(slot);
  expect(release.cancelled.map(({ label }) => label)).toEqual(['b', 'c']);
  expect(labels(slot)).toEqual(['d']);
  expect(slots.isKnown(2n)).toBe(false);
});

test('ends an idle sequence behind what it still has queued', () => {
  const slots = slotsOf(1, 1, 1000);
  const slot = placed(slots, item('a', 1n, START), 0);
  expect(slots.nextExpiryNs()).toBe(1000);
  expect(slots.expire(999).ended).toEqual([]);
  expect(slots.expire(1000).ended).toEqual([slot]);
  expect(labels(slot)).toEqual(['a', '|']);
  expect(slots.isKnown(1n)).toBe(false);
  expect(slots.heldCount).toBe(1);
});

test('an arrival postpones the idle end', () => {
  const slots = slotsOf(1, 1, 1000);
  placed(slots, item('a', 1n, START), 0);
  placed(slots, item('b', 1n), 600);
  expect(slots.expire(1000).ended).toEqual([]);
  expect(slots.nextExpiryNs()).toBe(1600);
});

test('does not end an idle sequence before it left the backlog', () => {
  const slots = slotsOf(1, 1, 1000);
  const slot = placed(slots, item('a', 1n, START | END), 0);
  slots.arrive(item('b', 2n, START), 0);
  expect(slots.expire(5000)).toEqual({ ended: [], timedOut: [] });
  slot.queue.shift();
  slots.release(slot);
  expect(slots.nextExpiryNs()).toBe(1000);
  expect(slots.expire(5000).ended).toEqual([slot]);
  expect(labels(slot)).toEqual(['b', '|']);
});

test('times out a waiting sequence by the tightest of its requests, and forgets it', () => {
  const slots = slotsOf(1, 1, 1_000_000_000);
  placed(slots, item('a', 1n, START), 0);
  slots.arrive(item('b', 2n, START, 50), 0);
  slots.arrive(item('c', 2n, 0, 10), 1000);
  slots.arrive(item('d', 3n, START), 1000);
  expect(slots.nextExpiryNs()).toBe(11_000);
  expect(slots.expire(11_000).timedOut.map(({ label }) => label)).toEqual(['b', 'c']);
  expect(slots.arrive(item('e', 2n), 12_000).kind).toBe('unknown');
  expect(slots.backlogRequestCount).toBe(1);
});

test('cancelling a slot does not forget a newer sequence of the same id', () => {
  const slots = slotsOf(1, 2);
  const old = placed(slots, item('a', 1n, START));
  placed(slots, item('b', 1n, END));
  const fresh = placed(slots, item('c', 1n, START));
  expect(slots.cancel(old).cancelled.map(({ label }) => label)).toEqual(['a', 'b']);
  expect(placed(slots, item('d', 1n))).toBe(fresh);
});

test('a new instance takes waiting sequences at once', () => {
  const slots = slotsOf(0, 1);
  expect(slots.arrive(item('a', 1n, START), 0).kind).toBe('backlog');
  const { refilled } = slots.addInstance();
  expect(labels(refilled[0])).toEqual(['a']);
  expect(slots.heldCount).toBe(1);
});

test('a retired instance keeps its sequence and gets no other', () => {
  const slots = new SequenceSlots<Item>({ slotsPerInstance: 2, idleNs: 1000 });
  const first = slots.addInstance();
  const slot = placed(slots, item('a', 1n, START));
  slots.retireInstance(first.slots);
  expect(slots.arrive(item('b', 2n, START), 0).kind).toBe('backlog');
  expect(placed(slots, item('c', 1n, END))).toBe(slot);
  slot.queue.splice(0);
  expect(slots.release(slot)).toEqual({ cancelled: [], isRefilled: false });
  expect(slots.heldCount).toBe(0);
});

test('hands out every request once, in order per sequence, one live sequence per slot', () => {
  const steps = fc.array(
    fc.record({
      id: fc.bigInt({ min: 1n, max: 6n }),
      flags: fc.constantFrom(0, 0, START, END, START | END),
      action: fc.constantFrom('arrive', 'arrive', 'arrive', 'take', 'idle', 'cancel'),
      pick: fc.nat(7),
    }),
    { maxLength: 80 },
  );
  const shape = fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 }));
  fc.assert(
    fc.property(shape, steps, ([instances, perInstance], actions) => {
      const slots = new SequenceSlots<Item>({ slotsPerInstance: perInstance, idleNs: 20 });
      const all = Array.from({ length: instances }, () => slots.addInstance().slots).flat();
      const queued = new Set<Item>();
      const lastOf = new Map<number, number>();
      /** Which run of its id a request belongs to: an id that ended may live again elsewhere. */
      const runOf = new Map<Item, number>();
      const currentRun = new Map<CorrelationId, number>();
      let now = 0;
      let serial = 0;
      const out = (request: Item): void => {
        if (!queued.delete(request)) throw new Error(`${request.label} handed out twice`);
      };
      const take = (slot: SequenceSlot<Item>): void => {
        const front = slot.queue.shift();
        if (front === undefined) return;
        if (front === END_MARKER) {
          slots.release(slot).cancelled.forEach(out);
          return;
        }
        out(front);
        const order = Number(front.label);
        const run = runOf.get(front) ?? -1;
        expect(order).toBeGreaterThan(lastOf.get(run) ?? -1);
        lastOf.set(run, order);
        if ((front.flags & END) !== 0) slots.release(slot).cancelled.forEach(out);
      };
      for (const { id, flags, action, pick } of actions) {
        now += 3;
        const slot = all[pick % all.length];
        if (slot === undefined) continue;
        if (action === 'arrive') {
          const request = item(String((serial += 1)), id, flags);
          if (!slots.isKnown(id)) currentRun.set(id, serial);
          runOf.set(request, currentRun.get(id) ?? -1);
          if (slots.arrive(request, now).kind !== 'unknown') queued.add(request);
        } else if (action === 'take') take(slot);
        else if (action === 'cancel') {
          if (slot.queue.length > 0) slots.cancel(slot).cancelled.forEach(out);
        } else slots.expire(now);
        // A slot never mixes sequences: a successor moves in only when the slot was released.
        for (const each of all) {
          const runs = new Set(
            each.queue.flatMap((entry) => (entry === END_MARKER ? [] : [runOf.get(entry)])),
          );
          expect(runs.size).toBeLessThanOrEqual(1);
        }
        expect(queued.size).toBe(slots.slotRequestCount + slots.backlogRequestCount);
      }
      slots.expire(now + 1000);
      for (let round = 0; round < 500 && queued.size > 0; round += 1) {
        for (const slot of all) take(slot);
        slots.expire((now += 1000));
      }
      expect(queued.size).toBe(0);
    }),
  );
});
