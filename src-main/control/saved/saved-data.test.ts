// What a load test makes of a saved request: its rows one by one, bytes unchanged.

import { expect, test } from 'vitest';

import type { PlaygroundInput, SavedRequest } from '../../../src-shared/contract/inference-calls.ts';
import { parseJsonData } from '../../perf/data/json-data.ts';
import type { LoadModel } from '../../perf/data/load-model.ts';
import { decodeValues } from '../../tensor/value-codec.ts';
import { savedDataText } from './saved-data.ts';

function saved(inputs: readonly PlaygroundInput[]): SavedRequest {
  const request = {
    model: 'm',
    version: '',
    protocol: 'grpc',
    id: '',
    inputs: [...inputs],
    outputs: [],
  } as const;
  return {
    id: 'x',
    name: 'mine',
    savedAtMs: 0,
    expectation: undefined,
    request: { ...request, inputs: [...inputs], outputs: [], priority: 0, timeoutUs: 0, parameters: {} },
  };
}

const values = (name: string, datatype: string, shape: number[], texts: string[]): PlaygroundInput => ({
  name,
  datatype,
  shape,
  source: { kind: 'values', values: texts },
});

const readBlob = (): never => {
  throw new Error('no files here');
};

const model = (dims: number[]): LoadModel =>
  ({
    inputs: [
      { name: 'A', datatype: 'FP64', dims, isOptional: false },
      { name: 'S', datatype: 'BYTES', dims, isOptional: false },
    ],
    outputs: [],
  }) as unknown as LoadModel;

test('each row of a batch is an entry, texts of any length included', async () => {
  const request = saved([
    values('A', 'FP64', [2, 2], ['1', '2.5', '3', '1e-300']),
    values('S', 'BYTES', [2, 2], ['one', '', 'drei und mehr', 'é']),
  ]);
  const text = await savedDataText(request, { isBatched: true, readBlob });
  const { streams } = parseJsonData(text, model([2]), {});
  const rows = streams[0]?.map(({ inputs }) =>
    ['A', 'S'].map((name) => {
      const tensor = inputs.get(name);
      expect(tensor?.shape).toEqual([2]);
      return decodeValues(tensor?.bytes ?? new Uint8Array(), tensor?.datatype ?? 'FP64', 10);
    }),
  );
  expect(rows).toEqual([
    [
      ['1', '2.5'],
      ['one', ''],
    ],
    [
      ['3', '1e-300'],
      ['drei und mehr', 'é'],
    ],
  ]);
});

test('without batching the whole request is one entry', async () => {
  const request = saved([values('A', 'FP64', [1, 2], ['1', '2']), values('S', 'BYTES', [1, 2], ['a', 'b'])]);
  const text = await savedDataText(request, { isBatched: false, readBlob });
  expect(parseJsonData(text, model([1, 2]), {}).streams).toMatchObject([[{ timestampMs: undefined }]]);
});

test('rows that do not belong together are refused with the input and both counts', async () => {
  const request = saved([values('A', 'FP64', [2, 1], ['1', '2']), values('S', 'BYTES', [1, 1], ['a'])]);
  await expect(savedDataText(request, { isBatched: true, readBlob })).rejects.toThrow(
    "input 'S' has 1, the first input 2",
  );
});
