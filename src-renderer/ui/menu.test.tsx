// Menus by keyboard: what has the focus when they open and close, and that an entry that cannot be used says why.

import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, until } from '../testing/render.tsx';
import { Button } from './button.tsx';
import type { MenuEntry } from './menu.tsx';
import { AnchoredMenu, ContextMenu, MenuButton, MenuEntries } from './menu.tsx';

let page: Rendered | undefined;
const chosen: string[] = [];

afterEach(async () => {
  await page?.close();
  chosen.length = 0;
});

const ENTRIES: readonly MenuEntry[] = [
  { id: 'load', label: 'Load', shortcut: 'Mod+L', onSelect: () => chosen.push('load') },
  {
    id: 'unload',
    label: 'Unload',
    disabledReason: 'It is not loaded',
    onSelect: () => chosen.push('unload'),
  },
  { id: 'remove', label: 'Remove', startsGroup: true, isDanger: true, onSelect: () => chosen.push('remove') },
];

test('a button opens it, an entry runs once and closes it, and the focus goes back', async () => {
  page = await renderView(
    <MenuButton entries={ENTRIES}>
      <Button data-testid="more">More</Button>
    </MenuButton>,
  );
  const { get, query } = page;
  expect(get('more').getAttribute('aria-haspopup')).toBe('menu');
  get('more').focus();
  await click(get('more'));
  await until(() => get('menu-load'));
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('menu-load'));
  expect(chosen).toEqual(['load']);
  await until(() => expect(query('menu-load')).toBeNull());
  expect(document.activeElement).toBe(get('more'));
});

test('Escape closes it and chooses nothing', async () => {
  page = await renderView(
    <MenuButton entries={ENTRIES}>
      <Button data-testid="more">More</Button>
    </MenuButton>,
  );
  const { get, query } = page;
  await click(get('more'));
  await press(await until(() => get('menu-load')), 'Escape');
  await until(() => expect(query('menu-load')).toBeNull());
  expect(chosen).toEqual([]);
});

test('an entry that cannot be used says why, and does nothing', async () => {
  page = await renderView(
    <MenuButton entries={ENTRIES}>
      <Button data-testid="more">More</Button>
    </MenuButton>,
  );
  await click(page.get('more'));
  const entry = await until(() => page?.get('menu-unload') as HTMLElement);
  expect(entry.getAttribute('aria-disabled')).toBe('true');
  expect(entry.textContent).toContain('It is not loaded');
  await click(entry);
  expect(chosen).toEqual([]);
});

test('a right click opens the menu of what was clicked', async () => {
  page = await renderView(
    <ContextMenu entries={ENTRIES}>
      <div data-testid="place">simple</div>
    </ContextMenu>,
  );
  page.get('place').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  await click(await until(() => page?.get('menu-remove') as HTMLElement));
  expect(chosen).toEqual(['remove']);
});

function TwoRows() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      {['a', 'b'].map((id) => (
        <button key={id} data-testid={id} onClick={({ currentTarget }) => setAnchor(currentTarget)}>
          {id}
        </button>
      ))}
      <AnchoredMenu anchor={anchor} onClose={() => setAnchor(undefined)}>
        <MenuEntries entries={ENTRIES} />
      </AnchoredMenu>
    </>
  );
}

test('one menu serves many buttons, and gives the focus back to the one that was pressed', async () => {
  page = await renderView(<TwoRows />);
  const { get, query } = page;
  get('b').focus();
  await click(get('b'));
  await press(await until(() => get('menu-load')), 'Escape');
  await until(() => expect(query('menu-load')).toBeNull());
  expect(document.activeElement).toBe(get('b'));
});

test('a menu that is asked for by a key begins at its first entry, one by the mouse at none', async () => {
  page = await renderView(<TwoRows />);
  const { get, query } = page;
  const isFirst = (): boolean => document.activeElement === query('menu-load');
  get('a').dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }));
  get('a').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  await until(() => expect(document.activeElement?.getAttribute('role')).toBe('menu'));
  await press(get('menu-load'), 'Escape');
  await until(() => expect(query('menu-load')).toBeNull());
  await press(get('a'), 'Enter');
  get('a').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 0 }));
  await until(() => expect(isFirst()).toBe(true));
  expect(get('menu-load').hasAttribute('data-highlighted')).toBe(true);
});

test('the key for menus opens that of a place at its first entry', async () => {
  page = await renderView(
    <ContextMenu entries={ENTRIES}>
      <button data-testid="place">simple</button>
    </ContextMenu>,
  );
  const place = page.get('place');
  await press(place, 'ContextMenu');
  place.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: -1 }));
  await until(() => expect(document.activeElement).toBe(page?.get('menu-load')));
});
