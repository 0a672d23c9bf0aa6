import { describe, expect, onTestFinished, test } from 'vitest';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { addLogSink } from '../base/log.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import { InferInput } from '../inference/inference-request.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import {
  AnswerBook,
  dynamicBatching,
  inputConfig,
  int32Input,
  int32Values,
  modelConfig,
  outputConfig,
} from '../testing/tensors.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';
import { DirectScheduler } from './direct-scheduler.ts';
import { cacheKey, usesResponseCache } from './model-cache.ts';
import type { ResponseCache } from './response-cache.ts';
import { LocalResponseCache, createResponseCache, packedByteSize } from './response-cache.ts';

const output = (byteSize: number, name = 'O'): OutputTensor => ({
  name,
  datatype: 'INT8',
  shape: [byteSize],
  bytes: new Uint8Array(byteSize).fill(7),
});

describe('LocalResponseCache', () => {
  const entryByteSize = packedByteSize([output(100)]);
  const cacheOf = (byteSize: number) => new LocalResponseCache({ byteSize, clock: new FakeClock() });

  test('counts an entry in its packed form', () => {
    expect(packedByteSize([])).toBe(4);
    expect(entryByteSize).toBe(4 + 8 + (4 + 1) + (4 + 4) + (4 + 8) + (8 + 100));
  });

  test('evicts the least recently used entries until the new one fits', () => {
    const byteSize = 144 + 3 * Math.ceil((entryByteSize + 8) / 16) * 16;
    const cache = cacheOf(byteSize);
    for (const key of ['a', 'b', 'c']) cache.insert(key, [output(100)]);
    expect(cache.metrics().utilization).toBe((byteSize - 16) / byteSize);
    cache.lookup('a');
    cache.insert('d', [output(100)]);
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.lookup(key) !== undefined)).toEqual(['a', 'c', 'd']);
    cache.insert('e', [output(250)]);
    expect(cache.metrics()).toMatchObject({
      evictionCount: 4,
      entryCount: 1,
      hitCount: 4,
      missCount: 1,
      lookupCount: 5,
    });
  });

  test.each([
    {
      case: 'larger than the whole cache',
      key: 'x',
      outputs: [output(5000)],
      code: 'INTERNAL',
      text: /^Requested byte_size: 5045 is greater than total cache size: 1000$/,
    },
    {
      case: 'larger than what can be given out',
      key: 'x',
      outputs: [output(900)],
      code: 'INTERNAL',
      text: /^Cache is empty, nothing to evict\.$/,
    },
    {
      case: 'present already',
      key: 'here',
      outputs: [output(1)],
      code: 'ALREADY_EXISTS',
      text: /^key 'here' already exists$/,
    },
    {
      case: 'an output without bytes',
      key: 'x',
      outputs: [output(0)],
      code: 'INTERNAL',
      text: /^Response buffer from output was nullptr$/,
    },
  ])('refuses an entry: $case', ({ key, outputs, code, text }) => {
    const cache = cacheOf(1000);
    cache.insert('here', [output(10)]);
    expect(() => cache.insert(key, outputs)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(text) as string }) as Error,
    );
  });

  test('keeps its own copy of the bytes', () => {
    const cache = cacheOf(1000);
    const stored = output(4);
    cache.insert('a', [stored]);
    stored.bytes.fill(0);
    expect([...(cache.lookup('a')?.[0]?.bytes ?? [])]).toEqual([7, 7, 7, 7]);
  });
});

describe('--cache-config', () => {
  test.each([
    { name: 'local', size: '1048576', expected: 'a cache' },
    { name: '', size: '1', expected: 'no cache' },
    {
      name: 'local',
      size: undefined,
      expected: "INVALID_ARG: Failed to initialize LocalCache: config didn't contain a valid 'size' field.",
    },
    {
      name: 'local',
      size: 'many',
      expected: "INTERNAL: Failed to initialize LocalCache: 'size' must be a number of bytes, got 'many'",
    },
    {
      name: 'local',
      size: '191',
      expected: "INTERNAL: Failed to initialize LocalCache: 'size' must be at least 192 bytes, got '191'",
    },
    {
      name: 'redis',
      size: '1',
      expected: "NOT_FOUND: unable to find cache 'redis', expected 'local': no other cache is built in",
    },
  ])('$name size $size: $expected', ({ name, size, expected }) => {
    const settings = size === undefined ? [] : [['size', size] as const];
    let seen: string;
    try {
      seen = createResponseCache({ name, settings }, new FakeClock()) === undefined ? 'no cache' : 'a cache';
    } catch (thrown) {
      const error = thrown as { code: string; message: string };
      seen = `${error.code}: ${error.message}`;
    }
    expect(seen).toBe(expected);
  });
});

describe('cache key', () => {
  const book = new AnswerBook();
  const keyOf = (change: {
    model?: string;
    version?: string;
    inputs?: InferInput[];
    outputs?: string[];
    id?: string;
  }) => {
    const request = book.request({
      modelName: change.model ?? 'M',
      id: change.id ?? '',
      inputs: change.inputs ?? [int32Input('A', [2, 1], [1, 2])],
      requestedOutputs: change.outputs ?? ['O'],
    });
    request.actualVersion = change.version ?? '1';
    return cacheKey(request);
  };
  const base = keyOf({});
  const bytes = new Uint8Array(Int32Array.of(1, 2).buffer);

  test('is a decimal number', () => {
    expect(base).toMatch(/^\d{1,20}$/);
  });

  test.each([
    { case: 'another id', key: keyOf({ id: 'x' }), isSame: true },
    {
      case: 'the same bytes in two chunks',
      key: keyOf({
        inputs: [
          new InferInput('A', 'INT32', [2, 1], {
            chunks: [bytes.subarray(0, 3), bytes.subarray(3)],
            byteSize: 8,
          }),
        ],
      }),
      isSame: true,
    },
    { case: 'other bytes', key: keyOf({ inputs: [int32Input('A', [2, 1], [1, 3])] }), isSame: false },
    { case: 'another shape', key: keyOf({ inputs: [int32Input('A', [1, 2], [1, 2])] }), isSame: false },
    {
      case: 'another type',
      key: keyOf({ inputs: [new InferInput('A', 'FP32', [2, 1], bytesOf(bytes))] }),
      isSame: false,
    },
    { case: 'another model', key: keyOf({ model: 'N' }), isSame: false },
    { case: 'another version', key: keyOf({ version: '2' }), isSame: false },
    { case: 'other requested outputs', key: keyOf({ outputs: ['O', 'P'] }), isSame: false },
  ])('$case: same key $isSame', ({ key, isSame }) => {
    expect(key === base).toBe(isSame);
  });

  test('does not depend on the order of inputs', () => {
    const a = int32Input('A', [1], [1]);
    const b = int32Input('B', [1], [2]);
    expect(keyOf({ inputs: [a, b] })).toBe(keyOf({ inputs: [b, a] }));
  });
});

describe('a model with a cache', () => {
  async function model(
    options: {
      cache?: ResponseCache;
      script?: FakeScript;
      config?: Partial<ModelConfig>;
      isDynamic?: boolean;
    } = {},
  ) {
    const clock = new FakeClock();
    const batching = dynamicBatching();
    return SchedulerWorld.create({
      config: modelConfig({
        responseCache: { enable: true },
        input: [inputConfig()],
        output: [outputConfig()],
        ...options.config,
      }),
      createScheduler: (deps) =>
        options.isDynamic === true ? createDynamicBatcher(deps, batching) : new DirectScheduler(deps),
      cache: options.cache ?? new LocalResponseCache({ byteSize: 10_000, clock }),
      script: options.script ?? { delayMs: 10 },
      clock,
    });
  }
  const send = (world: SchedulerWorld, value: number, id = '') =>
    world.submit({ id, inputs: [int32Input('INPUT0', [1, 1], [value])] });

  test.each([false, true])('the second request is a hit (dynamic batching %s)', async (isDynamic) => {
    const world = await model({ isDynamic });
    send(world, 5, 'first');
    await world.clock.advance(20);
    const hit = send(world, 5, 'second');
    expect(hit.outcome).toBe('ok');
    expect(hit.responses[0]?.id).toBe('second');
    expect(int32Values(hit.responses[0]?.outputs[0]?.bytes ?? new Uint8Array())).toEqual([5]);
    expect(hit.releaseCount).toBe(1);
    const { inference, inferenceCount, executionCount, lastInferenceMs } = world.statistics.snapshot();
    expect([inferenceCount, executionCount]).toEqual([1, 1]);
    expect(inference.success.count).toBe(2);
    expect(inference.queue.count).toBe(2);
    expect(inference.cacheHit.count).toBe(1);
    expect(inference.cacheMiss.count).toBe(1);
    expect(inference.computeInfer.count).toBe(1);
    expect(lastInferenceMs).toBeGreaterThan(0);
    expect(world.statistics.pendingCount).toBe(0);
  });

  test('concurrent identical requests are all executed, one is stored, and nothing is said', async () => {
    const said: string[] = [];
    onTestFinished(addLogSink(({ message }) => said.push(message)));
    const cache = new LocalResponseCache({ byteSize: 10_000, clock: new FakeClock() });
    const world = await model({ cache });
    for (let sent = 0; sent < 3; sent += 1) send(world, 5);
    await world.clock.advance(100);
    expect(world.book.outcomes).toEqual(['ok', 'ok', 'ok']);
    expect(cache.metrics().entryCount).toBe(1);
    expect(said).toEqual([]);
    expect(world.statistics.snapshot().inference.cacheMiss.count).toBe(1);
  });

  test('an entry that does not fit: every try is a counted miss and succeeds', async () => {
    const world = await model({ cache: new LocalResponseCache({ byteSize: 192, clock: new FakeClock() }) });
    for (let sent = 0; sent < 2; sent += 1) {
      send(world, 5);
      await world.clock.advance(20);
    }
    expect(world.book.outcomes).toEqual(['ok', 'ok']);
    const { inference } = world.statistics.snapshot();
    expect([inference.cacheMiss.count, inference.cacheHit.count, inference.success.count]).toEqual([2, 0, 2]);
  });

  test('errors are never stored, and each is a miss', async () => {
    const world = await model({
      script: {
        compute: () => {
          throw new Error('broken');
        },
      },
    });
    for (let sent = 0; sent < 2; sent += 1) {
      send(world, 5);
      await world.clock.advance(20);
    }
    expect(world.book.outcomes).toEqual(['INTERNAL', 'INTERNAL']);
    expect(world.statistics.failures.BACKEND).toBe(2);
    expect(world.executed).toEqual([1, 1]);
    const { inference } = world.statistics.snapshot();
    expect([inference.cacheMiss.count, inference.cacheHit.count, inference.success.count]).toEqual([2, 0, 0]);
  });

  test('an error of a request that never ran is no miss', async () => {
    const world = await model({ isDynamic: true });
    send(world, 5);
    const late = world.submit({ inputs: [int32Input('INPUT0', [1, 1], [6])] });
    late.request.cancel();
    await world.clock.advance(20);
    expect(late.outcome).toBe('CANCELLED');
    expect(world.statistics.snapshot().inference.cacheMiss.count).toBe(1);
  });

  test('lookup and insertion time of a miss are part of success', async () => {
    const clock = new FakeClock();
    const local = new LocalResponseCache({ byteSize: 10_000, clock });
    const tick = (): void => void clock.skip(1000);
    const slow: ResponseCache = {
      lookup: (key) => (tick(), local.lookup(key)),
      insert: (key, outputs) => (tick(), local.insert(key, outputs)),
      metrics: () => local.metrics(),
    };
    const world = await SchedulerWorld.create({
      config: modelConfig({ responseCache: { enable: true } }),
      createScheduler: (deps) => new DirectScheduler(deps),
      cache: slow,
      script: { delayMs: 10 },
      clock,
    });
    send(world, 5);
    await clock.advance(10);
    const { inference } = world.statistics.snapshot();
    expect(inference.cacheMiss).toEqual({ count: 1, ns: 2000 });
    expect(inference.success).toEqual({ count: 1, ns: 10e6 + 1000 + 2000 });
    send(world, 5);
    expect(world.statistics.snapshot().inference.cacheHit).toEqual({ count: 1, ns: 1000 });
  });
});

describe('which models use the cache', () => {
  test.each([
    { change: {}, uses: false },
    { change: { responseCache: { enable: false } }, uses: false },
    { change: { responseCache: { enable: true } }, uses: true },
    { change: { responseCache: { enable: true }, modelTransactionPolicy: { decoupled: true } }, uses: false },
  ])('$change', ({ change, uses }) => {
    expect(usesResponseCache(modelConfig(change))).toBe(uses);
  });
});
