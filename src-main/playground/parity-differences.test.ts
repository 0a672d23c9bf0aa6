// Two answers held against each other, element by element.

import { describe, expect, test } from 'vitest';

import type { ClientTensor } from '../client/infer-client.ts';
import { encodeValues } from '../tensor/value-codec.ts';
import { cannotCompare, compareBare, compareTensors } from './parity.ts';

function tensor(values: readonly string[], change: Partial<ClientTensor> = {}): ClientTensor {
  const datatype = change.datatype ?? 'FP32';
  const bytes = encodeValues([...values], datatype as 'FP32');
  return { name: 'y', datatype, shape: [values.length], bytes, ...change };
}

describe('two tensors', () => {
  test('that are the same differ by nothing', async () => {
    expect(await compareTensors(tensor(['1', '2']), tensor(['1', '2']))).toEqual({
      name: 'y',
      maxAbsolute: 0,
      maxRelative: 0,
      firstDiffering: undefined,
    });
  });

  test('the first place that differs has its index in the shape and both values', async () => {
    const served = tensor(['1', '2', '3', '4', '5', '6'], { shape: [2, 3] });
    const found = await compareTensors(served, tensor(['1', '2', '3', '4', '9', '7']));
    expect(found).toMatchObject({ firstDiffering: 'y[1,1]: 5 and 9', maxAbsolute: 4 });
    expect(found.maxRelative).toBeCloseTo(4 / 9);
  });

  test('a difference counts only when it is large both in itself and against the value', async () => {
    const places = [
      [['1000000'], ['1000001']],
      [['0.000001'], ['0.000009']],
    ] as const;
    for (const [left, right] of places) {
      const found = await compareTensors(tensor(left), tensor(right));
      expect(found.firstDiffering).toBeUndefined();
      expect(found.maxAbsolute).toBeGreaterThan(0);
    }
    expect((await compareTensors(tensor(['1']), tensor(['1.01']))).firstDiffering).toBeDefined();
    expect((await compareTensors(tensor(['1']), tensor(['1.01']), 0.1)).firstDiffering).toBeUndefined();
  });

  test('no number and no number are the same, a number and no number are not', async () => {
    expect((await compareTensors(tensor(['NaN']), tensor(['NaN']))).firstDiffering).toBeUndefined();
    const found = await compareTensors(tensor(['Infinity']), tensor(['1']));
    expect(found.firstDiffering).toBe('y[0]: Infinity and 1');
    expect(found.maxAbsolute).toBeUndefined();
  });

  test('texts are the same or they are not', async () => {
    const [left, right] = [
      tensor(['a', 'b'], { datatype: 'BYTES' }),
      tensor(['a', 'c'], { datatype: 'BYTES' }),
    ];
    expect((await compareTensors(left, left)).firstDiffering).toBeUndefined();
    expect((await compareTensors(left, right)).firstDiffering).toBe('y[1]: b and c');
  });

  test('whole numbers of 64 bits are compared beyond what doubles tell apart', async () => {
    const [left, right] = ['9007199254740993', '9007199254740992'].map((text) =>
      tensor([text], { datatype: 'INT64' }),
    );
    if (left === undefined || right === undefined) throw new Error('two tensors');
    expect((await compareTensors(left, left)).maxAbsolute).toBe(0);
    expect((await compareTensors(left, right)).firstDiffering).toBeUndefined();
  });

  test.each([
    ['nothing on the other side', undefined, 'y: there is no such output to compare with'],
    ['another type', tensor(['1'], { datatype: 'FP64' }), 'y: FP32 and FP64'],
    ['another count', tensor(['1', '2']), 'y: 1 and 2 elements'],
  ])('%s is said instead of a number', async (_name, other, said) => {
    expect(await compareTensors(tensor(['1']), other)).toEqual({
      name: 'y',
      maxAbsolute: undefined,
      maxRelative: undefined,
      firstDiffering: said,
    });
  });

  test('two bare answers', async () => {
    const bare = {
      name: 'y',
      datatype: 'FP32',
      shape: [1],
      bytes: tensor(['3']).bytes,
      texts: undefined,
    } as const;
    expect((await compareBare(bare, bare)).firstDiffering).toBeUndefined();
    expect((await compareBare(bare, undefined)).firstDiffering).toContain('no such output');
  });
});

test('a comparison that was not made says why', () => {
  expect(cannotCompare('It streams.')).toMatchObject({
    verdict: 'cannot-compare',
    message: 'It streams.',
    outputs: [],
  });
});
