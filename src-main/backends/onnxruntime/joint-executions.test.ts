// Several requests in one execution: how each is answered, and when.

import { describe, expect, it } from 'vitest';
import { emptyPart } from '../../../src-shared/config/config-defaults.ts';
import type { ModelInstance } from '../../inference/backend.ts';
import { errorOf, executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { identityConfig, identityModel } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';

const { load } = await onnxWorld();

const ROUNDS = 10;

/** Of handing over one payload: what comes first, room for the next one or its answer. */
async function orderOf(instance: ModelInstance): Promise<string[]> {
  const test = testRequest([inferInput('INPUT', 'INT32', [1, 1], [5])], 1);
  const seen: string[] = [];
  const answered = new Promise<void>((resolve) => {
    test.request.onRelease(() => {
      seen.push('answered');
      resolve();
    });
  });
  await instance
    .execute({ requests: [test.request], batchSize: 1, closeReason: 'direct' })
    .then(() => seen.push('next'));
  await answered;
  return seen;
}

describe('requests of one execution', () => {
  it('get only the outputs they asked for', async () => {
    await using model = await load(identityModel('INT32', ['n', 'm']), identityConfig(8, 'INT32', [-1]));
    const instance = await model.instance();
    const input = () => [inferInput('INPUT', 'INT32', [1, 1], [1])];
    const tests = [
      testRequest(input(), 1, { requestedOutputs: ['OUTPUT'] }),
      testRequest(input(), 1, { requestedOutputs: ['OTHER'] }),
    ];
    await executeAll(instance, tests);
    expect(tests.map((test) => test.responses[0]?.outputs.length)).toEqual([1, 0]);
  });

  it('fillers are rows of zeros and count in the batch size', async () => {
    await using model = await load(identityModel('INT32', ['n', 2]), identityConfig(8, 'INT32', [2]));
    const instance = await model.instance();
    const filler = testRequest([], 1);
    filler.request.isNull = true;
    const real = testRequest([inferInput('INPUT', 'INT32', [1, 2], [3, 4])], 1);
    await executeAll(instance, [filler, real]);
    expect(outputValues(real, 'OUTPUT')).toEqual([3, 4]);
    expect(outputValues(filler, 'OUTPUT')).toEqual([0, 0]);
    expect(model.reporter.executions.map(({ batchSize }) => batchSize)).toEqual([2]);
  });

  it('a cancelled one is answered CANCELLED and does not run', async () => {
    await using model = await load(identityModel('INT32', ['n', 'm']), identityConfig(8, 'INT32', [-1]));
    const instance = await model.instance();
    const [cancelled, other] = [1, 2].map((number) =>
      testRequest([inferInput('INPUT', 'INT32', [1, 1], [number])], 1),
    );
    cancelled!.request.cancel();
    await executeAll(instance, [cancelled!, other!]);
    expect(errorOf(cancelled!)).toMatchObject({ code: 'CANCELLED', message: '' });
    expect(outputValues(other!, 'OUTPUT')).toEqual([2]);
    expect(model.reporter.executions.map(({ batchSize }) => batchSize)).toEqual([1]);
    expect(model.reporter.requests.map(({ reason }) => reason)).toEqual(['CANCELED', undefined]);
  });

  it('more rows than max_batch_size are refused without an answer', async () => {
    await using model = await load(identityModel('INT32', ['n', 'm']), identityConfig(2, 'INT32', [-1]));
    const instance = await model.instance({ name: 'model_7' });
    const test = testRequest([inferInput('INPUT', 'INT32', [3, 1], [1, 2, 3])], 3);
    await expect(
      instance.execute({ requests: [test.request], batchSize: 3, closeReason: 'direct' }),
    ).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: "batch size 3 for 'model_7', max allowed is 2",
    });
    expect(test.finalCount()).toBe(0);
  });

  it('an error of the runtime answers all of them, and the instance goes on', async () => {
    await using model = await load(identityModel('INT32', ['n', 2]), identityConfig(4, 'INT32', [2]));
    const instance = await model.instance();
    const wrong = [0, 1].map(() => testRequest([inferInput('INPUT', 'INT32', [1, 3], [1, 2, 3])], 1));
    await executeAll(instance, wrong);
    expect(errorOf(wrong[1]!)).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(
        /^onnx runtime error 2: Got invalid dimensions for input: INPUT/,
      ) as string,
    });
    expect(model.reporter.executions).toEqual([]);
    const good = testRequest([inferInput('INPUT', 'INT32', [1, 2], [1, 2])], 1);
    await executeAll(instance, [good]);
    expect(outputValues(good, 'OUTPUT')).toEqual([1, 2]);
  });

  it('compute times are in order', async () => {
    await using model = await load(identityModel('INT32', ['n', 'm']), identityConfig(8, 'INT32', [-1]));
    const instance = await model.instance();
    const tests = Array.from({ length: 8 }, () =>
      testRequest([inferInput('INPUT', 'INT32', [1, 1], [1])], 1),
    );
    for (const test of tests) await executeAll(instance, [test]);
    for (const { times } of model.reporter.requests) {
      expect(times.computeInputEndNs).toBeGreaterThanOrEqual(times.computeStartNs);
      expect(times.computeOutputStartNs).toBeGreaterThan(times.computeInputEndNs);
      expect(times.computeEndNs).toBeGreaterThanOrEqual(times.computeOutputStartNs);
    }
  });

  it.each([
    ['dynamicBatching', ['next', 'answered']],
    ['sequenceBatching', ['answered', 'next']],
  ] as const)(
    'with %s the next payload may come and the last one is answered in the order %j',
    async (scheduler, order) => {
      const config = { ...identityConfig(8, 'INT32', [1]), [scheduler]: emptyPart(scheduler) };
      await using model = await load(identityModel('INT32', ['n', 1]), config);
      const instance = await model.instance();
      const orders: string[][] = [];
      for (let round = 0; round < ROUNDS; round += 1) orders.push(await orderOf(instance));
      // Where the answer is there before the payload is handed over, as can be on a busy machine, it comes first.
      expect(orders).toContainEqual(order);
      if (order[0] === 'answered')
        expect(orders.flat().filter((_, at) => at % 2 === 0)).not.toContain('next');
    },
  );
});
