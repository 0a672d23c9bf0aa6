// The calls of the Graph tab through the contract, against the sample repository.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

import { afterAll, expect, test } from 'vitest';

import type { OnnxGraphData } from '../../../src-shared/contract/graph-calls.ts';
import { playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';

const world = await startControlWorld(['pipeline', 'batch_mlp']);
const { client } = world;
afterAll(() => world[Symbol.asyncDispose]());

async function graphOf(model: string): Promise<OnnxGraphData> {
  const { blob, byteSize } = await client.call('graph/onnx', { model, version: '' });
  const { base64, totalByteSize } = await client.call('blob/read', { blob, offset: 0, byteSize: 49_152 });
  expect(totalByteSize).toBe(byteSize);
  await client.call('blob/release', { blob });
  return JSON.parse(gunzipSync(Buffer.from(base64, 'base64')).toString()) as OnnxGraphData;
}

test('the graph of a file comes with names, shapes and weights by size', async () => {
  const graph = await graphOf('batch_mlp');
  expect(graph.inputs).toEqual([{ name: 'FEATURES', type: 'float', shape: '[batch,64]' }]);
  expect(graph.operators.length).toBeGreaterThan(1);
  const weights = graph.initializers[0];
  expect(weights?.byteSize).toBeGreaterThan(0);
  const constant = await client.call('graph/constant', {
    model: 'batch_mlp',
    version: '1',
    tensor: weights?.name ?? '',
    attribute: undefined,
  });
  expect(constant.values.length).toBeGreaterThan(0);
  expect(Number.isFinite(Number(constant.values[0]))).toBe(true);
});

test('what is missing is named: the version, or the file in it', async () => {
  await expect(client.call('graph/onnx', { model: 'batch_mlp', version: '7' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: "model 'batch_mlp' has no version 7",
  });
  await rm(path.join(world.repositoryPath, 'simple/1/model.onnx'));
  await expect(client.call('graph/onnx', { model: 'simple', version: '' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: "version 1 of model 'simple' has no file 'model.onnx'",
  });
  await writeFile(path.join(world.repositoryPath, 'simple/1/model.onnx'), '<html>');
  await expect(client.call('graph/onnx', { model: 'simple', version: '' })).rejects.toMatchObject({
    code: 'INVALID_ARG',
    message: expect.stringContaining('HTML page') as string,
  });
});

test('what a file says of itself is told, and a model without one says what is missing', async () => {
  const facts = await client.call('graph/fileFacts', { model: 'batch_mlp', version: '' });
  expect(facts.operatorCount).toBeGreaterThan(2);
  expect(facts.parameterCount).toBeGreaterThan(640);
  expect(facts.metadata).toEqual({});
  await expect(client.call('graph/fileFacts', { model: 'pipeline', version: '' })).rejects.toThrow(/no file/);
});

test('an ensemble is on no device: its steps are', async () => {
  const { models } = await client.call('repository/snapshot', {});
  const deviceOf = (name: string) => models.find((model) => model.name === name)?.device;
  expect(deviceOf('batch_mlp')).toBe('CPU');
  expect(deviceOf('pipeline')).toBeUndefined();
});

test('the steps of an ensemble are timed by its own requests', async () => {
  expect(await client.call('graph/ensemble', { model: 'pipeline' })).toMatchObject({ runCount: 0 });
  const image = typedInput('RAW', 'UINT8', [1, 32, 32, 3], Array<number>(32 * 32 * 3).fill(7));
  const sent = await client.call('playground/send', playgroundRequest('pipeline', [image]));
  expect(sent.error).toBeUndefined();
  const activity = await client.call('graph/ensemble', { model: 'pipeline' });
  expect(activity).toMatchObject({ runCount: 1, failureCount: 0, lastError: undefined });
  expect(activity.steps.map(({ stepIndex, model }) => [stepIndex, model])).toEqual([
    [0, 'pipeline_prepare'],
    [1, 'image_tiny'],
    [2, 'pipeline_best'],
  ]);
  expect(activity.meanUs).toBeGreaterThan(activity.steps[1]?.meanUs ?? Infinity);
});

test('a model that is no ensemble has no steps', async () => {
  expect(await client.call('graph/ensemble', { model: 'batch_mlp' })).toMatchObject({
    runCount: 0,
    steps: [],
  });
});
