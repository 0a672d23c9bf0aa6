// One run: how it ended, what has to be known before its numbers are believed, and what can be done with it.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { internal } from '../../../src-shared/errors.ts';
import { fakeLevel, fakeRun, fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { Announcer } from '../../ui/announcer.tsx';
import type { LiveRun } from './live-run.ts';
import { RunPane } from './components/run-pane.tsx';
import { NoteDialog } from './components/note-dialog.tsx';
import { INITIAL_PERF, perfUi } from './perf-store.ts';
import type { RunsState } from './use-perf.ts';
import type { StartState } from './use-start.ts';

let page: Rendered | undefined;
beforeEach(() => perfUi.setState(INITIAL_PERF, true));
afterEach(() => page?.close());

const CAN_START: StartState = { isRunning: false, run: () => undefined, reason: '' };

const summary = (run: PerfRun) => ({ ...run, unstableCount: 0 });
const listOf = (runs: readonly PerfRun[], changes: Partial<RunsState> = {}): RunsState => ({
  runs: runs.map(summary),
  error: undefined,
  isLoading: false,
  reload: () => undefined,
  ...changes,
});

async function start(run: PerfRun, fake = new FakeEngine()): Promise<Rendered> {
  fake.overrides['perf/run'] ??= () => run;
  page = await renderWithHosts(<RunPane list={listOf([run])} start={CAN_START} />, fake);
  const { get } = page;
  await until(() => get('perf-run'));
  return page;
}

const levels = [
  fakeLevel(1, { inferPerSecond: 50 }),
  fakeLevel(
    4,
    { server: fakeServerTimes() },
    { slowest: [{ atMs: Date.UTC(2026, 4, 4), latencyUs: 31_000 }] },
  ),
];
const text = (): string => document.body.textContent;

/** A run that goes on, of which nothing was measured yet. */
const liveRun = (runId: string): LiveRun => ({
  runId,
  progress: {
    runId,
    state: 'measuring',
    level: undefined,
    levelIndex: 0,
    levelCount: 0,
    share: 0,
    remainingMs: undefined,
    live: undefined,
    points: [],
    windowEndsMs: [],
    stability: '',
    finishedLevels: [],
  },
  points: [],
  windowEndsMs: [],
  levels: [],
});

test('the end of a run that was followed is said', async () => {
  const going = { ...fakeRun('r', levels), state: 'running' as const };
  const fake = new FakeEngine();
  fake.overrides['perf/run'] = () => going;
  perfUi.setState({ live: liveRun('r') });
  const { get } = await start(going, fake);
  const announcer = await renderWithHosts(<Announcer />, fake);
  expect(announcer.get('announcer').textContent).toBe('');
  fake.overrides['perf/run'] = () => ({ ...going, state: 'done' });
  perfUi.setState(({ turn }) => ({ live: undefined, turn: turn + 1 }));
  await until(() =>
    expect(get('announcer').textContent).toMatch(/^The run .* has ended: done, 100 inferences per second/),
  );
  await announcer.close();
});

test('a run is shown with its best level, its circumstances and where the time went', async () => {
  const { get } = await start(fakeRun('r', levels));
  expect(get('perf-tile-rate').textContent).toContain('100');
  expect(get('perf-tile-p99').textContent).toContain('11.9 ms');
  expect(get('perf-level-4').getAttribute('aria-pressed')).toBe('true');
  expect(text()).toContain('AMD Ryzen 7 7840U, CPU');
  expect(get('perf-parts').textContent).toContain('7 ms');
  expect(get('perf-slowest').textContent).toContain('31 ms');
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('perf-level-1'));
  await until(() => expect(get('perf-tile-rate').textContent).toContain('50'));
  expect(text()).toContain('The server gave no statistics');
});

test.each<[string, Partial<PerfRun>, string, string]>([
  ['queued', { state: 'queued' }, 'perf-queued', ''],
  [
    'interrupted',
    { state: 'interrupted', error: 'the app was closed' },
    'perf-interrupted',
    'the app was closed',
  ],
  [
    'failed before its first level',
    { state: 'failed', error: 'no such model', levels: [] },
    'perf-failed',
    'no such model',
  ],
  [
    'failed at a level',
    { levels: [fakeLevel(1, { requestCount: 0 }, { state: 'failed', firstError: 'shape [3] expected' })] },
    'perf-failed',
    'shape [3] expected',
  ],
  [
    'done with requests that failed',
    { levels: [fakeLevel(1, { errorCount: 3 }, { firstError: 'it timed out' })] },
    'perf-errors',
    'it timed out',
  ],
  ['unfair', { warnings: ['It ran on battery.'] }, 'perf-warnings', 'It ran on battery.'],
])('a run that is %s says so', async (_name, changes, testId, part) => {
  const { get } = await start(fakeRun('r', levels, changes));
  expect(get(testId).textContent).toContain(part);
});

test('a run whose requests all failed tells how many, and draws nothing', async () => {
  const none = fakeLevel(1, { requestCount: 0, inferPerSecond: 0, errorCount: 217 }, { state: 'failed' });
  const { get, query } = await start(fakeRun('r', [none], { state: 'failed' }));
  expect(get('perf-tile-errors').textContent).toContain('217');
  expect(query('perf-chart-time')).toBe(null);
  expect(query('perf-chart-parts')).toBe(null);
});

test('a run that never began has neither numbers nor charts', async () => {
  const { query } = await start(fakeRun('r', [], { state: 'failed', error: 'cannot reach it' }));
  expect(query('perf-tiles')).toBe(null);
  expect(query('perf-chart-time')).toBe(null);
});

test('a run at another server names it, and offers nothing that only our own can do', async () => {
  const run = fakeRun('r', [], { state: 'failed', error: 'cannot reach it' });
  const elsewhere = { ...run, plan: { ...run.plan, url: 'gpu-box:8000' } };
  const { get } = await start(elsewhere);
  expect(text()).toContain('at gpu-box:8000');
  expect(get('perf-failed').querySelector('button')).toBe(null);
  expect(get('perf-apply').getAttribute('aria-disabled')).toBe('true');
});

test('levels that were not steady are named by their reason, and longer windows are one click away', async () => {
  const note = 'They differ by 31 %.';
  const unsteady = [2, 4].map((value) => fakeLevel(value, {}, { state: 'unstable', note }));
  perfUi.setState({ plan: defaultPerfPlan('m') });
  const before = perfUi.getState().plan?.measurement.intervalMs ?? 0;
  const { get } = await start(fakeRun('r', unsteady));
  expect(get('perf-unstable').textContent?.split(note)).toHaveLength(2);
  const why = get('perf-unstable').querySelector<HTMLElement>('[aria-expanded]')!;
  await click(why);
  await until(() => expect(why.getAttribute('aria-expanded')).toBe('true'));
  await click(get('perf-longer'));
  expect(perfUi.getState().plan?.measurement).toMatchObject({ mode: 'time', intervalMs: before * 2 });
});

test('a run without results can be neither compared nor exported', async () => {
  const { get } = await start(fakeRun('r', [], { state: 'stopped' }));
  await click(get('perf-compare-add'));
  expect(perfUi.getState().compared).toEqual([]);
  await click(get('perf-export'));
  const items = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    expect(found.length).toBeGreaterThan(3);
    return found;
  });
  expect(items.every((item) => item.getAttribute('aria-disabled') === 'true')).toBe(true);
});

test('a run is put into the comparison and taken out again', async () => {
  const { get } = await start(fakeRun('r', levels));
  await click(get('perf-compare-add'));
  await until(() => expect(get('perf-compare-add').getAttribute('aria-pressed')).toBe('true'));
  expect(perfUi.getState().compared).toEqual(['r']);
  await click(get('perf-compare-add'));
  await until(() => expect(perfUi.getState().compared).toEqual([]));
});

test('who looks at one run while another goes on is told, and led there', async () => {
  perfUi.setState({
    runId: 'r',
    live: liveRun('going'),
  });
  const fake = new FakeEngine();
  fake.overrides['perf/run'] = ({ run }) => fakeRun(run, levels);
  const { get, query } = await start(fakeRun('r', levels), fake);
  await click(get('perf-other-run').querySelector('button')!);
  await until(() => expect(get('perf-live')).toBeTruthy());
  expect(perfUi.getState().runId).toBe('going');
  expect(query('perf-other-run')).toBeNull();
});

test('nothing measured, a list that is read, one that cannot be read and a run that is gone are told apart', async () => {
  const fake = new FakeEngine();
  page = await renderWithHosts(<RunPane list={listOf([])} start={CAN_START} />, fake);
  await until(() => page!.get('perf-empty'));
  await page.close();
  page = await renderWithHosts(<RunPane list={listOf([], { isLoading: true })} start={CAN_START} />, fake);
  expect(page.query('perf-empty')).toBeNull();
  await page.close();
  let reloads = 0;
  const failed = listOf([], { error: 'the disk is gone', reload: () => (reloads += 1) });
  page = await renderWithHosts(<RunPane list={failed} start={CAN_START} />, fake);
  await until(() => expect(text()).toContain('the disk is gone'));
  await click([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry')!);
  expect(reloads).toBe(1);
  await page.close();
  fake.overrides['perf/run'] = () => {
    throw internal('the run was deleted');
  };
  perfUi.setState({ runId: 'r' });
  page = await renderWithHosts(<RunPane list={listOf([fakeRun('a', levels)])} start={CAN_START} />, fake);
  await until(() => expect(text()).toContain('the run was deleted'));
});

test('name and note are changed together, and stay typed when that fails', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/note'] = () => {
    throw internal('the disk is full');
  };
  let isClosed = false;
  const run = summary(fakeRun('r', levels, { name: 'old', note: 'first' }));
  page = await renderWithHosts(<NoteDialog run={run} onClose={() => (isClosed = true)} />, fake);
  const { get } = page;
  await click(await until(() => get('perf-note-save')));
  await until(() => expect(get('toast-error').textContent).toContain('the disk is full'));
  expect([isClosed, (get('perf-note-text') as HTMLTextAreaElement).value]).toEqual([false, 'first']);
  fake.overrides['perf/note'] = () => run;
  await click(get('perf-note-save'));
  await until(() => expect(isClosed).toBe(true));
  expect(fake.argsOf('perf/note').at(-1)).toEqual({ run: 'r', name: 'old', note: 'first' });
});
