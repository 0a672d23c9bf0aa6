import { expect, test } from 'vitest';

import { address, formatAddress, modelAddress, parseAddress, tabIdOf } from './address.ts';

test.each([
  [address('models'), 'wb://models'],
  [modelAddress('simple'), 'wb://models/simple'],
  [modelAddress('a/b', 'config', { line: '12' }), 'wb://models/a%2Fb/config?line=12'],
  [address('settings', { tab: 'shortcuts' }), 'wb://settings/shortcuts'],
  [address('models', { query: { repository: '/m' } }), 'wb://models?repository=%2Fm'],
])('an address survives being written and read', (value, text) => {
  expect(formatAddress(value)).toBe(text);
  expect(parseAddress(text)).toEqual(value);
});

test.each(['', 'http://x', 'wb://', 'wb://%E0%A4%A'])('%j is no address', (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test('a model has one tab whatever its sub-tab, a screen one whatever its section', () => {
  expect(tabIdOf(modelAddress('simple', 'config'))).toBe(tabIdOf(modelAddress('simple')));
  expect(tabIdOf(address('settings', { tab: 'shortcuts' }))).toBe('settings');
});
