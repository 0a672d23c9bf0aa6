// The screen as a whole: what an address asks for, the run that goes on, keys, and what is followed after a reconnect.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel, fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { address } from '../../lib/address.ts';
import { disabledReason, runCommand } from '../../lib/command-registry.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, press, renderWithHosts, until } from '../../testing/render.tsx';
import { INITIAL_PERF, perfUi } from './perf-store.ts';
import { PerfScreen } from './perf-view.tsx';

let page: Rendered | undefined;
beforeEach(() => perfUi.setState(INITIAL_PERF, true));
afterEach(() => page?.close());

const progress = (runId: string, changes: Partial<PerfProgress> = {}): PerfProgress => ({
  runId,
  state: 'measuring',
  level: { unit: 'concurrency', value: 1 },
  levelIndex: 0,
  levelCount: 2,
  share: 0,
  remainingMs: undefined,
  live: undefined,
  points: [],
  windowEndsMs: [],
  stability: '',
  finishedLevels: [],
  ...changes,
});

function engineOf(runs = ['b', 'a']): FakeEngine {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('simple'), fakeModel('m')]);
  fake.overrides['perf/plan'] = ({ model }) => ({
    plan: defaultPerfPlan(model),
    inputs: [],
    maxBatchSize: 8,
    isSequence: false,
    isDecoupled: false,
    openShapes: [],
    presets: [
      { name: 'Thorough', about: '', plan: { ...defaultPerfPlan(model), load: { kind: 'schedule' } } },
    ],
    configText: '',
  });
  fake.overrides['perf/toCommand'] = () => ({ command: '', missing: [] });
  fake.overrides['perf/runs'] = () =>
    runs.map((id) => ({ ...fakeRun(id, [fakeLevel(1)]), unstableCount: 0 }));
  fake.overrides['perf/run'] = ({ run }) => fakeRun(run, [fakeLevel(1)]);
  fake.overrides['perf/current'] = () => ({ progress: undefined });
  fake.overrides['perf/stop'] = () => undefined;
  return fake;
}

async function start(query: Record<string, string> = {}, fake = engineOf()): Promise<Rendered> {
  page = await renderWithHosts(<PerfScreen address={address('perf', { query })} />, fake);
  const { get } = page;
  await until(() => get('perf-tab-run'));
  return page;
}

test('an address names the model, the preset and the run', async () => {
  const { get } = await start({ model: 'simple', preset: 'thorough', run: 'a' });
  await until(() => expect(perfUi.getState()).toMatchObject({ model: 'simple', runId: 'a' }));
  await until(() => expect(perfUi.getState().plan?.load).toEqual({ kind: 'schedule' }));
  await until(() => get('perf-run'));
});

test('an address names the runs to compare', async () => {
  const fake = engineOf();
  fake.overrides['perf/compare'] = ({ runs }) => ({
    runs: runs.map((id) => fakeRun(id, [fakeLevel(1)])),
    differences: [],
    configChanges: [],
    warnings: [],
  });
  const { get } = await start({ compare: 'a,b' }, fake);
  await until(() => get('perf-comparison'));
  expect(fake.argsOf('perf/compare').at(-1)).toEqual({ runs: ['a', 'b'] });
});

test('without a model in the address the one measured last is in the form', async () => {
  await start();
  await until(() => expect(perfUi.getState().model).toBe('m'));
});

test('a run that goes on when the page opens is followed, and what finishes it is read', async () => {
  const fake = engineOf();
  fake.overrides['perf/current'] = () => ({ progress: progress('b') });
  const { get } = await start({}, fake);
  await until(() => expect(get('perf-run').dataset['state']).toBe('running'));
  fake.publish('perf/progress', progress('b', { levelIndex: 1, finishedLevels: [fakeLevel(8)] }));
  await until(() => get('perf-level-8'));
  const before = fake.argsOf('perf/runs').length;
  fake.publish('perf/finished', { run: { ...fakeRun('b', [fakeLevel(1)]), unstableCount: 0 } });
  await until(() => expect(get('perf-run').dataset['state']).toBe('done'));
  expect(perfUi.getState().live).toBeUndefined();
  await until(() => expect(fake.argsOf('perf/runs').length).toBeGreaterThan(before));
});

test('the end of another run leaves the one that goes on', async () => {
  const fake = engineOf();
  fake.overrides['perf/current'] = () => ({ progress: progress('b') });
  await start({}, fake);
  await until(() => expect(perfUi.getState().live?.runId).toBe('b'));
  const turn = perfUi.getState().turn;
  fake.publish('perf/finished', { run: { ...fakeRun('a', [fakeLevel(1)]), unstableCount: 0 } });
  await until(() => expect(perfUi.getState().turn).toBeGreaterThan(turn));
  expect(perfUi.getState().live?.runId).toBe('b');
});

test('the keys stop the run that goes on, and only while one does', async () => {
  const fake = engineOf();
  await start({}, fake);
  await until(() => expect(disabledReason('perf.stop')).toBeDefined());
  await press(window, '.', { ctrlKey: true });
  expect(fake.argsOf('perf/stop')).toEqual([]);
  fake.publish('perf/progress', progress('b'));
  await until(() => expect(disabledReason('perf.stop')).toBeUndefined());
  await press(window, '.', { ctrlKey: true });
  await until(() => expect(fake.argsOf('perf/stop')).toEqual([{ run: 'b' }]));
});

test('the last two runs with results are compared by a command, which says so when there are none', async () => {
  const fake = engineOf();
  fake.overrides['perf/runs'] = () => [
    { ...fakeRun('c', []), unstableCount: 0 },
    ...['b', 'a'].map((id) => ({ ...fakeRun(id, [fakeLevel(1)]), unstableCount: 0 })),
  ];
  fake.overrides['perf/compare'] = () => new Promise(() => undefined);
  await start({}, fake);
  await until(() => expect(disabledReason('perf.compareLast')).toBeUndefined());
  runCommand('perf.compareLast');
  // The older one is what the newer one is compared with.
  await until(() => expect(perfUi.getState()).toMatchObject({ compared: ['a', 'b'], pane: 'compare' }));
  await page?.close();
  fake.overrides['perf/runs'] = () => ['b', 'a'].map((id) => ({ ...fakeRun(id, []), unstableCount: 0 }));
  await start({}, fake);
  await until(() => expect(fake.argsOf('perf/runs').length).toBeGreaterThan(1));
  await until(() => expect(disabledReason('perf.compareLast')).toBeDefined());
});

test('what was applied stays in sight on every pane, and is undone from there', async () => {
  const fake = engineOf();
  fake.overrides['perf/undoApply'] = () => ({ text: '' });
  const { get, query } = await start({}, fake);
  perfUi.setState({
    pane: 'history',
    applied: {
      applyId: 'x',
      model: 'm',
      changes: [],
      verification: undefined,
      sentence: 'Applied: max_batch_size 8 -> 16.',
    },
  });
  await until(() => expect(get('perf-applied').textContent).toContain('max_batch_size 8 -> 16'));
  await click(get('perf-undo'));
  await until(() => expect(query('perf-applied')).toBeNull());
  expect(fake.argsOf('perf/undoApply')).toEqual([{ applyId: 'x' }]);
});
