// What stands beside the text in the Config tab: the form, the preview, the comparison, the findings, what runs.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import {
  CONFIG_MODEL,
  CONFIG_ON_DISK,
  configEngine,
  configText,
  forgetConfig,
  showConfig,
} from '../../testing/config-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { choose, click, press, type, until } from '../../testing/render.tsx';

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

test('the form changes its field of the text and nothing else; the text changes the form', async () => {
  const { get } = await start();
  await type(get('form-max-batch'), '16');
  await until(() => expect(configText()).toBe('name: "batch_mlp"\nmax_batch_size: 16\n'));
  await click(get('form-dynamic'));
  await until(() => expect(configText()).toContain('dynamic_batching'));
  await type(await until(() => get('form-delay')), '200');
  await until(() => expect(configText()).toContain('max_queue_delay_microseconds: 200'));
  await type(get('form-preferred'), '4, x');
  await press(get('form-preferred'), 'Enter');
  expect(configText()).not.toContain('preferred_batch_size');
  await type(get('form-preferred'), '4, 8');
  get('form-preferred').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await until(() => expect(configText()).toContain('preferred_batch_size: [ 4, 8 ]'));
  await choose(get('form-kind'), 'KIND_CPU');
  await until(() => expect(configText()).toContain('kind: KIND_CPU'));
  await choose(get('form-policy'), 'Newest N');
  await until(() => expect(configText()).toContain('latest'));
  get('form-max-batch').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  setDraftText(CONFIG_MODEL, 'max_batch_size: 2\n');
  await until(() => expect((get('form-max-batch') as HTMLInputElement).value).toBe('2'));
});

test('a step up and at once down again is where it began, although the form is a moment behind', async () => {
  const { get } = await start();
  const up = get('form-max-batch').parentElement!.querySelector<HTMLElement>('[aria-label="Increase"]')!;
  up.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, cancelable: true }));
  up.dispatchEvent(new MouseEvent('pointerup', { bubbles: true }));
  up.click();
  await until(() => expect(configText()).toContain('max_batch_size: 9'));
  await type(get('form-max-batch'), '8');
  await until(() => expect(configText()).toContain('max_batch_size: 8'));
});

test('a text that cannot be read leaves the form waiting, with the reason', async () => {
  const { get } = await start(configEngine({}, { text: 'max_batch_size: {' }));
  await until(() => expect(get('config-form').textContent).toMatch(/line|expected/i));
  expect(page?.query('form-max-batch')).toBeNull();
});

test('what a reload would do is said before it is done, and why it cannot be told', async () => {
  const fake = configEngine();
  const { get } = await start(fake, { view: 'preview' });
  await until(() => expect(get('config-preview').dataset['kind']).toBe('full'));
  expect(get('config-preview').textContent).toContain('All instances are made anew.');
  expect(get('config-preview').textContent).toContain('max_batch_size');
  fake.overrides['config/previewReload'] = () => {
    throw internal('a brace is missing');
  };
  setDraftText(CONFIG_MODEL, 'x {');
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
  const fake = configEngine();
  fake.overrides[call] = (() => answer) as never;
  const { get, query } = await start(fake, { with: target });
  const said = await until(() => get('diff-none'));
  if (reason !== '') expect(said.textContent).toContain(reason);
  expect(said.textContent).not.toBe('');
  expect(query('text-diff')).toBeNull();
});

test('a text is compared with another profile, and with itself on disk', async () => {
  const fake = configEngine();
  fake.overrides['config/readProfile'] = () => ({ text: 'max_batch_size: 1\r\n#\n' });
  const { get } = await start(fake, { with: 'profile:small' });
  await until(() => expect(get('text-diff').textContent).toBe('max_batch_size: 1\n#\n'));
  await choose(get('diff-with'), (text) => /disk|file/i.test(text));
  await until(() => expect(get('text-diff').textContent).toBe(CONFIG_ON_DISK.text));
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
  setLiveIssues(CONFIG_MODEL, [issue('D01'), issue('D02', { severity: 'error', fixes: [fix] as never })]);
  await until(() => expect(get('config-problems').dataset['count']).toBe('2'));
  const codes = [...get('config-problems').querySelectorAll<HTMLElement>('li')].map(
    ({ dataset }) => dataset['testid'],
  );
  expect(codes).toEqual(['problem-D02', 'problem-D01']);
  await click(get('quickfix-D02'));
  await until(() => expect(configText()).toContain('max_batch_size: 4'));
});

test('a locked file offers no repair that would change it', async () => {
  const { get } = await start(configEngine({}, { readOnlyReason: 'it belongs to root' }));
  const fix = { title: 'Use 4', edits: [{ startOffset: 34, endOffset: 35, newText: '4' }] };
  setLiveIssues(CONFIG_MODEL, [issue('D02', { fixes: [fix] as never })]);
  await click(await until(() => get('quickfix-D02')));
  expect(configText()).toBe(CONFIG_ON_DISK.text);
});

test('what runs is shown line by line with where it comes from, chosen by origin', async () => {
  const fake = configEngine();
  fake.overrides['config/effective'] = () => ({
    text: 'name: "batch_mlp"\nbackend: "onnxruntime"\n',
    origins: [
      { kind: 'file', reason: undefined },
      { kind: 'auto-complete', reason: 'from the model file' },
    ],
    json: '{}',
    error: undefined,
  });
  const { get } = await start(fake, { view: 'effective' });
  await until(() => expect(get('config-effective').textContent).toContain('from the model file'));
  expect(get('config-effective').dataset['source']).toBe('running');
  await choose(get('effective-filter'), (text) => text.includes('(1)') && /auto|complet/i.test(text));
  await until(() => expect(get('config-effective').textContent).not.toContain('batch_mlp'));
  // Text that was not saved completes to something else than what runs.
  setDraftText(CONFIG_MODEL, 'max_batch_size: 2\n');
  await until(() => expect(get('config-effective').dataset['source']).toBe('text'));
});
