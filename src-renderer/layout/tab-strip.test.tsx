// The open tabs by keyboard and by pointer: which one is in the tab order, what moves, what closes, and that unsaved text
// is asked for first.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { features } from '../features/registry.ts';
import { address } from '../lib/address.ts';
import { activate, INITIAL_WORKSPACE, open, setDirty, workspace } from '../lib/workspace-store.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderWithHosts, until } from '../testing/render.tsx';
import { TabStrip } from './tab-strip.tsx';

let page: Rendered;

const ids = (): readonly string[] => workspace.getState().tabs.map(({ id }) => id);
const model = (name: string): string => ids().find((id) => id.includes(name)) ?? '';
const tab = (name: string): HTMLElement => page.get(`tab-${name === 'models' ? name : model(name)}`);

beforeEach(async () => {
  workspace.setState(INITIAL_WORKSPACE, true);
  for (const name of ['simple', 'batch_mlp']) open(address('models', { model: name }));
  page = await renderWithHosts(<TabStrip features={features} />);
});
afterEach(() => page.close());

test('the active tab alone is in the tab order, and says that it is the page', async () => {
  expect([tab('batch_mlp').tabIndex, tab('simple').tabIndex, tab('models').tabIndex]).toEqual([0, -1, -1]);
  expect(tab('batch_mlp').getAttribute('aria-current')).toBe('page');
  await click(tab('simple'));
  expect(workspace.getState().activeId).toBe(model('simple'));
  expect([tab('batch_mlp').tabIndex, tab('simple').tabIndex]).toEqual([-1, 0]);
  expect(await accessibilityFaults()).toEqual([]);
});

test('arrow keys move the focus around the strip and open nothing', async () => {
  tab('batch_mlp').focus();
  await press(tab('batch_mlp'), 'ArrowLeft');
  expect(document.activeElement).toBe(tab('simple'));
  await press(tab('simple'), 'ArrowRight');
  await press(tab('batch_mlp'), 'ArrowRight');
  expect(document.activeElement).toBe(tab('models'));
  expect(workspace.getState().activeId).toBe(model('batch_mlp'));
});

test('with Alt they move the tab, but none in front of the list of models', async () => {
  const [home, simple, batch] = ids();
  await press(tab('batch_mlp'), 'ArrowLeft', { altKey: true });
  expect(ids()).toEqual([home, batch, simple]);
  await press(tab('batch_mlp'), 'ArrowLeft', { altKey: true });
  expect(ids()).toEqual([home, batch, simple]);
  await press(tab('models'), 'ArrowRight', { altKey: true });
  expect(ids()).toEqual([home, batch, simple]);
});

test('Delete and the middle button close, and the neighbour is shown; the list of models stays', async () => {
  const [home, simple] = ids();
  activate(model('batch_mlp'));
  await press(tab('batch_mlp'), 'Delete');
  await until(() => expect(ids()).toEqual([home, simple]));
  expect(workspace.getState().activeId).toBe(simple);
  tab('simple').dispatchEvent(new MouseEvent('auxclick', { bubbles: true, button: 1 }));
  await until(() => expect(ids()).toEqual([home]));
  await press(tab('models'), 'Delete');
  expect(ids()).toEqual([home]);
});

test('unsaved text is asked for before its tab closes', async () => {
  const before = ids();
  setDirty(model('simple'), true);
  await press(tab('simple'), 'Delete');
  expect((await until(() => page.get('confirm'))).textContent).toContain('simple');
  await click(page.get('confirm-cancel'));
  expect(ids()).toEqual(before);
  await press(tab('simple'), 'Delete');
  await click(await until(() => page.get('confirm-discard')));
  await until(() => expect(ids()).toHaveLength(2));
});

test('a tab that is dropped on another takes its place', async () => {
  const [home, simple, batch] = ids();
  const transfer = { setData: () => undefined, effectAllowed: 'none' };
  const drag = (name: string, target: HTMLElement): void => {
    target.dispatchEvent(
      Object.assign(new Event(name, { bubbles: true, cancelable: true }), { dataTransfer: transfer }),
    );
  };
  drag('dragstart', tab('batch_mlp'));
  await until(() => expect(tab('simple').parentElement?.className).toContain('data-[over'));
  drag('drop', tab('simple'));
  await until(() => expect(ids()).toEqual([home, batch, simple]));
});
