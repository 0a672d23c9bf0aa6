// What a search of the settings finds.

import { expect, test } from 'vitest';

import { fakeSettings } from '../../testing/fake-views.ts';
import {
  matchingCommands,
  matchingSettings,
  matchingTopics,
  plainSettings,
  settingGroups,
} from './settings-selectors.ts';

const { settings } = fakeSettings();
const keysOf = (search: string): readonly string[] =>
  matchingSettings(settings, search).map(({ key }) => key);

test.each([
  // The words may be in any order, in any case, and in different fields.
  ['PORT http', ['server.httpPort']],
  ['  grpc   port ', ['server.grpcPort']],
  // By its key, as a file of settings names it.
  ['server.strictReadiness', ['server.strictReadiness']],
  // By its group and a word of its help.
  ['logs explained', ['logs.verboseLevel']],
  ['no such words', []],
])('the search %j finds %j', (search, keys) => {
  expect(keysOf(search)).toEqual(keys);
});

test('an empty search leaves everything, in its order', () => {
  for (const search of ['', '   ']) {
    expect(matchingSettings(settings, search)).toEqual(settings);
    expect(matchingTopics(search).length).toBeGreaterThan(3);
  }
});

test('every word has to be there: more words never find more', () => {
  const [one, two] = [keysOf('port'), keysOf('port http')];
  expect(one.length).toBeGreaterThan(two.length);
  expect(two.every((key) => one.includes(key))).toBe(true);
});

test('groups come once, in the order of the table', () => {
  const groups = settingGroups(settings);
  expect(new Set(groups).size).toBe(groups.length);
  expect(groups.slice(0, 2)).toEqual(['General', 'Appearance']);
  expect(settingGroups([])).toEqual([]);
});

test('kept shortcuts are no setting to edit by hand', () => {
  const kept = { ...settings[0]!, key: 'shortcuts.overrides' };
  expect(plainSettings([kept, ...settings])).toEqual(settings);
});

test('commands are found by their names, and topics by what they say', () => {
  expect(matchingCommands('save').map(({ id }) => id)).toContain('file.save');
  expect(matchingCommands('save zzz')).toEqual([]);
  expect(matchingTopics('privacy').map(({ section }) => section)).toContain('privacy');
  expect(matchingTopics('zzz')).toEqual([]);
});
