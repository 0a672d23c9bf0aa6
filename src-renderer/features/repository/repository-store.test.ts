// What narrows the list of models: chips that are pressed and released, and one way back.

import { afterEach, expect, test } from 'vitest';

import { CHIP_GROUPS, clearFilter, repositoryUi, toggleChip } from './repository-store.ts';

const before = repositoryUi.getState();
afterEach(() => repositoryUi.setState(before, true));

test('a chip is pressed and released, beside others', () => {
  toggleChip('failed');
  toggleChip('ready');
  expect([...repositoryUi.getState().states]).toEqual(['failed', 'ready']);
  toggleChip('failed');
  expect([...repositoryUi.getState().states]).toEqual(['ready']);
  toggleChip('ready');
  expect(repositoryUi.getState().states.size).toBe(0);
});

test('a press makes a new set: what was drawn with the old one stays as it was', () => {
  const { states } = repositoryUi.getState();
  toggleChip('failed');
  expect(states.size).toBe(0);
  expect(repositoryUi.getState().states).not.toBe(states);
});

test('the way back clears words and chips, and leaves grouping and selection', () => {
  repositoryUi.setState({ filter: 'mlp', groupBy: 'type', selected: new Set(['a']) });
  toggleChip('loading');
  clearFilter();
  expect(repositoryUi.getState()).toMatchObject({ filter: '', states: new Set(), groupBy: 'type' });
  expect([...repositoryUi.getState().selected]).toEqual(['a']);
});

test('every state belongs to one chip', () => {
  const all = Object.values(CHIP_GROUPS).flat();
  expect(new Set(all).size).toBe(all.length);
});
