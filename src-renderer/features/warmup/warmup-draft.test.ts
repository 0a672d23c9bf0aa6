// A warm-up sample as it is edited: what of it cannot run, and its way to and from the text of the config.

import { afterEach, expect, test } from 'vitest';

import type { InputDraft, WarmupDraft } from './warmup-draft.ts';
import { dimsOf, draftIssue, draftOf, freeName, inputIssue, textOf } from './warmup-draft.ts';
import {
  addSample,
  clearWarmups,
  dropSample,
  editDraft,
  setDraft,
  setResult,
  warmupOf,
} from './warmup-store.ts';
import type { WarmupResult } from './warmup-store.ts';

afterEach(clearWarmups);

const input = (changes: Partial<InputDraft> = {}): InputDraft => ({
  ...{ name: 'X', dataType: 'TYPE_FP32', dims: '3, 4', fill: 'zero', file: '' },
  ...changes,
});
const sample = (changes: Partial<WarmupDraft> = {}): WarmupDraft => ({
  ...{ name: 'one', batchSize: 1, count: 1, inputs: [input()] },
  ...changes,
});

test.each<[string, readonly number[] | undefined]>([
  ['3, 224, 224', [3, 224, 224]],
  ['3x4', [3, 4]],
  ['3 × 4', [3, 4]],
  ['', []],
  ['  ', []],
  ['0', undefined],
  ['-1, 3', undefined],
  ['3.5', undefined],
  ['a', undefined],
])('dims typed as %j are %j', (text, dims) => {
  expect(dimsOf(text)).toEqual(dims);
});

test('a sample says what keeps it from running, and which input it is', () => {
  expect(draftIssue(sample())).toBeUndefined();
  expect(draftIssue(sample({ name: '  ' }))).toBeDefined();
  expect(draftIssue(sample({ batchSize: 0 }))).toBeDefined();
  expect(draftIssue(sample({ inputs: [input(), input({ name: 'Z', dims: 'y' })] }))).toMatch(/^Z: /);
  expect(inputIssue(input({ fill: 'file' }))).not.toBe(undefined);
  expect(inputIssue(input({ fill: 'file', file: 'x.bin' }))).toBe(undefined);
});

test.each(['zero', 'random', 'file'] as const)('data of %s goes to text and comes back', (fill) => {
  const draft = sample({
    count: 3,
    batchSize: 2,
    inputs: [input({ fill, file: fill === 'file' ? 'x.bin' : '' })],
  });
  expect(draftOf(textOf(draft))).toEqual(draft);
});

test('a count that the file leaves out is one', () => {
  const text = textOf(sample()).replace(/\s*count:\s*1/, '');
  expect(draftOf(text).count).toBe(1);
});

test('names are free of all that are taken', () => {
  expect(freeName([])).toBe('sample_1');
  expect(freeName(['sample_1', 'sample_3', 'other'])).toBe('sample_2');
});

test('each model has its own samples; one that is dropped takes its result along', () => {
  const store = warmupOf('m');
  expect(warmupOf('m')).toBe(store);
  expect(warmupOf('n')).not.toBe(store);
  addSample(store, sample({ name: 'sample_1' }));
  addSample(store, sample({ name: 'sample_2' }));
  const result = { curve: [] } as unknown as WarmupResult;
  setResult(store, 'new 1', result);
  expect(store.getState()).toMatchObject({ added: ['new 1', 'new 2'], shown: 'new 1' });
  const undo = dropSample(store, 'new 1');
  const { added, results } = store.getState();
  expect({ added, results }).toEqual({ added: ['new 2'], results: {} });
  expect(Object.keys(store.getState().drafts)).toEqual(['new 2']);
  addSample(store, sample({ name: 'sample_1' }));
  undo();
  expect(store.getState()).toMatchObject({
    added: ['new 2', 'new 3', 'new 1'],
    results: { 'new 1': result },
  });
});

test('an edit starts from the sample as it is now, and does not bring back one that is gone', () => {
  const store = warmupOf('m');
  const inFile = { key: 'file one', original: sample() };
  editDraft(store, inFile, (now) => ({ ...now, count: 9 }));
  editDraft(store, inFile, (now) => ({ ...now, batchSize: 4 }));
  expect(store.getState().drafts['file one']).toMatchObject({ count: 9, batchSize: 4 });
  editDraft(store, { key: 'new 7', original: undefined }, () => sample());
  expect(Object.keys(store.getState().drafts)).toEqual(['file one']);
});

test('an edit that is taken back leaves the sample as the file has it', () => {
  const store = warmupOf('m');
  setDraft(store, 'file one', sample({ count: 9 }));
  expect(store.getState().drafts['file one']?.count).toBe(9);
  setDraft(store, 'file one', undefined);
  expect(store.getState().drafts).toEqual({});
});
