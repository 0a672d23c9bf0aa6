import { afterEach, expect, test, vi } from 'vitest';

import { internal, ServerError } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { codeDocument, draftOf, setDraftText } from '../../config/drafts/config-drafts.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderView, until } from '../../testing/render.tsx';
import { codePanes } from './code-panes.ts';
import { CodeTab } from './code-tab.tsx';

// The editor itself needs a browser.
vi.mock('../../config/editor/code-editor.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/editor/text-diff.tsx', () => import('../../testing/plain-editors.tsx'));

const FILE = '1/model.py';
const DISK = {
  exists: true,
  text: 'a = 1\n',
  hash: 'h',
  path: '/m/1/model.py',
  readOnlyReason: undefined,
  refusal: undefined,
} as const;

let page: Rendered | undefined;
afterEach(() => page?.close());

/** Drafts outlive a page, so each test has a model of its own. */
async function start(fake: FakeEngine, name: string): Promise<Rendered> {
  fake.snapshot = fakeSnapshot([fakeModel(name, { backend: 'python' })]);
  page = await renderView(<CodeTab model={name} version="" address={modelAddress(name, 'code')} />, fake);
  return page;
}

test.each(['code/files', 'code/read'] as const)(
  'text that was not saved stays in sight when %s fails later, and the reason is told',
  async (call) => {
    const fake = new FakeEngine();
    fake.overrides['code/files'] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
    fake.overrides['code/read'] = () => DISK;
    const name = `m_${call}`;
    const { get, query } = await start(fake, name);
    await until(() => get('code-editor'));
    const document = codeDocument(name, FILE);
    setDraftText(document, 'a = 2\n');
    fake.overrides[call] = () => {
      throw internal('the disk is gone.');
    };
    fake.publish('code/changedOnDisk', { model: name });
    await until(() => expect(get('code-unread').textContent).toContain('the disk is gone.'));
    expect(get('code-editor').textContent).toBe('a = 2\n');
    expect(draftOf(document)?.text).toBe('a = 2\n');
    if (call === 'code/files') fake.overrides[call] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
    else fake.overrides['code/read'] = () => DISK;
    await click(get('code-unread').querySelector('button') as HTMLElement);
    await until(() => expect(query('code-unread')).toBeNull());
    expect(get('code-editor').textContent).toBe('a = 2\n');
  },
);

test('a file that was never read says why, and can be tried again', async () => {
  const fake = new FakeEngine();
  fake.overrides['code/files'] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
  fake.overrides['code/read'] = () => {
    throw internal('no right to read.');
  };
  const { query } = await start(fake, 'unread');
  await until(() => expect(document.body.textContent).toContain('no right to read.'));
  expect(query('code-editor')).toBeNull();
});

const OTHER = '1/helper.py';

/** A model of two files that can be written to; each test has a name of its own. */
async function startWritable(
  name: string,
  changes: object = {},
  query: Record<string, string> = {},
): Promise<Rendered> {
  codePanes.setState({ files: {}, isComparing: false, original: 'disk' });
  const fake = new FakeEngine();
  fake.overrides['code/files'] = () => [
    { path: FILE, isMain: true, byteSize: 6 },
    { path: OTHER, isMain: false, byteSize: 6 },
  ];
  fake.overrides['code/read'] = ({ file }) => ({
    ...DISK,
    ...(file === OTHER ? { text: 'help = 1\n', hash: 'o' } : {}),
    ...changes,
  });
  fake.overrides['code/write'] = ({ text }) => ({ ...DISK, text, hash: 'h2' });
  fake.snapshot = fakeSnapshot([fakeModel(name, { backend: 'python' })]);
  const view = <CodeTab model={name} version="" address={modelAddress(name, 'code', query)} />;
  page = await renderView(view, fake);
  const { get } = page;
  await until(() => get('code-tab'));
  return page;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

test('the file that is loaded is shown first, and another one when it is chosen', async () => {
  const { get } = await startWritable('chosen');
  await until(() => expect(get('code-editor').textContent).toBe('a = 1\n'));
  expect(await accessibilityFaults(get('code-tab'))).toEqual([]);
  await choose(get('code-file'), OTHER);
  await until(() => expect(get('code-editor').textContent).toBe('help = 1\n'));
  expect(codePanes.getState().files['chosen']).toBe(OTHER);
});

test('an address leads to its file', async () => {
  const { get } = await startWritable('addressed', {}, { file: OTHER, line: '3' });
  await until(() => expect(get('code-editor').textContent).toBe('help = 1\n'));
});

test('text that was not saved is marked, saved by its key against the file that was read, or taken back', async () => {
  const { get, fake } = await startWritable('saved');
  const isMarked = (): boolean => get('code-dirty').dataset['dirty'] === 'true';
  expect([isMarked(), isOff(get('code-revert'))]).toEqual([false, true]);
  const document = codeDocument('saved', FILE);
  setDraftText(document, 'a = 2\n');
  await until(() => expect(isMarked()).toBe(true));
  runCommand('file.save');
  await until(() => expect(isMarked()).toBe(false));
  expect(fake.argsOf('code/write')).toEqual([
    { model: 'saved', file: FILE, text: 'a = 2\n', expectedHash: 'h' },
  ]);
  setDraftText(document, 'a = 3\n');
  await until(() => expect(isOff(get('code-revert'))).toBe(false));
  await click(get('code-revert'));
  await until(() => expect(get('code-editor').textContent).toBe('a = 2\n'));
  expect(fake.argsOf('code/write')).toHaveLength(1);
});

test('a folder that cannot be written to says so, and nothing is saved by a key', async () => {
  const { get, fake } = await startWritable('locked', { readOnlyReason: 'it belongs to root' });
  await until(() => expect(get('code-locked').textContent).toContain('it belongs to root'));
  expect(disabledReason('file.save')).toContain('it belongs to root');
  setDraftText(codeDocument('locked', FILE), 'a = 2\n');
  runCommand('file.save');
  expect(fake.argsOf('code/write')).toEqual([]);
});

test('a file that is no text, and a model without source, say so', async () => {
  const { get, query } = await startWritable('refused', { refusal: 'too-large', text: '' });
  await until(() => get('code-refused'));
  expect(query('code-editor')).toBeNull();
  await page?.close();
  const fake = new FakeEngine();
  fake.overrides['code/files'] = () => [];
  const none = await start(fake, 'nothing');
  await until(() => none.get('code-none'));
});

test.each([
  ['code-conflict-mine', 'mine\n'],
  ['code-conflict-disk', 'theirs\n'],
])('of two texts one is kept: %s', async (button, kept) => {
  const name = `two_${button}`;
  const { get, query, fake } = await startWritable(name);
  setDraftText(codeDocument(name, FILE), 'mine\n');
  fake.overrides['code/read'] = () => ({ ...DISK, text: 'theirs\n', hash: 'h9' });
  fake.publish('code/changedOnDisk', { model: name });
  await until(() => get('code-conflict'));
  await click(get('code-conflict-compare'));
  await until(() => expect(get('text-diff').textContent).toBe('theirs\n'));
  await click(get(button));
  await until(() => expect(query('code-conflict')).toBeNull());
  expect(get('code-editor').textContent).toBe(kept);
  // What is kept of one's own replaces what is there now, not what was there.
  runCommand('file.save');
  if (kept === 'mine\n')
    await until(() => expect(fake.argsOf('code/write')).toMatchObject([{ text: kept, expectedHash: 'h9' }]));
});

test('the text is compared with the last commit, or it says why there is none', async () => {
  const { get, fake, query } = await startWritable('compared');
  fake.overrides['code/gitHead'] = () => ({ text: 'a = 0\r\n#\n', reason: '' });
  await click(get('code-compare'));
  await until(() => expect(get('text-diff').textContent).toBe('a = 1\n'));
  await until(() => expect(get('code-diff').textContent).toContain('No differences.'));
  codePanes.setState({ original: 'git' });
  await until(() => expect(get('text-diff').textContent).toBe('a = 0\n#\n'));
  codePanes.setState({ original: 'disk' });
  await until(() => expect(get('text-diff').textContent).toBe('a = 1\n'));
  fake.overrides['code/gitHead'] = () => ({ text: undefined, reason: 'It is in no repository.' }) as never;
  codePanes.setState({ original: 'git' });
  await until(() => expect(get('code-diff').textContent).toContain('It is in no repository.'));
  expect(query('text-diff')).toBeNull();
});

test('a file that was removed is said to be gone, and saving writes what is in the editor', async () => {
  const { get, fake } = await startWritable('removed');
  const document = codeDocument('removed', FILE);
  setDraftText(document, 'a = 2\n');
  fake.overrides['code/read'] = () => ({ ...DISK, exists: false, text: '', hash: undefined });
  fake.publish('code/changedOnDisk', { model: 'removed' });
  await click(await until(() => get('code-conflict-mine')));
  await until(() => expect(get('code-tab').textContent).toContain('model.py is not there'));
  expect(draftOf(document)?.text).toBe('a = 2\n');
  runCommand('file.save');
  // No file, so there is none that must not have changed.
  await until(() =>
    expect(fake.argsOf('code/write')).toMatchObject([{ text: 'a = 2\n', expectedHash: undefined }]),
  );
  await until(() => expect(get('code-tab').textContent).not.toContain('is not there'));
});

test('a text that somebody else wrote meanwhile is not overwritten: both are there to choose from', async () => {
  const { get, fake } = await startWritable('raced');
  const document = codeDocument('raced', FILE);
  setDraftText(document, 'mine\n');
  fake.overrides['code/write'] = () => {
    throw new ServerError('ALREADY_EXISTS', 'model.py changed meanwhile');
  };
  fake.overrides['code/read'] = () => ({ ...DISK, text: 'theirs\n', hash: 'h5' });
  runCommand('file.save');
  await until(() => get('code-conflict'));
  expect(draftOf(document)).toMatchObject({ text: 'mine\n', conflict: { text: 'theirs\n' } });
});

test('saving and loading again loads what was written, and nothing when writing failed', async () => {
  const { fake } = await startWritable('reloaded');
  const document = codeDocument('reloaded', FILE);
  fake.overrides['code/write'] = () => {
    throw internal('the disk is full');
  };
  setDraftText(document, 'a = 2\n');
  runCommand('file.saveReload');
  await until(() => expect(fake.argsOf('code/write')).toHaveLength(1));
  fake.overrides['code/write'] = ({ text }) => ({ ...DISK, text, hash: 'h2' });
  expect(fake.argsOf('repository/reload')).toEqual([]);
  runCommand('file.saveReload');
  await until(() => expect(fake.argsOf('repository/reload')).toMatchObject([{ model: 'reloaded' }]));
  expect(fake.argsOf('code/write')).toHaveLength(2);
});

test('a chosen file that is gone from the list gives way to the one that is loaded', async () => {
  const { get, fake } = await startWritable('shorter', {}, { file: OTHER });
  await until(() => expect(get('code-editor').textContent).toBe('help = 1\n'));
  fake.overrides['code/files'] = () => [{ path: FILE, isMain: true, byteSize: 6 }];
  // Another model's change is none of this one.
  const asked = fake.argsOf('code/files').length;
  fake.publish('code/changedOnDisk', { model: 'another' });
  fake.publish('code/changedOnDisk', { model: 'shorter' });
  await until(() => expect(get('code-editor').textContent).toBe('a = 1\n'));
  expect(fake.argsOf('code/files')).toHaveLength(asked + 1);
});

test('the comparison is opened and put away by its key', async () => {
  const { get, query } = await startWritable('split');
  expect(query('code-diff')).toBeNull();
  runCommand('editor.split');
  await until(() => get('code-diff'));
  runCommand('editor.split');
  await until(() => expect(query('code-diff')).toBeNull());
});
