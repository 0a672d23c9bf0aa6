// What the Perf lab asks the engine to do, what it keeps of the answers, and what a failure leaves as it was.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfApplied } from '../../../src-shared/contract/perf-views.ts';
import { internal } from '../../../src-shared/errors.ts';
import { fakeLevel, fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { installShell } from '../../testing/fake-shell.ts';
import { forgetTold, toldOf } from '../../testing/told.ts';
import {
  applyConfig,
  changeNote,
  exportCharts,
  exportRequests,
  exportRun,
  startRun,
  stopRun,
  undoApply,
} from './perf-actions.ts';
import {
  chooseModel,
  changeMeasurement,
  changePlan,
  changeSweep,
  INITIAL_PERF,
  perfUi,
  showRun,
} from './perf-store.ts';

let remove: (() => void) | undefined;

beforeEach(() => perfUi.setState(INITIAL_PERF, true));
afterEach(async () => {
  await forgetTold();
  document.body.replaceChildren();
  remove?.();
  remove = undefined;
});

const APPLIED: PerfApplied = {
  applyId: 'x',
  changes: [],
  verification: undefined,
  sentence: 'Applied.',
};

test('a start sends the form, shows the run, and begins the next name anew', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/start'] = () => ({ runs: ['r1'], sweep: '' });
  perfUi.setState({ ...INITIAL_PERF, pane: 'history', levelIndex: 3 });
  chooseModel('simple');
  perfUi.setState({ plan: defaultPerfPlan('simple'), name: 'nightly', override: 'max_batch_size: 4' });
  await startRun(fake.engine().client);
  expect(fake.argsOf('perf/start')).toEqual([
    { plan: defaultPerfPlan('simple'), name: 'nightly', configText: 'max_batch_size: 4' },
  ]);
  expect(perfUi.getState()).toMatchObject({
    runId: 'r1',
    pane: 'run',
    levelIndex: undefined,
    name: '',
    turn: 1,
  });
});

test('a sweep shows its own pane; one without values is a plain run', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/start'] = ({ sweep }) => ({
    runs: ['r1', 'r2'],
    sweep: sweep === undefined ? '' : 's1',
  });
  const { client } = fake.engine();
  perfUi.setState({ model: 'simple', plan: defaultPerfPlan('simple') });
  changeSweep({ instanceCounts: [1, 2] });
  await startRun(client);
  expect(fake.argsOf('perf/start')[0]?.sweep?.instanceCounts).toEqual([1, 2]);
  expect(perfUi.getState()).toMatchObject({ sweepId: 's1', pane: 'sweep' });
  changeSweep({ instanceCounts: [] });
  await startRun(client);
  expect(fake.argsOf('perf/start')[1]).not.toHaveProperty('sweep');
  expect(perfUi.getState()).toMatchObject({ sweepId: 's1', pane: 'run' });
});

test('a start that is refused leaves the form, its name, and what is shown', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/start'] = () => {
    throw internal('the model is not ready');
  };
  perfUi.setState({ model: 'simple', plan: defaultPerfPlan('simple'), name: 'nightly', runId: 'old' });
  const before = perfUi.getState();
  await expect(startRun(fake.engine().client)).rejects.toThrow('the model is not ready');
  expect(perfUi.getState()).toEqual(before);
});

test('without a plan nothing is started', async () => {
  const fake = new FakeEngine();
  await startRun(fake.engine().client);
  expect(fake.argsOf('perf/start')).toEqual([]);
});

test('lists are read again after a stop and after a note', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/stop'] = () => undefined;
  fake.overrides['perf/note'] = () => ({ ...fakeRun('r', []), unstableCount: 0 });
  const { client } = fake.engine();
  await stopRun(client, 'r');
  expect(perfUi.getState().turn).toBe(1);
  await changeNote(client, 'r', { note: 'after the change' });
  expect(perfUi.getState().turn).toBe(2);
  expect(fake.argsOf('perf/note')).toEqual([{ run: 'r', note: 'after the change' }]);
});

test('a new configuration that is refused leaves the way back from the one before', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/apply'] = () => {
    throw internal('the file changed');
  };
  fake.overrides['perf/undoApply'] = () => ({ text: '' });
  const { client } = fake.engine();
  perfUi.setState({ applied: { ...APPLIED, model: 'm' } });
  const request = { run: 'r', model: 'm', expectedHash: 'h', verifyMs: 0 };
  await expect(applyConfig(client, request)).rejects.toThrow('the file changed');
  expect(perfUi.getState()).toMatchObject({ applying: undefined, applied: { applyId: 'x' } });
  await undoApply(client);
  await toldOf('The former configuration of m is back.');
  expect(perfUi.getState().applied).toBeUndefined();
});

test('taking one configuration back leaves the way back from another that was applied meanwhile', async () => {
  const fake = new FakeEngine();
  const undone = Promise.withResolvers<{ readonly text: string }>();
  fake.overrides['perf/undoApply'] = () => undone.promise;
  fake.overrides['perf/apply'] = () => ({ ...APPLIED, applyId: 'y' });
  const { client } = fake.engine();
  perfUi.setState({ applied: { ...APPLIED, model: 'm' } });
  const undoing = undoApply(client);
  await applyConfig(client, { run: 'r', model: 'other', expectedHash: undefined, verifyMs: 0 });
  undone.resolve({ text: '' });
  await undoing;
  expect(perfUi.getState().applied).toMatchObject({ applyId: 'y', model: 'other' });
});

test('reports are saved under the name that the engine gives them', async () => {
  const shell = installShell({ 'shell/saveText': () => undefined });
  remove = shell.remove;
  const fake = new FakeEngine();
  fake.overrides['perf/export'] = ({ format }) => ({ fileName: `m.${format}`, text: `as ${format}` });
  const { client } = fake.engine();
  await exportRun(client, 'r', 'csv');
  expect(shell.calls).toMatchObject([{ args: { defaultName: 'm.csv', text: 'as csv' } }]);
});

test('requests come in one file, and what the engine kept for it is given back, even when it fails', async () => {
  const fake = new FakeEngine();
  fake.overrides['perf/exportRequests'] = () => ({ fileName: 'm.json', blob: 'b1', byteSize: 4 });
  fake.overrides['blob/read'] = () => {
    throw internal('the blob is gone');
  };
  fake.overrides['blob/release'] = () => undefined;
  await expect(exportRequests(fake.engine().client, 'r')).rejects.toThrow('the blob is gone');
  await vi.waitFor(() => expect(fake.argsOf('blob/release')).toHaveLength(1));
});

test('charts that are not drawn cannot be saved, and that is said', async () => {
  const run = { ...fakeRun('12345678-90', [fakeLevel(1)]), unstableCount: 0 };
  await expect(exportCharts(run, 'svg')).rejects.toThrow(/chart/i);
});

test('another model begins without the plan, override and sweep of the one before; the same one keeps them', () => {
  chooseModel('a');
  perfUi.setState({ plan: defaultPerfPlan('a'), override: 'x', name: 'kept' });
  changeSweep({ instanceCounts: [2] });
  chooseModel('a');
  expect(perfUi.getState()).toMatchObject({ override: 'x', sweep: { instanceCounts: [2] } });
  chooseModel('b');
  expect(perfUi.getState()).toMatchObject({
    model: 'b',
    plan: undefined,
    override: undefined,
    sweep: undefined,
  });
  // Without a plan there is nothing to change, and nothing is made up.
  changePlan({ batchSize: 4 });
  changeMeasurement({ intervalMs: 100 });
  expect(perfUi.getState().plan).toBeUndefined();
});

test('a run that is shown is looked at from its best level', () => {
  perfUi.setState({ levelIndex: 7, pane: 'compare' });
  showRun('r');
  expect(perfUi.getState()).toMatchObject({ runId: 'r', levelIndex: undefined, pane: 'run' });
});
