// Which models can be loaded, and what is said of the others.

import { expect, test } from 'vitest';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { fakeModel } from '../testing/fake-models.ts';
import { isLoadable, loadObstacle } from './model-actions.ts';

const stopped = (name: string, changes: Partial<ModelView> = {}) =>
  fakeModel(name, { state: 'unloaded', servedVersions: [], ...changes });

test('what can be loaded, and why the others cannot', () => {
  expect(isLoadable(stopped('a'))).toBe(true);
  expect(isLoadable(fakeModel('a', { state: 'failed' }))).toBe(true);
  expect(isLoadable(fakeModel('a'))).toBe(false);
  expect(isLoadable(stopped('a', { duplicateOf: '/other' }))).toBe(false);
  expect(loadObstacle(stopped('a'))).toBeUndefined();
  expect(loadObstacle(fakeModel('a', { state: 'unloading' }))).toBe('Being loaded or unloaded');
  expect(loadObstacle(fakeModel('a', { state: 'not-runnable', backend: 'fil' }))).toBe(
    'fil models cannot run here',
  );
  expect(loadObstacle(stopped('a', { duplicateOf: '/other' }))).toContain('Name used in 2 repositories');
});
