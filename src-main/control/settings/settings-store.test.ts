import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { SettingsStore } from './settings-store.ts';
import { settingFault } from '../../options/setting-definition.ts';
import { SETTINGS } from './settings-table.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conch-settings-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('every default fits its own setting', () => {
  for (const setting of SETTINGS) expect(settingFault(setting, setting.defaultValue)).toBeUndefined();
});

test('a changed value survives a restart, a reset one does not', async () => {
  const store = new SettingsStore(folder);
  await store.write({ 'appearance.theme': 'dark', 'server.httpPort': 9000 });
  await store.write({ 'server.httpPort': null });
  const later = new SettingsStore(folder);
  await later.load();
  expect(later.get('appearance.theme')).toBe('dark');
  expect(later.get('server.httpPort')).toBe(8000);
  expect(later.isChanged('server.httpPort')).toBe(false);
});

test('a setting that waits for a restart says so, unless the command line has the say', async () => {
  const store = new SettingsStore(folder);
  await store.load();
  store.noteFlags(new Map([['server.grpcPort', 'grpc-port']]));
  await store.write({ 'server.httpPort': 9100, 'server.grpcPort': 9101, 'logs.verboseLevel': 1 });
  const shown = new Map(store.view().settings.map((setting) => [setting.key, setting]));
  expect(shown.get('server.httpPort')).toMatchObject({ isPending: true, flag: undefined });
  expect(shown.get('server.grpcPort')).toMatchObject({ isPending: false, flag: 'grpc-port' });
  expect(shown.get('logs.verboseLevel')).toMatchObject({ isPending: false });
  const next = new SettingsStore(folder);
  await next.load();
  expect(next.view().settings.some(({ isPending }) => isPending)).toBe(false);
});

test('a value out of bounds is refused and nothing of the change is kept', async () => {
  const store = new SettingsStore(folder);
  await expect(store.write({ 'appearance.theme': 'dark', 'server.httpPort': 70000 })).rejects.toThrow(
    'server.httpPort must be between 0 and 65535, got 70000',
  );
  expect(store.get('appearance.theme')).toBe('system');
});

test('a value that cannot be kept is not in force either', async () => {
  const file = path.join(folder, 'none');
  await writeFile(file, '');
  const store = new SettingsStore(path.join(file, 'below'));
  await expect(store.write({ 'appearance.theme': 'dark' })).rejects.toThrow(/ENOTDIR|EEXIST|ENOENT/);
  expect(store.get('appearance.theme')).toBe('system');
});

test('a text that may only hold some words is refused with the word that does not fit', async () => {
  const store = new SettingsStore(folder);
  await store.write({ 'server.gpuProviders': 'webgpu, cuda' });
  await expect(store.write({ 'server.gpuProviders': 'cuda fast' })).rejects.toThrow(
    "server.gpuProviders may name cuda, tensorrt, webgpu, dml, coreml, got 'fast'",
  );
  expect(store.get('server.gpuProviders')).toBe('webgpu, cuda');
});

test('a damaged file is put aside and defaults are used', async () => {
  await writeFile(path.join(folder, 'settings.json'), '{ "appearance.theme": "da');
  const store = new SettingsStore(folder);
  await store.load();
  expect(store.get('appearance.theme')).toBe('system');
  expect(await readFile(path.join(folder, 'settings.json.damaged'), 'utf8')).toContain('"da');
});

test('layouts are kept per key', async () => {
  const store = new SettingsStore(folder);
  await store.writeLayout('/models', '{"tabs":1}');
  expect(await store.readLayout('/models')).toBe('{"tabs":1}');
  expect(await store.readLayout('/other')).toBe('');
});

const file = (): string => path.join(folder, 'settings.json');

test('what was written into the file by hand stays when another setting is changed, and counts from then on', async () => {
  const store = new SettingsStore(folder);
  await store.load();
  await store.write({ 'appearance.theme': 'dark' });
  await writeFile(file(), '{ "appearance.theme": "light", "server.httpPort": 9000, "no.such": 1 }');
  const changed = await store.write({ 'logs.verboseLevel': 1 });
  expect([...changed].toSorted()).toEqual(['appearance.theme', 'logs.verboseLevel', 'server.httpPort']);
  expect(store.get('server.httpPort')).toBe(9000);
  const later = new SettingsStore(folder);
  await later.load();
  expect(later.get('appearance.theme')).toBe('light');
  expect(later.get('logs.verboseLevel')).toBe(1);
});

test('what was written by hand counts when settings are read again, and is told once', async () => {
  const store = new SettingsStore(folder);
  await store.load();
  expect(await store.takeEdits()).toEqual([]);
  await writeFile(file(), '{ "appearance.theme": "light" }');
  expect(await store.takeEdits()).toEqual(['appearance.theme']);
  expect(store.get('appearance.theme')).toBe('light');
  expect(await store.takeEdits()).toEqual([]);
});

test('a file that was broken by hand is kept aside, and the settings stay as they were', async () => {
  const store = new SettingsStore(folder);
  await store.load();
  await store.write({ 'appearance.theme': 'dark' });
  await writeFile(file(), '{ "appearance.theme": "light", oops');
  await store.write({ 'logs.verboseLevel': 1 });
  expect(await readFile(`${file()}.damaged`, 'utf8')).toContain('oops');
  const later = new SettingsStore(folder);
  await later.load();
  expect(later.get('appearance.theme')).toBe('dark');
  expect(later.get('logs.verboseLevel')).toBe(1);
});
