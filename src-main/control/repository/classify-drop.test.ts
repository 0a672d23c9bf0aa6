// What a dropped path is taken for, and the name that it is offered.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import { describeBackend } from '../../../src-shared/config/backend-description.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import type { WritableTensor } from '../../onnx/onnx-writer.ts';
import { writeOnnx } from '../../onnx/onnx-writer.ts';
import { classifyDrop } from './classify-drop.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-drop-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const relu = (initializers: readonly WritableTensor[] = []): Uint8Array =>
  writeOnnx({
    graph: {
      name: 'relu',
      nodes: [{ opType: 'Relu', inputs: ['x'], outputs: ['y'] }],
      inputs: [{ name: 'x', datatype: 'FP32', shape: ['n', 4] }],
      outputs: [{ name: 'y', datatype: 'FP32', shape: ['n', 4] }],
      initializers,
    },
  });

async function put(name: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, relu());
  return file;
}

test.each([
  ['UPPER.ONNX', 'UPPER'],
  ['größe.Onnx', 'grosse'],
  ['...onnx', 'model'],
  ['resnet/1/model.onnx', 'resnet'],
  ['0f3a4a63-f814-4a9e-a2af-ba4213aa6afb/model.onnx', 'model'],
  ['0f3a4a63-f814-4a9e-a2af-ba4213aa6afb/resnet/model.onnx', 'resnet'],
])('%s is an ONNX model that is offered as %s', async (name, offered) => {
  expect(await classifyDrop(await put(name), [])).toMatchObject({ kind: 'onnx', name: offered, message: '' });
});

test('a folder with one model file in capitals is that file', async () => {
  const file = await put('one/NET.ONNX');
  expect(await classifyDrop(path.dirname(file), [])).toMatchObject({ kind: 'onnx', path: file });
});

test('weights that are missing have the size that the model reads of them', async () => {
  const file = path.join(folder, 'outside.onnx');
  const data = { location: 'outside.bin' };
  await writeFile(file, relu([{ name: 'w', datatype: 'FP32', dims: [4, 4], data }]));
  const { externalData } = await inspectAnyFile(file);
  expect(externalData).toEqual([{ name: 'outside.bin', byteSize: 64, isFound: false }]);
});

const TAKES = (name: string): BackendDescription =>
  describeBackend({
    name,
    title: name,
    summary: name,
    format: 'binary',
    artefacts: [{ name, form: 'file' }],
  });

test.each(['frozen_graph.pb', 'yolo.ENGINE', 'bert.trt', 'resnet.pth', 'yolo.torchscript'])(
  '%s gets the wizard of the backend that takes its content under another name',
  async (name) => {
    const backends = ['model.graphdef', 'model.plan', 'model.pt'].map(TAKES);
    expect(await classifyDrop(await put(name), backends)).toMatchObject({ kind: 'framework', message: '' });
  },
);

test.each([
  ['saved_model.pb', 'Drop the folder that holds it'],
  ['net.keras', 'model.export'],
  ['net.H5', 'model.export'],
  ['lite.tflite', 'default_model_filename: "lite.tflite"'],
  ['net.safetensors', 'weights without the model'],
  ['forest.joblib', 'skl2onnx'],
])('%s is told what to do with it', async (name, advice) => {
  const { kind, message } = await classifyDrop(await put(name), [TAKES('model.graphdef')]);
  expect([kind, message]).toEqual(['other-format', expect.stringContaining(advice)]);
});
