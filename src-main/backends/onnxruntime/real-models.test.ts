import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import {
  executeAll,
  inferInput,
  loadModel,
  outputValues,
  testRequest,
} from '../../testing/backend-harness.ts';
import { fixture, needsFixture } from '../../testing/fixtures.ts';
import { onnxConfig } from '../../testing/onnx-test-models.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { OnnxruntimeBackend } from './onnxruntime-backend.ts';
import { loadOrt } from './ort-library.ts';

const backend = new OnnxruntimeBackend();
const repository = await TempRepository.create();
afterAll(async () => {
  await backend.close();
  await repository.close();
});

const quickstart = fixture('quickstart/model_repository');

async function loadQuickstart(name: string) {
  const modelDir = path.join(quickstart ?? '', name);
  const parsed = parseModelConfig(await readFile(path.join(modelDir, 'config.pbtxt'), 'utf8'));
  return loadModel(backend, modelDir, parsed.config);
}

const range = Array.from({ length: 16 }, (_, index) => index);
const ones = new Array<number>(16).fill(1);
const sums = range.map((number) => number + 1);
const differences = range.map((number) => number - 1);

describe.skipIf(quickstart === undefined)(needsFixture('quickstart', "Triton's quick-start models"), () => {
  it.each([
    ['simple', 'INT32'],
    ['simple_int8', 'INT8'],
  ] as const)('%s adds and subtracts', async (name, datatype) => {
    await using model = await loadQuickstart(name);
    const instance = await model.instance();
    const test = testRequest(
      [inferInput('INPUT0', datatype, [1, 16], range), inferInput('INPUT1', datatype, [1, 16], ones)],
      1,
    );
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT0')).toEqual(sums);
    expect(outputValues(test, 'OUTPUT1')).toEqual(differences);
  });

  it('simple_string adds and subtracts texts', async () => {
    await using model = await loadQuickstart('simple_string');
    const instance = await model.instance();
    const test = testRequest(
      [inferInput('INPUT0', 'BYTES', [1, 16], range), inferInput('INPUT1', 'BYTES', [1, 16], ones)],
      1,
    );
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT0')).toEqual(sums.map(String));
    expect(outputValues(test, 'OUTPUT1')).toEqual(differences.map(String));
  });

  it('simple_sequence sees its controls', async () => {
    await using model = await loadQuickstart('simple_sequence');
    const instance = await model.instance();
    const answer = async (start: number): Promise<unknown> => {
      const test = testRequest([inferInput('INPUT', 'INT32', [1, 1], [10])], 1);
      test.request.overrideInputs = [
        inferInput('START', 'INT32', [1, 1], [start]),
        inferInput('READY', 'INT32', [1, 1], [1]),
      ];
      await executeAll(instance, [test]);
      return outputValues(test, 'OUTPUT');
    };
    expect(await answer(1)).toEqual([11]);
    expect(await answer(0)).toEqual([10]);
  });

  it('simple_dyna_sequence takes a 64-bit correlation id', async () => {
    await using model = await loadQuickstart('simple_dyna_sequence');
    const instance = await model.instance();
    const test = testRequest([inferInput('INPUT', 'INT32', [1, 1], [10])], 1);
    test.request.overrideInputs = [
      inferInput('START', 'INT32', [1, 1], [0]),
      inferInput('END', 'INT32', [1, 1], [1]),
      inferInput('READY', 'INT32', [1, 1], [1]),
      inferInput('CORRID', 'UINT64', [1, 1], [1000n]),
    ];
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual([1010]);
  });

  it('densenet_onnx undoes the reshape of its output', async () => {
    await using model = await loadQuickstart('densenet_onnx');
    const instance = await model.instance();
    const pixels = new Float32Array(3 * 224 * 224).fill(0.5);
    const test = testRequest(
      [inferInput('data_0', 'FP32', [1, 3, 224, 224], new Uint8Array(pixels.buffer))],
      0,
    );
    await executeAll(instance, [test]);
    expect(test.responses[0]?.outputs[0]).toMatchObject({ name: 'fc6_1', shape: [1000] });
  });
});

const light = fixture('onnx_light');

const LIGHT = [
  ['light_resnet50', 'gpu_0/data_0', 'gpu_0/softmax_1', [1, 1000]],
  ['light_densenet121', 'data_0', 'fc6_1', [1, 1000, 1, 1]],
  ['light_squeezenet', 'data_0', 'softmaxout_1', [1, 1000, 1, 1]],
  ['light_shufflenet', 'gpu_0/data_0', 'gpu_0/softmax_1', [1, 1000]],
] as const;

/** The values of a serialised tensor whose 1000 floats lie at its end. */
async function storedValues(file: string): Promise<number[]> {
  const bytes = await readFile(file);
  return [...new Float32Array(new Uint8Array(bytes.subarray(-4000)).buffer)];
}

/** What the runtime answers without any of our code around it. */
async function bareValues(
  file: string,
  input: string,
  output: string,
  pixels: Float32Array,
): Promise<number[]> {
  const { InferenceSession, Tensor } = loadOrt();
  const session = await InferenceSession.create(file);
  const outputs = await session.run({ [input]: new Tensor('float32', pixels, [1, 3, 224, 224]) });
  const values = [...(outputs[output]?.data as Float32Array)];
  await session.release();
  return values;
}

const largestDifference = (left: readonly unknown[], right: readonly number[]): number =>
  Math.max(...right.map((value, index) => Math.abs(value - Number(left[index]))));

describe.skipIf(light === undefined)(
  needsFixture('onnx_light', 'light versions of well-known models'),
  () => {
    it.each(LIGHT)('%s answers as the bare runtime and as published', async (name, input, output, shape) => {
      const modelDir = repository.at(name);
      const file = path.join(light ?? '', `${name}.onnx`);
      await repository.write({ [`${name}/1/model.onnx`]: await readFile(file) });
      const config = onnxConfig(
        0,
        [{ name: input, datatype: 'FP32', dims: [1, 3, 224, 224] }],
        [{ name: output, datatype: 'FP32', dims: shape }],
      );
      await using model = await loadModel(backend, modelDir, config);
      const instance = await model.instance();
      const pixels = Float32Array.from({ length: 3 * 224 * 224 }, (_, index) => (index % 251) / 251);
      const bytes = new Uint8Array(pixels.buffer);
      const test = testRequest([inferInput(input, 'FP32', [1, 3, 224, 224], bytes)], 0);
      await executeAll(instance, [test]);
      const values = outputValues(test, output);
      expect(largestDifference(values, await bareValues(file, input, output, pixels))).toBeLessThan(1e-6);
      const stored = await storedValues(path.join(light ?? '', `${name}_output_0.pb`));
      expect(largestDifference(values, stored)).toBeLessThan(1e-3);
    });
  },
);
