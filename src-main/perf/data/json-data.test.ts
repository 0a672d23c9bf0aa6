// Data files of perf_analyzer's JSON form: what is read, and what faults say.

import { describe, expect, it } from 'vitest';

import { decodeValues } from '../../tensor/value-codec.ts';
import { parseJsonData } from './json-data.ts';
import type { LoadModel, LoadTensor } from './load-model.ts';

const tensor = (name: string, datatype: LoadTensor['datatype'], dims: readonly number[]): LoadTensor => ({
  name,
  datatype,
  dims,
  isOptional: false,
});

const model: LoadModel = {
  name: 'm',
  version: '',
  maxBatchSize: 8,
  inputs: [tensor('A', 'INT32', [2, 2]), { ...tensor('T', 'BYTES', [-1]), isOptional: true }],
  outputs: [tensor('Y', 'INT64', [1])],
  isSequence: false,
  isDecoupled: false,
  isEnsemble: false,
  hasCache: false,
  composing: [],
};

const read = (document: unknown) => parseJsonData(JSON.stringify(document), model, {});

function valuesOf(document: unknown, stream = 0, step = 0, name = 'A'): readonly string[] {
  const found = read(document).streams[stream]?.[step]?.inputs.get(name);
  return found === undefined ? [] : decodeValues(found.bytes, found.datatype, 100);
}

const b64 = Buffer.from(Int32Array.of(1, 2, 3, 4).buffer).toString('base64');

describe('reads', () => {
  it.each([
    ['a flat list', { data: [{ A: [1, 2, 3, 4] }] }],
    [
      'a nested list',
      {
        data: [
          {
            A: [
              [1, 2],
              [3, 4],
            ],
          },
        ],
      },
    ],
    ['content with a shape', { data: [{ A: { content: [1, 2, 3, 4], shape: [2, 2] } }] }],
    ['raw bytes', { data: [{ A: { b64 } }] }],
    ['raw bytes as content', { data: [{ A: { content: { b64 }, shape: [2, 2] } }] }],
    ['a stream of its own', { data: [[{ A: [1, 2, 3, 4] }]] }],
  ])('%s', (_name, document) => {
    expect(valuesOf(document)).toEqual(['1', '2', '3', '4']);
  });

  it('several streams and texts of any number', () => {
    const document = { data: [[{ A: [0, 0, 0, 0], T: ['x', 'yy'] }], [{ A: [9, 9, 9, 9] }]] };
    expect(read(document).streams).toHaveLength(2);
    expect(valuesOf(document, 0, 0, 'T')).toEqual(['x', 'yy']);
    expect(valuesOf(document, 1)).toEqual(['9', '9', '9', '9']);
  });

  it('expected outputs with all digits of 64-bit numbers', () => {
    const text = '{"data":[{"A":[1,2,3,4]}],"validation_data":[{"Y":[9007199254740993]}]}';
    const expected = parseJsonData(text, model, {}).streams[0]?.[0]?.expected?.get('Y');
    expect(decodeValues(expected?.bytes ?? new Uint8Array(), 'INT64', 1)).toEqual(['9007199254740993']);
  });
});

describe('refuses', () => {
  it.each([
    [{}, "the input data has no array 'data'"],
    [{ data: [] }, "'data' is empty"],
    [{ data: [{ A: [1] }] }, "stream 0, step 0, tensor 'A': shape [2,2] needs 4 elements, got 1"],
    [{ data: [{ T: ['x'] }] }, "stream 0, step 0: the data for input 'A' is missing"],
    [
      { data: [{ A: [1, 2, 3, 4], B: [1] }] },
      "The input or output 'B' is not found in the model configuration",
    ],
    [{ data: [{ A: { b64: 'AAAA' } }] }, 'needs 16 bytes'],
    [{ data: [{ A: [1, 2, 3, null] }] }, 'element 3: expected a number'],
    [{ data: [{ A: [1, 2, 3, 4] }], validation_data: [[], []] }, 'both need the same structure'],
  ])('%j', (document, message) => {
    expect(() => read(document)).toThrow(message);
  });

  it('text that is no JSON', () => {
    expect(() => parseJsonData('{', model, {})).toThrow('the input data is no valid JSON');
  });
});
