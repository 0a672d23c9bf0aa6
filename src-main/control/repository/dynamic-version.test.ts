// A model that fixes its first dimension to 1: the probe says so, and a copy that declares it as dynamic becomes a
// version of its own, when batching that copy is safe.

import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { floatTensor, int64Tensor, writeOnnx } from '../../onnx/onnx-writer.ts';
import type { WritableTensor } from '../../onnx/onnx-writer.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';
import { networkFixtures } from '../../testing/fixtures.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld([]);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const at = (...names: string[]): string => path.join(world.repositoryPath, ...names);
/** Beside the repository: what is imported, and where copies are staged. */
const beside = (...names: string[]): string => path.join(path.dirname(world.repositoryPath), ...names);
const staged = async (): Promise<readonly string[]> =>
  (await readdir(beside())).filter((name) => name.startsWith('.conch-import'));

const VALUES = Float32Array.from([1, 2, 3, 4]);

/** `x` FP32 [1,4] -> `y` FP32 [1,4], times weights that lie in the file, or in `weights.bin`. */
function fixedModel(weights: WritableTensor = floatTensor('w', [4], VALUES)): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'fixed',
      nodes: [{ opType: 'Mul', name: 'Mul_1', inputs: ['x', 'w'], outputs: ['y'] }],
      inputs: [{ name: 'x', datatype: 'FP32', shape: [1, 4] }],
      outputs: [{ name: 'y', datatype: 'FP32', shape: [1, 4] }],
      initializers: [weights],
    },
  });
}

/** The same, with the batch of 1 in the operand of a Reshape. */
function reshapingModel(): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'baked',
      nodes: [{ opType: 'Reshape', name: 'Reshape_12', inputs: ['x', 's'], outputs: ['y'] }],
      inputs: [{ name: 'x', datatype: 'FP32', shape: [1, 4] }],
      outputs: [{ name: 'y', datatype: 'FP32', shape: [1, 2, 2] }],
      initializers: [int64Tensor('s', [3], [1, 2, 2])],
    },
  });
}

const outside = { location: 'weights.bin' };

describe('a file that is not imported yet', () => {
  const probe = (onnxPath: string, externalData: Record<string, string> = {}) =>
    world.client.call('repository/probeDynamic', {
      onnxPath,
      externalData,
      repository: world.repositoryPath,
      taskId: 'probe',
    });

  test('the batch probe tells that only the fixed 1 is in the way', async () => {
    await writeFile(beside('fixed.onnx'), fixedModel());
    const result = await world.client.call('config/batchProbe', { path: beside('fixed.onnx') });
    expect(result).toMatchObject({ verdict: 'cannot-run', canMakeDynamic: true });
    expect(result.message).toContain(`input 'x' has a fixed first dimension of 1`);
  });

  test('the probe of a dynamic copy finds it safe and leaves nothing', async () => {
    const before = await readFile(beside('fixed.onnx'));
    expect(await probe(beside('fixed.onnx'))).toMatchObject({ verdict: 'safe', maxDifference: 0 });
    expect(await readFile(beside('fixed.onnx'))).toEqual(before);
    expect(await staged()).toEqual([]);
  });

  test('weights that were located elsewhere come along', async () => {
    await mkdir(beside('elsewhere'), { recursive: true });
    const weights: WritableTensor = { name: 'w', datatype: 'FP32', dims: [4], data: outside };
    await writeFile(beside('outside.onnx'), fixedModel(weights));
    await writeFile(beside('elsewhere', 'data.bin'), new Uint8Array(VALUES.buffer));
    const located = { 'weights.bin': beside('elsewhere', 'data.bin') };
    expect(await probe(beside('outside.onnx'), located)).toMatchObject({ verdict: 'safe' });
    await world.client.call('repository/createFromOnnx', {
      onnxPath: beside('outside.onnx'),
      externalData: located,
      repository: world.repositoryPath,
      name: 'outside',
      version: '1',
      configText: 'max_batch_size: 4\n',
      labels: {},
      hasDynamicVersion: true,
      load: true,
      taskId: 'create',
    });
    expect(await readdir(at('outside'))).toEqual(['1', '2', 'config.pbtxt']);
    expect(await readdir(at('outside', '2'))).toEqual(['model.onnx', 'weights.bin']);
    expect(await readFile(at('outside', '1', 'model.onnx'))).toEqual(await readFile(beside('outside.onnx')));
    expect(await readFile(at('outside', '2', 'weights.bin'))).toEqual(Buffer.from(VALUES.buffer));
    const { models } = await world.client.call('repository/snapshot', {});
    expect(models.find(({ name }) => name === 'outside')).toMatchObject({
      state: 'ready',
      servedVersions: ['2'],
      maxBatchSize: 4,
    });
  });

  test('a batch of 1 that is baked into the graph is named by its node', async () => {
    await writeFile(beside('baked.onnx'), reshapingModel());
    const result = await probe(beside('baked.onnx'));
    expect(result.verdict).toBe('unsafe');
    expect(result.message).toBe(
      'The graph has a batch of 1 baked in at node Reshape_12: a batch of 2 fails there.',
    );
  });
});

describe('a model of a repository', () => {
  const add = (model: string) =>
    world.client.call('repository/addDynamicVersion', { model, version: '1', taskId: 'add' });

  async function model(name: string, file: Uint8Array): Promise<void> {
    await mkdir(at(name, '1'), { recursive: true });
    await writeFile(at(name, 'config.pbtxt'), 'backend: "onnxruntime"\nmax_batch_size: 8\n');
    await writeFile(at(name, '1', 'model.onnx'), file);
    await world.client.call('repository/rescan', {});
  }

  test('gets a version that batches, beside the one that is there', async () => {
    await model('grown', fixedModel());
    await expect(world.client.call('repository/load', { model: 'grown' })).rejects.toThrow(
      /does not support batching/,
    );
    const snapshot = await world.client.call('repository/snapshot', {});
    const failure = snapshot.models.find(({ name }) => name === 'grown')?.failure;
    expect(failure?.fixes.map(({ action }) => action)).toContain('batch-probe');
    expect(await add('grown')).toMatchObject({ version: '2', probe: { verdict: 'safe' } });
    expect(await readFile(at('grown', '1', 'model.onnx'))).toEqual(Buffer.from(fixedModel()));
    const { model: loaded } = await world.client.call('repository/load', { model: 'grown' });
    expect(loaded).toMatchObject({ state: 'ready', servedVersions: ['2'], maxBatchSize: 8 });
    expect(await staged()).toEqual([]);
  });

  test('gets none when batching would be unsafe', async () => {
    await model('stubborn', reshapingModel());
    expect(await add('stubborn')).toMatchObject({ version: undefined, probe: { verdict: 'unsafe' } });
    expect(await readdir(at('stubborn'))).toEqual(['1', 'config.pbtxt']);
    expect(await staged()).toEqual([]);
  });

  test('lacks weights that are shown to it: they are copied under the name it uses, and never over a file', async () => {
    await model('lacking', fixedModel({ name: 'w', datatype: 'FP32', dims: [4], data: outside }));
    await writeFile(at('lacking', 'config.pbtxt'), 'backend: "onnxruntime"\n');
    await expect(world.client.call('repository/load', { model: 'lacking' })).rejects.toThrow('weights.bin');
    await writeFile(beside('found.bin'), new Uint8Array(VALUES.buffer));
    const file = { model: 'lacking', version: '1', source: beside('found.bin'), taskId: 'data' };
    await expect(
      world.client.call('repository/addDataFile', { ...file, name: '../weights.bin' }),
    ).rejects.toMatchObject({ code: 'INVALID_ARG' });
    await world.client.call('repository/addDataFile', { ...file, name: 'weights.bin' });
    await expect(
      world.client.call('repository/addDataFile', { ...file, name: 'weights.bin' }),
    ).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect((await world.client.call('repository/load', { model: 'lacking' })).model.state).toBe('ready');
    expect(await staged()).toEqual([]);
  });

  test('is damaged: another file takes its place under its name, and the one before can be looked at in the bin', async () => {
    await model('damaged', Buffer.from('no model at all'));
    await writeFile(at('damaged', 'config.pbtxt'), 'backend: "onnxruntime"\n');
    await expect(world.client.call('repository/load', { model: 'damaged' })).rejects.toThrow();
    const failure = (await world.client.call('repository/snapshot', {})).models.find(
      ({ name }) => name === 'damaged',
    )?.failure;
    expect(failure?.fixes.map(({ action }) => action)).toEqual(['replace-model-file']);
    await writeFile(beside('better.onnx'), fixedModel());
    const call = { model: 'damaged', version: '1', taskId: 'replace' };
    await expect(
      world.client.call('repository/replaceModelFile', { ...call, source: beside('none.onnx') }),
    ).rejects.toThrow();
    expect(await readFile(at('damaged', '1', 'model.onnx'), 'utf8')).toBe('no model at all');
    const binned = await world.client.call('repository/replaceModelFile', {
      ...call,
      source: beside('better.onnx'),
    });
    expect(binned.movedTo).not.toBe('');
    expect(await readFile(at('damaged', '1', 'model.onnx'))).toEqual(Buffer.from(fixedModel()));
    expect((await world.client.call('repository/load', { model: 'damaged' })).model.state).toBe('ready');
    expect(await staged()).toEqual([]);
  });

  test('a cancelled rewrite leaves nothing', async () => {
    await model('halted', fixedModel());
    const controller = new AbortController();
    const call = world.client.call(
      'repository/addDynamicVersion',
      { model: 'halted', version: '1', taskId: 'halted' },
      { signal: controller.signal },
    );
    controller.abort(new Error('cancelled'));
    await expect(call).rejects.toThrow();
    await expect.poll(staged).toEqual([]);
    expect(await readdir(at('halted'))).toEqual(['1', 'config.pbtxt']);
  });
});

test.each(networkFixtures())(
  '$name, fixed to a batch of 1, is judged by running it',
  async (network) => {
    const { name, file, isSafeToBatch } = network;
    await copyFile(file, beside(`${name}.onnx`));
    const result = await world.client.call('repository/probeDynamic', {
      onnxPath: beside(`${name}.onnx`),
      externalData: {},
      repository: world.repositoryPath,
      taskId: name,
    });
    expect(result.verdict).toBe(isSafeToBatch ? 'safe' : 'unsafe');
  },
  60_000,
);
