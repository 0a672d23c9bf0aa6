// What happens to folders of models: nothing before the answer, a way back after it, and the reason when it fails.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../src-shared/errors.ts';
import { registerCommand } from '../lib/command-registry.ts';
import type { ActionPage } from '../testing/action-page.tsx';
import { actionPage } from '../testing/action-page.tsx';
import { FakeEngine } from '../testing/fake-engine.ts';
import { FAKE_REPOSITORY, fakeModel, fakeSnapshot } from '../testing/fake-models.ts';
import { until } from '../testing/render.tsx';
import { disableDuplicate } from './disable-duplicate.ts';
import { askName, exportModels, naming, trashModel, trashModels, trashVersion } from './folder-actions.ts';
import { loadModel } from './model-actions.ts';
import { hiddenModels, readHiddenModels, removeFromList, setHidden } from './hidden-models.ts';

let page: ActionPage;
let fake: FakeEngine;

beforeEach(async () => {
  hiddenModels.setState({ paths: new Set(), isShowing: false });
  fake = new FakeEngine();
  fake.overrides['repository/trashModel'] = () => ({ movedTo: 'the system bin', undo: 'u1' });
  fake.overrides['repository/trashVersion'] = () => ({ movedTo: 'the system bin', undo: undefined });
  fake.overrides['repository/restore'] = () => undefined;
  fake.overrides['repository/switch'] = () => undefined;
  page = await actionPage(fake);
});
afterEach(() => page.close());

const hiddenOnDisk = () => JSON.parse(fake.layouts.get('hidden models') ?? '[]') as unknown;

test('a model goes to the bin after a question that names its folder, and comes back', async () => {
  const model = fakeModel('old');
  const done = trashModel(page.engine, model);
  const question = await page.answer('trash');
  expect(question).toContain('Move old to the bin?');
  expect(question).toContain(`${FAKE_REPOSITORY}/old`);
  await done;
  expect(fake.argsOf('repository/trashModel')).toEqual([{ model: 'old' }]);
  await page.told('success', 'old was moved to the system bin.');
  expect(page.offers('old was moved')).toEqual(['Undo']);
  await page.follow('old was moved', 'Undo');
  await page.told('success', 'old is back.');
  expect(fake.argsOf('repository/restore')).toEqual([{ undo: 'u1' }]);
});

test('nothing goes to the bin when the question is closed', async () => {
  const done = trashModel(page.engine, fakeModel('kept'));
  await page.answer('cancel');
  await done;
  expect(fake.argsOf('repository/trashModel')).toEqual([]);
});

test('several go after one question that names them, an ensemble before its steps, and come back the other way', async () => {
  fake.overrides['repository/trashModel'] = ({ model }) => ({ movedTo: `/bin/1-${model}`, undo: model });
  const step = fakeModel('step', { usedBy: ['flow'] });
  const ensemble = fakeModel('flow', { uses: ['step'] });
  await page.close();
  fake.snapshot = fakeSnapshot([step, ensemble]);
  page = await actionPage(fake);
  const done = trashModels(page.engine, [step, ensemble]);
  const question = await page.answer('trash');
  expect(question).toContain('Move 2 models to the bin?');
  expect(question).toContain('step, flow: their folders');
  await done;
  const order = ['flow', 'step'];
  expect(fake.argsOf('repository/trashModel').map(({ model }) => model)).toEqual(order);
  await page.told('success', '2 models were moved to /bin.');
  await page.follow('2 models were moved', 'Undo');
  await page.told('success', '2 models are back.');
  expect(fake.argsOf('repository/restore').map(({ undo }) => undo)).toEqual(order.toReversed());
});

test('of several those that can be moved are, and the reason of the one that stays is told', async () => {
  fake.overrides['repository/trashModel'] = ({ model }) => {
    if (model === 'locked') throw internal('EPERM');
    return { movedTo: 'the system bin', undo: undefined };
  };
  const done = trashModels(page.engine, [fakeModel('locked'), fakeModel('free')]);
  await page.answer('trash');
  await done;
  await page.told('success', '1 model was moved to the system bin.');
  await page.told('error', 'EPERM');
  expect(page.offers('1 model was moved')).toEqual([]);
});

test('a question about many names the first of them and counts the others; about one it is as ever', async () => {
  const many = Array.from({ length: 15 }, (_, at) => fakeModel(`m${at}`));
  const closed = trashModels(page.engine, many);
  const question = await page.answer('cancel');
  await closed;
  expect(question).toContain('m0, m1');
  expect(question).toContain('m10 and 4 more: their folders');
  expect(question).not.toContain('m11');
  const one = trashModels(page.engine, [fakeModel('old')]);
  expect(await page.answer('cancel')).toContain('Move old to the bin?');
  await one;
  await trashModels(page.engine, []);
  expect(fake.argsOf('repository/trashModel')).toEqual([]);
});

test('a version that only the bin itself can bring back has no Undo', async () => {
  const done = trashVersion(page.engine, 'batch_mlp', '2');
  expect(await page.answer('trash')).toContain('Move version 2 of batch_mlp to the bin?');
  await done;
  expect(fake.argsOf('repository/trashVersion')).toEqual([{ model: 'batch_mlp', version: '2' }]);
  await page.told('success', 'Version 2 of batch_mlp was moved');
  expect(page.offers('Version 2 of batch_mlp was moved')).toEqual([]);
});

test('a folder that could not be moved, and one that could not come back, are told', async () => {
  fake.overrides['repository/trashModel'] = () => {
    throw internal('EPERM');
  };
  const failed = trashModel(page.engine, fakeModel('locked'));
  await page.answer('trash');
  await failed;
  await page.told('error', 'EPERM');
  delete fake.overrides['repository/trashModel'];
  fake.overrides['repository/trashModel'] = () => ({ movedTo: 'the bin', undo: 'u2' });
  fake.overrides['repository/restore'] = () => {
    throw internal('its place is taken');
  };
  const moved = trashModel(page.engine, fakeModel('moved'));
  await page.answer('trash');
  await moved;
  await page.follow('moved was moved', 'Undo');
  await page.told('error', 'its place is taken');
});

test('a new name is asked for the model and the verb', () => {
  askName('simple', 'rename');
  expect(naming.getState().asked).toEqual({ model: 'simple', verb: 'rename' });
  askName('simple', 'duplicate');
  expect(naming.getState().asked?.verb).toBe('duplicate');
});

test('models are exported by the command, all in one argument', () => {
  const exported: unknown[] = [];
  const off = registerCommand('model.export', {
    run: (argument) => exported.push(argument),
    disabledReason: () => undefined,
  });
  exportModels(['a', 'b']);
  off();
  expect(exported).toEqual(['a\nb']);
});

test('a model taken off the list is unloaded first, stays hidden, and comes back', async () => {
  const model = page.engine.state.models.getState().byName.get('image_tiny');
  if (model === undefined) throw new Error('there is no image_tiny');
  await removeFromList(page.engine, model);
  expect(fake.argsOf('repository/unload').map(({ model: name }) => name)).toEqual(['image_tiny']);
  expect([...hiddenModels.getState().paths]).toEqual([model.path]);
  await until(() => expect(hiddenOnDisk()).toEqual([model.path]));
  await page.told('info', 'image_tiny is no longer listed.');
  await page.follow('image_tiny is no longer', 'Undo');
  expect(hiddenModels.getState().paths.size).toBe(0);
  await until(() => expect(hiddenOnDisk()).toEqual([]));
});

test('a model that could not be unloaded stays on the list: nothing serves unseen', async () => {
  fake.overrides['repository/unload'] = () => {
    throw internal('busy');
  };
  await removeFromList(page.engine, fakeModel('busy'));
  expect(hiddenModels.getState().paths.size).toBe(0);
  await page.told('error', 'busy could not be unloaded');
});

test('a model that this window is loading is cancelled, unloaded and then hidden', async () => {
  fake.overrides['repository/load'] = () => Promise.withResolvers<never>().promise;
  const loading = loadModel(page.engine, 'image_tiny');
  await removeFromList(page.engine, fakeModel('image_tiny', { state: 'loading' }));
  await loading;
  expect(fake.argsOf('repository/unload').map(({ model: name }) => name)).toEqual(['image_tiny']);
  expect(hiddenModels.getState().paths.size).toBe(1);
});

test('a model that is not loaded is hidden without an unload', async () => {
  await removeFromList(page.engine, fakeModel('idle', { state: 'unloaded' }));
  expect(fake.argsOf('repository/unload')).toEqual([]);
  expect(hiddenModels.getState().paths.size).toBe(1);
});

test('hidden models are read at start; what is no list of paths hides nothing', async () => {
  const { client } = page.engine;
  fake.layouts.set('hidden models', '["/a", 7, "/b"]');
  await readHiddenModels(client);
  expect([...hiddenModels.getState().paths]).toEqual(['/a', '/b']);
  for (const json of ['{"a":1}', 'not json', '']) {
    fake.layouts.set('hidden models', json);
    await readHiddenModels(client);
    expect([...hiddenModels.getState().paths]).toEqual([]);
  }
});

test('showing hidden models ends with the last of them, and a list that cannot be kept is told', async () => {
  const { client } = page.engine;
  setHidden(client, '/a', true);
  setHidden(client, '/b', true);
  hiddenModels.setState({ isShowing: true });
  setHidden(client, '/a', false);
  expect(hiddenModels.getState().isShowing).toBe(true);
  fake.overrides['settings/writeLayout'] = () => {
    throw internal('the disk is full');
  };
  setHidden(client, '/b', false);
  expect(hiddenModels.getState()).toMatchObject({ isShowing: false, paths: new Set() });
  await page.told('error', 'the disk is full');
});

test('of two repositories with one name the user switches one off, and can load what is left', async () => {
  const other = '/mnt/other';
  await page.close();
  fake.snapshot = {
    ...fakeSnapshot([
      fakeModel('twin', { state: 'unloaded', duplicateOf: other }),
      fakeModel('twin', { state: 'unloaded', repository: other, duplicateOf: FAKE_REPOSITORY }),
    ]),
    repositories: [FAKE_REPOSITORY, other].map((path, index) => ({
      path,
      modelCount: index + 1,
      isWritable: true,
      isEnabled: true,
      isWatched: true,
      isTrusted: true,
      waitingSinceMs: undefined,
      isGivenUp: false,
      error: undefined,
    })),
  };
  page = await actionPage(fake);
  const done = disableDuplicate(page.engine, 'twin');
  const question = await page.answer(other);
  expect(question).toContain('Which repository with twin should go?');
  expect(question).toContain(`Disable ${FAKE_REPOSITORY} (1 model)`);
  expect(question).toContain(`Disable ${other} (2 models)`);
  await done;
  expect(fake.argsOf('repository/switch')).toEqual([{ path: other, isEnabled: false }]);
  await page.told('success', `${other} is switched off. twin is there once.`);
  await page.follow('twin is there once', 'Load');
  await until(() => expect(fake.argsOf('repository/load')).toEqual([{ model: 'twin' }]));
});

test('a repository that cannot be switched off is told, and a closed question changes nothing', async () => {
  fake.overrides['repository/switch'] = () => {
    throw internal('read-only settings');
  };
  const failed = disableDuplicate(page.engine, 'simple');
  await page.answer(FAKE_REPOSITORY);
  await failed;
  await page.told('error', 'read-only settings');
  const closed = disableDuplicate(page.engine, 'simple');
  await page.answer('cancel');
  await closed;
  expect(fake.argsOf('repository/switch')).toHaveLength(1);
});
