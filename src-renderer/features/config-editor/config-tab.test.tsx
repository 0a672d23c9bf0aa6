// The Config tab: what it says of its file, and what its buttons write.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { naming } from '../../actions/folder-actions.ts';
import { internal } from '../../../src-shared/errors.ts';
import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import {
  CONFIG_MODEL,
  CONFIG_ON_DISK,
  configEngine,
  configText,
  drawConfig,
  forgetConfig,
  isOff,
  showConfig,
} from '../../testing/config-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, type, until } from '../../testing/render.tsx';
import { configPanes } from './config-panes.ts';

// The editors need a browser, and what checks the text a worker.
vi.mock('../../config/editor/code-editor.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/editor/text-diff.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/language/config-language-client.ts', () => import('../../testing/silent-language.ts'));

let page: Rendered | undefined;

beforeEach(forgetConfig);
afterEach(() => page?.close());

async function start(...args: Parameters<typeof showConfig>): Promise<Rendered> {
  page = await showConfig(...args);
  return page;
}

test('the text can be seen, tried and saved without a mouse or eyes', async () => {
  const { get } = await start();
  await until(() => get('code-editor'));
  expect(await accessibilityFaults(get('config-tab'))).toEqual([]);
});

test('that there are no problems is said once the text was checked', async () => {
  const { get } = await start();
  await until(() => expect(get('config-problems').textContent).toBe('Checking…'));
  setLiveIssues(CONFIG_MODEL, []);
  await until(() => expect(get('config-problems').textContent).toBe('No problems'));
});

test('a text that was not saved is marked, and saving takes the mark away', async () => {
  const fake = configEngine();
  fake.overrides['config/write'] = ({ text }) => ({ ...CONFIG_ON_DISK, text, hash: 'h2' });
  const { get } = await start(fake);
  const isMarked = (): boolean => get('config-dirty').dataset['dirty'] === 'true';
  expect(isMarked()).toBe(false);
  setDraftText(CONFIG_MODEL, 'name: "batch_mlp"\n');
  await until(() => expect(isMarked()).toBe(true));
  runCommand('file.save');
  await until(() => expect(isMarked()).toBe(false));
  expect(fake.argsOf('config/write')).toEqual([
    { model: CONFIG_MODEL, text: 'name: "batch_mlp"\n', expectedHash: 'h' },
  ]);
});

test('a file in an object store offers a copy of its model', async () => {
  const fake = configEngine({ repository: 's3://bucket/models' }, { readOnlyReason: 'it is in a store' });
  const { get } = await start(fake);
  await click(await until(() => get('config-copy')));
  expect(naming.getState().asked).toEqual({ model: CONFIG_MODEL, verb: 'duplicate' });
  naming.setState({ asked: undefined });
});

test('a file that cannot be changed says why, and nothing that writes can be used', async () => {
  const { get } = await start(configEngine({}, { readOnlyReason: 'the folder belongs to root' }));
  await until(() => expect(get('config-locked').textContent).toContain('the folder belongs to root'));
  expect(disabledReason('file.save')).toContain('the folder belongs to root');
  expect(isOff(get('config-format'))).toBe(true);
  // What is typed can be tried all the same: nothing is written by it.
  expect(isOff(get('config-try'))).toBe(false);
  expect((get('form-max-batch') as HTMLInputElement).disabled).toBe(true);
});

test('a file that cannot be shown says what it is instead', async () => {
  const { get, query } = await start(configEngine({}, { refusal: 'large', text: '' }));
  await until(() => get('config-refused'));
  expect(query('code-editor')).toBeNull();
  for (const act of ['config-format', 'config-try', 'config-save']) expect(isOff(get(act))).toBe(true);
  // What runs is known all the same; what the text would give is not.
  expect(get('config-effective').dataset['source']).toBe('running');
  expect(query('config-side-diff')).toBeNull();
  const [, ofText] = get('effective-source').querySelectorAll<HTMLElement>('[role="radio"]');
  expect(isOff(ofText!)).toBe(true);
});

test('beside a file that is not opened of a model that does not run stands nothing', async () => {
  const { get, query } = await start(configEngine({ state: 'unloaded' }, { refusal: 'binary', text: '' }));
  await until(() => get('config-refused'));
  expect(query('config-effective')).toBeNull();
});

test('a model without a file is offered one: of what is completed, or empty', async () => {
  const { get, query } = await start(configEngine({}, { exists: false, text: '', hash: undefined }));
  await until(() => get('config-none'));
  // There is nothing to save yet: making the file is what the screen is for.
  expect(isOff(get('config-save'))).toBe(true);
  expect(get('config-save-reload').className).not.toContain('bg-accent ');
  expect(get('config-create').className).toContain('bg-accent ');
  await click(get('config-start-empty'));
  await until(() => expect(query('config-none')).toBeNull());
  expect(configText()).toBe('name: "batch_mlp"\n');
});

test('a file that cannot be read says why and can be tried again', async () => {
  const fake = configEngine();
  fake.overrides['config/read'] = () => {
    throw internal('EIO');
  };
  page = await drawConfig(fake);
  await until(() => expect(document.body.textContent).toContain('EIO'));
  fake.overrides['config/read'] = () => CONFIG_ON_DISK;
  await click([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry')!);
  await until(() => page!.get('config-tab'));
});

test('a text that runs without being saved is saved or let go of from its banner', async () => {
  const fake = configEngine({ hasOverride: true });
  fake.overrides['config/effective'] = () => ({
    text: 'max_batch_size: 2\n',
    origins: [],
    json: '{}',
    error: undefined,
  });
  fake.overrides['config/write'] = ({ text }) => ({ ...CONFIG_ON_DISK, text, hash: 'h2' });
  const { get } = await start(fake);
  await click(await until(() => get('override-revert')));
  await until(() => expect(fake.argsOf('repository/reload')).toHaveLength(1));
  expect(fake.argsOf('config/write')).toEqual([]);
  fake.change(CONFIG_MODEL, { hasOverride: true });
  await click(await until(() => get('override-save')));
  await until(() => expect(fake.argsOf('config/write')).toMatchObject([{ text: 'max_batch_size: 2\n' }]));
});

test('a byte order mark, which nobody sees, is told and saved away', async () => {
  const fake = configEngine();
  fake.overrides['config/read'] = () => ({ ...CONFIG_ON_DISK, text: `\uFEFF${CONFIG_ON_DISK.text}` });
  fake.overrides['config/write'] = ({ text }) => ({ ...CONFIG_ON_DISK, text, hash: 'h2' });
  const { get, query } = await start(fake);
  expect((await until(() => get('config-mark'))).textContent).toContain('byte order mark');
  await click(get('config-unmark'));
  await until(() => expect(fake.argsOf('config/write')).toMatchObject([{ text: CONFIG_ON_DISK.text }]));
  await until(() => expect(query('config-mark')).toBeNull());
});

test('a change of the file under unsaved text is asked about', async () => {
  const fake = configEngine();
  const { get, query } = await start(fake);
  setDraftText(CONFIG_MODEL, 'mine\n');
  fake.overrides['config/read'] = () => ({ ...CONFIG_ON_DISK, text: 'theirs\n', hash: 'h2' });
  fake.publish('config/changedOnDisk', { model: CONFIG_MODEL } as never);
  await until(() => get('config-conflict'));
  await click(get('conflict-compare'));
  await until(() => expect(get('text-diff').textContent).toBe('theirs\n'));
  await click(get('conflict-disk'));
  await until(() => expect(query('config-conflict')).toBeNull());
  expect(configText()).toBe('theirs\n');
});

test('when the server reads another file of the model that is said, and shown on a click', async () => {
  const fake = configEngine();
  fake.overrides['config/profiles'] = () => ({ profiles: ['small'], active: 'small' });
  fake.overrides['config/readProfile'] = () => ({ text: 'max_batch_size: 1\n' });
  const { get, query } = await start(fake);
  const strip = await until(() => get('config-other-file'));
  expect(strip.textContent).toContain('configs/small.pbtxt');
  await click(strip.querySelector('button')!);
  await until(() => expect(get('code-editor').textContent).toBe('max_batch_size: 1\n'));
  expect(query('config-other-file')).toBeNull();
  // Only the main file is what a load takes.
  expect(isOff(get('config-try'))).toBe(true);
});

test('a new profile needs a name that is free and can be a file name', async () => {
  const fake = configEngine();
  fake.overrides['config/writeProfile'] = () => undefined;
  fake.overrides['config/readProfile'] = () => ({ text: CONFIG_ON_DISK.text });
  const { get, query } = await start(fake);
  await choose(get('config-file'), (text) => !text.includes('.pbtxt'));
  const name = await until(() => get('profile-name'));
  for (const bad of ['small', 'a/b', '']) {
    await type(name, bad);
    await until(() => expect(isOff(get('profile-create')), bad).toBe(true));
    name.closest('form')?.requestSubmit();
  }
  expect(fake.argsOf('config/writeProfile')).toEqual([]);
  await type(name, 'large');
  name.closest('form')?.requestSubmit();
  await until(() => expect(query('profile-dialog')).toBeNull());
  expect(fake.argsOf('config/writeProfile')).toMatchObject([{ profile: 'large' }]);
  expect(configPanes.getState().profiles[CONFIG_MODEL]).toBe('large');
});
