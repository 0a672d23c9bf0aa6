import { expect, test } from 'vitest';

import { COMMANDS } from './command-table.ts';
import { commandFor, conflictOf, shortcutFor } from './keymap.ts';
import type { KeyLike } from './keys.ts';
import { displayShortcut, normaliseShortcut, shortcutOf, spokenShortcut } from './keys.ts';

function press(key: string, code: string, held: Partial<KeyLike> = {}): KeyLike {
  return { key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
}

test.each([
  [press('P', 'KeyP', { ctrlKey: true, shiftKey: true }), false, 'Mod+Shift+P'],
  [press('p', 'KeyP', { metaKey: true }), true, 'Mod+P'],
  [press('?', 'Slash', { shiftKey: true }), false, '?'],
  [press('Ï', 'KeyF', { altKey: true, shiftKey: true }), true, 'Alt+Shift+F'],
  [press('\\', 'Backslash', { ctrlKey: true }), false, 'Mod+\\'],
  [press('F8', 'F8', { shiftKey: true }), false, 'Shift+F8'],
  [press('Control', 'ControlLeft', { ctrlKey: true }), false, undefined],
])('a key event reads as a shortcut', (event, onMac, text) => {
  expect(shortcutOf(event, onMac)).toBe(text);
});

test('shortcuts are shown in the words of the keyboard', () => {
  expect(displayShortcut('Mod+Shift+P', false)).toBe('Ctrl+Shift+P');
  expect(displayShortcut('Mod+Shift+P', true)).toBe('⌘⇧P');
});

test('order and case of a shortcut do not matter', () => {
  expect(normaliseShortcut('shift+mod+p')).toBe('Mod+Shift+P');
  expect(commandFor('shift+mod+p')).toBe('palette.open');
});

test('a changed shortcut runs its command, frees the old one, and a taken one is reported', () => {
  const overrides = { 'view.toggleBottomPanel': 'Mod+Y' };
  expect(shortcutFor('view.toggleBottomPanel', overrides)).toBe('Mod+Y');
  expect(commandFor('Mod+Y', overrides)).toBe('view.toggleBottomPanel');
  expect(commandFor('Mod+J', overrides)).toBeUndefined();
  expect(conflictOf('view.toggleRail', 'Mod+Y', overrides)).toBe('view.toggleBottomPanel');
  expect(conflictOf('view.toggleRail', 'Mod+B', overrides)).toBeUndefined();
});

test('keys of a list count there only, and meet those that count everywhere', () => {
  expect(commandFor('L')).toBeUndefined();
  expect(commandFor('L', {}, 'list')).toBe('list.load');
  expect(commandFor('Delete', { 'list.remove': 'Shift+Delete' }, 'list')).toBeUndefined();
  expect(conflictOf('list.unload', 'L', {})).toBe('list.load');
  expect(conflictOf('list.unload', '?', {})).toBe('help.shortcuts');
  expect(conflictOf('view.toggleTheme', 'Space', {})).toBe('chart.pause');
  expect(conflictOf('chart.pause', 'L', {})).toBeUndefined();
});

test('screens of the rail have keys that can be changed and are guarded', () => {
  expect(commandFor('Mod+2')).toBe('rail.2');
  expect(conflictOf('view.toggleTheme', 'Mod+3', {})).toBe('rail.3');
  expect(commandFor('Mod+2', { 'rail.2': 'Alt+2' })).toBeUndefined();
});

test('no two commands start with the same keys', () => {
  const taken = COMMANDS.filter(
    ({ id, keys }) => keys !== undefined && conflictOf(id, keys, {}) !== undefined,
  );
  expect(taken.map(({ id }) => id)).toEqual([]);
});

test('a shown shortcut is told in the words that readers know', () => {
  for (const onMac of [false, true]) {
    const command = onMac ? 'Meta' : 'Control';
    const spoken = (shortcut: string) => spokenShortcut(displayShortcut(shortcut, onMac));
    expect(spoken('Mod+Shift+P')).toBe(`${command}+Shift+P`);
    expect(spoken('Mod+Enter')).toBe(`${command}+Enter`);
    expect(spoken('Alt+ArrowUp')).toBe('Alt+ArrowUp');
    expect(spoken('F8')).toBe('F8');
    expect(spoken('')).toBeUndefined();
  }
});
