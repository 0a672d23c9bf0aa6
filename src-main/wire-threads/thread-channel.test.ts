import { afterEach, describe, expect, test, vi } from 'vitest';

import type { ArrivedRecord, ChannelUser } from './thread-channel.ts';
import { createChannel, MAX_RECORD_BYTES, ThreadChannel } from './thread-channel.ts';

type Heard = { readonly numbers: readonly number[]; readonly bytes: string } | { readonly message: unknown };

class Listener implements ChannelUser {
  readonly heard: Heard[] = [];

  record(record: ArrivedRecord): void {
    const { kind, number, a, b, c, time } = record;
    this.heard.push({ numbers: [kind, number, a, b, c, time], bytes: record.copyBytes().toString('latin1') });
  }

  message(message: unknown): void {
    this.heard.push({ message });
  }
}

let open: ThreadChannel[] = [];
afterEach(() => {
  for (const channel of open) channel.close();
  open = [];
});

function pair(): { here: ThreadChannel; there: ThreadChannel; heard: Heard[]; back: Heard[] } {
  const [one, other] = createChannel();
  const hears = new Listener();
  const answers = new Listener();
  const here = new ThreadChannel(one, answers);
  const there = new ThreadChannel(other, hears);
  open.push(here, there);
  return { here, there, heard: hears.heard, back: answers.heard };
}

const arrived = (heard: readonly Heard[], count: number): Promise<void> =>
  vi.waitFor(() => expect(heard).toHaveLength(count));

describe('two event loops', () => {
  test('tell each other records and messages, in one order', async () => {
    const { here, there, heard, back } = pair();
    here.send(1, 7, { a: -1, b: 2, c: 3, time: 2 ** 52 + 0.5 }, [Buffer.from('ab'), Buffer.from('c')], 3);
    here.post({ hello: 1 });
    here.send(7, 0x7fff_ffff);
    await arrived(heard, 3);
    expect(heard).toEqual([
      { numbers: [1, 7, -1, 2, 3, 2 ** 52 + 0.5], bytes: 'abc' },
      { message: { hello: 1 } },
      { numbers: [7, 0x7fff_ffff, 0, 0, 0, 0], bytes: '' },
    ]);
    there.send(0, 1);
    await arrived(back, 1);
  });

  test('a side that sends without end leaves the other its timers and signals', async () => {
    const [one, other] = createChannel();
    const here = new ThreadChannel(one, new Listener());
    let taken = 0;
    let takenBefore: number | undefined;
    setImmediate(() => (takenBefore = taken));
    // Each record is followed by the next one before it is done with, as by a thread that is faster.
    const answering: ChannelUser = {
      record: () => {
        taken += 1;
        if (taken < 10_000) here.send(1, taken);
      },
      message: () => undefined,
    };
    open.push(here, new ThreadChannel(other, answering));
    here.send(1, 0);
    await vi.waitFor(() => expect(taken).toBe(10_000));
    expect(takenBefore).toBeLessThan(1000);
  });

  test('a side that wakes the other once for each record leaves it its timers and signals', async () => {
    const [one, other] = createChannel();
    const here = new ThreadChannel(one, new Listener());
    let taken = 0;
    let mostInATurn = 0;
    let takenBefore = 0;
    const turn = (): void => {
      mostInATurn = Math.max(mostInATurn, taken - takenBefore);
      takenBefore = taken;
      if (taken < 5000) setImmediate(turn);
    };
    setImmediate(turn);
    // The next one comes when the taker has said that it sleeps, as by a thread that has all the time there is.
    const slow: ChannelUser = {
      record: () => {
        taken += 1;
        if (taken < 5000) process.nextTick(() => here.send(1, taken));
      },
      message: () => undefined,
    };
    open.push(here, new ThreadChannel(other, slow));
    here.send(1, 0);
    await vi.waitFor(() => expect(taken).toBe(5000));
    expect(mostInATurn).toBeLessThan(200);
  });

  test('bytes arrive as they were, wherever they lie within a word', async () => {
    const { here, heard } = pair();
    const whole = Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7) % 256));
    const sizes = [1, 7, 8, 9, 2047, 2049, 8000];
    for (let from = 0; from < 9; from += 1) {
      for (const size of sizes) here.send(0, from, {}, [whole.subarray(from, from + size)], size);
    }
    await arrived(heard, 9 * sizes.length);
    const expected = Array.from({ length: 9 }, (_, from) =>
      sizes.map((size) => whole.toString('latin1', from, from + size)),
    ).flat();
    expect(heard.map((one) => 'bytes' in one && one.bytes)).toEqual(expected);
  });

  test('what finds no room waits, behind nobody else', async () => {
    const { here, heard } = pair();
    const large = Buffer.alloc(MAX_RECORD_BYTES, 'x');
    // More than the memory between them holds, and more entries than the ring has.
    for (let index = 0; index < 3000; index += 1) {
      if (index % 100 === 0) here.send(2, index, {}, [large], large.length);
      else if (index % 7 === 0) here.post(index);
      else here.send(1, index);
    }
    await arrived(heard, 3000);
    const order = heard.map((one) => ('message' in one ? one.message : one.numbers[1]));
    expect(order).toEqual(Array.from({ length: 3000 }, (_, index) => index));
    const sizes = heard.flatMap((one) => ('bytes' in one && one.bytes !== '' ? [one.bytes.length] : []));
    expect(sizes).toEqual(Array.from({ length: 30 }, () => MAX_RECORD_BYTES));
  });

  test('a message is there when it is announced, whenever the other side looks', async () => {
    const { here, there, heard } = pair();
    // The other side looks while the message is being written.
    const slow = {
      get part() {
        there.takeRest();
        return 1;
      },
    };
    here.post(slow);
    here.post('next');
    await arrived(heard, 2);
    expect(heard).toEqual([{ message: { part: 1 } }, { message: 'next' }]);
  });

  test('memory that is transferred goes over without a copy', async () => {
    const { here, heard } = pair();
    const bytes = new Uint8Array(100_000).fill(5);
    here.post({ bytes }, [bytes.buffer]);
    expect(bytes.byteLength).toBe(0);
    await arrived(heard, 1);
    expect((heard[0] as { message: { bytes: Uint8Array } }).message.bytes).toHaveLength(100_000);
  });

  test('a closed one neither sends nor hears', async () => {
    const { here, there, heard } = pair();
    here.send(1, 1);
    await arrived(heard, 1);
    there.close();
    here.send(1, 2);
    here.post('late');
    here.close();
    here.send(1, 3);
    // What is sent later between others has come by now.
    const others = pair();
    others.here.post('later');
    await arrived(others.heard, 1);
    there.takeRest();
    expect(heard).toHaveLength(1);
  });
});
