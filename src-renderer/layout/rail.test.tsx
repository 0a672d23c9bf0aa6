// The screens at the left, the inspector and the shortcuts: where a click leads, what is marked, and which keys are told.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { features } from '../features/registry.ts';
import { keymap } from '../lib/keymap.ts';
import { INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import { installShell } from '../testing/fake-shell.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../testing/render.tsx';
import { InInspector } from '../ui/inspector-slot.tsx';
import { Inspector } from './inspector.tsx';
import { Rail, railFeatures } from './rail.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';

let page: Rendered;
let takeShell: (() => void) | undefined;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  keymap.setState({ overrides: {} });
});
afterEach(async () => {
  await page.close();
  takeShell?.();
  takeShell = undefined;
  keymap.setState({ overrides: {} });
});

const current = (): readonly (string | undefined)[] =>
  [...document.querySelectorAll<HTMLElement>('[aria-current="page"]')].map(
    ({ dataset }) => dataset['testid'],
  );

test('every screen that has a place is there, those of the bottom last', async () => {
  page = await renderWithHosts(<Rail features={features} />);
  const shown = [...document.querySelectorAll<HTMLElement>('nav [data-testid]')].map(({ dataset }) =>
    dataset['testid']?.replace('rail-', ''),
  );
  expect(shown).toEqual(railFeatures(features).map(({ area }) => area));
  const places = railFeatures(features).map(({ rail }) => rail);
  expect(places.lastIndexOf('top')).toBeLessThan(places.indexOf('bottom'));
  expect(places).not.toContain('none');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a click opens the screen and marks it, once', async () => {
  page = await renderWithHosts(<Rail features={features} />);
  await click(page.get('rail-settings'));
  expect(current()).toEqual(['rail-settings']);
  await click(page.get('rail-settings'));
  const areas = workspace.getState().tabs.map(({ address }) => address.area);
  expect(areas.filter((area) => area === 'settings')).toHaveLength(1);
  await click(page.get('rail-models'));
  expect(current()).toEqual(['rail-models']);
});

test('with icons only each screen keeps its name for those who hear it', async () => {
  page = await renderWithHosts(<Rail features={features} />);
  const rail = document.querySelector<HTMLElement>('[data-region="rail"]');
  await click(document.querySelector<HTMLElement>('[aria-label="Show icons only"]')!);
  expect([rail?.dataset['narrow'], workspace.getState().isRailNarrow]).toEqual(['true', true]);
  expect(page.get('rail-models').getAttribute('aria-label')).toBe('Models');
  await click(document.querySelector<HTMLElement>('[aria-label="Show names"]')!);
  expect(workspace.getState().isRailNarrow).toBe(false);
});

test('the inspector says what it is for until a view fills it', async () => {
  page = await renderWithHosts(<Inspector />);
  expect(page.get('inspector').querySelector(':scope > div')?.childElementCount).toBe(0);
  await page.close();
  page = await renderWithHosts(
    <>
      <Inspector />
      <InInspector>
        <p data-testid="facts">two instances</p>
      </InInspector>
    </>,
  );
  await until(() => expect(page.get('inspector').contains(page.get('facts'))).toBe(true));
});

const sheet = (onClose: () => void = () => undefined) => (
  <ShortcutSheet features={features} isOpen onClose={onClose} />
);

test('the sheet names the screens by their keys, and a key that was changed as it is now', async () => {
  keymap.setState({ overrides: { 'goto.open': 'Ctrl+Alt+K' } });
  page = await renderWithHosts(sheet());
  const text = (): string => page.get('shortcut-sheet').textContent;
  await until(() => expect(text()).toContain('Go to Models'));
  expect(text()).toMatch(/Ctrl\s?\+?\s?Alt\s?\+?\s?K/);
  expect(await accessibilityFaults()).toEqual([]);
});

test('a command without a key is left out', async () => {
  page = await renderWithHosts(sheet());
  const names = (): readonly string[] =>
    [...page.get('shortcut-sheet').querySelectorAll('dt')].map(({ textContent }) => textContent ?? '');
  const before = names();
  const [first = ''] = before;
  expect(first).not.toBe('');
  await page.close();
  keymap.setState({ overrides: { 'goto.open': '' } });
  page = await renderWithHosts(sheet());
  expect(names()).toHaveLength(before.length - 1);
});

test('keys that a browser keeps for itself are told in a browser only', async () => {
  page = await renderWithHosts(sheet());
  const inBrowser = page.get('shortcut-sheet').textContent.length;
  await page.close();
  takeShell = installShell().remove;
  page = await renderWithHosts(sheet());
  expect(page.get('shortcut-sheet').textContent.length).toBeLessThan(inBrowser);
});

test('the button leads to where keys are changed, and closes the sheet', async () => {
  let closed = 0;
  page = await renderWithHosts(sheet(() => (closed += 1)));
  const button = [...document.querySelectorAll<HTMLElement>('button')].find(
    ({ textContent }) => textContent === 'Change shortcuts',
  );
  await click(button!);
  expect(closed).toBe(1);
  expect(workspace.getState().tabs.at(-1)?.address).toMatchObject({ area: 'settings', tab: 'shortcuts' });
});
