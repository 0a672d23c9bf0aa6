// What stays of a request that is saved with files, also when saving fails in the middle; when an expectation is met.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { PlaygroundRequest, PlaygroundResult } from '../../../src-shared/contract/inference-calls.ts';
import { checkExpectation, SavedRequests } from './saved-requests.ts';

let folder: string;
let saved: SavedRequests;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-saved-'));
  saved = new SavedRequests(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const blobs: Readonly<Record<string, string>> = { one: 'first', two: 'second', three: 'third' };
const readBlob = (id: string): Promise<Uint8Array> => {
  const text = blobs[id];
  return text === undefined ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(Buffer.from(text));
};

function request(...ids: readonly string[]): PlaygroundRequest {
  const inputs = ids.map((blob, at) => ({
    ...{ name: `I${at}`, datatype: 'UINT8' as const, shape: [5] },
    source: { kind: 'blob' as const, blob, fileName: 'f' },
  }));
  const rest = { model: 'm', version: '', protocol: 'http-json' as const, id: '', outputs: [] };
  return { ...rest, inputs, priority: 0, timeoutUs: 0, parameters: {} } as unknown as PlaygroundRequest;
}

const save = (id: string, ...ids: readonly string[]): ReturnType<SavedRequests['save']> =>
  saved.save('/models', { id, name: 'n', request: request(...ids) }, undefined, { nowMs: 1, readBlob });

async function files(): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name.replace(/^[^.]+/, 'id'));
}

/** The bytes of the files that a saved request refers to. */
async function contents(id: string): Promise<readonly string[]> {
  const { request: found } = await saved.find('/models', 'm', id);
  const read = found.inputs.map(async ({ source }) =>
    Buffer.from(await saved.readBlob('blob' in source ? source.blob : '')).toString(),
  );
  return await Promise.all(read);
}

test('files are kept beside the request, and go with it', async () => {
  const { id } = await save('', 'one', 'two');
  expect(await contents(id)).toEqual(['first', 'second']);
  await saved.delete('/models', 'm', id);
  expect(await files()).toEqual([]);
});

test('a deletion is taken back with its files, once', async () => {
  const { id } = await save('', 'one', 'two');
  const undo = (await saved.delete('/models', 'm', id)) ?? 'nothing was kept';
  expect(await saved.list('/models', 'm')).toEqual([]);
  await saved.restore(undo);
  expect(await contents(id)).toEqual(['first', 'second']);
  await expect(saved.restore(undo)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('nothing is left of a new request whose files cannot all be kept', async () => {
  await expect(save('', 'one', 'missing')).rejects.toThrow('ENOSPC');
  expect(await files()).toEqual([]);
});

test('what was saved before is whole when saving it again fails, and replaced when it does not', async () => {
  const { id } = await save('', 'one', 'two');
  await expect(save(id, 'three', 'missing')).rejects.toThrow('ENOSPC');
  expect(await contents(id)).toEqual(['first', 'second']);
  await save(id, 'three');
  expect(await contents(id)).toEqual(['third']);
  expect(await files()).toHaveLength(2);
});

describe('an expectation', () => {
  const answer = (datatype: string, preview: readonly string[]): PlaygroundResult =>
    ({ ok: true, responses: [{ outputs: [{ name: 'Y', datatype, preview }] }] }) as never;
  const check = (datatype: string, expected: readonly string[], actual: readonly string[]) =>
    checkExpectation(answer(datatype, actual), { tolerance: 1e-4, outputs: { Y: expected } });

  test('is met by what is near enough', () => {
    expect(check('FP32', ['1', '100000', 'NaN'], ['1.00001', '100001', 'NaN']).passed).toBe(true);
  });

  test.each([
    ['FP32', 'Infinity', '5'],
    ['FP32', 'NaN', '0'],
    ['INT64', '9007199254740993', '9007199254740000000'],
    ['BYTES', '1', '1.0'],
    ['BYTES', '', '0'],
  ])('of %s %s is not met by %s', (datatype, expected, actual) => {
    expect(check(datatype, ['1', expected], ['1', actual])).toEqual({
      passed: false,
      message: `Output Y[1] is ${actual}, expected ${expected}.`,
    });
  });

  test('says which output is missing or has another size, and that the request failed', () => {
    expect(check('FP32', ['1'], ['1', '2']).message).toBe('Output Y has 2 values, expected 1.');
    const expectation = { tolerance: 0, outputs: { Z: ['1'] } };
    expect(checkExpectation(answer('FP32', ['1']), expectation).message).toBe('Output Z is missing.');
    const refused = { ok: false, error: 'no', responses: [] } as never;
    expect(checkExpectation(refused, expectation).message).toBe('The request failed: no');
  });
});
