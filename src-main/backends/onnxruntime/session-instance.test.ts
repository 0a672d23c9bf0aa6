// The tensors of an execution: every datatype, shapes of all kinds, and BYTES.

import { describe, expect, it } from 'vitest';
import { modelInput, modelOutput } from '../../../src-shared/config/config-defaults.ts';
import { DATA_TYPES } from '../../../src-shared/datatypes.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
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

  it.each([
    ['BF16', 'INTERNAL', "unsupported datatype TYPE_BF16 for input 'INPUT' for model 'model'"],
    [
      'FP16',
      'INVALID_ARG',
      "unable to load model 'model', configuration expects datatype TYPE_FP16 for input 'INPUT', model provides TYPE_<invalid>",
    ],
  ] as const)('a model with BF16 is refused at load, configured as %s', async (datatype, code, message) => {
    const loading = load(identityModel('BF16', ['n', 3]), identityConfig(8, datatype, [3]));
    await expect(loading).rejects.toMatchObject({ code, message });
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

  it('an output of one row, whatever the batch, is none that batching can be served with', async () => {
    const bytes = graphModel(
      [{ opType: 'ReduceSum', inputs: ['INPUT'], outputs: ['OUTPUT'], attributes: { keepdims: 1n } }],
      [value('INPUT', 'FP32', ['n', 2])],
      [value('OUTPUT', 'FP32', ['m', 1])],
    );
    const config = onnxConfig(
      4,
      [{ name: 'INPUT', datatype: 'FP32', dims: [2] }],
      [{ name: 'OUTPUT', datatype: 'FP32', dims: [1] }],
    );
    await expect(load(bytes, config)).rejects.toThrow(
      "model 'model', tensor 'OUTPUT': for the model to support batching the shape should have at least 1 dimension and the first dimension must be -1; but shape expected by the model is [1,1]",
    );
  });

  it('an output with fewer rows than the batch fails the requests it does not reach', async () => {
    const bytes = graphModel(
      [{ opType: 'Slice', inputs: ['INPUT', 'first', 'last'], outputs: ['OUTPUT'] }],
      [value('INPUT', 'FP32', ['n', 2])],
      [value('OUTPUT', 'FP32', ['m', 2])],
      {
        initializers: [
          { name: 'first', datatype: 'INT64', dims: [1], data: tensorBytes('INT64', [0]) },
          { name: 'last', datatype: 'INT64', dims: [1], data: tensorBytes('INT64', [1]) },
        ],
      },
    );
    await using model = await load(
      bytes,
      onnxConfig(
        4,
        [{ name: 'INPUT', datatype: 'FP32', dims: [2] }],
        [{ name: 'OUTPUT', datatype: 'FP32', dims: [2] }],
      ),
    );
    const instance = await model.instance();
    const tests = [0, 1].map(() => testRequest([inferInput('INPUT', 'FP32', [1, 2], [1, 2])], 1));
    await executeAll(instance, tests);
    expect(outputValues(tests[0]!, 'OUTPUT')).toEqual([1, 2]);
    expect(errorOf(tests[1]!)).toMatchObject({
      code: 'UNSUPPORTED',
      message:
        "[request id: <id_unknown>] failed to split the output tensor 'OUTPUT' in responses: expected batch size of at least 2 in model output, got 1",
    });
    expect(model.reporter.requests.map(({ isSuccess }) => isSuccess)).toEqual([true, false]);
    expect(model.reporter.executions.map(({ batchSize }) => batchSize)).toEqual([2]);
    // The run itself went well: it counts as an execution when no request has its rows, too.
    const wide = testRequest([inferInput('INPUT', 'FP32', [2, 2], [1, 2, 3, 4])], 2);
    await executeAll(instance, [wide]);
    expect(errorOf(wide)).toMatchObject({ code: 'UNSUPPORTED' });
    expect(model.reporter.executions.map(({ batchSize }) => batchSize)).toEqual([2, 2]);
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
