// The menu of a row on a right click or the key for menus: at the pointer, with the focus back afterwards, for all rows
// that are selected where the row is one of them.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { hiddenModels } from '../../actions/hidden-models.ts';
import { address } from '../../lib/address.ts';
import { INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, press, renderWithHosts, until } from '../../testing/render.tsx';
import { forgetTold } from '../../testing/told.ts';
import { repositoryUi } from './repository-store.ts';
import { RepositoryView } from './repository-view.tsx';

let page: Rendered | undefined;
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  hiddenModels.setState({ paths: new Set(), isShowing: false });
  repositoryUi.setState({ filter: '', states: new Set(), groupBy: 'none', selected: new Set() });
});
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

async function start(): Promise<Rendered> {
  const fake = new FakeEngine();
  const first = '/home/ada/models';
  fake.snapshot = fakeSnapshot([
    fakeModel('a'),
    fakeModel('b'),
    fakeModel('c'),
    fakeModel('twin', { duplicateOf: '/other' }),
    fakeModel('twin', { duplicateOf: first, repository: '/other', path: '/other/twin', isShadowed: true }),
  ]);
  fake.overrides['repository/trashModel'] = () => ({ movedTo: 'the system bin', undo: undefined });
  page = await renderWithHosts(<RepositoryView address={address('models')} />, fake);
  await until(() => page?.get('model-row-twin-shadowed'));
  return page;
}

const asMenu = (row: HTMLElement): boolean =>
  row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 40 }));
const entries = (): readonly string[] =>
  [...document.querySelectorAll('[role=menuitem]')].map(({ textContent }) => textContent);

test('a right click opens what the button of the row opens, selects the row, and gives the focus back', async () => {
  const { get, query } = await start();
  await click(get('btn-menu-b'));
  await until(() => get('menu-trash'));
  const ofButton = entries();
  await press(get('menu-open'), 'Escape');
  await until(() => expect(query('menu-trash')).toBeNull());

  const row = get('model-row-b');
  row.focus();
  // The menu of the browser stays away.
  expect(asMenu(row)).toBe(false);
  await until(() => get('menu-trash'));
  expect(entries()).toEqual(ofButton);
  expect(row.getAttribute('aria-selected')).toBe('true');
  await press(get('menu-open'), 'Escape');
  await until(() => expect(query('menu-trash')).toBeNull());
  expect(document.activeElement).toBe(get('model-row-b'));
});

test('the menu of one of several selected rows moves all of them to the bin, and says so', async () => {
  const { get, fake } = await start();
  repositoryUi.setState({ selected: new Set() });
  await click(get('model-row-a'));
  await press(get('model-row-a'), 'ArrowDown', { shiftKey: true });
  await until(() => expect(get('models-view').textContent).toContain('2 selected'));
  asMenu(get('model-row-b'));
  await until(() => expect(get('menu-trash').textContent).toContain('Move 2 models to bin'));
  await click(get('menu-trash'));
  expect((await until(() => get('confirm'))).textContent).toContain('a, b: their folders');
  await click(get('confirm-trash'));
  await until(() =>
    expect(fake.argsOf('repository/trashModel').map(({ model }) => model)).toEqual(['a', 'b']),
  );

  asMenu(get('model-row-c'));
  await until(() => expect(get('menu-trash').textContent).toContain('Move to bin…'));
  expect(get('model-row-a').getAttribute('aria-selected')).toBe('false');
});

test('Delete asks about all selected rows; a folder that another one shadows is not among them', async () => {
  const { get, query, fake } = await start();
  await click(get('model-row-c'));
  await press(get('model-row-c'), 'a', { ctrlKey: true });
  await until(() => expect(get('models-view').textContent).toContain('5 selected'));
  await press(get('model-row-c'), 'Delete');
  const question = await until(() => get('confirm'));
  expect(question.textContent).toContain('Move 4 models to the bin?');
  expect(question.textContent).toContain('a, b, c, twin: their folders');
  await click(get('confirm-cancel'));
  await until(() => expect(query('confirm')).toBeNull());
  expect(fake.argsOf('repository/trashModel')).toEqual([]);
});

test('a folder that another one shadows has a menu of what can be done with it', async () => {
  const { get } = await start();
  asMenu(get('model-row-twin-shadowed'));
  await until(() => get('menu-disableOne'));
  expect(entries()).toEqual(['Copy folder path', 'Disable one…']);
});
