// Which captured rows are the steps of an ensemble's last request, and where a tensor of the drawing lies.

import { expect, test } from 'vitest';

import type { CapturedRequest, CapturedRow } from '../../../src-shared/contract/capture-calls.ts';
import { newestRun, placeOfTensor, rowAt, tensorAt } from './captured-run.ts';

function row(id: number, model: string, parentId = 0, stepIndex = -1): CapturedRow {
  return {
    ...{ id, model, parentId, stepIndex },
    ...{
      atMs: id,
      version: '1',
      requestId: undefined,
      state: 'ok',
      error: undefined,
      durationMs: 1,
      responseCount: 1,
    },
    ...{ inputs: [], byteSize: 4, hasTensors: true },
  };
}

const rows = [
  row(9, 'tail', 6, 1),
  row(8, 'other'),
  row(7, 'head', 6, 0),
  row(6, 'chain'),
  row(5, 'tail', 3, 1),
  row(4, 'head', 3, 0),
  row(3, 'chain'),
];

test('the newest request of the ensemble is found with its own steps', () => {
  const run = newestRun(rows, 'chain');
  expect(run?.whole.id).toBe(6);
  expect([...(run?.steps ?? [])].map(([step, { id }]) => [step, id])).toEqual([
    [1, 9],
    [0, 7],
  ]);
  expect(newestRun(rows, 'absent')).toBeUndefined();
});

test('a tensor is looked up in the request that carried it', () => {
  const run = newestRun(rows, 'chain');
  if (run === undefined) throw new Error('no run');
  const input = placeOfTensor({ kind: 'input', tensor: 'RAW', id: 'in:RAW', value: '', issues: [] });
  if (input === undefined) throw new Error('no place');
  expect(rowAt(run, input)?.id).toBe(6);
  expect(rowAt(run, { step: 1, side: 'outputs', name: 'Y' })?.id).toBe(9);
  expect(rowAt(run, { step: 2, side: 'outputs', name: 'Y' })).toBeUndefined();
  const tensor = {
    ...{ name: 'RAW', datatype: 'UINT8', shape: [1], byteSize: 1, preview: ['7'], blob: 'b' },
    ...{ stats: undefined, classes: [] },
  };
  const captured = { row: run.whole, inputs: [tensor], responses: [] } as unknown as CapturedRequest;
  expect(tensorAt(captured, input)).toBe(tensor);
  expect(tensorAt(captured, { step: -1, side: 'outputs', name: 'RAW' })).toBeUndefined();
});
