import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import {
  executeAll,
  inferInput,
  loadModel,
  outputValues,
  testRequest,
} from '../../testing/backend-harness.ts';
import type { NetworkFixture } from '../../testing/fixtures.ts';
import { fixture, networkFixtures, networkPixels } from '../../testing/fixtures.ts';
import { onnxConfig } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { loadOrt } from './ort-library.ts';

const { backend, repository } = await onnxWorld();

async function loadQuickModel(name: string) {
  const modelDir = fixture(`models/${name}`);
  const parsed = parseModelConfig(await readFile(path.join(modelDir, 'config.pbtxt'), 'utf8'));
  return loadModel(backend, modelDir, parsed.config);
}

const range = Array.from({ length: 16 }, (_, index) => index);
const ones = new Array<number>(16).fill(1);
const sums = range.map((number) => number + 1);
const differences = range.map((number) => number - 1);

describe('models of the quick start', () => {
  it.each([
    ['simple', 'INT32'],
    ['simple_int8', 'INT8'],
  ] as const)('%s adds and subtracts', async (name, datatype) => {
    await using model = await loadQuickModel(name);
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
    await using model = await loadQuickModel('simple_string');
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
    await using model = await loadQuickModel('simple_sequence');
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
    await using model = await loadQuickModel('simple_dyna_sequence');
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

  it('image_classifier undoes the reshapes of its input and its output', async () => {
    await using model = await loadQuickModel('image_classifier');
    const instance = await model.instance();
    const pixels = new Float32Array(3 * 32 * 32).fill(0.5);
    const test = testRequest(
      [inferInput('pixels', 'FP32', [1, 3, 32, 32], new Uint8Array(pixels.buffer))],
      0,
    );
    await executeAll(instance, [test]);
    expect(test.responses[0]?.outputs[0]).toMatchObject({ name: 'scores', shape: [10] });
  });
});

/** What the runtime answers without any of our code around it. */
async function bareValues(
  { file, input, inputShape, output }: NetworkFixture,
  pixels: Float32Array,
): Promise<number[]> {
  const { InferenceSession, Tensor } = loadOrt();
  const session = await InferenceSession.create(file);
  const outputs = await session.run({ [input]: new Tensor('float32', pixels, inputShape) });
  const values = [...(outputs[output]?.data as Float32Array)];
  await session.release();
  return values;
}

const largestDifference = (left: readonly unknown[], right: readonly number[]): number =>
  Math.max(...right.map((value, index) => Math.abs(value - Number(left[index]))));

describe('image networks', () => {
  it.each(networkFixtures())('$name answers as the bare runtime and as it should', async (network) => {
    const { name, file, input, inputShape, output, outputShape, scores } = network;
    await repository.write({ [`${name}/1/model.onnx`]: await readFile(file) });
    const config = onnxConfig(
      0,
      [{ name: input, datatype: 'FP32', dims: inputShape }],
      [{ name: output, datatype: 'FP32', dims: outputShape }],
    );
    await using model = await loadModel(backend, repository.at(name), config);
    const instance = await model.instance();
    const pixels = networkPixels(network);
    const test = testRequest([inferInput(input, 'FP32', inputShape, new Uint8Array(pixels.buffer))], 0);
    await executeAll(instance, [test]);
    const values = outputValues(test, output);
    expect(values).toHaveLength(scores.length);
    expect(largestDifference(values, await bareValues(network, pixels))).toBeLessThan(1e-6);
    expect(largestDifference(values, scores)).toBeLessThan(1e-3);
  });
});
