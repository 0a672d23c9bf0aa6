import { describe, expect, test } from 'vitest';
import { classify } from './classification.ts';

const float = (values: number[], shape: number[]) => ({
  datatype: 'FP32' as const,
  shape,
  bytes: new Uint8Array(Float32Array.from(values).buffer),
});

const none = (): undefined => undefined;

function texts(bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes);
  const found: string[] = [];
  for (let at = 0; at < buffer.length;) {
    const length = buffer.readUInt32LE(at);
    found.push(buffer.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

describe('classify', () => {
  test('leaves a few equal values in their order and prints six decimals', () => {
    const result = classify(float([1, 1, 1, 1, 1], [1, 5]), 5, true, none);
    expect(result.shape).toEqual([1, 5]);
    expect(texts(result.bytes)).toEqual([
      '1.000000:0',
      '1.000000:1',
      '1.000000:2',
      '1.000000:3',
      '1.000000:4',
    ]);
  });

  test('ranks each batch item by itself and adds labels where there are any that are not empty', () => {
    const result = classify(float([0, 2, 1, -0.5, -1, 3], [2, 3]), 2, true, (i) =>
      i === 2 ? Buffer.from('cät').toString('latin1') : i === 1 ? '' : undefined,
    );
    expect(result.shape).toEqual([2, 2]);
    expect(texts(result.bytes)).toEqual(['2.000000:1', '1.000000:2:cät', '3.000000:2:cät', '-0.500000:0']);
  });

  test('labels are bytes of any encoding', () => {
    const { bytes } = classify(float([1], [1]), 1, false, () => '\u00ff');
    expect(bytes.at(-1)).toBe(0xff);
    expect(bytes.byteLength).toBe(4 + '1.000000:0:x'.length);
  });

  test('flattens all dimensions of a model that does not batch, and keeps at most what there is', () => {
    const bytes = new Uint8Array(BigInt64Array.from([1n, -7n, 9007199254740993n, 0n]).buffer);
    const result = classify({ datatype: 'INT64', shape: [2, 2], bytes }, 9, false, none);
    expect(result.shape).toEqual([4]);
    expect(texts(result.bytes)).toEqual(['9007199254740993:2', '1:0', '0:3', '-7:1']);
  });

  test('prints values that are no finite numbers, and a zero below zero', () => {
    const result = classify(float([NaN, -Infinity, Infinity, 1e30], [4]), 4, false, none);
    expect(texts(result.bytes).map((t) => t.split(':')[0])).toEqual([
      'nan',
      'inf',
      '1000000015047466219876688855040.000000',
      '-inf',
    ]);
    const zero = classify(float([-0, -1], [2]), 1, false, none);
    expect(texts(zero.bytes)).toEqual(['-0.000000:0']);
  });

  test.each(['BOOL', 'FP16', 'BF16', 'BYTES'] as const)('refuses %s', (datatype) => {
    expect(() => classify({ datatype, shape: [1], bytes: new Uint8Array(8) }, 1, false, none)).toThrow(
      `class result not available for output due to unsupported type '${datatype}'`,
    );
  });

  test('refuses more than a million elements per item', () => {
    const tensor = { datatype: 'UINT8' as const, shape: [1_000_001], bytes: new Uint8Array(1_000_001) };
    expect(() => classify(tensor, 1, false, none)).toThrow('classification output tensor too large');
  });
});
