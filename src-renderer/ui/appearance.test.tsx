// The look that a window begins with.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { applyAppearance, keptAppearance, showKeptAppearance } from './appearance.ts';

const DARK = {
  theme: 'dark',
  density: 'compact',
  fontSize: 16,
  motion: 'reduced',
  chartPalette: 'okabe-ito',
};

const nothing = (): void => undefined;

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: nothing,
    removeEventListener: nothing,
  }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('a window begins as the last one looked, before its settings are there', () => {
  applyAppearance(DARK)();
  document.documentElement.dataset['theme'] = 'light';
  showKeptAppearance();
  expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', density: 'compact' });
  expect(keptAppearance()).toEqual(DARK);
});

test.each(['', 'no json', '[]', '{"theme":1,"fontSize":"large"}'])(
  'the usual look comes of what is not readable: %j',
  (text) => {
    localStorage.setItem('conch.appearance', text);
    expect(keptAppearance()).toMatchObject({ theme: 'system', fontSize: 13 });
  },
);

test('a browser that keeps nothing has the usual look', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('denied');
    },
    clear: () => undefined,
  });
  applyAppearance(DARK)();
  expect(keptAppearance()).toMatchObject({ theme: 'system' });
});
