// Which file and which view of a model's configuration are shown.

import { beforeEach, expect, test } from 'vitest';

import { compareWith, configPanes, isSideView, showProfile, showSide, SIDE_VIEWS } from './config-panes.ts';

beforeEach(() =>
  configPanes.setState({ side: 'effective', isSplit: false, profiles: {}, compareWith: 'disk' }),
);

test('a view that is asked for gets its place, also when it was put away', () => {
  showSide('form');
  expect(configPanes.getState()).toMatchObject({ side: 'form', isSplit: true, compareWith: 'disk' });
});

test('what is compared with shows the comparison', () => {
  compareWith('profile:small');
  expect(configPanes.getState()).toMatchObject({ side: 'diff', isSplit: true, compareWith: 'profile:small' });
});

test('each model keeps its own file', () => {
  showProfile('a', 'small');
  showProfile('b', 'large');
  showProfile('a');
  expect(configPanes.getState().profiles).toEqual({ a: undefined, b: 'large' });
});

test('only the names of views are views', () => {
  expect(SIDE_VIEWS.every(isSideView)).toBe(true);
  for (const word of ['', 'Form', 'toString', undefined]) expect(isSideView(word)).toBe(false);
});
