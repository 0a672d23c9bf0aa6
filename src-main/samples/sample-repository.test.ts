import { readFile, readdir, writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { OnnxruntimeBackend } from '../backends/onnxruntime/onnxruntime-backend.ts';
import { executeAll, inferInput, loadModel, outputValues, testRequest } from '../testing/backend-harness.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { sampleModels, sampleStartSet, writeSampleRepository } from './sample-repository.ts';

const backend = new OnnxruntimeBackend();
const repository = await TempRepository.create();
await writeSampleRepository(repository.path);

afterAll(async () => {
  await backend.close();
  await repository.close();
});

async function load(name: string) {
  const text = await readFile(repository.at(name, 'config.pbtxt'), 'utf8');
  const parsed = parseModelConfig(text);
  expect(parsed.issues).toEqual([]);
  return loadModel(backend, repository.at(name), parsed.config);
}

describe('sample repository', () => {
  it('gives the same bytes every time, each model below 100 KB', () => {
    expect(sampleModels()).toEqual(sampleModels());
    for (const model of sampleModels()) {
      const total = Object.values(model.files).reduce((sum, content) => sum + content.length, 0);
      expect(total, model.name).toBeLessThan(100_000);
    }
  });

  it('leaves existing folders alone and nothing behind', async () => {
    await writeFile(repository.at('simple', 'config.pbtxt'), '# mine\n');
    expect(await writeSampleRepository(repository.path)).toEqual([]);
    expect(await readFile(repository.at('simple', 'config.pbtxt'), 'utf8')).toBe('# mine\n');
    await repository.remove('simple');
    expect(await writeSampleRepository(repository.path)).toEqual(['simple']);
    expect((await readdir(repository.path)).sort()).toEqual(
      sampleModels()
        .map((model) => model.name)
        .sort(),
    );
  });

  it('loads everything at start but the model that fails on purpose', () => {
    expect(sampleStartSet()).not.toContain('broken_dims');
    expect(sampleStartSet()).toContain('pipeline');
  });

  it('simple adds and subtracts', async () => {
    await using model = await load('simple');
    const instance = await model.instance();
    const numbers = Array.from({ length: 16 }, (_, index) => index);
    const test = testRequest(
      [
        inferInput('INPUT0', 'INT32', [1, 16], numbers),
        inferInput('INPUT1', 'INT32', [1, 16], new Array<number>(16).fill(1)),
      ],
      0,
    );
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT0')).toEqual(numbers.map((number) => number + 1));
    expect(outputValues(test, 'OUTPUT1')).toEqual(numbers.map((number) => number - 1));
  });

  it('batch_mlp gives probabilities', async () => {
    await using model = await load('batch_mlp');
    const instance = await model.instance();
    const test = testRequest(
      [
        inferInput(
          'FEATURES',
          'FP32',
          [2, 64],
          Array.from({ length: 128 }, (_, index) => Math.sin(index)),
        ),
      ],
      2,
    );
    await executeAll(instance, [test]);
    const [first, second] = [0, 10].map((start) =>
      outputValues(test, 'PROBABILITIES')
        .slice(start, start + 10)
        .map(Number),
    );
    expect(first?.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
    expect(second).not.toEqual(first);
  });

  it.each([
    ['red', [1, -1, -1], 4],
    ['yellow', [0.9, 0.7, -0.8], 6],
    ['grey', [0.1, 0, -0.1], 8],
  ] as const)('image_tiny sees %s', async (_label, rgb, expected) => {
    await using model = await load('image_tiny');
    const instance = await model.instance();
    const pixels = rgb.flatMap((value) => new Array<number>(32 * 32).fill(value));
    const test = testRequest([inferInput('IMAGE', 'FP32', [1, 3, 32, 32], pixels)], 1);
    await executeAll(instance, [test]);
    const scores = outputValues(test, 'SCORES').map(Number);
    expect(scores.indexOf(Math.max(...scores))).toBe(expected);
  });

  it('text_bytes greets', async () => {
    await using model = await load('text_bytes');
    const instance = await model.instance();
    const test = testRequest([inferInput('TEXT', 'BYTES', [1, 2], ['Zoë', '-3.5'])], 1);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'GREETING')).toEqual(['Hello, Zoë!', 'Hello, -3.5!']);
    expect(outputValues(test, 'IS_NUMBER')).toEqual([0, 1]);
  });

  it('accumulate adds to the state it is given', async () => {
    await using model = await load('accumulate');
    const instance = await model.instance();
    const states: Uint8Array[] = [];
    const test = testRequest([inferInput('INPUT', 'FP32', [1, 1], [2])], 1);
    test.request.overrideInputs = [
      inferInput('START', 'FP32', [1, 1], [0]),
      inferInput('SUM_IN', 'FP32', [1, 1], [5]),
    ];
    test.request.stateOutputs = ['SUM_OUT'];
    test.request.onStateOutput = (state) => states.push(state.bytes.slice());
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual([7]);
    expect(test.responses[0]?.outputs.map((output) => output.name)).toEqual(['OUTPUT']);
    expect(states.map((bytes) => [...new Float32Array(bytes.buffer)])).toEqual([[7]]);
  });

  it('the steps of pipeline fit together', async () => {
    await using prepare = await load('pipeline_prepare');
    const prepareInstance = await prepare.instance();
    const raw = Array.from({ length: 32 * 32 * 3 }, (_, index) => (index % 3 === 2 ? 255 : 0));
    const prepared = testRequest([inferInput('RAW', 'UINT8', [1, 32, 32, 3], raw)], 1);
    await executeAll(prepareInstance, [prepared]);
    const image = prepared.responses[0]?.outputs[0];
    await using classify = await load('image_tiny');
    const classifyInstance = await classify.instance();
    const classified = testRequest(
      [inferInput('IMAGE', 'FP32', [1, 3, 32, 32], image?.bytes ?? new Uint8Array())],
      1,
    );
    await executeAll(classifyInstance, [classified]);
    await using best = await load('pipeline_best');
    const bestInstance = await best.instance();
    const scores = classified.responses[0]?.outputs[0];
    const chosen = testRequest([inferInput('SCORES', 'FP32', [1, 9], scores?.bytes ?? new Uint8Array())], 1);
    await executeAll(bestInstance, [chosen]);
    expect(outputValues(chosen, 'CLASS')).toEqual([1n]);
  });

  it('broken_dims is refused with the words of the reference', async () => {
    await expect(load('broken_dims')).rejects.toThrow(
      "model 'broken_dims', tensor 'INPUT': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,-1,16])",
    );
  });
});
