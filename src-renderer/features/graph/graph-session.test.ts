// A model's tab that closes takes its drawing along; other drawings stay.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { modelAddress, tabIdOf } from '../../lib/address.ts';
import { close, open, workspace } from '../../lib/workspace-store.ts';
import { layoutThreads } from '../../testing/fake-workers.ts';
import { startGraphSession } from './graph-session.ts';
import { changeView, graphViews, viewOf } from './graph-views.ts';
import { layouts, modelOf, stepsPlace } from './layouts.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

const before = workspace.getState();
const INPUT = { nodes: [], edges: [], direction: 'TB' } as const;

beforeEach(() => {
  layoutThreads.ended = 0;
  startGraphSession();
  startGraphSession();
});

afterEach(() => {
  workspace.setState(before, true);
  layouts.forget(() => true);
  graphViews.setState({ byModel: {} });
});

const places = (): readonly string[] => [...layouts.store.getState().byPlace.keys()];

test('closing a tab ends the layout on its way and forgets how its graph was looked at', () => {
  for (const name of ['a', 'b']) {
    open(modelAddress(name, 'graph'));
    changeView(name, { query: `of ${name}` });
    layouts.start(name, 'key', INPUT);
  }
  for (const direction of ['LR', 'TB'] as const) layouts.start(stepsPlace('a', direction), 'key', INPUT);
  close(tabIdOf(modelAddress('a')));
  expect(places()).toEqual(['b']);
  expect(layoutThreads.ended).toBe(3);
  expect([viewOf('a').query, viewOf('b').query]).toEqual(['', 'of b']);
});

test('another page of the same model keeps them', () => {
  open(modelAddress('a', 'graph'));
  changeView('a', { selected: 'op:1' });
  layouts.start('a', 'key', INPUT);
  open(modelAddress('a', 'config'));
  expect(places()).toEqual(['a']);
  expect(viewOf('a').selected).toBe('op:1');
});

test('the place of an ensemble belongs to its model, whatever the model is called', () => {
  for (const direction of ['LR', 'TB'] as const) expect(modelOf(stepsPlace('a', direction))).toBe('a');
  expect(modelOf('a')).toBe('a');
});
