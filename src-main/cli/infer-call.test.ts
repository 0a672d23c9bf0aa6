// `conch infer` against a real server with the samples.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Engine } from '../engine.ts';
import { writeSampleRepository } from '../samples/sample-repository.ts';
import { plainPng } from '../testing/png-file.ts';
import { startTestEngine } from '../testing/start-test-engine.ts';
import { configSchema, metadataSchema, planImage } from './image-request.ts';
import { inferFile } from './infer-call.ts';

let folder: string;
let engine: Engine;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-infer-'));
  await writeSampleRepository(path.join(folder, 'models'));
  engine = await startTestEngine(path.join(folder, 'models'), {
    repository: { startupModels: ['simple', 'image_tiny'] },
  });
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

function send(model: string, file: string, classCount = 1): Promise<string> {
  return inferFile(file, {
    model,
    version: '',
    address: `127.0.0.1:${engine.ports.http}`,
    classCount,
    scaling: 'NONE',
    signal: new AbortController().signal,
  });
}

describe('images', () => {
  test('the answer is the top classes with their labels', async () => {
    const file = path.join(folder, 'red.png');
    await writeFile(file, plainPng(40, 30, [250, 10, 10]));
    const text = await send('image_tiny', file, 2);
    const lines = text.split('\n');
    expect(lines[0]).toBe(`Image '${file}':`);
    expect(lines[1]).toMatch(/^ {4}\d+\.\d{6} \(\d+\) = \S+/);
    expect(lines.filter((line) => line.startsWith('    '))).toHaveLength(2);
    expect(await send('image_tiny', file, 0)).toMatch(/FP32 \[1,/);
  });

  test('a model that takes no picture is named with its shape', async () => {
    const file = path.join(folder, 'red.png');
    await expect(send('simple', file)).rejects.toThrow("'simple' has 2 inputs");
  });

  test.each([
    [{ shape: [-1, 224, 224, 3], format: 'FORMAT_NONE' }, 8, { layout: 'NHWC', shape: [1, 224, 224, 3] }],
    [{ shape: [3, 8, 8], format: 'FORMAT_NONE' }, 0, { layout: 'NCHW', shape: [3, 8, 8], channels: 'RGB' }],
    [{ shape: [-1, 1, 28, 28], format: 'FORMAT_NCHW' }, 4, { layout: 'NCHW', channels: 'GRAY' }],
    [{ shape: [-1, 3, 3, 3], format: 'FORMAT_NHWC' }, 4, { layout: 'NHWC' }],
  ])('plan of %j with batch %i', ({ shape, format }, maxBatchSize, expected) => {
    const tensor = { name: 'X', datatype: 'FP32', shape };
    const metadata = metadataSchema.parse({
      name: 'm',
      inputs: [tensor],
      outputs: [{ ...tensor, shape: [10] }],
    });
    const config = configSchema.parse({ max_batch_size: maxBatchSize, input: [{ format }] });
    expect(planImage(metadata, config)).toMatchObject(expected);
  });
});

test('a JSON file is sent as it is', async () => {
  const file = path.join(folder, 'request.json');
  const data = Array.from({ length: 16 }, (_, index) => index);
  const metadata = await engine.service.modelMetadata('simple', '');
  const inputs = metadata.inputs.map(({ name, datatype, shape }) => ({
    name,
    datatype,
    shape: shape.map((dim) => (dim < 0 ? 1 : dim)),
    data,
  }));
  await writeFile(file, JSON.stringify({ inputs }));
  const answer = JSON.parse(await send('simple', file)) as { outputs: { data: number[] }[] };
  expect(answer.outputs[0]?.data[3]).toBe(6);
});

test("failures carry the server's words, and an address must be one", async () => {
  const file = path.join(folder, 'empty.json');
  await writeFile(file, '{}');
  await expect(send('none', file)).rejects.toThrow("Request for unknown model: 'none' is not found");
  const options = { model: 'm', version: '', classCount: 1, scaling: 'NONE' } as const;
  const { signal } = new AbortController();
  for (const address of ['nowhere', 'https://localhost:1', 'http://localhost:1/v2']) {
    await expect(inferFile(file, { ...options, signal, address })).rejects.toThrow('host:port');
  }
  const asPrinted = `http://127.0.0.1:${engine.ports.http}/`;
  await expect(inferFile(file, { ...options, model: 'none', signal, address: asPrinted })).rejects.toThrow(
    "'none' is not found",
  );
  await expect(inferFile(file, { ...options, signal, address: '127.0.0.1:1' })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
});

test.each([
  ['none.json', 'simple', 'there is none'],
  ['none.png', 'image_tiny', 'there is none'],
  ['folder.json', 'simple', 'EISDIR'],
])('a file that cannot be read is named: %s', async (name, model, reason) => {
  await mkdir(path.join(folder, 'folder.json'), { recursive: true });
  const file = path.join(folder, name);
  await expect(send(model, file)).rejects.toThrow(`'${file}', cannot be read: ${reason}`);
});
