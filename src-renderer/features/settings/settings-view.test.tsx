import { afterEach, expect, test } from 'vitest';

import { address } from '../../lib/address.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeSettings } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, type, until } from '../../testing/render.tsx';
import { ConfirmHost } from '../../ui/confirm.tsx';
import { matchingCommands, matchingSettings, plainSettings, settingGroups } from './settings-selectors.ts';
import { SettingsScreen } from './settings-view.tsx';

let page: Rendered | undefined;

afterEach(() => page?.close());

async function start(tab: string, fake = new FakeEngine()): Promise<Rendered> {
  const view = (
    <>
      <SettingsScreen address={address('settings', { tab })} />
      <ConfirmHost />
    </>
  );
  page = await renderView(view, fake);
  await until(() => page?.get('settings-view'));
  return page;
}

const shortcuts = {
  ...fakeSettings().settings[0],
  key: 'shortcuts.overrides',
  group: 'Shortcuts',
  title: 'Changed shortcuts',
} as ReturnType<typeof fakeSettings>['settings'][number];

test('shortcuts have one section, although they are kept as a setting', () => {
  const settings = plainSettings([...fakeSettings().settings, shortcuts]);
  expect(settingGroups(settings)).not.toContain('Shortcuts');
  expect(matchingSettings(settings, 'shortcuts')).toEqual([]);
});

test('a search finds settings and commands', async () => {
  const { get } = await start('general');
  await type(get('settings-search'), 'http port');
  await until(() => get('setting-server.httpPort'));
  await type(get('settings-search'), 'reveal log');
  await until(() => get('shortcut-logs.reveal'));
  expect(matchingCommands('reveal nothing')).toEqual([]);
});

test('sections that are no settings are found, and lead to where they are', async () => {
  const { get } = await start('privacy');
  await type(get('settings-search'), 'update server');
  const topics = await until(() => get('settings-topics'));
  await click(topics.querySelector('button') as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ area: 'settings', tab: 'general' });
  await page?.close();
  const general = await start('general');
  expect(general.get('settings-updates').textContent).toContain('contacts no update server');
});

test('sections stand in one order, settings and texts together', async () => {
  await start('general');
  const shown = [...document.querySelectorAll('[data-testid^="settings-section-"]')].map(
    ({ textContent }) => textContent,
  );
  expect(shown).toEqual([
    'General',
    'Appearance',
    'Language',
    'Server',
    'Logs',
    'Runtime',
    'Privacy',
    'Shortcuts',
    'Experimental',
    'About',
  ]);
});

test('a changed setting of a new section is marked and can be reset', async () => {
  const fake = new FakeEngine();
  const settings = fake.settings.settings.map((setting) =>
    setting.key === 'experimental.modelNamespacing' ? { ...setting, value: true } : setting,
  );
  fake.settings = { ...fake.settings, settings };
  const { get } = await start('experimental', fake);
  const row = await until(() => get('setting-experimental.modelNamespacing'));
  expect(row.textContent).toContain('Changed');
  await click(row.querySelector('[aria-label="Reset Model namespaces"]') as HTMLElement);
  expect(fake.argsOf('settings/write').at(-1)).toEqual({
    changes: { 'experimental.modelNamespacing': null },
  });
});

test('a control keeps the focus when its value was written, and shows what holds when it was refused', async () => {
  const fake = new FakeEngine();
  const { get } = await start('server', fake);
  const input = await until(() => get('setting-input-server.address'));
  input.focus();
  await type(input, '127.0.0.2');
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await until(() => expect(fake.argsOf('settings/write')).toHaveLength(1));
  expect(document.activeElement).toBe(get('setting-input-server.address'));
  fake.overrides['settings/write'] = () => {
    throw new Error('no');
  };
  const before = (get('setting-input-server.address') as HTMLInputElement).value;
  await type(input, 'nonsense and more');
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  await click(await until(() => get('confirm-open')));
  await until(() => expect((get('setting-input-server.address') as HTMLInputElement).value).toBe(before));
});

test('a self-test says that a provider works, or why not', async () => {
  const { get } = await start('runtime');
  await click(await until(() => get('provider-test-cpu')));
  await until(() => expect(get('provider-cpu').dataset['state']).toBe('ok'));
  await click(get('provider-test-cuda'));
  await until(() => expect(get('provider-cuda').textContent).toContain('missing'));
  await click(get('runtime-install-gpu'));
  await until(() => expect(page?.fake.argsOf('runtime/installGpu')).toHaveLength(1));
});

test('everything is deleted only after a question', async () => {
  const { get, fake } = await start('data', withData());
  await until(() => expect(get('data-usage').textContent).toContain('Runs, saved requests, notes'));
  await click(get('data-delete-all'));
  await until(() => get('data-delete-confirm'));
  expect(fake.argsOf('data/deleteAll')).toEqual([]);
  const [confirm] = [...get('data-delete-confirm').querySelectorAll('button')].filter(
    ({ textContent }) => textContent === 'Delete all',
  );
  await click(confirm as HTMLElement);
  await until(() => expect(fake.argsOf('data/deleteAll')).toHaveLength(1));
});

function withData(): FakeEngine {
  const fake = new FakeEngine();
  const [like] = fake.settings.settings;
  if (like === undefined) throw new Error('there are no settings');
  const own = { ...like, key: 'data.keepRuns', group: 'Data', title: 'Performance runs kept' };
  fake.settings = { ...fake.settings, settings: [...fake.settings.settings, own] };
  return fake;
}

test('the file can be looked at, and licences can be listed', async () => {
  const { get } = await start('general');
  await click(get('settings-open-file'));
  await until(() => expect(get('settings-file-text').textContent).toContain('"a.b": 1'));
  await page?.close();
  const about = await start('about');
  await click(about.get('about-show-licences'));
  await until(() => expect(about.get('about-licence-table').textContent).toContain('react'));
});

test.each(['runtime', 'about', 'shortcuts', 'language', 'general', 'experimental'])(
  'section %s can be used without seeing it',
  async (tab) => {
    await start(tab);
    expect(await accessibilityFaults()).toEqual([]);
  },
);
