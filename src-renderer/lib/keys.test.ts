import { expect, test } from 'vitest';

import { commandFor, conflictOf, shortcutFor } from './keymap.ts';
import type { KeyLike } from './keys.ts';
import { displayShortcut, normaliseShortcut, shortcutOf } from './keys.ts';

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
  [press('Control', 'ControlLeft', { ctrlKey: true }), false, ''],
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
