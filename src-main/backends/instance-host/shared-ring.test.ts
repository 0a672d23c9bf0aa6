import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';

import { describe, expect, it } from 'vitest';

import { RING_CAPACITY, RingReader, RingWriter, createRingMemory } from './shared-ring.ts';

function ring(): { readonly writer: RingWriter; readonly reader: RingReader } {
  const memory = createRingMemory();
  return { writer: new RingWriter(memory), reader: new RingReader(memory) };
}

describe('a shared ring', () => {
  it('gives entries back in their order, round after round', () => {
    const { writer, reader } = ring();
    expect(reader.take()).toBe(false);
    for (let round = 0; round < 3 * RING_CAPACITY; round += 1) {
      expect(writer.put(round, ~round)).toBe(true);
      expect(writer.put(round, 7)).toBe(true);
      expect([reader.take(), reader.first, reader.second]).toEqual([true, round, ~round]);
      expect([reader.take(), reader.first, reader.second]).toEqual([true, round, 7]);
      expect(reader.take()).toBe(false);
    }
  });

  it('refuses an entry when it is full, and takes it once there is room', () => {
    const { writer, reader } = ring();
    for (let entry = 0; entry < RING_CAPACITY; entry += 1) expect(writer.put(entry, 0)).toBe(true);
    expect(writer.put(RING_CAPACITY, 0)).toBe(false);
    expect([reader.take(), reader.first]).toEqual([true, 0]);
    expect(writer.put(RING_CAPACITY, 0)).toBe(true);
    const rest: number[] = [];
    while (reader.take()) rest.push(reader.first);
    expect(rest).toEqual(Array.from({ length: RING_CAPACITY }, (_, index) => index + 1));
  });

  it('has an event loop told by one message, and does not let it wait for what is there', () => {
    const { writer, reader } = ring();
    let messages = 0;
    const wake = (): void => writer.wake(() => (messages += 1));
    writer.put(1, 2);
    expect(reader.expectMessage()).toBe(false);
    wake();
    reader.take();
    expect(reader.expectMessage()).toBe(true);
    for (const entry of [3, 4]) {
      writer.put(entry, entry);
      wake();
    }
    expect(messages).toBe(1);
    expect([reader.take(), reader.first, reader.second]).toEqual([true, 3, 3]);
  });

  it('gives nothing more once it is closed, and ends a sleep', () => {
    const { writer, reader } = ring();
    writer.put(1, 2);
    expect(reader.isClosed).toBe(false);
    writer.close();
    expect([reader.isClosed, reader.take(), reader.sleep(1000)]).toEqual([true, false, true]);
  });

  it('lets a thread sleep no longer than it said', () => {
    const { reader } = ring();
    expect(reader.sleep(5)).toBe(false);
  });

  it('wakes a thread that sleeps, and loses no entry while both sides fall asleep and wake', async () => {
    const [there, back] = [createRingMemory(), createRingMemory()];
    const alarm = new MessageChannel();
    const echo = new Worker(
      `const { workerData } = require('node:worker_threads');
      import(workerData.module).then(({ RingReader, RingWriter }) => {
        const reader = new RingReader(workerData.there), writer = new RingWriter(workerData.back);
        const wake = () => writer.wake(() => workerData.alarm.postMessage(0));
        for (let left = workerData.count; left > 0; left -= 1) {
          while (!reader.take()) { wake(); reader.sleep(); }
          writer.put(reader.first, reader.second);
        }
        wake();
      });`,
      {
        eval: true,
        workerData: {
          module: new URL('./shared-ring.ts', import.meta.url).href,
          alarm: alarm.port2,
          there,
          back,
          count: 5000,
        },
        transferList: [alarm.port2],
      },
    );
    const [writer, reader] = [new RingWriter(there), new RingReader(back)];
    const ended = once(echo, 'exit');
    for (let sent = 0; sent < 5000;) {
      const burst = Math.min(1 + (sent % 7), 5000 - sent);
      for (let index = 0; index < burst; index += 1) writer.put(sent + index, index);
      writer.wake();
      for (let index = 0; index < burst; index += 1) {
        while (!reader.take()) if (reader.expectMessage()) await once(alarm.port1, 'message');
        expect([reader.first, reader.second]).toEqual([sent + index, index]);
      }
      sent += burst;
    }
    expect(await ended).toEqual([0]);
    alarm.port1.close();
  });
});
