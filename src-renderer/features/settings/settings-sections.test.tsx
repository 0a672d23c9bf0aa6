// Sections of the settings that are more than a list: keys, the runtime, our own data, the file, licences.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal, ServerError } from '../../../src-shared/errors.ts';
import { address } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { formatBytes } from '../../lib/format.ts';
import { keymap, shortcutFor } from '../../lib/keymap.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderWithHosts, type, until } from '../../testing/render.tsx';
import { allTold, forgetTold, toldOf } from '../../testing/told.ts';
import { SettingsScreen } from './settings-view.tsx';

let page: Rendered | undefined;

beforeEach(() => keymap.setState({ overrides: {} }));
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

async function start(tab: string, fake = new FakeEngine()): Promise<Rendered> {
  page = await renderWithHosts(<SettingsScreen address={address('settings', { tab })} />, fake);
  const { get } = page;
  await until(() => get('settings-view'));
  return page;
}

const keysOf = (id: string): HTMLElement => page!.get(`shortcut-${id}`).querySelector<HTMLElement>('button')!;
const buttonOf = (id: string, label: string): HTMLElement | null =>
  page!.get(`shortcut-${id}`).querySelector<HTMLElement>(`[aria-label^="${label} for "]`);

/** Presses keys on the field of a command, after it was asked to listen. */
async function pressFor(id: string, key: string, held: KeyboardEventInit = {}): Promise<void> {
  await click(keysOf(id));
  await press(keysOf(id), key, held);
}

test('new keys are pressed, marked as changed, and go back to the default', async () => {
  await start('shortcuts');
  const before = shortcutFor('perf.start');
  await pressFor('perf.start', 'j', { ctrlKey: true, altKey: true });
  await until(() => expect(shortcutFor('perf.start')).not.toBe(before));
  expect(page?.get('shortcut-perf.start').textContent).toContain('Changed');
  await click(buttonOf('perf.start', 'Default shortcut')!);
  await until(() => expect(shortcutFor('perf.start')).toBe(before));
  expect(buttonOf('perf.start', 'Default shortcut')).toBeNull();
});

test('keys that run something else are refused with its name, and Escape keeps the old ones', async () => {
  await start('shortcuts');
  const before = shortcutFor('perf.start');
  await pressFor('perf.start', 's', { ctrlKey: true });
  await until(() => expect(page?.get('shortcut-perf.start').textContent).toContain('already runs'));
  expect(shortcutFor('perf.start')).toBe(before);
  await press(keysOf('perf.start'), 'Escape');
  await until(() => expect(page?.get('shortcut-perf.start').textContent).not.toContain('already runs'));
  // A modifier alone is no shortcut, and Tab moves on.
  await pressFor('perf.start', 'Control', { ctrlKey: true });
  expect(keymap.getState().overrides).toEqual({});
});

test('a default that another command has by now does not come back to run two things', async () => {
  await start('shortcuts');
  const own = shortcutFor('file.save');
  await pressFor('file.save', 'j', { ctrlKey: true, altKey: true });
  await until(() => expect(shortcutFor('file.save')).not.toBe(own));
  await pressFor('perf.start', 's', { ctrlKey: true });
  await until(() => expect(shortcutFor('perf.start')).toBe(own));
  await click(buttonOf('file.save', 'Default shortcut')!);
  await until(() => expect(page?.get('shortcut-file.save').textContent).toContain('by now'));
  expect(shortcutFor('file.save')).not.toBe(own);
  await click(buttonOf('perf.start', 'Default shortcut')!);
  await click(buttonOf('file.save', 'Default shortcut')!);
  await until(() => expect(shortcutFor('file.save')).toBe(own));
});

test('a shortcut can be taken away', async () => {
  await start('shortcuts');
  await click(buttonOf('file.save', 'No shortcut')!);
  await until(() => expect(keysOf('file.save').textContent).toBe('none'));
  // What is read on a button is part of its name: it is said to software that listens.
  expect(keysOf('file.save').getAttribute('aria-label')).toBe('Change shortcut of Save: none');
  expect(shortcutFor('file.save')).toBeUndefined();
  expect(buttonOf('file.save', 'No shortcut')?.getAttribute('aria-disabled')).toBe('true');
});

test('commands are searched by their words', async () => {
  await start('shortcuts');
  const search = document.querySelector<HTMLElement>('[aria-label="Search commands"]')!;
  await type(search, 'zzz');
  await until(() => expect(page?.query('shortcut-file.save')).toBeNull());
  await type(search, 'save');
  await until(() => expect(page?.query('shortcut-file.save')).not.toBeNull());
  expect(page?.query('shortcut-perf.start')).toBeNull();
});

test('the key to find goes to the search of the settings', async () => {
  const { get } = await start('general');
  runCommand('find.inView');
  expect(document.activeElement).toBe(get('settings-search'));
});

test('libraries of the GPU are installed as a task; a cancelled one is no failure, a failed one is told', async () => {
  const fake = new FakeEngine();
  fake.overrides['runtime/installGpu'] = () => {
    throw new ServerError('CANCELLED', 'cancelled: Installing');
  };
  const { get } = await start('runtime', fake);
  await click(await until(() => get('runtime-install-gpu')));
  await until(() => expect(get('runtime-install-gpu').getAttribute('aria-busy')).toBeNull());
  expect(await allTold()).toEqual([]);
  fake.overrides['runtime/installGpu'] = () => {
    throw internal('the checksum is wrong');
  };
  await click(get('runtime-install-gpu'));
  await toldOf('the checksum is wrong');
  fake.overrides['runtime/installGpu'] = () => undefined;
  const views = fake.argsOf('runtime/view').length;
  await click(get('runtime-install-gpu'));
  await until(() => expect(fake.argsOf('runtime/view').length).toBe(views + 1));
});

test('removing the libraries of the GPU says first what is freed and what stops being fast', async () => {
  const fake = new FakeEngine();
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('resnet', { state: 'ready', device: 'GPU 0' })] };
  const cuda = {
    isInstalled: true,
    installedBytes: 2 * 1024 ** 3,
    unavailable: undefined,
    folder: '/gpu',
    download: '',
  };
  fake.overrides['runtime/view'] = () => ({ providers: [], gpus: [], cuda });
  const { get } = await start('runtime', fake);
  await click(await until(() => get('runtime-remove-gpu')));
  const question = await until(() => get('runtime-remove-dialog'));
  for (const part of ['/gpu', formatBytes(2 * 1024 ** 3), 'run on the CPU', 'resnet'])
    expect(question.textContent).toContain(part);
  await click(get('confirm-cancel'));
  expect(fake.argsOf('runtime/removeGpu')).toEqual([]);
  await click(get('runtime-remove-gpu'));
  await click(await until(() => get('confirm-remove')));
  await until(() => expect(fake.argsOf('runtime/removeGpu')).toHaveLength(1));
});

test('a runtime that cannot be looked at says why', async () => {
  const fake = new FakeEngine();
  fake.overrides['runtime/view'] = () => {
    throw internal('the library cannot be loaded');
  };
  await start('runtime', fake);
  await until(() => expect(document.body.textContent).toContain('the library cannot be loaded'));
});

test('deleting everything that fails leaves what is there, and says why', async () => {
  const fake = new FakeEngine();
  const own = { ...fake.settings.settings[0]!, key: 'data.keepRuns', group: 'Data', title: 'Runs kept' };
  fake.settings = { ...fake.settings, settings: [...fake.settings.settings, own] };
  fake.overrides['data/deleteAll'] = () => {
    throw internal('the bin is full');
  };
  const { get } = await start('data', fake);
  await click(await until(() => get('data-delete-all')));
  await click(await until(() => get('confirm-delete')));
  await toldOf('the bin is full');
  expect(get('data-usage').textContent).toContain('/home/ada/.config/conch/logs');
});

test('a file of settings that cannot be read says why in its place', async () => {
  const fake = new FakeEngine();
  fake.overrides['settings/readText'] = () => {
    throw internal('EACCES');
  };
  const { get } = await start('general', fake);
  await click(get('settings-open-file'));
  await until(() => expect(get('settings-file-text').textContent).toContain('EACCES'));
  expect(await accessibilityFaults(get('settings-file-dialog'))).toEqual([]);
});

test('licences are fetched when they are asked for, and hidden again', async () => {
  const { get, query, fake } = await start('about');
  expect(fake.argsOf('app/licences')).toEqual([]);
  await click(get('about-show-licences'));
  await until(() => expect(get('about-licence-table').textContent).toContain('react'));
  await click(get('about-show-licences'));
  await until(() => expect(query('about-licence-table')).toBeNull());
});
