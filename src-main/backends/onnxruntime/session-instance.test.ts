import { describe, expect, it } from 'vitest';

import { emptyPart, modelInput, modelOutput } from '../../../src-shared/config/config-defaults.ts';
import type { BatchInput } from '../../../src-shared/config/model-config.ts';
import { DATA_TYPES } from '../../../src-shared/datatypes.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import type { ModelInstance } from '../../inference/backend.ts';
import {
  errorOf,
  executeAll,
  inferInput,
  outputValues,
  tensorBytes,
  testRequest,
} from '../../testing/backend-harness.ts';
import {
  graphModel,
  identityConfig,
  identityModel,
  onnxConfig,
  value,
} from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';

const { load } = await onnxWorld();

const SAMPLES: Readonly<Record<DataType, readonly (number | bigint | string)[]>> = {
  BOOL: [0, 1, 1],
  UINT8: [0, 7, 255],
  UINT16: [0, 7, 65_535],
  UINT32: [0, 7, 4_294_967_295],
  UINT64: [0n, 7n, 2n ** 64n - 1n],
  INT8: [-128, 0, 127],
  INT16: [-32_768, 0, 32_767],
  INT32: [-(2 ** 31), 0, 2 ** 31 - 1],
  INT64: [-(2n ** 63n), 0n, 2n ** 63n - 1n],
  FP16: [0x3c00, 0xfbff, 0x0001],
  FP32: [0.5, -Infinity, 3],
  FP64: [0.1, -1e300, 3],
  BYTES: ['', 'Zoë', 'a\u{1F41A}b'],
  BF16: [],
};

describe('datatypes', () => {
  it.each(DATA_TYPES.filter((datatype) => datatype !== 'BF16'))(
    '%s comes back as it went in',
    async (datatype) => {
      await using model = await load(identityModel(datatype, ['n', 3]), identityConfig(8, datatype, [3]));
      const instance = await model.instance();
      const values = SAMPLES[datatype];
      const tests = [1, 2].map((rows) =>
        testRequest(
          [inferInput('INPUT', datatype, [rows, 3], Array.from({ length: rows }, () => values).flat())],
          rows,
        ),
      );
      await executeAll(instance, tests);
      expect(tests.map((test) => outputValues(test, 'OUTPUT'))).toEqual([values, [...values, ...values]]);
      expect(tests.map((test) => test.responses[0]?.outputs[0]?.shape)).toEqual([
        [1, 3],
        [2, 3],
      ]);
    },
  );

  it('BF16 is refused at load with the reason', async () => {
    await expect(load(identityModel('BF16', ['n', 3]), identityConfig(8, 'BF16', [3]))).rejects.toMatchObject(
      {
        code: 'UNSUPPORTED',
        message: expect.stringContaining("tensor 'INPUT' has datatype BF16") as string,
      },
    );
  });

  it.each(['FP32', 'BYTES'] as const)('zero-size %s tensors keep their shape', async (datatype) => {
    await using model = await load(identityModel(datatype, ['n', 'm']), identityConfig(8, datatype, [-1]));
    const instance = await model.instance();
    const test = testRequest([inferInput('INPUT', datatype, [2, 0], [])], 2);
    await executeAll(instance, [test]);
    expect(test.responses[0]?.outputs[0]).toMatchObject({ shape: [2, 0], bytes: new Uint8Array() });
  });

  it('large tensors are handed over whole', async () => {
    await using model = await load(identityModel('FP32', ['n', 'm']), identityConfig(8, 'FP32', [-1]));
    const instance = await model.instance();
    const numbers = Array.from({ length: 300_000 }, (_, index) => index);
    const tests = [1, 1].map(() =>
      testRequest([inferInput('INPUT', 'FP32', [1, numbers.length], numbers)], 1),
    );
    await executeAll(instance, tests);
    for (const test of tests) expect(outputValues(test, 'OUTPUT')).toEqual(numbers);
  });

  it('inputs made of many pieces are put together in order', async () => {
    await using model = await load(identityModel('INT32', ['n', 'm']), identityConfig(8, 'INT32', [-1]));
    const instance = await model.instance();
    const bytes = tensorBytes('INT32', [1, 2, 3, 4]);
    const input = inferInput('INPUT', 'INT32', [1, 4], bytes);
    const chunks = [bytes.subarray(0, 3), bytes.subarray(3, 9), bytes.subarray(9)];
    const test = testRequest([{ ...input, bytes: { chunks, byteSize: 16 } }], 1);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual([1, 2, 3, 4]);
  });
});

describe('shapes', () => {
  it('scalars are fed as rank 0 and answered with the configured dims', async () => {
    await using model = await load(identityModel('FP32', []), identityConfig(0, 'FP32', [1]));
    const instance = await model.instance();
    const test = testRequest([inferInput('INPUT', 'FP32', [1], [2.5])], 0);
    await executeAll(instance, [test]);
    expect(test.responses[0]?.outputs[0]?.shape).toEqual([1]);
    expect(outputValues(test, 'OUTPUT')).toEqual([2.5]);
  });

  it.each([
    [[-1], { shape: [1, -1, 1] }, [3], [1, 3, 1]],
    [[2, 4, -1, 6], { shape: [8, -1, 1, 6] }, [2, 4, 3, 6], [8, 3, 1, 6]],
    [[1], { shape: [] }, [1], []],
  ] as const)('output reshape %j %j is undone', async (dims, reshape, clientDims, modelDims) => {
    const config = onnxConfig(8, [], [], {
      input: [modelInput({ name: 'INPUT', dataType: 'TYPE_INT32', dims: [...dims], reshape })],
      output: [modelOutput({ name: 'OUTPUT', dataType: 'TYPE_INT32', dims: [...dims], reshape })],
    });
    const shape = ['n', ...reshape.shape.map((dim, axis) => (dim < 0 ? `d${axis}` : dim))];
    await using model = await load(identityModel('INT32', shape), config);
    const instance = await model.instance();
    const count = clientDims.reduce<number>((product, dim) => product * dim, 1);
    const test = testRequest(
      [
        inferInput(
          'INPUT',
          'INT32',
          [1, ...modelDims],
          Array.from({ length: count }, (_, index) => index),
        ),
      ],
      1,
    );
    await executeAll(instance, [test]);
    expect(test.responses[0]?.outputs[0]?.shape).toEqual([1, ...clientDims]);
  });

  it('an output with fewer rows than the batch fails the requests it does not reach', async () => {
    const bytes = graphModel(
      [
        { opType: 'Shape', inputs: ['INPUT'], outputs: ['shape'] },
        { opType: 'ReduceSum', inputs: ['INPUT'], outputs: ['OUTPUT'], attributes: { keepdims: 1n } },
      ],
      [value('INPUT', 'FP32', ['n', 2])],
      [value('OUTPUT', 'FP32', ['m', 1])],
    );
    await using model = await load(
      bytes,
      onnxConfig(
        4,
        [{ name: 'INPUT', datatype: 'FP32', dims: [2] }],
        [{ name: 'OUTPUT', datatype: 'FP32', dims: [1] }],
      ),
    );
    const instance = await model.instance();
    const tests = [0, 1].map(() => testRequest([inferInput('INPUT', 'FP32', [1, 2], [1, 2])], 1));
    await executeAll(instance, tests);
    expect(outputValues(tests[0]!, 'OUTPUT')).toEqual([6]);
    expect(errorOf(tests[1]!)).toMatchObject({
      code: 'UNSUPPORTED',
      message:
        "failed to split the output tensor 'OUTPUT' in responses: expected batch size of at least 2 in model output, got 1",
    });
    expect(model.reporter.requests.map(({ isSuccess }) => isSuccess)).toEqual([true, false]);
    expect(model.reporter.executions.map(({ batchSize }) => batchSize)).toEqual([2]);
  });
});

describe('BYTES', () => {
  const config = identityConfig(8, 'BYTES', [-1]);
  const bad = Buffer.from([2, 0, 0, 0, 0xc3, 0x28]);

  it('refuses only the request whose element is not UTF-8', async () => {
    await using model = await load(identityModel('BYTES', ['n', 'm']), config);
    const instance = await model.instance();
    const good = [0, 1].map((index) =>
      testRequest([inferInput('INPUT', 'BYTES', [1, 1], [`ok${index}`])], 1),
    );
    const wrong = testRequest([inferInput('INPUT', 'BYTES', [1, 1], new Uint8Array(bad))], 1);
    await executeAll(instance, [good[0]!, wrong, good[1]!]);
    expect(good.map((test) => outputValues(test, 'OUTPUT'))).toEqual([['ok0'], ['ok1']]);
    expect(errorOf(wrong)).toMatchObject({
      code: 'INVALID_ARG',
      message: expect.stringContaining("element 0 of BYTES input 'INPUT' is not valid UTF-8") as string,
    });
    expect([wrong, ...good].map((test) => [test.finalCount(), test.releaseCount()])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  it('a length that runs past its own request cannot reach the next one', async () => {
    await using model = await load(identityModel('BYTES', ['n', 'm']), config);
    const instance = await model.instance();
    const wrong = testRequest(
      [inferInput('INPUT', 'BYTES', [1, 1], new Uint8Array([9, 0, 0, 0, 65, 66]))],
      1,
    );
    const good = testRequest([inferInput('INPUT', 'BYTES', [1, 1], ['next one'])], 1);
    await executeAll(instance, [wrong, good]);
    expect(errorOf(wrong).message).toBe(
      "incomplete string data for inference input 'INPUT', expecting string of length 9 but only 2 bytes available",
    );
    expect(outputValues(good, 'OUTPUT')).toEqual(['next one']);
  });
});

describe('ragged batches', () => {
  const source = (sizes: readonly number[]) =>
    sizes.map((size) =>
      testRequest(
        [
          inferInput(
            'RAGGED',
            'FP32',
            [1, size],
            Array.from({ length: size }, (_, i) => i + 1),
          ),
        ],
        1,
      ),
    );

  /** RAGGED is ragged; GENERATED is a batch input of `kind`, copied to COUNTS. */
  async function ragged(kind: BatchInput['kind'], generatedShape: readonly (string | number)[]) {
    const bytes = graphModel(
      [
        { opType: 'Identity', inputs: ['RAGGED'], outputs: ['FLAT'] },
        { opType: 'Identity', inputs: ['GENERATED'], outputs: ['COUNTS'] },
      ],
      [value('RAGGED', 'FP32', ['total']), value('GENERATED', 'INT32', generatedShape)],
      [value('FLAT', 'FP32', ['total']), value('COUNTS', 'INT32', generatedShape)],
    );
    return load(
      bytes,
      onnxConfig(8, [], [], {
        input: [modelInput({ name: 'RAGGED', dataType: 'TYPE_FP32', dims: [-1], allowRaggedBatch: true })],
        output: [modelOutput({ name: 'FLAT', dataType: 'TYPE_FP32', dims: [-1] })],
        batchInput: [{ kind, targetName: ['GENERATED'], dataType: 'TYPE_INT32', sourceInput: ['RAGGED'] }],
        batchOutput: [
          { kind: 'BATCH_SCATTER_WITH_INPUT_SHAPE', targetName: ['FLAT'], sourceInput: ['RAGGED'] },
        ],
      }),
    );
  }

  it('concatenates the elements and gives each request its own slice back', async () => {
    await using model = await ragged('BATCH_ELEMENT_COUNT', ['r']);
    const instance = await model.instance();
    const tests = source([2, 4, 1, 3]);
    await executeAll(instance, tests);
    expect(tests.map((test) => outputValues(test, 'FLAT'))).toEqual([[1, 2], [1, 2, 3, 4], [1], [1, 2, 3]]);
    expect(tests.map((test) => test.responses[0]?.outputs[0]?.shape)).toEqual([
      [1, 2],
      [1, 4],
      [1, 1],
      [1, 3],
    ]);
  });

  it.each([
    ['BATCH_ELEMENT_COUNT', [2, 4, 1, 3]],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT', [2, 6, 7, 10]],
    ['BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO', [0, 2, 6, 7, 10]],
    ['BATCH_ITEM_SHAPE_FLATTEN', [2, 4, 1, 3]],
  ] as const)('%s', async (kind, expected) => {
    const bytes = graphModel(
      [
        { opType: 'Identity', inputs: ['RAGGED'], outputs: ['FLAT'] },
        { opType: 'Unsqueeze', inputs: ['GENERATED', 'axis'], outputs: ['row'] },
        { opType: 'Expand', inputs: ['row', 'rows'], outputs: ['COUNTS'] },
      ],
      [value('RAGGED', 'FP32', ['total']), value('GENERATED', 'INT32', ['r'])],
      [value('FLAT', 'FP32', ['total']), value('COUNTS', 'INT32', ['n', 'r'])],
      {
        initializers: [
          { name: 'axis', datatype: 'INT64', dims: [1], data: tensorBytes('INT64', [0]) },
          { name: 'rows', datatype: 'INT64', dims: [2], data: tensorBytes('INT64', [4, 1]) },
        ],
      },
    );
    await using model = await load(
      bytes,
      onnxConfig(8, [], [], {
        input: [modelInput({ name: 'RAGGED', dataType: 'TYPE_FP32', dims: [-1], allowRaggedBatch: true })],
        output: [modelOutput({ name: 'COUNTS', dataType: 'TYPE_INT32', dims: [-1] })],
        batchInput: [{ kind, targetName: ['GENERATED'], dataType: 'TYPE_INT32', sourceInput: ['RAGGED'] }],
      }),
    );
    const instance = await model.instance();
    const tests = source([2, 4, 1, 3]);
    await executeAll(instance, tests);
    expect(outputValues(tests[0]!, 'COUNTS')).toEqual(expected);
  });
});

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
