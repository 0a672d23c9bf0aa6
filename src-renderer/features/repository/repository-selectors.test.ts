import { expect, test } from 'vitest';

import { FAKE_MODELS, fakeModel } from '../../testing/fake-models.ts';
import { chipCounts, groupKey, visibleModels } from './repository-selectors.ts';

const nothing = { filter: '', states: new Set<never>() };

test('chips count every model once', () => {
  const counts = chipCounts(FAKE_MODELS);
  expect(counts).toEqual({ ready: 5, loading: 1, failed: 1, unloaded: 1, 'not-runnable': 1 });
  expect(Object.values(counts).reduce((a, b) => a + b)).toBe(FAKE_MODELS.length);
});

test('all words must occur, in any field that is shown', () => {
  const names = (filter: string) =>
    visibleModels(FAKE_MODELS, { ...nothing, filter }, '').map(({ name }) => name);
  expect(names('MLP')).toEqual(['batch_mlp']);
  expect(names('onnx cpu tiny')).toEqual(['image_tiny']);
  expect(names('nothing like it')).toEqual([]);
});

test('chips and repository narrow the list', () => {
  const models = [
    fakeModel('a'),
    fakeModel('b', { repository: '/other' }),
    fakeModel('c', { state: 'failed' }),
  ];
  expect(visibleModels(models, nothing, '/other').map(({ name }) => name)).toEqual(['b']);
  expect(
    visibleModels(models, { filter: '', states: new Set(['failed'] as const) }, '').map(({ name }) => name),
  ).toEqual(['c']);
  expect(groupKey('none')).toBeUndefined();
  expect(groupKey('type')?.(fakeModel('a', { kind: 'ensemble' }))).toBe('ensemble');
});
