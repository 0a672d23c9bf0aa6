// All problems of all models: in their order, as the texts that are open have them, and with the way to each.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { forgetLiveIssues, setLiveIssues } from '../../lib/live-problems.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, until } from '../../testing/render.tsx';
import { ProblemsPanel } from './problems-panel.tsx';

let page: Rendered | undefined;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(async () => {
  forgetLiveIssues('warned');
  await page?.close();
});

const issue = (
  code: string,
  severity: ConfigIssueView['severity'],
  changes: Partial<ConfigIssueView> = {},
) => ({
  code,
  severity,
  message: `${code} says`,
  hint: '',
  path: 'input[0]',
  startOffset: 10,
  endOffset: 12,
  line: 4,
  column: 1,
  fixes: [],
  ...changes,
});

const counts = (error: number, warning: number, info: number) => ({ issueCounts: { error, warning, info } });

async function start(
  models: readonly ModelView[],
  issues: Readonly<Record<string, readonly ConfigIssueView[]>> = {},
) {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot(models);
  fake.overrides['config/validate'] = ({ model }) => issues[model] ?? [];
  page = await renderView(<ProblemsPanel />, fake);
  return { ...page, fake };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-problem]')];
const shown = () => rows().map(({ textContent }) => textContent);

test('without problems it says what that means', async () => {
  const { get } = await start([fakeModel('fine')]);
  expect((await until(() => get('problems-empty'))).textContent).toContain(
    'Every configuration passes all checks.',
  );
});

test('models with errors come first, and of one model its errors before warnings and hints', async () => {
  await start(
    [
      fakeModel('hinted', counts(0, 0, 1)),
      fakeModel('warned', counts(0, 1, 0)),
      fakeModel('wrong', counts(1, 1, 0)),
    ],
    {
      hinted: [issue('H01', 'info')],
      warned: [issue('W01', 'warning')],
      wrong: [issue('W02', 'warning'), issue('E01', 'error')],
    },
  );
  await until(() =>
    expect(rows().map(({ dataset }) => dataset['testid'])).toEqual([
      'problem-E01',
      'problem-W02',
      'problem-W01',
      'problem-H01',
    ]),
  );
  expect(await accessibilityFaults()).toEqual([]);
});

test('a row leads to its line, and says what to do about it', async () => {
  await start([fakeModel('wrong', counts(1, 0, 0))], {
    wrong: [issue('E01', 'error', { hint: 'Remove it.', line: 7 })],
  });
  const [row] = await until(() => {
    expect(rows()).toHaveLength(1);
    return rows();
  });
  expect(row?.textContent).toContain('E01 says Remove it.');
  expect(row?.textContent).toContain('wrong, line 7');
  await click(row as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ model: 'wrong', tab: 'config', query: { line: '7' } });
});

test('a finding without a message says its hint once', async () => {
  await start([fakeModel('wrong', counts(1, 0, 0))], {
    wrong: [issue('E01', 'error', { message: '', hint: 'Only this.' })],
  });
  await until(() => expect(shown()[0]?.match(/Only this\./g)).toHaveLength(1));
});

test('two findings of one rule at one place are two rows', async () => {
  const twice = [issue('E01', 'error', { message: 'first' }), issue('E01', 'error', { message: 'second' })];
  await start([fakeModel('wrong', counts(2, 0, 0))], { wrong: twice });
  await until(() =>
    expect(shown().map((text) => /first|second/.exec(text)?.[0])).toEqual(['first', 'second']),
  );
});

test('a model that failed without a finding leads to its failure', async () => {
  const failure = {
    title: 'It ran out of memory',
    original: '',
    why: '',
    code: '',
    line: 0,
    place: undefined,
    fixes: [],
  };
  await start([fakeModel('big', { state: 'failed', reason: 'oom', failure })]);
  const row = await until(() => page?.get('problem-big'));
  expect(row?.textContent).toContain('It ran out of memory');
  await click(row as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ model: 'big', tab: '' });
});

test('the finding that a model failed of has its title and reason, others their own words', async () => {
  const failure = {
    title: 'Shape of INPUT does not fit the model',
    ...{ original: '', why: 'It has 2 dimensions.', code: 'D21', line: 4, place: undefined, fixes: [] },
  };
  await start([fakeModel('wrong', { state: 'failed', failure, ...counts(2, 0, 0) })], {
    wrong: [issue('D21', 'error', { message: 'model wrong, tensor INPUT: no' }), issue('D02', 'error')],
  });
  await until(() => expect(rows()).toHaveLength(2));
  expect(shown()[0]).toContain('Shape of INPUT does not fit the model It has 2 dimensions.');
  expect(shown()[1]).toContain('D02 says');
});

test('what cannot run here says so in plain words, with what can be done', async () => {
  await start([fakeModel('plan', { state: 'not-runnable', backend: 'fil', ...counts(1, 0, 0) })], {
    plan: [issue('D06', 'error', { message: 'unable to find backend library', hint: 'Export it to ONNX.' })],
  });
  await until(() => expect(rows()).toHaveLength(1));
  expect(shown()[0]).toContain('This server has no fil backend. Export it to ONNX.');
});

test('a text that is open counts instead of its file', async () => {
  const { fake } = await start([fakeModel('warned', counts(0, 1, 0))], { warned: [issue('W01', 'warning')] });
  await until(() => expect(shown()[0]).toContain('W01'));
  setLiveIssues('warned', [issue('E09', 'error'), issue('E10', 'error')]);
  await until(() =>
    expect(rows().map(({ dataset }) => dataset['testid'])).toEqual(['problem-E09', 'problem-E10']),
  );
  setLiveIssues('warned', []);
  await until(() => page?.get('problems-empty'));
  expect(fake.argsOf('config/write')).toEqual([]);
});

test('findings that cannot be read now leave a row that says why', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('wrong', counts(1, 0, 0))]);
  fake.overrides['config/read'] = () => {
    throw internal('EACCES: config.pbtxt');
  };
  page = await renderView(<ProblemsPanel />, fake);
  const row = await until(() => page?.get('problem-wrong'));
  expect(row?.textContent).toContain('EACCES: config.pbtxt');
  await click(row as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ model: 'wrong', tab: 'config' });
});

test('arrows go from row to row, and stay at the ends', async () => {
  await start([fakeModel('wrong', counts(2, 0, 0))], {
    wrong: [issue('E01', 'error'), issue('E02', 'error')],
  });
  await until(() => expect(rows()).toHaveLength(2));
  const [first, second] = rows();
  first?.focus();
  await press(first as HTMLElement, 'ArrowDown');
  expect(document.activeElement).toBe(second);
  await press(second as HTMLElement, 'ArrowDown');
  expect(document.activeElement).toBe(second);
  await press(second as HTMLElement, 'ArrowUp');
  expect(document.activeElement).toBe(first);
});

test('a repository that cannot be read is a problem, one that is switched off is none', async () => {
  const fake = new FakeEngine();
  const snapshot = fakeSnapshot([]);
  const [repository] = snapshot.repositories;
  if (repository === undefined) throw new Error('there is no repository');
  const store = { ...repository, path: 's3://bucket/models', error: 'HTTP status 403' };
  fake.snapshot = { ...snapshot, repositories: [store, { ...store, path: '/off', isEnabled: false }] };
  page = await renderView(<ProblemsPanel />, fake);
  const list = await until(() => page?.get('problems-list'));
  expect(list?.querySelectorAll('[data-problem]')).toHaveLength(1);
  expect(list?.textContent).toContain('The repository cannot be read. HTTP status 403s3://bucket/models');
});
