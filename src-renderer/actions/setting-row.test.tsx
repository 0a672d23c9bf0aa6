// One setting as a row: what is shown of it, when a change is written, and what is asked before the network gets in.

import { useStore } from 'zustand';
import { afterEach, expect, test } from 'vitest';

import type { SettingView } from '../../src-shared/contract/observe-views.ts';
import { invalidArg } from '../../src-shared/errors.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import {
  accessibilityFaults,
  click,
  press,
  renderWithHosts,
  settled,
  type,
  until,
} from '../testing/render.tsx';
import { SettingList } from './setting-list.tsx';
import { writeSettings } from './setting-row.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

/** Rows as a screen has them: of the settings that the engine last told. */
function Rows({ keys }: { readonly keys: readonly string[] }) {
  const view = useStore(useEngine().state.settings, (state) => state.view);
  const settings = (view?.settings ?? []).filter(({ key }) => keys.includes(key));
  return <SettingList settings={settings} notes={{ Network: 'Firewalls come on top.' }} />;
}

async function start(
  keys: readonly string[],
  change: (setting: SettingView) => Partial<SettingView> = () => ({}),
): Promise<Rendered> {
  const fake = new FakeEngine();
  const settings = fake.settings.settings.map((setting) => ({ ...setting, ...change(setting) }));
  fake.settings = { ...fake.settings, settings };
  page = await renderWithHosts(<Rows keys={keys} />, fake);
  await until(() => page?.get(`setting-${keys[0]}`));
  return page;
}

const input = (get: Rendered['get'], key: string) => get(`setting-input-${key}`) as HTMLInputElement;
const written = (fake: FakeEngine) => fake.argsOf('settings/write').map(({ changes }) => changes);

async function leave(field: HTMLElement): Promise<void> {
  field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await settled();
}

test('a row says what was changed, from what, since when it counts, and who set it', async () => {
  const { get } = await start(['server.httpPort', 'logs.verboseLevel', 'server.gpuPolicy'], ({ key }) => {
    if (key === 'server.httpPort') return { value: 9000, isPending: true };
    return key === 'server.gpuPolicy' ? { flag: 'gpu-policy' } : {};
  });
  const changed = get('setting-server.httpPort').textContent;
  for (const words of ['HTTP port', 'Changed', 'waits for a restart', 'Default: 8000']) {
    expect(changed).toContain(words);
  }
  expect(get('setting-logs.verboseLevel').textContent).not.toMatch(/Changed|Default|restart/);
  expect(get('setting-server.gpuPolicy').textContent).toContain('set by --gpu-policy');
  expect(await accessibilityFaults()).toEqual([]);
});

test('the way back to the default is there only for what was changed', async () => {
  const { get, fake } = await start(['logs.verboseLevel', 'server.httpPort'], ({ key }) =>
    key === 'logs.verboseLevel' ? { value: 2 } : {},
  );
  const reset = (key: string) => get(`setting-${key}`).querySelector<HTMLElement>('[aria-label^="Reset"]');
  expect(reset('server.httpPort')).toBeNull();
  const button = reset('logs.verboseLevel');
  expect(button?.getAttribute('aria-label')).toBe('Reset Verbose level');
  await click(button as HTMLElement);
  // The button goes away with the change; the focus does not.
  await until(() => expect(document.activeElement).toBe(get('setting-input-logs.verboseLevel')));
  await until(() => expect(written(fake)).toEqual([{ 'logs.verboseLevel': null }]));
  await until(() => expect(reset('logs.verboseLevel')).toBeNull());
});

test('sections have headings, and a sentence at their end', async () => {
  const { get } = await start(['server.address', 'server.httpPort'], ({ key }) => ({
    section: key === 'server.address' ? 'Network' : undefined,
  }));
  const section = get('setting-server.address').closest('section');
  expect(section?.querySelector('h3')?.textContent).toBe('Network');
  expect(section?.textContent).toContain('Firewalls come on top.');
  expect(get('setting-server.httpPort').closest('section')?.querySelector('h3')).toBeNull();
});

test('a switch and a choice are written at once', async () => {
  const { get, fake } = await start(['general.restoreTabs']);
  await click(get('setting-input-general.restoreTabs'));
  await until(() => expect(written(fake)).toEqual([{ 'general.restoreTabs': false }]));
});

test('a text is written when the field is left, once, and not at all when it is as it was', async () => {
  const { get, fake } = await start(['server.address']);
  const field = input(get, 'server.address');
  await type(field, '127.0.0.2');
  expect(written(fake)).toEqual([]);
  await leave(field);
  await until(() => expect(written(fake)).toEqual([{ 'server.address': '127.0.0.2' }]));
  await until(() => expect(field.value).toBe('127.0.0.2'));
  await leave(field);
  await type(field, '127.0.0.3');
  await type(field, '127.0.0.2');
  await press(field, 'Enter');
  await leave(field);
  expect(written(fake)).toHaveLength(1);
});

test('a value that is refused is told, and the field shows the one that holds', async () => {
  const { get, fake } = await start(['server.address']);
  fake.overrides['settings/write'] = () => {
    throw invalidArg('no such address');
  };
  const field = input(get, 'server.address');
  await type(field, '127.0.0.9');
  await press(field, 'Enter');
  await until(() => expect(get('toast-error').textContent).toContain('no such address'));
  await until(() => expect(input(get, 'server.address').value).toBe('127.0.0.1'));
});

test.each(['0.0.0.0', '192.168.0.7', '::', ''])(
  'the address "%s" opens the server to the network, which is asked first',
  async (address) => {
    const { get, fake } = await start(['server.address']);
    const field = input(get, 'server.address');
    await type(field, address);
    await press(field, 'Enter');
    const safe = await until(() => get('confirm-cancel'));
    expect(safe.textContent).toBe('Keep local');
    await click(safe);
    await until(() => expect(input(get, 'server.address').value).toBe('127.0.0.1'));
    expect(written(fake)).toEqual([]);
    await type(field, address);
    await press(field, 'Enter');
    await click(await until(() => get('confirm-open')));
    await until(() => expect(written(fake)).toEqual([{ 'server.address': address }]));
    await until(() => expect(get('setting-server.address').textContent).toContain('Open to your network'));
  },
);

test('several settings are written together, and back to the default is never asked about', async () => {
  const { fake } = await start(['server.address']);
  const { client } = fake.engine();
  expect(await writeSettings(client, { 'server.address': null, 'server.httpPort': 9000 })).toBe(true);
  expect(await writeSettings(client, { 'server.address': 'localhost' })).toBe(true);
  expect(await writeSettings(client, { 'server.address': '::1' })).toBe(true);
  expect(written(fake)).toHaveLength(3);
});

test('a number is written as a number', async () => {
  const { get, fake } = await start(['server.httpPort']);
  const field = input(get, 'server.httpPort');
  await type(field, '9100');
  await leave(field);
  await until(() => expect(written(fake)).toEqual([{ 'server.httpPort': 9100 }]));
});

test('a step is written without leaving the field', async () => {
  const { get, fake } = await start(['server.httpPort']);
  const more = get('setting-server.httpPort').querySelector<HTMLElement>('button[aria-label="Increase"]');
  more?.click();
  await until(() => expect(written(fake)).toEqual([{ 'server.httpPort': 8001 }]));
});
