// Comparisons that the window asks for, on a running server: with plain ONNX Runtime, between encodings and versions, and
// between what clients send and what the batch doctor sees.

import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { floatTensor, writeOnnx } from '../../onnx/onnx-writer.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { mlpRequest, playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld();
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('comparing', () => {
  test('parity holds for the sample and the encodings are measured', async () => {
    const parity = await world.client.call('playground/parity', mlpRequest());
    expect(parity).toMatchObject({ verdict: 'match', tolerance: 1e-5 });
    expect(parity.message).toMatch(
      /^Outputs match plain ONNX Runtime \(largest difference .*\)\. So they do in a batch of 4\.$/,
    );
    expect(parity.outputs[0]?.maxAbsolute).toBeLessThan(1e-5);
    const [pair] = parity.answers;
    expect(pair?.served).toMatchObject({ name: 'PROBABILITIES', datatype: 'FP32', shape: [1, 10] });
    expect(pair?.bare?.preview).toHaveLength(10);
    const rows = await world.client.call('playground/encodingCost', mlpRequest());
    expect(rows.map(({ encoding, error }) => [encoding, error])).toEqual([
      ['http-json', undefined],
      ['http-binary', undefined],
      ['grpc', undefined],
    ]);
    expect(rows.every(({ bodyByteSize, p50Ms }) => bodyByteSize > 0 && p50Ms > 0)).toBe(true);
  });

  test('rows that influence each other match alone and differ in a batch', async () => {
    const folder = path.join(world.repositoryPath, 'centred');
    const model = writeOnnx({
      graph: {
        name: 'centred',
        nodes: [
          {
            opType: 'Softmax',
            inputs: ['X'],
            outputs: ['Y'],
            attributes: { axis: 0n },
          },
        ],
        inputs: [{ name: 'X', datatype: 'FP32', shape: ['n', 2] }],
        outputs: [{ name: 'Y', datatype: 'FP32', shape: ['n', 2] }],
        initializers: [],
      },
    });
    await cp(path.join(world.repositoryPath, 'simple'), folder, { recursive: true });
    await writeFile(
      path.join(folder, 'config.pbtxt'),
      'name: "centred" backend: "onnxruntime" max_batch_size: 8\n' +
        'input { name: "X" data_type: TYPE_FP32 dims: 2 } output { name: "Y" data_type: TYPE_FP32 dims: 2 }',
    );
    await writeFile(path.join(folder, '1/model.onnx'), model);
    await world.client.call('repository/rescan', {});
    await world.client.call('repository/load', { model: 'centred' });
    const request = playgroundRequest('centred', [typedInput('X', 'FP32', [1, 2], [1, 2])]);
    const parity = await world.client.call('playground/parity', request);
    expect(parity.verdict).toBe('differ');
    expect(parity.message).toMatch(
      /^Alone the outputs match plain ONNX Runtime, in a batch of 4 they differ at Y\[0,0\]: .*influence each other\.$/,
    );
  });

  test('parity holds for a model whose configuration reshapes its tensors', async () => {
    const folder = path.join(world.repositoryPath, 'reshaped');
    const model = writeOnnx({
      graph: {
        name: 'reshaped',
        nodes: [{ opType: 'Relu', inputs: ['X'], outputs: ['Y'] }],
        inputs: [{ name: 'X', datatype: 'FP32', shape: [1, 2, 3] }],
        outputs: [{ name: 'Y', datatype: 'FP32', shape: [1, 2, 3] }],
        initializers: [],
      },
    });
    await cp(path.join(world.repositoryPath, 'simple'), folder, { recursive: true });
    await writeFile(
      path.join(folder, 'config.pbtxt'),
      'name: "reshaped" backend: "onnxruntime"\n' +
        'input { name: "X" data_type: TYPE_FP32 dims: [2, 3] reshape { shape: [1, 2, 3] } }\n' +
        'output { name: "Y" data_type: TYPE_FP32 dims: [6] reshape { shape: [1, 2, 3] } label_filename: "names.txt" }',
    );
    await writeFile(path.join(folder, 'names.txt'), 'ant\nbee\n');
    await writeFile(path.join(folder, '1/model.onnx'), model);
    await world.client.call('repository/rescan', {});
    await world.client.call('repository/load', { model: 'reshaped' });
    const request = playgroundRequest('reshaped', [typedInput('X', 'FP32', [2, 3], [-1, 2, -3, 4, -5, 6])]);
    const parity = await world.client.call('playground/parity', request);
    expect(parity).toMatchObject({ verdict: 'match', outputs: [{ name: 'Y', maxAbsolute: 0 }] });
    const ask = (output: string) =>
      world.client.call('playground/labels', { model: 'reshaped', version: '', output });
    expect(await ask('Y')).toEqual({ labels: ['ant', 'bee'] });
    expect(await ask('nothing')).toEqual({ labels: [] });
  });

  test('versions with other weights differ at a named element', async () => {
    const folder = path.join(world.repositoryPath, 'scale');
    const model = (factor: number): Uint8Array =>
      writeOnnx({
        graph: {
          name: 'scale',
          nodes: [{ opType: 'Mul', inputs: ['X', 'factor'], outputs: ['Y'] }],
          inputs: [{ name: 'X', datatype: 'FP32', shape: [2, 2] }],
          outputs: [{ name: 'Y', datatype: 'FP32', shape: [2, 2] }],
          initializers: [floatTensor('factor', [2, 2], [1, 1, factor, 1])],
        },
      });
    await cp(path.join(world.repositoryPath, 'simple'), folder, { recursive: true });
    await writeFile(
      path.join(folder, 'config.pbtxt'),
      'name: "scale" backend: "onnxruntime" version_policy { all {} }\n' +
        'input { name: "X" data_type: TYPE_FP32 dims: [2, 2] } output { name: "Y" data_type: TYPE_FP32 dims: [2, 2] }',
    );
    await writeFile(path.join(folder, '1/model.onnx'), model(1));
    await cp(path.join(folder, '1'), path.join(folder, '2'), { recursive: true });
    await writeFile(path.join(folder, '2/model.onnx'), model(5));
    await world.client.call('repository/rescan', {});
    await world.client.call('repository/load', { model: 'scale' });
    const blobs: string[] = [];
    for (const version of ['1', '2']) {
      const input = typedInput('X', 'FP32', [2, 2], [1, 2, 3, 4]);
      const { responses } = await world.client.call(
        'playground/send',
        playgroundRequest('scale', [input], { version }),
      );
      blobs.push(responses[0]?.outputs[0]?.blob ?? '');
    }
    const [a = '', b = ''] = blobs;
    const [difference] = await world.client.call('playground/compare', {
      tolerance: 1e-5,
      pairs: [{ name: 'Y', datatype: 'FP32', shape: [2, 2], a, b }],
    });
    expect(difference).toEqual({
      name: 'Y',
      maxAbsolute: 12,
      maxRelative: 0.8,
      firstDiffering: 'Y[1,0]: 3 and 15',
    });
  });
});

describe('the batch doctor on a running server', () => {
  test('sees clients that send one at a time, then batches under load', async () => {
    const { client } = world;
    const verdict = () => client.call('observe/doctor', { model: 'batch_mlp', version: '' });
    const patience = { timeout: 30_000 };
    await client.call('playground/repeat', { request: mlpRequest(), count: 200, concurrency: 1 });
    await expect
      .poll(async () => (await verdict()).sentence, patience)
      .toContain('clients send one request at a time');
    const before = await client.call('observe/statistics', { model: 'batch_mlp', version: '' });
    await client.call('playground/repeat', { request: mlpRequest(), count: 2000, concurrency: 32 });
    await expect.poll(async () => (await verdict()).code, patience).toMatch(/^(batching-works|full)$/);
    const after = await client.call('observe/statistics', { model: 'batch_mlp', version: '' });
    const grown = (key: 'inferenceCount' | 'executionCount'): number =>
      (after[0]?.[key] ?? 0) - (before[0]?.[key] ?? 0);
    expect(grown('inferenceCount') / grown('executionCount')).toBeGreaterThan(2);
  }, 60_000);
});
