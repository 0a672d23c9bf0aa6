// What a sweep found: every trial, the best one against what serves, and why nothing is recommended.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfSweepResult } from '../../../src-shared/contract/perf-views.ts';
import { internal } from '../../../src-shared/errors.ts';
import { fakeLevel, fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, until } from '../../testing/render.tsx';
import { SweepPane } from './components/sweep-pane.tsx';
import { INITIAL_PERF, perfUi } from './perf-store.ts';

let page: Rendered | undefined;
beforeEach(() => perfUi.setState(INITIAL_PERF, true));
afterEach(() => page?.close());

type Row = PerfSweepResult['rows'][number];

const row = (runId: string, changes: Partial<Row> = {}): Row => ({
  runId,
  title: runId,
  isServed: false,
  state: 'done',
  error: '',
  load: 4,
  isStable: true,
  inferPerSecond: 100,
  p99Us: 12_000,
  gain: { percent: 1.2, isClear: false },
  isPareto: false,
  ...changes,
});

const SERVED = row('served', { title: '', isServed: true, gain: undefined });

const result = (rows: readonly Row[], changes: Partial<PerfSweepResult> = {}): PerfSweepResult => ({
  id: 's1',
  model: 'batch_mlp',
  isRunning: false,
  rows,
  bestRunId: '',
  bestConfigText: '',
  ...changes,
});

const sweepRun = (id: string, sweep: string, startedAtMs: number) => ({
  ...fakeRun(id, [fakeLevel(1)], { startedAtMs, sweep: { id: sweep, index: 0, count: 2, title: '' } }),
  unstableCount: 0,
});

const list = (runs = [sweepRun('r', 's1', Date.UTC(2026, 4, 4))]) => ({
  runs,
  error: undefined,
  isLoading: false,
  reload: () => undefined,
});

async function start(answer: PerfSweepResult, fake = new FakeEngine(), runs = list()): Promise<Rendered> {
  fake.overrides['perf/sweep'] ??= () => answer;
  page = await renderWithHosts(<SweepPane list={runs} />, fake);
  const { get } = page;
  await until(() => get('perf-sweep-result'));
  return page;
}

test('the best trial is named with its gain, and its configuration is one click from the file', async () => {
  const best = row('instances 2', {
    inferPerSecond: 180,
    gain: { percent: 79.6, isClear: true },
    isPareto: true,
  });
  const bestConfigText = 'name: "batch_mlp"\nmax_batch_size: 32\n';
  const { get } = await start(result([SERVED, best], { bestRunId: 'instances 2', bestConfigText }));
  const outcome = await until(() => get('perf-sweep-outcome'));
  expect(outcome.textContent).toContain('instances 2');
  expect(outcome.textContent).toContain('+80 %');
  expect(get('perf-sweep-best')).toBeTruthy();
  expect(await accessibilityFaults(get('perf-sweep-result'))).toEqual([]);
  await click(get('perf-sweep-apply'));
  await until(() => expect(get('perf-apply-changes').textContent).toContain('max_batch_size832'));
});

test('while one configuration is applied no other one can be', async () => {
  perfUi.setState({ applying: 'batch_mlp' });
  const best = row('b', { gain: { percent: 50, isClear: true } });
  const { get, query } = await start(result([SERVED, best], { bestRunId: 'b' }));
  await click(await until(() => get('perf-sweep-apply')));
  expect(query('perf-apply-dialog')).toBeNull();
});

test.each<[string, readonly Row[], string]>([
  ['differences are within noise', [SERVED, row('b', { gain: { percent: 3.6, isClear: false } })], '+4 %'],
  [
    'what serves is the best',
    [SERVED, row('b', { gain: { percent: -20, isClear: true } })],
    'No other configuration is better',
  ],
  ['nothing can be compared', [SERVED, row('b', { gain: undefined })], 'compare'],
])('nothing is recommended when %s', async (_name, rows, part) => {
  const { get, query } = await start(result(rows));
  await until(() => expect(get('perf-sweep-outcome').textContent).toContain(part));
  expect(query('perf-sweep-apply')).toBeNull();
});

test('trials that failed say why, those without numbers show none, and each leads to its run', async () => {
  const failed = row('delay 500', { state: 'failed', error: 'it does not load', load: 0, gain: undefined });
  const unsteady = row('threads 2', { isStable: false });
  const { get } = await start(result([SERVED, failed, unsteady]));
  const table = await until(() => get('perf-sweep-table'));
  const rows = [...table.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
  expect(rows[1]).toContain('it does not load');
  expect(rows[1]).toContain('–');
  expect(rows[2]).toContain('unstable');
  await click(table.querySelectorAll<HTMLElement>('tbody button')[1]!);
  expect(perfUi.getState()).toMatchObject({ runId: 'delay 500', pane: 'run' });
});

test('a sweep that goes on says how far it is, recommends nothing yet, and can be stopped as a whole', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/stop'] = () => undefined;
  const rows = [SERVED, row('b', { state: 'running', load: 0 }), row('c', { state: 'queued', load: 0 })];
  const { get, query } = await start(result(rows, { isRunning: true }), fake);
  const strip = await until(() => get('perf-sweep-running'));
  expect(strip.textContent).toContain('1 of 3');
  expect(query('perf-sweep-outcome')).toBeNull();
  await click(strip.querySelector('button')!);
  await until(() => expect(fake.argsOf('perf/stop')).toEqual([{ run: 's1' }]));
});

test('of several sweeps the newest is shown, and another one is chosen', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/sweep'] = ({ sweep }) => result([{ ...SERVED, runId: sweep }], { id: sweep });
  const runs = list([sweepRun('b', 's2', Date.UTC(2026, 4, 5)), sweepRun('a', 's1', Date.UTC(2026, 4, 4))]);
  const { get } = await start(result([]), fake, runs);
  await until(() => expect(fake.argsOf('perf/sweep')).toEqual([{ sweep: 's2' }]));
  const select = get('perf-sweep-result').querySelector<HTMLElement>('[role="combobox"]')!;
  const first = new Date(Date.UTC(2026, 4, 4)).toLocaleDateString('en-US');
  await choose(select, (label) => label.startsWith(`m, ${first}`));
  await until(() => expect(perfUi.getState().sweepId).toBe('s1'));
});

test('no sweep, and one that cannot be read, are told apart', async () => {
  page = await renderWithHosts(<SweepPane list={list([])} />);
  await until(() => page!.get('perf-sweep-empty'));
  await page.close();
  const fake = new FakeEngine();
  fake.overrides['perf/sweep'] = () => {
    throw internal('the sweep was deleted');
  };
  await start(result([]), fake);
  await until(() => expect(document.body.textContent).toContain('the sweep was deleted'));
});
