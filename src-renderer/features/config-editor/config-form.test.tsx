// The form beside the text: each field changes the text that it stands for, and shows what is written there.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import {
  CONFIG_MODEL,
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
beforeEach(() => {
  forgetConfig();
  workspace.setState(INITIAL_WORKSPACE, true);
});
afterEach(() => page?.close());

const HEAD = 'name: "batch_mlp"\nbackend: "onnxruntime"\nmax_batch_size: 8\n';

async function form(text = HEAD, ...changes: Parameters<typeof configEngine>): Promise<Rendered> {
  page = await showConfig(configEngine(changes[0], { text, ...changes[1] }));
  const { get } = page;
  await until(() => get('config-form'));
  return page;
}

const valueOf = (field: HTMLElement): string => (field as HTMLInputElement).value;

test('what is written is shown, all of it', async () => {
  const { get } = await form(
    `${HEAD}dynamic_batching { preferred_batch_size: [ 2, 4 ] max_queue_delay_microseconds: 70 }
instance_group [ { count: 3 kind: KIND_CPU } ]
version_policy { latest { num_versions: 2 } }
optimization { graph { level: 1 } }
parameters { key: "intra_op_thread_count" value { string_value: "2" } }
`,
  );
  expect(valueOf(get('form-delay'))).toBe('70');
  expect(valueOf(get('form-preferred'))).toBe('2, 4');
  expect(valueOf(get('form-instances'))).toBe('3');
  expect(get('form-kind').textContent).toContain('KIND_CPU');
  expect(get('form-policy').textContent).toContain('Newest N');
  expect(valueOf(get('form-latest'))).toBe('2');
  expect(valueOf(get('form-intra'))).toBe('2');
  expect(get('form-level').textContent).toContain('Extended');
});

test('a field that is emptied leaves the text, and nothing of it stays', async () => {
  const { get } = await form();
  await type(get('form-intra'), '4');
  await until(() => expect(configText()).toContain('"intra_op_thread_count"'));
  await type(get('form-intra'), '');
  await until(() => expect(configText()).toBe(HEAD));
  await choose(get('form-level'), 'None');
  await until(() => expect(configText()).toContain('level: 2'));
  await choose(get('form-level'), 'Default (all)');
  await until(() => expect(configText()).toBe(HEAD));
  await choose(get('form-kind'), 'KIND_GPU');
  await until(() => expect(configText()).toContain('kind: KIND_GPU'));
  await type(get('form-instances'), '2');
  await until(() => expect(configText()).toContain('count: 2'));
});

test('versions begin with those that are there, and are changed as a list', async () => {
  const { get, query } = await form();
  await choose(get('form-policy'), 'These');
  await until(() => expect(configText()).toContain('specific'));
  await until(() => expect(valueOf(get('form-versions'))).toBe('1'));
  await type(get('form-versions'), '1, x');
  expect(get('config-form').textContent).toContain('Whole numbers separated by commas.');
  await press(get('form-versions'), 'Enter');
  await type(get('form-versions'), '3 5');
  get('form-versions').dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  await until(() => expect(configText()).toMatch(/versions: \[ 3, 5 \]/));
  await choose(get('form-policy'), 'All');
  await until(() => expect(configText()).toMatch(/version_policy \{\s+all \{ \}/));
  expect(query('form-versions')).toBeNull();
  await choose(get('form-policy'), 'Newest (default)');
  await until(() => expect(configText()).toBe(HEAD));
});

test.each([
  [
    'a sequence model is not offered dynamic batching',
    'sequence_batching { }\n',
    'form-dynamic',
    'sequence batching',
  ],
  [
    'several instance groups are left to the text',
    'instance_group [ { count: 1 }, { count: 2 } ]\n',
    'form-instances',
    'several instance groups',
  ],
  [
    'an ensemble has no instances',
    'platform: "ensemble"\nensemble_scheduling { step [ ] }\n',
    'form-intra',
    'An ensemble has no instances',
  ],
])('%s', async (_name, text, field, words) => {
  const { get, query } = await form(`name: "batch_mlp"\nmax_batch_size: 8\n${text}`);
  await until(() => expect(get('config-form').textContent).toContain(words));
  expect(query(field)).toBeNull();
});

test('a locked file is shown and cannot be changed by the form', async () => {
  const { get } = await form(HEAD, {}, { readOnlyReason: 'it belongs to root' });
  for (const field of ['form-max-batch', 'form-instances', 'form-intra']) {
    expect((get(field) as HTMLInputElement).disabled).toBe(true);
  }
  await click(get('form-dynamic'));
  expect(configText()).toBe(HEAD);
});

const FINDING = {
  severity: 'warning',
  path: 'max_batch_size',
  message: 'It is large.',
  hint: '',
  line: 3,
  column: 1,
  startOffset: 0,
  endOffset: 4,
} as const;

test('a finding is put aside, counted, and brought back', async () => {
  const { get, query } = await form();
  const fixes = [{ title: 'Ignore', edits: [], action: 'ignore' as const }];
  setLiveIssues(CONFIG_MODEL, [{ ...FINDING, code: 'W1', fixes }]);
  await click(await until(() => get('quickfix-W1')));
  await until(() => expect(query('problem-W1')).toBeNull());
  expect(get('config-problems').textContent).toContain('1 ignored');
  await click(get('config-show-ignored'));
  await until(() => get('problem-W1'));
});

test('a finding about an ensemble leads to its place in the drawing', async () => {
  const { get } = await form();
  setLiveIssues(CONFIG_MODEL, [{ ...FINDING, code: 'D50', path: 'ensemble_scheduling.step[0]', fixes: [] }]);
  await click(await until(() => get('problem-in-graph')));
  expect(activeTab()?.address).toMatchObject({
    model: CONFIG_MODEL,
    tab: 'graph',
    query: { at: 'ensemble_scheduling.step[0]' },
  });
});

test('a repair whose finding is gone changes nothing', async () => {
  const { get } = await form();
  const fixes = [{ title: 'Use 4', edits: [{ startOffset: 0, endOffset: 4, newText: 'x' }] }];
  setLiveIssues(CONFIG_MODEL, [{ ...FINDING, code: 'W2', fixes }]);
  const repair = await until(() => get('quickfix-W2'));
  setLiveIssues(CONFIG_MODEL, []);
  repair.click();
  expect(configText()).toBe(HEAD);
  setDraftText(CONFIG_MODEL, '');
});
