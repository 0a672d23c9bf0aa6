// Dialogs wait for each other, a picker answers its own question only, and uploads are kept apart.

import { beforeEach, expect, test } from 'vitest';

import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import {
  askConflict,
  askPath,
  closeDialog,
  endUpload,
  importStore,
  showDialog,
  showUpload,
} from './import-store.ts';

beforeEach(() => importStore.setState({ dialogs: [], picker: undefined, uploads: [] }));

const item = fakeDropItem('model');

const kinds = (): readonly string[] => importStore.getState().dialogs.map(({ kind }) => kind);

test('dialogs wait in the order in which they were asked for, whichever closes first', async () => {
  showDialog({ kind: 'convert', model: 'a' });
  const answer = askConflict(item, 'simple_2');
  showDialog({ kind: 'template', template: 'model' });
  expect(kinds()).toEqual(['convert', 'conflict', 'template']);
  const [first, conflict] = importStore.getState().dialogs;
  if (conflict?.kind !== 'conflict' || first === undefined) throw new Error('the question does not wait');
  conflict.answer('replace');
  expect(await answer).toBe('replace');
  expect(kinds()).toEqual(['convert', 'template']);
  closeDialog(first);
  expect(kinds()).toEqual(['template']);
});

test('a second picker cancels the first', async () => {
  const first = askPath('First', 'folder');
  const second = askPath('Second', 'any');
  expect(await first).toEqual([]);
  expect(importStore.getState().picker?.title).toBe('Second');
  importStore.getState().picker?.answer(['/srv/a.onnx']);
  expect(await second).toEqual(['/srv/a.onnx']);
  expect(importStore.getState().picker).toBeUndefined();
});

test('a picker that is answered late, as after an upload, leaves the one that is open by then', async () => {
  const first = askPath('First', 'any');
  const early = importStore.getState().picker;
  importStore.setState({ picker: undefined });
  const second = askPath('Second', 'folder');
  early?.answer(['/data/uploads/u1/a.onnx']);
  expect(await first).toEqual(['/data/uploads/u1/a.onnx']);
  expect(importStore.getState().picker?.title).toBe('Second');
  importStore.getState().picker?.answer(['/srv']);
  expect(await second).toEqual(['/srv']);
});

test('of two uploads each keeps its place, and the end of one leaves the other', () => {
  const [a, b] = [new AbortController(), new AbortController()];
  showUpload({ name: 'a', share: 0, controller: a });
  showUpload({ name: 'b', share: 0, controller: b });
  showUpload({ name: 'a', share: 0.5, controller: a });
  const shares = (): readonly unknown[] =>
    importStore.getState().uploads.map(({ name, share }) => [name, share]);
  expect(shares()).toEqual([
    ['a', 0.5],
    ['b', 0],
  ]);
  endUpload(a);
  expect(shares()).toEqual([['b', 0]]);
  endUpload(a);
  expect(shares()).toEqual([['b', 0]]);
});
