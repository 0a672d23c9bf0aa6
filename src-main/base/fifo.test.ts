import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from './fifo.ts';
import { RingBuffer } from './ring-buffer.ts';

test('a fifo behaves as an array under random pushes and shifts', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('push'), value: fc.nat({ max: 50 }) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('shift'), value: fc.constant(0) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      for (const { kind, value } of steps) {
        if (kind === 'push') {
          fifo.push(value);
          model.push(value);
        } else {
          expect(fifo.shift()).toBe(model.shift());
        }
        expect([fifo.length, fifo.peek()]).toEqual([model.length, model[0]]);
      }
      expect([...fifo]).toEqual(model);
    }),
  );
});

test('a fifo gives its memory back while it keeps moving', () => {
  const fifo = new Fifo<number>();
  for (let at = 0; at < 5000; at += 1) fifo.push(at);
  for (let at = 0; at < 4000; at += 1) expect(fifo.shift()).toBe(at);
  fifo.push(5000);
  expect([fifo.length, fifo.peek()]).toEqual([1001, 4000]);
});

test('a ring buffer keeps the newest items, oldest first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 10 }), (items, capacity) => {
      const ring = new RingBuffer<number>(capacity);
      for (const item of items) ring.push(item);
      expect(ring.toArray()).toEqual(items.slice(-capacity));
    }),
  );
});
