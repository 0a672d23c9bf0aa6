// What the batch probe says of models whose rows are independent, of those whose rows are not, and of those that it cannot
// run.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { DataType } from '../../../src-shared/datatypes.ts';
import type { WritableNode, WritableTensor } from '../../onnx/onnx-writer.ts';
import { writeOnnx } from '../../onnx/onnx-writer.ts';
import { value } from '../../testing/onnx-test-models.ts';
import { batchProbe } from './batch-probe.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-probe-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Made {
  readonly datatype?: DataType;
  readonly rows?: 'batch' | number;
  readonly initializers?: readonly WritableTensor[];
}

/** A file of one node from X to Y, probed. */
async function probed(
  node: Pick<WritableNode, 'opType'> & Partial<WritableNode>,
  { datatype = 'FP32', rows = 'batch', initializers = [] }: Made = {},
) {
  const file = path.join(folder, 'model.onnx');
  const graph = {
    name: 'g',
    nodes: [{ inputs: ['X'], outputs: ['Y'], ...node }],
    inputs: [value('X', datatype, [rows, 4])],
    outputs: [{ name: 'Y', datatype, shape: rows === 'batch' ? undefined : [rows, 4] }],
    initializers,
  };
  await writeFile(file, writeOnnx({ graph }));
  return batchProbe(file, new AbortController().signal);
}

const wholes = (name: string, ...values: readonly bigint[]): WritableTensor => ({
  name,
  datatype: 'INT64',
  dims: [values.length],
  data: new Uint8Array(BigInt64Array.from(values).buffer),
});

test.each(['FP32', 'INT64', 'BOOL', 'BYTES'] as const)(
  'rows of %s that are handed through are safe',
  async (datatype) => {
    expect(await probed({ opType: 'Identity' }, { datatype })).toMatchObject({
      verdict: 'safe',
      maxDifference: 0,
    });
  },
);

test('rows that are compared with each other are not', async () => {
  const result = await probed({ opType: 'Softmax', attributes: { axis: 0n } });
  expect(result).toMatchObject({ verdict: 'unsafe', canMakeDynamic: false });
  expect(result.message).toContain('Rows influence each other');
  expect(result.maxDifference).toBeGreaterThan(0.1);
});

test('an output whose first dimension is another one is told with its shape', async () => {
  const { verdict, message } = await probed({ opType: 'Transpose', attributes: { perm: [1n, 0n] } });
  expect([verdict, message]).toEqual(['unsafe', expect.stringContaining("output 'Y' has shape [4,2]")]);
});

test('a batch of 1 that is written into the graph is told with its node', async () => {
  const node = { opType: 'Reshape', name: 'flat', inputs: ['X', 'S'] };
  const { verdict, message } = await probed(node, { initializers: [wholes('S', 1n, 4n)] });
  expect([verdict, message]).toEqual([
    'unsafe',
    expect.stringContaining('baked in at node flat: a batch of 2'),
  ]);
});

test('a reshape that leaves the first dimension open is safe', async () => {
  const node = { opType: 'Reshape', inputs: ['X', 'S'] };
  const result = await probed(node, { initializers: [wholes('S', -1n, 2n, 2n)] });
  expect(result.verdict).toBe('safe');
});

test('a first dimension that is fixed is no batch, and a copy could open it only where it is 1', async () => {
  expect(await probed({ opType: 'Identity' }, { rows: 1 })).toMatchObject({
    verdict: 'cannot-run',
    message: "input 'X' has a fixed first dimension of 1, so there is no batch to probe",
    canMakeDynamic: true,
  });
  const three = await probed({ opType: 'Identity' }, { rows: 3 });
  expect(three).toMatchObject({ verdict: 'cannot-run', canMakeDynamic: false });
});

test('what cannot be run is said by the name of its file alone', async () => {
  const file = path.join(folder, 'page.onnx');
  await writeFile(file, '<html>');
  const { signal } = new AbortController();
  const page = await batchProbe(file, signal);
  expect(page).toMatchObject({ verdict: 'cannot-run', maxDifference: 0 });
  expect(page.message).not.toContain(folder);
  const unknown = await probed({ opType: 'Nonsense', domain: '' });
  expect(unknown.verdict).toBe('cannot-run');
  expect(unknown.message).not.toContain(folder);
});

test('a probe that is cancelled rejects with the reason', async () => {
  await probed({ opType: 'Identity' });
  const signal = AbortSignal.abort(new Error('not now'));
  await expect(batchProbe(path.join(folder, 'model.onnx'), signal)).rejects.toThrow('not now');
});
