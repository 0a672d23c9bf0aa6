// What buttons, lists and keys of an ensemble's drawing write into its text, and how that is undone and saved.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ServerError } from '../../../src-shared/errors.ts';
import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { workspace } from '../../lib/workspace-store.ts';
import { EnsemblePage } from '../../testing/ensemble-page.tsx';
import { ENSEMBLE_TEXT } from '../../testing/ensemble-text.ts';
import { choose, click, press, until } from '../../testing/render.tsx';
import { changeView, viewOf } from './graph-views.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

vi.mock('../../config/language/config-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).SilentWorker,
}));

let page: EnsemblePage;

beforeEach(() => {
  page = new EnsemblePage();
});
afterEach(() => page.close());

const begins =
  (label: string) =>
  (text: string): boolean =>
    text.startsWith(label);

test('a source is chosen from a list: connected elsewhere, disconnected, and taken back by key', async () => {
  const { get } = await page.drawn();
  changeView('pair', { selected: 'step:1' });
  await until(() => get('graph-source-1-IN'));
  await choose(get('graph-source-1-IN'), begins('RAW: input'));
  await until(() =>
    expect(page.text).toContain(
      'input_map { key: "IN" value: "RAW" }\n      output_map { key: "OUT" value: "CLASS" }',
    ),
  );
  await until(() => expect(get('graph-dirty').dataset['dirty']).toBe('true'));
  await choose(get('graph-source-1-IN'), begins('(not connected)'));
  await until(() => expect(get('graph-source-1-IN').textContent).toContain('(not connected)'));
  await press(get('graph-tab'), 'z', { ctrlKey: true });
  await until(() => expect(get('graph-source-1-IN').textContent).toContain('RAW'));
  await press(get('graph-tab'), 'z', { ctrlKey: true });
  expect(page.text).toBe(ENSEMBLE_TEXT);
  await press(get('graph-tab'), 'Z', { ctrlKey: true, shiftKey: true });
  await until(() => expect(get('graph-source-1-IN').textContent).toContain('RAW'));
  await click(get('graph-undo'));
  await until(() => expect(get('graph-undo').getAttribute('aria-disabled')).toBe('true'));
  await click(get('graph-redo'));
  expect(page.text).not.toBe(ENSEMBLE_TEXT);
});

test('Delete takes the selected line away, and other keys with it do nothing', async () => {
  const { get } = await page.drawn();
  changeView('pair', { selected: 'edge:step:1/IN' });
  await until(() => expect(page.panel.textContent).toContain('step 1 · OUT'));
  await press(get('graph-canvas'), 'x');
  expect(page.text).toBe(ENSEMBLE_TEXT);
  await press(get('graph-canvas'), 'Delete');
  await until(() =>
    expect(page.text).not.toContain('value: "mid" }\n      output_map { key: "OUT" value: "CLASS"'),
  );
  expect(viewOf('pair').selected).toBe(undefined);
});

test('a text that cannot be changed says why instead, in every way to change it', async () => {
  page.file = { ...page.file, readOnlyReason: 'the repository is read-only' };
  const { get } = await page.drawn();
  changeView('pair', { selected: 'edge:step:1/IN' });
  await until(() => get('graph-disconnect'));
  await click(get('graph-disconnect'));
  await until(() => expect(document.body.textContent).toContain('the repository is read-only'));
  expect(page.text).toBe(ENSEMBLE_TEXT);
  expect(get('graph-save').getAttribute('aria-disabled')).toBe('true');
  expect(runCommand('file.save')).toBe(false);
  expect(page.fake.argsOf('config/write')).toEqual([]);
});

test('saving writes once, whichever button was pressed first', async () => {
  const gate = Promise.withResolvers<undefined>();
  page.fake.overrides['config/write'] = async ({ text, expectedHash }) => {
    if (expectedHash !== page.file.hash) throw new ServerError('ALREADY_EXISTS', 'config.pbtxt changed');
    await gate.promise;
    page.file = { ...page.file, text, hash: 'h2' };
    return page.file;
  };
  const { get } = await page.drawn();
  expect(get('graph-save').getAttribute('aria-disabled')).toBe('true');
  setDraftText('pair', `${ENSEMBLE_TEXT}# more\n`);
  await until(() => expect(get('graph-save').getAttribute('aria-disabled')).toBeNull());
  await click(get('graph-save'));
  await until(() => expect(get('graph-save-reload').getAttribute('aria-busy')).toBe('true'));
  await click(get('graph-save-reload'));
  gate.resolve(undefined);
  await until(() => expect(get('graph-dirty').dataset['dirty']).toBe('false'));
  expect(page.fake.argsOf('config/write')).toHaveLength(1);
  expect(page.fake.argsOf('repository/reload')).toEqual([]);
  await until(() => expect(get('graph-save-reload').getAttribute('aria-busy')).toBeNull());
  await click(get('graph-save-reload'));
  await until(() => expect(page.fake.argsOf('repository/reload')).toHaveLength(1));
});

test('a finding about a step leads to its line, and its repair is a step that is undone', async () => {
  const { get } = await page.drawn();
  const at = ENSEMBLE_TEXT.indexOf('"second"');
  setLiveIssues('pair', [
    {
      ...{ code: 'D51', severity: 'error', message: "no model 'second'", hint: 'Is it renamed?' },
      ...{ path: 'ensemble_scheduling.step[1].model_name', line: 10, column: 7 },
      ...{ startOffset: at, endOffset: at + 8 },
      fixes: [{ title: 'Use first', edits: [{ startOffset: at, endOffset: at + 8, newText: '"first"' }] }],
    },
  ]);
  await until(() => expect(get('graph-step-1').dataset['codes']).toBe('D51'));
  changeView('pair', { selected: 'step:1' });
  await until(() => expect(get('graph-issue-D51').textContent).toContain('Is it renamed?'));
  const buttonOf = (text: string): HTMLElement => {
    const found = [...get('graph-issue-D51').querySelectorAll('button')].find(({ textContent }) =>
      textContent?.includes(text),
    );
    if (found === undefined) throw new Error(`no button '${text}'`);
    return found;
  };
  await click(buttonOf('10'));
  await until(() =>
    expect(workspace.getState().tabs.some(({ address }) => address.query['line'] === '10')).toBe(true),
  );
  await click(buttonOf('Use first'));
  expect(page.text).toBe(ENSEMBLE_TEXT.replace('"second"', '"first"'));
  await click(get('graph-undo'));
  expect(page.text).toBe(ENSEMBLE_TEXT);
});

test('an output is taken from another step in its details', async () => {
  const { get } = await page.drawn();
  changeView('pair', { selected: 'out:CLASS' });
  await until(() => expect(page.panel.textContent).toContain('output of the ensemble'));
  await choose(get('graph-source-CLASS'), begins('new tensor: EXTRA of step 2'));
  await until(() => expect(page.text).toContain('key: "EXTRA"'));
  expect(page.text).not.toContain('key: "OUT" value: "CLASS"');
});
