// Loading and unloading as the user sees it: what is sent, what is asked first, what is told afterwards.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { internal } from '../../src-shared/errors.ts';
import { modelAddress } from '../lib/address.ts';
import { activeTab, INITIAL_WORKSPACE, open, workspace } from '../lib/workspace-store.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../testing/fake-models.ts';
import { until } from '../testing/render.tsx';
import {
  cancelAction,
  stopLoading,
  loadModel,
  loadModels,
  reloadModel,
  runningActions,
  unloadModel,
  unloadModels,
} from './model-actions.ts';

const MIB = 1024 * 1024;

let page: ActionPage;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page.close());

async function start(models?: readonly ModelView[]): Promise<FakeEngine> {
  const fake = new FakeEngine();
  if (models !== undefined) fake.snapshot = fakeSnapshot(models);
  page = await actionPage(fake);
  return fake;
}

const stopped = (name: string, changes: Partial<ModelView> = {}) =>
  fakeModel(name, { state: 'unloaded', servedVersions: [], ...changes });

/** An ensemble `outer` of the ensemble `inner` of the model `leaf`, all loaded. */
const nested = () => [
  fakeModel('leaf', { usedBy: ['inner'] }),
  fakeModel('inner', { isEnsemble: true, uses: ['leaf'], usedBy: ['outer'] }),
  fakeModel('outer', { isEnsemble: true, uses: ['inner'] }),
];

const unloaded = (fake: FakeEngine) => fake.argsOf('repository/unload').map(({ model }) => model);

test('a loaded model is told with its version, time, device, instances and memory, and can be sent a request', async () => {
  const timings = { totalMs: 1810, phases: [], memoryDeltaBytes: 212 * MIB };
  const fake = await start([stopped('said')]);
  fake.overrides['repository/load'] = ({ model }) => ({
    model: fake.change(model, {
      state: 'ready',
      servedVersions: ['1', '3'],
      instanceCount: 2,
      device: 'GPU 0',
      timings,
    }),
  });
  await loadModel(page.engine, 'said');
  const text = await page.told('success', 'Loaded said');
  expect(text).toContain('Loaded said v3 in 1.81 s on GPU 0 (2 instances, +212 MiB).');
  await page.follow('Loaded said', 'Send request');
  expect(activeTab()?.address).toMatchObject({ area: 'models', model: 'said', tab: 'playground' });
});

test('an ensemble is told with its steps, and a load that nobody timed without numbers', async () => {
  const timings = { totalMs: 12, phases: [], memoryDeltaBytes: undefined };
  await start([
    stopped('chain', { isEnsemble: true, uses: ['a', 'b'], timings }),
    stopped('untimed', { timings: undefined }),
  ]);
  await loadModel(page.engine, 'chain');
  expect(await page.told('success', 'Loaded chain')).toContain(
    'Loaded chain v1 in 12 ms (2 models in its steps).',
  );
  await loadModel(page.engine, 'untimed');
  expect(await page.told('success', 'Loaded untimed')).toContain('Loaded untimed.');
});

test('a forced reload says so to the engine, a plain one does not', async () => {
  const fake = await start([fakeModel('again')]);
  await reloadModel(page.engine, 'again');
  await reloadModel(page.engine, 'again', true);
  expect(fake.argsOf('repository/reload')).toEqual([
    { model: 'again', force: false },
    { model: 'again', force: true },
  ]);
});

test('a reload that built nothing says that what runs serves on, and offers to force it', async () => {
  const fake = await start([
    fakeModel('same', { servedVersions: ['1'], loadedAtMs: 5000 }),
    fakeModel('touched', { servedVersions: ['2'], loadedAtMs: 5000, changedOnDisk: true }),
  ]);
  await reloadModel(page.engine, 'same');
  expect(await page.told('info', 'same has not changed')).toMatch(/: v1, loaded .+, serves on\./);
  await reloadModel(page.engine, 'touched');
  expect(await page.told('info', 'touched took over the change')).toContain('v2');
  fake.overrides['repository/reload'] = ({ model }) => ({ model: fake.change(model, { loadedAtMs: 6000 }) });
  await page.follow('same has not changed', 'Force reload');
  await page.told('success', 'Loaded same');
  expect(fake.argsOf('repository/reload').at(-1)).toEqual({ model: 'same', force: true });
});

test('a failed unload is told wherever the user is', async () => {
  const fake = await start([fakeModel('stuck')]);
  open(modelAddress('stuck'));
  fake.overrides['repository/unload'] = () => {
    throw internal('requests in flight');
  };
  expect(await unloadModel(page.engine, 'stuck')).toBe(false);
  await page.told('error', 'stuck could not be unloaded. requests in flight');
});

test('a load under way can be cancelled, and is not started twice', async () => {
  const fake = await start([stopped('slow')]);
  const aborted: boolean[] = [];
  fake.overrides['repository/load'] = (_args, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push(true);
        reject(signal.reason as Error);
      });
    });
  const load = loadModel(page.engine, 'slow');
  await until(() => expect(fake.argsOf('repository/load')).toHaveLength(1));
  expect(runningActions.getState().byModel.get('slow')?.verb).toBe('load');
  await loadModel(page.engine, 'slow');
  expect(fake.argsOf('repository/load')).toHaveLength(1);
  cancelAction('slow');
  await load;
  await page.told('info', 'Loading slow was cancelled.');
  await until(() => expect(aborted).toEqual([true]));
  expect(runningActions.getState().byModel.size).toBe(0);
});

test('a load that another client began is ended at the engine, also while an unload waits for it', async () => {
  const fake = await start([fakeModel('foreign', { state: 'loading' })]);
  await stopLoading(page.engine, 'foreign');
  expect(fake.argsOf('repository/stopLoading')).toEqual([{ model: 'foreign' }]);
  fake.overrides['repository/unload'] = () => new Promise(() => undefined);
  const unload = unloadModel(page.engine, 'foreign');
  await until(() => expect(fake.argsOf('repository/unload')).toHaveLength(1));
  await stopLoading(page.engine, 'foreign');
  expect(fake.argsOf('repository/stopLoading')).toHaveLength(2);
  expect(runningActions.getState().byModel.get('foreign')?.verb).toBe('unload');
  cancelAction('foreign');
  expect(await unload).toBe(false);
  fake.overrides['repository/stopLoading'] = () => {
    throw internal('gone');
  };
  await stopLoading(page.engine, 'foreign');
  await page.told('error', 'gone');
});

test('a model that nobody uses is unloaded without a question, and never with its dependents', async () => {
  const fake = await start([fakeModel('alone')]);
  expect(await unloadModel(page.engine, 'alone')).toBe(true);
  expect(fake.argsOf('repository/unload')).toEqual([{ model: 'alone', unloadDependents: false }]);
  expect(page.query('confirm')).toBeNull();
  expect(await page.told('success', 'Unloaded alone')).toContain('Unloaded alone.');
});

test('ensembles that use a model are named; they are unloaded first, the outermost before the others', async () => {
  const fake = await start(nested());
  const done = unloadModel(page.engine, 'leaf');
  const question = await page.answer('all');
  expect(question).toContain('Unload leaf?');
  expect(question).toContain('outer, inner use this model.');
  expect(await done).toBe(true);
  expect(unloaded(fake)).toEqual(['outer', 'inner', 'leaf']);
});

test('only the model itself goes when that is chosen, and nothing when the question is closed', async () => {
  const fake = await start(nested());
  const closed = unloadModel(page.engine, 'leaf');
  await page.answer('cancel');
  expect(await closed).toBe(false);
  expect(unloaded(fake)).toEqual([]);
  const only = unloadModel(page.engine, 'leaf');
  await page.answer('only');
  expect(await only).toBe(true);
  expect(unloaded(fake)).toEqual(['leaf']);
});

test('a model stays while an ensemble that was to go first could not be unloaded', async () => {
  const fake = await start(nested());
  fake.overrides['repository/unload'] = ({ model }) => {
    if (model === 'inner') throw internal('still busy');
    return { model: fake.change(model, { state: 'unloaded' }), freedBytes: undefined };
  };
  const done = unloadModel(page.engine, 'leaf');
  await page.answer('all');
  expect(await done).toBe(false);
  expect(unloaded(fake)).toEqual(['outer', 'inner']);
  await page.told('error', 'inner could not be unloaded. still busy');
});

test('an ensemble that is not loaded asks for nothing', async () => {
  const fake = await start([fakeModel('step', { usedBy: ['idle'] }), stopped('idle', { uses: ['step'] })]);
  expect(await unloadModel(page.engine, 'step')).toBe(true);
  expect(unloaded(fake)).toEqual(['step']);
});

test('memory that came back is told, and memory that did not is explained', async () => {
  const heavy = (name: string) =>
    fakeModel(name, { timings: { totalMs: 1, phases: [], memoryDeltaBytes: 100 * MIB } });
  const fake = await start([heavy('freed'), heavy('kept')]);
  const freedBytes: Record<string, number> = { freed: 90 * MIB, kept: 10 * MIB };
  fake.overrides['repository/unload'] = ({ model }) => ({
    model: fake.change(model, { state: 'unloaded' }),
    freedBytes: freedBytes[model],
  });
  await unloadModel(page.engine, 'freed');
  await page.told('success', 'Unloaded freed, 90.0 MiB less memory.');
  await unloadModel(page.engine, 'kept');
  await page.told('info', 'Unloaded kept. Memory after unload: 10.0 MiB less than before.');
  await page.follow('Unloaded kept', 'Details');
  expect(await page.answer('cancel')).toContain('10.0 MiB of about 100 MiB went back to the system');
});

test('many models are loaded at once and summed up; one that is under way already is not counted', async () => {
  const fake = await start(['m1', 'm2', 'm3', 'm4'].map((name) => stopped(name)));
  const held = Promise.withResolvers<void>();
  const ready = (model: string) => ({ model: fake.change(model, { state: 'ready' }) });
  fake.overrides['repository/load'] = async ({ model }) => {
    if (model === 'm4') await held.promise;
    if (model === 'm3') throw internal('no');
    return ready(model);
  };
  const slow = loadModel(page.engine, 'm4');
  await until(() => expect(fake.argsOf('repository/load')).toHaveLength(1));
  await loadModels(page.engine, ['m1', 'm2', 'm3', 'm4']);
  await page.told('warning', '2 models loaded, 1 failed.');
  held.resolve();
  await slow;
});

test('a summary without failures is no warning', async () => {
  await start([stopped('n1')]);
  await loadModels(page.engine, ['n1']);
  await page.told('success', '1 model loaded.');
  expect(page.messages('warning')).toEqual([]);
});

test('many are unloaded with ensembles before their steps, whatever the order they were chosen in', async () => {
  const fake = await start(nested());
  await unloadModels(page.engine, ['leaf', 'inner', 'outer']);
  expect(unloaded(fake)).toEqual(['outer', 'inner', 'leaf']);
  await page.told('success', '3 models unloaded.');
});

test('an ensemble that was not chosen is asked about once, and goes along when that is wanted', async () => {
  const fake = await start([...nested(), fakeModel('other')]);
  const closed = unloadModels(page.engine, ['leaf', 'other']);
  expect(await page.answer('cancel')).toContain('outer, inner use some of them.');
  await closed;
  expect(unloaded(fake)).toEqual([]);
  const all = unloadModels(page.engine, ['leaf', 'other']);
  await page.answer('all');
  await all;
  expect(unloaded(fake).filter((name) => name !== 'other')).toEqual(['outer', 'inner', 'leaf']);
  await page.told('success', '4 models unloaded.');
});

test('the first failure of many is told in its own words', async () => {
  const fake = await start([fakeModel('p'), fakeModel('q')]);
  fake.overrides['repository/unload'] = ({ model }) => {
    if (model === 'q') throw internal('q is pinned');
    return { model: fake.change(model, { state: 'unloaded' }), freedBytes: undefined };
  };
  await unloadModels(page.engine, ['p', 'q']);
  await page.told('error', 'q is pinned');
});
