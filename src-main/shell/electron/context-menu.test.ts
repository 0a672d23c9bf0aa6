// What the menu on right click offers, by what was clicked.

import type { MenuItemConstructorOptions } from 'electron';
import { expect, test, vi } from 'vitest';

import type { Clicked } from './context-menu.ts';
import { contextTemplate } from './context-menu.ts';

vi.mock('electron', () => ({ Menu: {}, clipboard: {} }));

const clicked = (change: Partial<Clicked>): Clicked => ({
  isEditable: false,
  editFlags: {
    canUndo: false,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: true,
    canDelete: true,
    canSelectAll: true,
    canEditRichly: false,
  },
  selectionText: '',
  linkURL: '',
  ...change,
});
const labels = (items: readonly MenuItemConstructorOptions[]): readonly unknown[] =>
  items.filter(({ type }) => type !== 'separator').map(({ label, enabled }) => [label, enabled]);

test('a text field has all that can be done with text, and says what cannot be done now', () => {
  expect(labels(contextTemplate(clicked({ isEditable: true }), vi.fn()))).toEqual([
    ['Undo', false],
    ['Redo', false],
    ['Cut', true],
    ['Copy', true],
    ['Paste', true],
    ['Select all', true],
  ]);
});

test('selected text can be copied; where nothing can be done there is no menu', () => {
  expect(labels(contextTemplate(clicked({ selectionText: 'simple' }), vi.fn()))).toEqual([['Copy', true]]);
  expect(contextTemplate(clicked({ selectionText: ' \n' }), vi.fn())).toEqual([]);
});

test('the address of a link is copied, but not one of the window itself', () => {
  const copy = vi.fn();
  const [item] = contextTemplate(clicked({ linkURL: 'https://docs.example/a' }), copy);
  expect(item?.label).toBe('Copy link address');
  (item?.click as (() => void) | undefined)?.();
  expect(copy).toHaveBeenCalledExactlyOnceWith('https://docs.example/a');
  expect(contextTemplate(clicked({ linkURL: 'conch://window/index.html#' }), copy)).toEqual([]);
});
