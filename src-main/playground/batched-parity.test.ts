import { expect, test } from 'vitest';

import type { ClientRequest } from '../client/infer-client.ts';
import { decodeValues, encodeValues } from '../tensor/value-codec.ts';
import { inCompany, ownRows } from './batched-parity.ts';

const request = (
  shape: readonly number[],
  values: readonly string[],
  datatype: 'INT32' | 'BYTES' = 'INT32',
) =>
  ({
    model: 'm',
    version: '',
    id: '',
    inputs: [{ name: 'X', datatype, shape, bytes: encodeValues(values, datatype) }],
    outputs: [],
    parameters: new Map(),
  }) satisfies ClientRequest;

test('rows are added behind those of the request, with their values in another order', () => {
  const larger = inCompany(request([2, 2], ['1', '2', '3', '4']), 8);
  const [input] = larger?.inputs ?? [];
  expect(input?.shape).toEqual([5, 2]);
  const values = decodeValues(input?.bytes ?? new Uint8Array(), 'INT32', 100);
  expect(values).toEqual(['1', '2', '3', '4', '2', '1', '1', '2', '2', '1']);
});

test.each([
  ['a full batch', request([4, 1], ['1', '2', '3', '4'])],
  ['no batch dimension', request([], ['1'])],
  ['texts', request([1, 1], ['a'], 'BYTES')],
])('%s has no company', (_title, alone) => {
  expect(inCompany(alone, 4)).toBeUndefined();
});

test('no more rows than the model takes', () => {
  expect(inCompany(request([3, 1], ['1', '2', '3']), 4)?.inputs[0]?.shape).toEqual([4, 1]);
});

test('the rows of the request are cut from the answer', () => {
  const bytes = encodeValues(['1', '2', '3', '4'], 'INT32');
  const [own] = ownRows([{ name: 'Y', datatype: 'INT32', shape: [4, 1], bytes }], 1);
  expect(own?.shape).toEqual([1, 1]);
  expect(decodeValues(own?.bytes ?? new Uint8Array(), 'INT32', 10)).toEqual(['1']);
});
