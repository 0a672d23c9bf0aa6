import { beforeEach, expect, test } from 'vitest';

import { address, modelAddress } from './address.ts';
import { workspaceFromJson, workspaceToJson } from './workspace-json.ts';
import {
  activeTab,
  close,
  HOME_ID,
  INITIAL_WORKSPACE,
  move,
  open,
  reopen,
  setDirty,
  workspace,
} from './workspace-store.ts';

beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));

const ids = (): readonly string[] => workspace.getState().tabs.map(({ id }) => id);

test('a model opens once and keeps its sub-tab when opened again without one', () => {
  open(modelAddress('simple', 'config'));
  open(address('server'));
  open(modelAddress('simple'));
  expect(ids()).toEqual([HOME_ID, 'model:simple', 'server']);
  expect(activeTab()?.address.tab).toBe('config');
});

test('a new query reaches a tab that is already open', () => {
  open(modelAddress('simple', 'config'));
  open(modelAddress('simple', 'config', { line: '7' }));
  expect(activeTab()?.address.query).toEqual({ line: '7' });
});

test('closing goes to the neighbour, and the closed tab comes back', () => {
  open(modelAddress('a'));
  open(modelAddress('b'));
  close('model:b');
  expect(activeTab()?.id).toBe('model:a');
  reopen();
  expect(activeTab()?.id).toBe('model:b');
});

test('the list of models can neither be closed nor moved, and nothing moves before it', () => {
  open(modelAddress('a'));
  open(modelAddress('b'));
  close(HOME_ID);
  move(HOME_ID, 2);
  move('model:b', 0);
  expect(ids()).toEqual([HOME_ID, 'model:b', 'model:a']);
});

test('a closed tab no longer counts as unsaved', () => {
  open(modelAddress('a'));
  setDirty('model:a', true);
  close('model:a');
  expect(workspace.getState().dirty.size).toBe(0);
});

test('tabs, panels and sizes survive a restart', () => {
  open(modelAddress('a', 'config', { line: '3' }));
  workspace.setState({ isBottomOpen: true, bottomTab: 'tasks', sizes: { rows: { upper: 70, bottom: 30 } } });
  const kept = workspaceFromJson(workspaceToJson(workspace.getState()));
  const { tabs, activeId, isBottomOpen, bottomTab, sizes } = workspace.getState();
  expect(kept).toMatchObject({ tabs, activeId, isBottomOpen, bottomTab, sizes });
});

test.each(['', '{', '[]', '{"tabs":[1,"nonsense"],"activeId":"model:gone","sizes":{"a":null}}'])(
  'a damaged layout %j gives the usual window',
  (json) => {
    expect(workspaceFromJson(json)).toMatchObject({ tabs: INITIAL_WORKSPACE.tabs, activeId: HOME_ID });
  },
);
