import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { graphModel, value } from '../testing/onnx-test-models.ts';
import { fatalOnEmptyTensors } from './fatal-operators.ts';
import { readOnnx } from './onnx-reader.ts';

const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-fatal-'));
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['GRU', 'GRU'],
  ['LSTM', undefined],
])('a model with %s: %s', async (opType, found) => {
  const file = path.join(folder, `${opType}.onnx`);
  const nodes = [
    { opType: 'Identity', inputs: ['X'], outputs: ['Z'] },
    { opType, inputs: ['Z', 'W', 'R'], outputs: ['Y'], attributes: { hidden_size: 2n } },
  ];
  const tensors = (names: readonly string[]) => names.map((name) => value(name, 'FP32', [1, 2, 2]));
  await writeFile(file, graphModel(nodes, tensors(['X', 'W', 'R']), tensors(['Y'])));
  expect(fatalOnEmptyTensors(await readOnnx(file))).toBe(found);
});
