// The Config tab: what it says of its file, what its buttons write, and the views beside the text.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { draftOf, drafts, setDraftText } from '../../config/drafts/config-drafts.ts';
import { modelAddress } from '../../lib/address.ts';
import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  press,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { configPanes } from './config-panes.ts';
import { ConfigTab } from './config-tab.tsx';

// The editors need a browser, and what checks the text a worker.
vi.mock('../../config/editor/code-editor.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/editor/text-diff.tsx', () => import('../../testing/plain-editors.tsx'));
vi.mock('../../config/language/config-language-client.ts', () => ({
  configLanguage: {
    setContext: () => undefined,
    ask: () => new Promise(() => undefined),
    forget: () => undefined,
  },
}));

const MODEL = 'batch_mlp';
const DISK = {
  exists: true,
  text: 'name: "batch_mlp"\nmax_batch_size: 8\n',
  hash: 'h',
  path: '/m/config.pbtxt',
  readOnlyReason: '',
  refusal: '',
} as const;

let page: Rendered | undefined;

beforeEach(() => {
  drafts.setState({ byDocument: new Map() });
  configPanes.setState({ side: 'form', isSplit: true, profiles: {}, compareWith: 'disk' });
});
afterEach(async () => {
  setLiveIssues(MODEL, []);
  await page?.close();
});

function engineOf(changes: Partial<ModelView> = {}, disk: object = {}): FakeEngine {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel(MODEL, { maxBatchSize: 8, ...changes })]);
  fake.overrides['config/read'] = () => ({ ...DISK, ...disk });
  fake.overrides['config/profiles'] = () => ({ profiles: ['small'], active: '' });
  fake.overrides['perf/runs'] = () => [];
  fake.overrides['config/previewReload'] = () => ({
    kind: 'full',
    sentence: 'All instances are made anew.',
    changedPaths: ['max_batch_size'],
  });
  return fake;
}

async function start(fake = engineOf(), query: Record<string, string> = {}): Promise<Rendered> {
  page = await renderWithHosts(
    <ConfigTab model={MODEL} version="" address={modelAddress(MODEL, 'config', query)} />,
    fake,
  );
  const { get } = page;
  await until(() => get('config-tab'));
  return page;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
const textNow = (): string => draftOf(MODEL)?.text ?? '';

test('the text can be seen, tried and saved without a mouse or eyes', async () => {
  const { get } = await start();
  await until(() => get('code-editor'));
  expect(await accessibilityFaults(get('config-tab'))).toEqual([]);
});

test('a text that was not saved is marked, and saving takes the mark away', async () => {
  const fake = engineOf();
  fake.overrides['config/write'] = ({ text }) => ({ ...DISK, text, hash: 'h2' });
  const { get } = await start(fake);
  const isMarked = (): boolean => get('config-dirty').dataset['dirty'] === 'true';
  expect(isMarked()).toBe(false);
  setDraftText(MODEL, 'name: "batch_mlp"\n');
  await until(() => expect(isMarked()).toBe(true));
  runCommand('file.save');
  await until(() => expect(isMarked()).toBe(false));
  expect(fake.argsOf('config/write')).toEqual([
    { model: MODEL, text: 'name: "batch_mlp"\n', expectedHash: 'h' },
  ]);
});

test('a file that cannot be changed says why, and nothing that writes can be used', async () => {
  const { get } = await start(engineOf({}, { readOnlyReason: 'the folder belongs to root' }));
  await until(() => expect(get('config-locked').textContent).toContain('the folder belongs to root'));
  expect(disabledReason('file.save')).toContain('the folder belongs to root');
  expect(isOff(get('config-format'))).toBe(true);
  // What is typed can be tried all the same: nothing is written by it.
  expect(isOff(get('config-try'))).toBe(false);
  expect((get('form-max-batch') as HTMLInputElement).disabled).toBe(true);
});

test('a file that cannot be shown says what it is instead', async () => {
  const { get, query } = await start(engineOf({}, { refusal: 'too-large', text: '' }));
  await until(() => get('config-refused'));
  expect(query('code-editor')).toBeNull();
});

test('a model without a file is offered one: of what is completed, or empty', async () => {
  const { get, query } = await start(engineOf({}, { exists: false, text: '', hash: '' }));
  await until(() => get('config-none'));
  await click(get('config-start-empty'));
  await until(() => expect(query('config-none')).toBeNull());
  expect(textNow()).toBe('name: "batch_mlp"\n');
});

test('a file that cannot be read says why and can be tried again', async () => {
  const fake = engineOf();
  fake.overrides['config/read'] = () => {
    throw internal('EIO');
  };
  page = await renderWithHosts(
    <ConfigTab model={MODEL} version="" address={modelAddress(MODEL, 'config')} />,
    fake,
  );
  await until(() => expect(document.body.textContent).toContain('EIO'));
  fake.overrides['config/read'] = () => DISK;
  await click([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry')!);
  await until(() => page!.get('config-tab'));
});

test('a text that runs without being saved is saved or let go of from its banner', async () => {
  const fake = engineOf({ hasOverride: true });
  fake.overrides['config/effective'] = () => ({
    text: 'max_batch_size: 2\n',
    origins: [],
    json: '{}',
    isLive: true,
    error: '',
  });
  fake.overrides['config/write'] = ({ text }) => ({ ...DISK, text, hash: 'h2' });
  const { get } = await start(fake);
  await click(await until(() => get('override-revert')));
  await until(() => expect(fake.argsOf('repository/reload')).toHaveLength(1));
  expect(fake.argsOf('config/write')).toEqual([]);
  fake.change(MODEL, { hasOverride: true });
  await click(await until(() => get('override-save')));
  await until(() => expect(fake.argsOf('config/write')).toMatchObject([{ text: 'max_batch_size: 2\n' }]));
});

test('a change of the file under unsaved text is asked about', async () => {
  const fake = engineOf();
  const { get, query } = await start(fake);
  setDraftText(MODEL, 'mine\n');
  fake.overrides['config/read'] = () => ({ ...DISK, text: 'theirs\n', hash: 'h2' });
  fake.publish('config/changedOnDisk', { model: MODEL } as never);
  await until(() => get('config-conflict'));
  await click(get('conflict-compare'));
  await until(() => expect(get('text-diff').textContent).toBe('theirs\n'));
  await click(get('conflict-disk'));
  await until(() => expect(query('config-conflict')).toBeNull());
  expect(textNow()).toBe('theirs\n');
});

test('when the server reads another file of the model that is said, and shown on a click', async () => {
  const fake = engineOf();
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
  const fake = engineOf();
  fake.overrides['config/writeProfile'] = () => undefined;
  fake.overrides['config/readProfile'] = () => ({ text: DISK.text });
  const { get, query } = await start(fake);
  await choose(get('config-file'), (text) => !text.includes('.pbtxt'));
  const name = await until(() => get('profile-name'));
  for (const bad of ['small', 'a/b', '']) {
    await type(name, bad);
    await until(() => expect(isOff(get('profile-create')), bad).toBe(true));
    await press(name, 'Enter');
  }
  expect(fake.argsOf('config/writeProfile')).toEqual([]);
  await type(name, 'large');
  await press(name, 'Enter');
  await until(() => expect(query('profile-dialog')).toBeNull());
  expect(fake.argsOf('config/writeProfile')).toMatchObject([{ profile: 'large' }]);
  expect(configPanes.getState().profiles[MODEL]).toBe('large');
});

test('the form changes its field of the text and nothing else; the text changes the form', async () => {
  const { get } = await start();
  await type(get('form-max-batch'), '16');
  await until(() => expect(textNow()).toBe('name: "batch_mlp"\nmax_batch_size: 16\n'));
  await click(get('form-dynamic'));
  await until(() => expect(textNow()).toContain('dynamic_batching'));
  await type(await until(() => get('form-delay')), '200');
  await until(() => expect(textNow()).toContain('max_queue_delay_microseconds: 200'));
  await type(get('form-preferred'), '4, x');
  await press(get('form-preferred'), 'Enter');
  expect(textNow()).not.toContain('preferred_batch_size');
  await type(get('form-preferred'), '4, 8');
  get('form-preferred').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await until(() => expect(textNow()).toContain('preferred_batch_size: [ 4, 8 ]'));
  await choose(get('form-kind'), 'KIND_CPU');
  await until(() => expect(textNow()).toContain('kind: KIND_CPU'));
  await choose(get('form-policy'), 'Newest N');
  await until(() => expect(textNow()).toContain('latest'));
  get('form-max-batch').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  setDraftText(MODEL, 'max_batch_size: 2\n');
  await until(() => expect((get('form-max-batch') as HTMLInputElement).value).toBe('2'));
});

test('a step up and at once down again is where it began, although the form is a moment behind', async () => {
  const { get } = await start();
  const up = get('form-max-batch').parentElement!.querySelector<HTMLElement>('[aria-label="Increase"]')!;
  up.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, cancelable: true }));
  up.dispatchEvent(new MouseEvent('pointerup', { bubbles: true }));
  up.click();
  await until(() => expect(textNow()).toContain('max_batch_size: 9'));
  await type(get('form-max-batch'), '8');
  await until(() => expect(textNow()).toContain('max_batch_size: 8'));
});

test('a text that cannot be read leaves the form waiting, with the reason', async () => {
  const { get } = await start(engineOf({}, { text: 'max_batch_size: {' }));
  await until(() => expect(get('config-form').textContent).toMatch(/line|expected/i));
  expect(page?.query('form-max-batch')).toBeNull();
});

test('what a reload would do is said before it is done, and why it cannot be told', async () => {
  const fake = engineOf();
  const { get } = await start(fake, { view: 'preview' });
  await until(() => expect(get('config-preview').dataset['kind']).toBe('full'));
  expect(get('config-preview').textContent).toContain('All instances are made anew.');
  expect(get('config-preview').textContent).toContain('max_batch_size');
  fake.overrides['config/previewReload'] = () => {
    throw internal('a brace is missing');
  };
  setDraftText(MODEL, 'x {');
  await until(() => expect(get('config-preview').textContent).toContain('a brace is missing'));
});

test.each([
  [
    'git',
    'config/gitHead',
    { text: undefined, reason: 'It is in no repository.' },
    'It is in no repository.',
  ],
  ['loaded', 'config/lastLoaded', { text: undefined }, ''],
] as const)('what cannot be compared with says why: %s', async (target, call, answer, reason) => {
  const fake = engineOf();
  fake.overrides[call] = (() => answer) as never;
  const { get, query } = await start(fake, { with: target });
  const said = await until(() => get('diff-none'));
  if (reason !== '') expect(said.textContent).toContain(reason);
  expect(said.textContent).not.toBe('');
  expect(query('text-diff')).toBeNull();
});

test('a text is compared with another profile, and with itself on disk', async () => {
  const fake = engineOf();
  fake.overrides['config/readProfile'] = () => ({ text: 'max_batch_size: 1\r\n#\n' });
  const { get } = await start(fake, { with: 'profile:small' });
  await until(() => expect(get('text-diff').textContent).toBe('max_batch_size: 1\n#\n'));
  await choose(get('diff-with'), (text) => /disk|file/i.test(text));
  await until(() => expect(get('text-diff').textContent).toBe(DISK.text));
  await until(() => expect(document.body.textContent).toContain('No differences.'));
});

const issue = (code: string, changes: Partial<ConfigIssueView> = {}): ConfigIssueView => ({
  code,
  severity: 'warning',
  message: `${code} is found`,
  hint: 'Do this.',
  path: 'max_batch_size',
  startOffset: 0,
  endOffset: 1,
  line: 2,
  column: 1,
  fixes: [],
  ...changes,
});

test('findings are listed with the worst first, and a repair changes the text', async () => {
  const { get } = await start();
  const fix = { title: 'Use 4', edits: [{ startOffset: 34, endOffset: 35, newText: '4' }] };
  setLiveIssues(MODEL, [issue('D01'), issue('D02', { severity: 'error', fixes: [fix] as never })]);
  await until(() => expect(get('config-problems').dataset['count']).toBe('2'));
  const codes = [...get('config-problems').querySelectorAll<HTMLElement>('li')].map(
    ({ dataset }) => dataset['testid'],
  );
  expect(codes).toEqual(['problem-D02', 'problem-D01']);
  await click(get('quickfix-D02'));
  await until(() => expect(textNow()).toContain('max_batch_size: 4'));
});

test('a locked file offers no repair that would change it', async () => {
  const { get } = await start(engineOf({}, { readOnlyReason: 'it belongs to root' }));
  const fix = { title: 'Use 4', edits: [{ startOffset: 34, endOffset: 35, newText: '4' }] };
  setLiveIssues(MODEL, [issue('D02', { fixes: [fix] as never })]);
  await click(await until(() => get('quickfix-D02')));
  expect(textNow()).toBe(DISK.text);
});

test('what runs is shown line by line with where it comes from, chosen by origin', async () => {
  const fake = engineOf();
  fake.overrides['config/effective'] = () => ({
    text: 'name: "batch_mlp"\nbackend: "onnxruntime"\n',
    origins: [
      { kind: 'file', reason: '' },
      { kind: 'auto-complete', reason: 'from the model file' },
    ],
    json: '{}',
    isLive: true,
    error: '',
  });
  const { get } = await start(fake, { view: 'effective' });
  await until(() => expect(get('config-effective').textContent).toContain('from the model file'));
  expect(get('config-effective').dataset['source']).toBe('running');
  await choose(get('effective-filter'), (text) => text.includes('(1)') && /auto|complet/i.test(text));
  await until(() => expect(get('config-effective').textContent).not.toContain('batch_mlp'));
  // Text that was not saved completes to something else than what runs.
  setDraftText(MODEL, 'max_batch_size: 2\n');
  await until(() => expect(get('config-effective').dataset['source']).toBe('text'));
});
