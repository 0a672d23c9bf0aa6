import { expect, test } from 'vitest';

import type { DataType } from '../../src-shared/datatypes.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { classify } from './classification.ts';

const output = (datatype: DataType, shape: number[], values: ArrayBufferView): OutputTensor => ({
  name: 'out',
  datatype,
  shape,
  bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
});

function texts(tensor: OutputTensor): string[] {
  const bytes = Buffer.from(tensor.bytes);
  const found: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at);
    found.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

const noLabel = (): undefined => undefined;

test('the best classes come first, with six decimals and labels where they exist', () => {
  const labels = ['cat', 'dog'];
  const result = classify(output('FP32', [1, 3], Float32Array.of(0.25, 0.5, -1)), 2, true, (i) => labels[i]);
  expect(result.shape).toEqual([1, 2]);
  expect(texts(result)).toEqual(['0.500000:1:dog', '0.250000:0:cat']);
});

test('equal values keep their index order, whatever the share of k', () => {
  const ones = output('FP32', [100], new Float32Array(100).fill(1));
  expect(texts(classify(ones, 3, false, noLabel))).toEqual(['1.000000:0', '1.000000:1', '1.000000:2']);
  const five = output('FP32', [1, 5], new Float32Array(5).fill(1));
  expect(classify(five, 5, true, noLabel).shape).toEqual([1, 5]);
});

test('every batch item is ranked alone; k is cut to what there is', () => {
  const result = classify(output('INT64', [2, 2], BigInt64Array.of(1n, 2n, 9n, -3n)), 7, true, noLabel);
  expect(result.shape).toEqual([2, 2]);
  expect(texts(result)).toEqual(['2:1', '1:0', '9:0', '-3:1']);
});

test('not-a-number ranks last and infinities print as C does', () => {
  const result = classify(
    output('FP64', [4], Float64Array.of(NaN, -Infinity, Infinity, 0)),
    4,
    false,
    noLabel,
  );
  expect(texts(result)).toEqual(['inf:2', '0.000000:3', '-inf:1', 'nan:0']);
});

test.each(['BOOL', 'FP16', 'BF16', 'BYTES'] as const)('%s has no order', (datatype) => {
  expect(() => classify(output(datatype, [1], new Uint8Array(2)), 1, false, noLabel)).toThrow(
    `class result not available for output due to unsupported type '${datatype}'`,
  );
});
