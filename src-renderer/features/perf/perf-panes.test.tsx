// The panes of the Perf lab: what was kept, how runs differ, how a run goes, and applying what won.

import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfApplied, PerfComparison, PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import { internal } from '../../../src-shared/errors.ts';
import { fakeLevel, fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { ApplyDialog } from './components/apply-dialog.tsx';
import { ComparePane } from './components/compare-pane.tsx';
import { HistoryPane } from './components/history-pane.tsx';
import { LiveControls } from './components/live-controls.tsx';
import { ResultsTable } from './components/results-table.tsx';
import { applyConfig, runTitle, undoApply } from './perf-actions.ts';
import { INITIAL_PERF, perfUi, toggleCompared } from './perf-store.ts';

let page: Rendered | undefined;
beforeEach(() => perfUi.setState(INITIAL_PERF, true));
afterEach(() => page?.close());

async function start(view: ReactNode, fake = new FakeEngine()): Promise<Rendered> {
  page = await renderWithHosts(view, fake);
  return page;
}

const summary = (id: string, changes: Parameters<typeof fakeRun>[2] = {}) => ({
  ...fakeRun(id, [fakeLevel(1)], changes),
  unstableCount: 0,
});
const listOf = (runs: readonly ReturnType<typeof summary>[], error?: string) => ({
  runs,
  error,
  isLoading: false,
  reload: () => undefined,
});

test('a run is called as the user named it, else after its model and what differs from the file', () => {
  const sweep = { id: 's', index: 1, count: 2, title: 'instances 2' };
  expect(runTitle(summary('a', { name: 'nightly', sweep }))).toBe('nightly');
  expect(runTitle(summary('a', { sweep }))).toBe('m, instances 2');
  expect(runTitle(summary('a'))).toBe('m');
});

test('starred runs come first, with their notes, machines and best numbers', async () => {
  const { get } = await start(
    <HistoryPane
      list={listOf([
        summary('new', { note: 'after the change' }),
        summary('star', { isStarred: true, name: 'baseline', isOverride: true }),
      ])}
    />,
  );
  const names = [...get('perf-history-table').querySelectorAll('[data-testid^=perf-run-]')];
  expect(names.map(({ textContent }) => textContent)).toEqual(['baseline', 'm']);
  const text = get('perf-history').textContent;
  for (const words of ['after the change', 'override', 'AMD Ryzen 7 7840U, 8 cores', '100']) {
    expect(text).toContain(words);
  }
  await click(get('perf-run-star'));
  expect(perfUi.getState()).toMatchObject({ runId: 'star', pane: 'run' });
  expect(await accessibilityFaults()).toEqual([]);
});

test('nothing kept, and a list that cannot be read, are told apart', async () => {
  const { get } = await start(<HistoryPane list={listOf([])} />);
  expect(get('perf-history-empty').textContent).toContain('Nothing measured yet');
  await page?.close();
  await start(<HistoryPane list={listOf([], 'the disk is gone')} />);
  expect(document.body.textContent).toContain('the disk is gone');
});

test('two runs can be compared, one cannot; a run without results cannot be chosen', async () => {
  const empty = { ...summary('empty'), levelCount: 0 };
  const { get } = await start(<HistoryPane list={listOf([summary('a'), summary('b'), empty])} />);
  await click(get('perf-compare'));
  expect(perfUi.getState().pane).toBe('run');
  await click(get('perf-pick-empty'));
  await click(get('perf-pick-a'));
  await click(get('perf-pick-b'));
  expect(perfUi.getState().compared).toEqual(['a', 'b']);
  await click(get('perf-compare'));
  expect(perfUi.getState().pane).toBe('compare');
});

test('a fifth run takes the place of the first that was chosen', () => {
  for (const id of ['a', 'b', 'c', 'd', 'e']) toggleCompared(id);
  expect(perfUi.getState().compared).toEqual(['b', 'c', 'd', 'e']);
  toggleCompared('c');
  expect(perfUi.getState().compared).toEqual(['b', 'd', 'e']);
});

test('a star is set at once; a run is deleted after a question, and leaves the comparison', async () => {
  perfUi.setState({ compared: ['a', 'b'], runId: 'a' });
  const fake = new FakeEngine();
  fake.overrides['perf/note'] = () => summary('a');
  fake.overrides['perf/delete'] = () => undefined;
  const { get } = await start(<HistoryPane list={listOf([summary('a', { name: 'old one' })])} />, fake);
  await click(get('perf-star-a'));
  await until(() => expect(fake.argsOf('perf/note')).toEqual([{ run: 'a', isStarred: true }]));
  await click(get('perf-delete-a'));
  expect((await until(() => get('perf-delete-dialog'))).textContent).toContain('The results of old one');
  await click(get('confirm-cancel'));
  expect(fake.argsOf('perf/delete')).toEqual([]);
  await click(get('perf-delete-a'));
  await click(await until(() => get('confirm-delete')));
  await until(() => expect(fake.argsOf('perf/delete')).toEqual([{ run: 'a' }]));
  await until(() => expect(perfUi.getState()).toMatchObject({ compared: ['b'], runId: undefined }));
});

test('a run that goes on cannot be deleted', async () => {
  const { get, fake } = await start(<HistoryPane list={listOf([summary('a', { state: 'running' })])} />);
  await click(get('perf-delete-a'));
  expect([fake.argsOf('perf/delete'), page?.query('perf-delete-dialog')]).toEqual([[], null]);
});

const COMPARISON: PerfComparison = {
  runs: [fakeRun('a', [fakeLevel(1)]), fakeRun('b', [fakeLevel(1)], { state: 'running' })],
  differences: [
    {
      runId: 'b',
      levels: [
        {
          unit: 'concurrency',
          value: 1,
          throughputPercent: 18.04,
          isThroughputClear: true,
          p99DifferenceUs: -2100,
          isP99Clear: false,
          sentence: '+18 % inf/s',
        },
      ],
    },
  ],
  configChanges: [{ path: 'max_batch_size', values: ['8', ''] }],
  warnings: ['Different processors: a / b.'],
};

test('a comparison says what differs, how sure that is, and what was different around it', async () => {
  perfUi.setState({ compared: ['a', 'b', 'deleted'] });
  const fake = new FakeEngine();
  fake.overrides['perf/compare'] = () => COMPARISON;
  const { get } = await start(<ComparePane list={listOf([summary('a'), summary('b')])} />, fake);
  await until(() => get('perf-comparison'));
  expect(fake.argsOf('perf/compare')).toEqual([{ runs: ['a', 'b'] }]);
  expect(get('perf-compare-warning').textContent).toContain('Different processors');
  expect(get('perf-compare-going')).toBeTruthy();
  const differences = get('perf-differences').textContent;
  expect(differences).toContain('2 m against 1 m');
  expect(differences).toContain('+18 %clear');
  expect(differences).toContain('-2.1 mswithin noise');
  expect(get('perf-config-diff').textContent).toContain('max_batch_size8none');
});

test('runs without a common load, and the same configuration, are said', async () => {
  perfUi.setState({ compared: ['a', 'b'] });
  const fake = new FakeEngine();
  const same = { ...COMPARISON, differences: [{ runId: 'b', levels: [] }], configChanges: [], warnings: [] };
  fake.overrides['perf/compare'] = () => same;
  const { get, query } = await start(<ComparePane list={listOf([summary('a'), summary('b')])} />, fake);
  await until(() => expect(get('perf-differences').textContent).toContain('no load in common'));
  expect(get('perf-config-diff').textContent).toContain('The configurations are the same.');
  expect(query('perf-compare-warning')).toBeNull();
});

test('one run is nothing to compare, and the way to others is shown', async () => {
  perfUi.setState({ compared: ['a'], pane: 'compare' });
  const { get, fake } = await start(<ComparePane list={listOf([summary('a')])} />);
  await click(get('perf-compare-empty').querySelector('button') as HTMLElement);
  expect(perfUi.getState().pane).toBe('history');
  expect(fake.argsOf('perf/compare')).toEqual([]);
});

const PROGRESS: PerfProgress = {
  runId: 'r',
  state: 'measuring',
  level: { unit: 'concurrency', value: 4 },
  levelIndex: 2,
  levelCount: 5,
  share: 0.4,
  remainingMs: 72_000,
  live: undefined,
  points: [],
  windowEndsMs: [],
  stability: '',
  finishedLevels: [],
};
const live = (changes: Partial<PerfProgress> = {}) => (
  <LiveControls
    live={{ runId: 'r', progress: { ...PROGRESS, ...changes }, points: [], windowEndsMs: [], levels: [] }}
  />
);

test('how far a run is stands in one sentence', async () => {
  const { get } = await start(live());
  expect(get('perf-live').textContent).toContain(
    'Measuring, level 3 of 5, concurrency 4, at least 1 min left',
  );
  expect(get('perf-stability').textContent).toBe('Stability shows after three windows.');
  expect(get('perf-live').querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')).toBe('40');
  await page?.close();
  const open = await start(live({ levelCount: 0, remainingMs: undefined, stability: 'Window 4: stable' }));
  expect(open.get('perf-live').textContent).toContain('Measuring, level 3, concurrency 4');
  expect(open.get('perf-stability').textContent).toBe('Window 4: stable');
});

test('a run is paused, resumed, skipped and stopped', async () => {
  const fake = new FakeEngine();
  for (const name of ['perf/pause', 'perf/skip', 'perf/stop'] as const) {
    fake.overrides[name] = () => undefined;
  }
  const { get } = await start(live(), fake);
  await click(get('perf-pause'));
  await click(get('perf-skip'));
  await click(get('perf-stop'));
  await until(() => expect(fake.argsOf('perf/stop')).toEqual([{ run: 'r' }]));
  expect(fake.argsOf('perf/skip')).toEqual([{ run: 'r' }]);
  await page?.close();
  const paused = await start(live({ state: 'paused' }), fake);
  await click(paused.get('perf-pause'));
  await until(() =>
    expect(fake.argsOf('perf/pause')).toEqual([
      { run: 'r', isPaused: true },
      { run: 'r', isPaused: false },
    ]),
  );
});

test('levels are a table with marks for what is not as it should be', async () => {
  const chosen: number[] = [];
  const levels = [
    fakeLevel(1),
    fakeLevel(2, {}, { state: 'unstable', note: 'They differ.' }),
    fakeLevel(4, { requestCount: 0, errorCount: 12 }, { state: 'failed', isGeneratorLimit: true }),
  ];
  const { get } = await start(
    <ResultsTable levels={levels} kneeIndex={1} selected={0} onSelect={(index) => chosen.push(index)} />,
  );
  expect(get('perf-level-state-2').textContent).toBe('unstable');
  expect(get('perf-level-state-2').getAttribute('title')).toBe('They differ.');
  expect(get('perf-knee').textContent).toBe('Beyond 2 only the queue grows.');
  const row = get('perf-level-4').closest('tr')?.textContent ?? '';
  expect(row).toContain('generator limit');
  expect(row).toContain('12');
  expect(row).toContain('–');
  await click(get('perf-level-4'));
  expect([chosen, get('perf-level-1').getAttribute('aria-pressed')]).toEqual([[2], 'true']);
});

const APPLIED: PerfApplied = {
  applyId: 'x',
  changes: [],
  verification: undefined,
  sentence: 'Applied.',
};
const WANTED =
  'name: "batch_mlp"\nmax_batch_size: 32\ndynamic_batching { max_queue_delay_microseconds: 500 }\n';

test('what would be written is shown field by field, and written against the file that was shown', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/apply'] = () => APPLIED;
  let isClosed = false;
  const { get } = await start(
    <ApplyDialog
      run={{ id: 'r', model: 'batch_mlp', configText: WANTED }}
      onClose={() => (isClosed = true)}
    />,
    fake,
  );
  const changes = await until(() => get('perf-apply-changes'));
  expect(changes.textContent).toContain('max_batch_size832');
  expect(changes.textContent).toContain('max_queue_delay_microseconds200500');
  await click(get('perf-apply-verify'));
  await click(get('perf-apply-confirm'));
  await until(() => expect(perfUi.getState().applied).toMatchObject({ applyId: 'x', model: 'batch_mlp' }));
  const [asked] = fake.argsOf('perf/apply');
  expect(asked).toMatchObject({ run: 'r', verifyMs: 0 });
  expect(asked?.expectedHash).not.toBe('');
  expect([isClosed, perfUi.getState().applying]).toEqual([true, undefined]);
});

test('a file that says the same, or cannot be read, is not written', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/read'] = () => ({
    exists: true,
    text: WANTED,
    hash: 'h',
    path: '/m/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  });
  const dialog = (
    <ApplyDialog run={{ id: 'r', model: 'batch_mlp', configText: WANTED }} onClose={() => undefined} />
  );
  const { get } = await start(dialog, fake);
  await until(() =>
    expect(get('perf-apply-dialog').textContent).toContain('The file already says the same.'),
  );
  await click(get('perf-apply-confirm'));
  await page?.close();
  fake.overrides['config/read'] = () => {
    throw internal('EACCES');
  };
  const failed = await start(dialog, fake);
  await until(() => expect(failed.get('perf-apply-dialog').textContent).toContain('EACCES'));
  await click(failed.get('perf-apply-confirm'));
  expect(fake.argsOf('perf/apply')).toEqual([]);
});

test('what was applied can be taken back once, and a failure leaves nothing half done', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/undoApply'] = () => ({ text: '' });
  const { get } = await start(<p />, fake);
  const { client } = fake.engine();
  perfUi.setState({ applied: { ...APPLIED, model: 'm' } });
  await undoApply(client);
  await until(() =>
    expect(get('toast-success').textContent).toContain('The former configuration of m is back.'),
  );
  await undoApply(client);
  expect(fake.argsOf('perf/undoApply')).toEqual([{ applyId: 'x' }]);
  fake.overrides['perf/apply'] = () => {
    throw internal('it does not load');
  };
  const request = { run: 'r', model: 'm', expectedHash: undefined, verifyMs: 0 };
  await expect(applyConfig(client, request)).rejects.toThrow('it does not load');
  expect(perfUi.getState()).toMatchObject({ applying: undefined, applied: undefined });
});
