// The warm-up runner as the window uses it: samples, runs on real instances, data files, insertion into a text.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { parseWarmup, warmupText } from '../../../src-shared/config/warmup-text.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld(['batch_mlp', 'simple', 'text_bytes']);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function suggested(model: string): Promise<ReturnType<typeof parseWarmup>> {
  const samples = await world.client.call('warmup/samples', { model });
  const last = samples.filter(({ isSuggested }) => isSuggested).at(-1);
  if (last === undefined) throw new Error(`nothing is suggested for ${model}`);
  return parseWarmup(last.configText);
}

function runText(model: string, configText: string, iterations = 4) {
  return world.client.call('warmup/run', { model, version: '', configText, iterations });
}

async function blobOf(bytes: Uint8Array): Promise<string> {
  const { blob } = await world.client.call('blob/create', {});
  await world.client.call('blob/append', { blob, base64: Buffer.from(bytes).toString('base64') });
  return blob;
}

test('samples are suggested for batch 1 and the maximum, and run without touching the statistics', async () => {
  const samples = await world.client.call('warmup/samples', { model: 'batch_mlp' });
  expect(samples.map(({ name, isSuggested }) => [name, isSuggested])).toEqual([
    ['batch_1', true],
    ['batch_8', true],
  ]);
  const result = await runText('batch_mlp', samples[1]?.configText ?? '');
  expect(result.instances.map(({ error, latenciesMs }) => [error, latenciesMs.length])).toEqual(
    result.instances.map(() => [undefined, 4]),
  );
  expect(result.sentence).toMatch(/^First \S+ (ms|µs)/);
  expect(result.faultyInput).toBeUndefined();
  expect(result.outputs).toMatchObject([{ name: 'PROBABILITIES', datatype: 'FP32', shape: [1, 10] }]);
  expect(result.inputs).toEqual([]);
  const [statistics] = await world.client.call('observe/statistics', { model: 'batch_mlp', version: '' });
  expect(statistics?.inferenceCount).toBe(0);
});

test('the input at fault is named', async () => {
  const sample = await suggested('batch_mlp');
  const [[name = '', input] = []] = Object.entries(sample.inputs);
  if (input === undefined) throw new Error('the sample has no input');
  const wrong = warmupText({ ...sample, inputs: { [name]: { ...input, dims: [63] } } });
  const result = await runText('batch_mlp', wrong);
  expect(result.faultyInput).toBe(name);
  expect(result.instances[0]?.error).toContain(`'${name}'`);
  expect(result.suggestedCount).toBe(0);
});

test('an input that the sample lacks is the one at fault', async () => {
  const result = await runText('batch_mlp', warmupText({ ...(await suggested('batch_mlp')), inputs: {} }));
  expect(result.instances[0]?.error).toBeDefined();
  expect(result.faultyInput).toBe('FEATURES');
});

test('a sample is inserted or replaced without touching the others', async () => {
  const text = [
    'model_warmup {',
    '  name: "mine" # of last week',
    '  batch_size: 1',
    '}',
    '# behind it',
    '',
  ].join('\n');
  const sample = await suggested('batch_mlp');
  const args = { model: 'batch_mlp', sampleText: warmupText(sample) };
  const added = await world.client.call('warmup/insert', { ...args, text });
  expect(added.text).toContain('name: "mine" # of last week');
  expect(added.text).toContain('# behind it');
  const again = await world.client.call('warmup/insert', {
    text: added.text,
    model: 'batch_mlp',
    sampleText: warmupText({ ...sample, count: 7 }),
  });
  expect(again.text).toContain('name: "mine" # of last week');
  expect(parseModelConfig(again.text).config.modelWarmup).toMatchObject([
    { name: 'mine' },
    { name: sample.name, count: 7 },
  ]);
});

test('a data file is written below the warmup folder, used by a run, and never replaced', async () => {
  const bytes = new Uint8Array(new Float32Array(64).fill(0.5).buffer);
  const args = { model: 'batch_mlp', name: 'half.raw', blob: await blobOf(bytes) };
  await world.client.call('warmup/writeFile', args);
  const written = await readFile(path.join(world.repositoryPath, 'batch_mlp/warmup/half.raw'));
  expect(new Uint8Array(written)).toEqual(bytes);
  await expect(world.client.call('warmup/writeFile', args)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await expect(
    world.client.call('warmup/writeFile', { ...args, name: '../config.pbtxt' }),
  ).rejects.toMatchObject({ code: 'INVALID_ARG' });
  const sample = await suggested('batch_mlp');
  const inputs = Object.fromEntries(
    Object.entries(sample.inputs).map(([name, input]) => [
      name,
      { ...input, randomData: undefined, inputDataFile: 'half.raw' },
    ]),
  );
  const result = await runText('batch_mlp', warmupText({ ...sample, inputs }));
  expect(result.instances.map(({ error }) => error)).toEqual(result.instances.map(() => undefined));
  expect(result.inputs).toMatchObject([{ name: 'FEATURES', shape: [1, 64], byteSize: 256 }]);
  expect(result.inputs[0]?.preview.slice(0, 2)).toEqual(['0.5', '0.5']);
});

test('a request becomes a sample with one data file per input, made of its first row', async () => {
  const values = Array.from({ length: 128 }, (_, index) => index);
  const request = playgroundRequest('batch_mlp', [typedInput('FEATURES', 'FP32', [2, 64], values)]);
  const { sampleText } = await world.client.call('warmup/fromRequest', { name: 'seen', request });
  const sample = parseWarmup(sampleText);
  expect(sample.batchSize).toBe(2);
  expect(sample.inputs['FEATURES']).toMatchObject({ dims: [64], inputDataFile: 'seen.FEATURES.raw' });
  const written = await readFile(path.join(world.repositoryPath, 'batch_mlp/warmup/seen.FEATURES.raw'));
  expect(written.byteLength).toBe(256);
  const result = await runText('batch_mlp', sampleText);
  expect(result.instances.map(({ error }) => error)).toEqual(result.instances.map(() => undefined));
});

test('texts keep their length prefixes when the first row is cut out', async () => {
  const { inputs } = await world.client.call('playground/interface', { model: 'text_bytes' });
  const [input] = inputs;
  if (input === undefined) throw new Error('text_bytes has no input');
  const shape = input.shape.map((dim, axis) => (dim === -1 ? (axis === 0 ? 2 : 1) : dim));
  const count = shape.reduce((product, dim) => product * dim, 1);
  const values = Array.from({ length: count }, (_, index) => `text ${index}`);
  const request = playgroundRequest('text_bytes', [typedInput(input.name, 'BYTES', shape, values)]);
  const { sampleText } = await world.client.call('warmup/fromRequest', { name: 'texts', request });
  const result = await runText('text_bytes', sampleText);
  expect(result.instances.map(({ error }) => error)).toEqual(result.instances.map(() => undefined));
});

test('a sample goes behind the others, and in place of one of its name', async () => {
  const text = 'name: "batch_mlp"\nmodel_warmup {\n  name: "a"\n  batch_size: 1\n}\n';
  const sample = await suggested('batch_mlp');
  const insert = async (before: string, changes: object) =>
    (
      await world.client.call('warmup/insert', {
        model: 'batch_mlp',
        text: before,
        sampleText: warmupText({ ...sample, ...changes }),
      })
    ).text;
  const two = await insert(text, { name: 'b', count: 3 });
  const changed = await insert(two, { name: 'b', count: 7 });
  const named = (result: string) =>
    parseModelConfig(result).config.modelWarmup.map(({ name, count }) => [name, count]);
  expect(named(two)).toEqual([
    ['a', expect.any(Number)],
    ['b', 3],
  ]);
  expect(named(changed)[1]).toEqual(['b', 7]);
  expect(named(changed)).toHaveLength(2);
});
