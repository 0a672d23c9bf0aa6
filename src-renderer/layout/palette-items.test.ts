import { expect, test } from 'vitest';

import { fitting } from './overflow-row.tsx';
import type { PaletteItem } from './palette-items.ts';
import { rank, readPrefix, score } from './palette-items.ts';

function item(title: string, disabledReason?: string): PaletteItem {
  return { id: title, group: '', title, detail: '', keys: '', disabledReason, run: () => undefined };
}

test.each([
  ['>load', 'goto', { mode: 'commands', query: 'load' }],
  ['@ simple', 'commands', { mode: 'models', query: 'simple' }],
  [':12', 'goto', { mode: 'line', query: '12' }],
  ['?', 'goto', { mode: 'help', query: '' }],
  ['load', 'commands', { mode: 'commands', query: 'load' }],
] as const)('%j opened for %s', (text, fallback, read) => {
  expect(readPrefix(text, fallback)).toEqual(read);
});

test('the start of the text beats a word inside, beats the middle, beats scattered letters', () => {
  const scores = ['load simple', 're load', 'upload', 'l-o-a-d', 'none'].map((text) => score('load', text));
  expect(scores).toEqual([...scores].toSorted((a, b) => b - a));
  expect(scores.at(-1)).toBe(0);
  expect(score('simple load', 'Load simple')).toBeGreaterThan(0);
});

test('what was used lately comes first among equals, what cannot run comes last', () => {
  const items = [item('Load a', 'loaded'), item('Load b'), item('Load c')];
  expect(rank(items, 'load', ['Load c']).map(({ title }) => title)).toEqual(['Load c', 'Load b', 'Load a']);
});

test('a command that was used for another model is as recent for the one that is looked at, which comes first', () => {
  const items = [{ ...item('Load here'), isOfShown: true }, item('Load a'), item('Load other')];
  const known = items.map((one) => ({ ...one, id: one.title.toLowerCase() }));
  const titles = rank(known, 'load', ['load other', 'load a']).map(({ title }) => title);
  expect(titles).toEqual(['Load here', 'Load other', 'Load a']);
});

test('items that do not fit leave room for the button that shows them', () => {
  expect(fitting([100, 100, 100], 300)).toBe(3);
  expect(fitting([100, 100, 100], 290)).toBe(2);
  expect(fitting([100, 100, 100], 0)).toBe(3);
});
