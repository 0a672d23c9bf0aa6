// Large JSON away from the loop, and what becomes of it when nobody waits any more.

import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';

import { FakeClock } from '../../testing/fake-clock.ts';
import { BodyBytes } from './infer-binary.ts';
import type { InferParseOptions } from './infer-parser.ts';
import { JsonWorkers } from './json-offload.ts';

const OPTIONS: InferParseOptions = { modelName: 'm', binaryByteSize: 0, maxInputByteSize: 1 << 30 };

let workers: JsonWorkers;
afterEach(() => workers.close());

/** A request of `count` numbers. */
function body(count: number): BodyBytes {
  const data = '1.23456789012345,'.repeat(count - 1) + '1';
  const json = Buffer.from(`{"inputs":[{"name":"X","datatype":"FP64","shape":[${count}],"data":[${data}]}]}`);
  return bodyOf(json);
}

const bodyOf = (...chunks: Buffer[]): BodyBytes =>
  new BodyBytes(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  );

/** The same bytes in memory of their own. */
function alone(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

const parse = (request: BodyBytes, gone?: AbortSignal) =>
  workers.parse(request, request.byteSize, OPTIONS, gone);

test('jobs beyond the number of workers wait their turn', async () => {
  workers = new JsonWorkers(2);
  const results = await Promise.all([1, 2, 3, 4, 5, 6].map((count) => parse(body(count * 1000))));
  expect(results.map(({ inputs }) => inputs[0]?.shape)).toEqual([1, 2, 3, 4, 5, 6].map((n) => [n * 1000]));
});

test('work of clients that left is dropped or stopped, and the next one runs', async () => {
  const clock = new FakeClock();
  const given = vi.spyOn(Worker.prototype, 'postMessage');
  try {
    workers = new JsonWorkers(1, clock);
    const { chunks } = body(1_500_000);
    const left = new AbortController();
    // What was read is freed, so each of them is a copy.
    const abandoned = Array.from({ length: 10 }, () =>
      parse(bodyOf(Buffer.from(chunks[0] as Buffer)), left.signal).catch((thrown: unknown) => thrown),
    );
    // The first one is on its worker.
    await expect.poll(() => given.mock.calls.length).toBe(1);
    left.abort();
    for (const thrown of await Promise.all(abandoned)) expect(thrown).toMatchObject({ code: 'CANCELLED' });
    await clock.advance(100);
    expect(workers.threadCount).toBe(0);
    expect((await parse(body(10))).inputs[0]?.shape).toEqual([10]);
    // The nine that waited took nobody's time.
    expect(given).toHaveBeenCalledTimes(2);
  } finally {
    given.mockRestore();
  }
});

test.each([
  ['freed where it is all text', 0],
  ['left alone where tensors lie behind the text', 8],
])('what was received is %s', async (_, tailBytes) => {
  workers = new JsonWorkers(1);
  const text = body(100_000).chunks[0] as Buffer;
  const middle = 100_000;
  const cuts = [text.subarray(0, middle), text.subarray(middle), Buffer.alloc(tailBytes)];
  const request = bodyOf(...cuts.filter(({ length }) => length > 0).map(alone));
  const options = { ...OPTIONS, binaryByteSize: tailBytes };
  const parsed = await workers.parse(request, text.length, options);
  expect(parsed.inputs[0]?.shape).toEqual([100_000]);
  const freed = request.chunks.map(({ buffer }) => (buffer as ArrayBuffer).detached);
  expect(freed).toEqual(tailBytes === 0 ? [true, true] : [false, false, false]);
});

test('a client that left before its work began costs nothing', async () => {
  workers = new JsonWorkers(1);
  await expect(parse(body(10), AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await parse(body(20))).inputs[0]?.shape).toEqual([20]);
});

test('closing refuses what waits and what comes', async () => {
  workers = new JsonWorkers(1);
  const waiting = [parse(body(100_000)), parse(body(100_000))].map((job) =>
    job.catch((thrown: unknown) => thrown),
  );
  await new Promise(setImmediate);
  await workers.close();
  for (const thrown of await Promise.all(waiting)) expect(thrown).toBeInstanceOf(Error);
  await expect(parse(body(1))).rejects.toThrow('Server exiting');
});

test('a thread that has read much ends when nothing comes for two seconds; one that has not stays', async () => {
  const clock = new FakeClock();
  workers = new JsonWorkers(1, clock);
  await parse(body(1000));
  await clock.advance(60_000);
  expect(workers.threadCount).toBe(1);
  await parse(body(100_000));
  await clock.advance(1999);
  await parse(body(1000));
  await clock.advance(1999);
  expect(workers.threadCount).toBe(1);
  await clock.advance(1);
  expect(workers.threadCount).toBe(0);
  expect((await parse(body(20))).inputs[0]?.shape).toEqual([20]);
});
