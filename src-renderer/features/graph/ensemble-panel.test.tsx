// The column beside an ensemble's drawing: connections as a table, details of what is selected, repairs of findings.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { internal } from '../../../src-shared/errors.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { forgetLiveIssues, setLiveIssues } from '../../lib/live-problems.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { ensembleModel, EnsemblePage } from '../../testing/ensemble-page.tsx';
import { ENSEMBLE_TEXT } from '../../testing/ensemble-text.ts';
import { click, press, until } from '../../testing/render.tsx';
import { changeView, viewOf } from './graph-views.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

vi.mock('../../config/language/config-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).SilentWorker,
}));

let page: EnsemblePage;
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  page = new EnsemblePage();
});
afterEach(async () => {
  forgetLiveIssues('pair');
  await page.close();
});

const buttonOf = (parent: HTMLElement, text: string): HTMLElement => {
  const found = [...parent.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(text));
  if (found === undefined) throw new Error(`no button '${text}' in ${parent.textContent}`);
  return found;
};

/** The finding that the second step has no model, at its place in a text. */
function unknownModel(text: string): ConfigIssueView {
  const at = text.indexOf('"second"');
  const place = { startOffset: at, endOffset: at + 8 };
  return {
    ...{ code: 'D51', severity: 'error', message: "no model 'second'", hint: '' },
    ...{ path: 'ensemble_scheduling.step[1].model_name', line: 10, column: 7, ...place },
    fixes: [{ title: 'Use first', edits: [{ ...place, newText: '"first"' }] }],
  };
}

test('a repair waits for the check of what was changed since, and is made at its place then', async () => {
  const { get } = await page.drawn();
  setLiveIssues('pair', [unknownModel(ENSEMBLE_TEXT)], ENSEMBLE_TEXT);
  changeView('pair', { selected: 'step:1' });
  await until(() => get('graph-issue-D51'));
  const typed = `# a line more\n${ENSEMBLE_TEXT}`;
  setDraftText('pair', typed);
  await click(buttonOf(get('graph-issue-D51'), 'Use first'));
  expect(page.text).toBe(typed);
  setLiveIssues('pair', [unknownModel(typed)], typed);
  await click(buttonOf(get('graph-issue-D51'), 'Use first'));
  await until(() => expect(page.text).toBe(typed.replace('"second"', '"first"')));
});

test('the table names both ends of each line, and a line is disconnected from its details', async () => {
  const { get } = await page.drawn();
  const rows = [...get('graph-connections').querySelectorAll('tbody tr')].map(
    ({ textContent }) => textContent,
  );
  expect(rows).toHaveLength(3);
  const mid = rows.findIndex((text) => text.startsWith('mid'));
  expect(rows[mid]).toMatch(/1.*OUT.*→.*2.*IN/);
  const [, button] = [...get('graph-connections').querySelectorAll('button')];
  await click(get('graph-connections').querySelectorAll('button')[mid] ?? (button as HTMLElement));
  await until(() => expect(page.panel.textContent).toContain('mid'));
  await click(get('graph-disconnect'));
  await until(() => expect(page.text).not.toContain('key: "IN" value: "mid"'));
  expect(page.text).toContain('key: "OUT" value: "mid"');
  // Details of a line that is gone are closed.
  expect(viewOf('pair').selected).toBe(undefined);
});

test('undo by keys is the drawing’s own only outside of fields', async () => {
  const { get } = await page.drawn();
  changeView('pair', { selected: 'step:1' });
  await until(() => get('graph-source-1-IN'));
  setLiveIssues('pair', [unknownModel(ENSEMBLE_TEXT)]);
  await click(buttonOf(await until(() => get('graph-issue-D51')), 'Use first'));
  await until(() => expect(page.text).toContain('"first" model_version: -1'));
  const field = document.createElement('input');
  get('graph-tab').append(field);
  await press(field, 'z', { ctrlKey: true });
  expect(page.text).not.toBe(ENSEMBLE_TEXT);
  await press(get('graph-tab'), 'z', { metaKey: true });
  await until(() => expect(page.text).toBe(ENSEMBLE_TEXT));
});

test('a step leads to its model, and the panel closes to the table', async () => {
  const { get, query } = await page.drawn();
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(page.panel.textContent).toContain('1 · first'));
  expect(query('graph-connections')).toBeNull();
  await click(page.panel.querySelector('[aria-label="Close details"]') as HTMLElement);
  await until(() => get('graph-connections'));
  changeView('pair', { selected: 'step:0' });
  await click(await until(() => buttonOf(page.panel, 'Open model')));
  expect(activeTab()?.address).toMatchObject({ model: 'first', tab: 'overview' });
});

test('what could not be saved says why and stays unsaved', async () => {
  page.fake.overrides['config/write'] = () => {
    throw internal('the disk is full');
  };
  const { get } = await page.drawn();
  setDraftText('pair', `${ENSEMBLE_TEXT}# more\n`);
  await until(() => expect(get('graph-dirty').dataset['dirty']).toBe('true'));
  await click(get('graph-save'));
  await until(() => expect(get('toast-error').textContent).toContain('the disk is full'));
  expect(get('graph-dirty').dataset['dirty']).toBe('true');
  await click(get('graph-save-reload'));
  await until(() => expect(page.fake.argsOf('config/write').length).toBe(2));
  expect(page.fake.argsOf('repository/reload')).toEqual([]);
});

test('a text that changed on disk under unsaved changes leads to where both can be seen', async () => {
  const { get } = await page.drawn(ensembleModel());
  setDraftText('pair', `${ENSEMBLE_TEXT}# mine\n`);
  page.file = { ...page.file, text: `${ENSEMBLE_TEXT}# theirs\n`, hash: 'h2' };
  page.fake.publish('config/changedOnDisk', { model: 'pair' } as never);
  await click(buttonOf(await until(() => get('graph-conflict')), 'config'));
  expect(activeTab()?.address).toMatchObject({ model: 'pair', tab: 'config' });
});
