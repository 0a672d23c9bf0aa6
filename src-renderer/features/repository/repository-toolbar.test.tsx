// What is done with several models at once, how the list is grouped, and the ways to get more models into it.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { hiddenModels } from '../../actions/hidden-models.ts';
import { address } from '../../lib/address.ts';
import { registerCommand } from '../../lib/command-registry.ts';
import { INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import {
  accessibilityFaults,
  choose,
  click,
  press,
  renderWithHosts,
  type,
  until,
} from '../../testing/render.tsx';
import { allTold, forgetTold, toldOf } from '../../testing/told.ts';
import { repositoryUi } from './repository-store.ts';
import { RepositoryView } from './repository-view.tsx';

let page: Rendered | undefined;
const offs: (() => void)[] = [];
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  hiddenModels.setState({ paths: new Set(), isShowing: false });
  repositoryUi.setState({ filter: '', states: new Set(), groupBy: 'none', selected: new Set() });
});
afterEach(async () => {
  for (const off of offs.splice(0)) off();
  await forgetTold();
  await page?.close();
});

async function start(
  models: Readonly<Record<string, Partial<ModelView>>>,
  fake = new FakeEngine(),
): Promise<Rendered> {
  fake.snapshot = fakeSnapshot(Object.entries(models).map(([name, changes]) => fakeModel(name, changes)));
  page = await renderWithHosts(<RepositoryView address={address('models')} />, fake);
  const [first = ''] = Object.keys(models);
  await until(() => page?.get(first === '' ? 'models-empty' : `model-row-${first}`));
  return page;
}

/** What a command was called with, in order. */
function heard(id: string): readonly unknown[] {
  const calls: unknown[] = [];
  offs.push(
    registerCommand(id, { run: (argument) => void calls.push(argument), disabledReason: () => undefined }),
  );
  return calls;
}

const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';

async function select(...names: readonly string[]): Promise<void> {
  for (const [at, name] of names.entries()) {
    const row = page?.get(`model-row-${name}`);
    row?.dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }));
    await until(() => expect(repositoryUi.getState().selected.size).toBe(at + 1));
  }
}

test('several rows are loaded and unloaded together, each with what fits it', async () => {
  const { get, query, fake } = await start({
    a: { state: 'unloaded' },
    b: {},
    c: { state: 'failed', reason: 'no file' },
  });
  expect(query('models-bulk-load')).toBeNull();
  await select('a', 'b', 'c');
  await until(() => get('models-bulk-load'));
  expect(get('models-view').textContent).toContain('3 selected');
  expect(await accessibilityFaults(get('models-view'))).toEqual([]);
  await click(get('models-bulk-unload'));
  await toldOf('1 model unloaded.');
  expect(fake.argsOf('repository/unload').map(({ model }) => model)).toEqual(['b']);
  await until(() => expect(isOff(get('models-bulk-unload'))).toBe(true));
  await click(get('models-bulk-load'));
  await toldOf('3 models loaded.');
  expect(
    fake
      .argsOf('repository/load')
      .map(({ model }) => model)
      .toSorted(),
  ).toEqual(['a', 'b', 'c']);
  await until(() => expect(isOff(get('models-bulk-load'))).toBe(true));
});

test('keys on one of several selected rows are for all of them, on another row for that', async () => {
  const { get, fake } = await start({
    a: { state: 'unloaded' },
    b: { loadedAtMs: 1 },
    c: { loadedAtMs: 2 },
    d: {},
  });
  await select('a', 'b', 'c');
  await until(() => expect(get('models-view').textContent).toContain('3 selected'));
  const named = (call: 'repository/load' | 'repository/unload' | 'repository/reload') =>
    fake
      .argsOf(call)
      .map(({ model }) => model)
      .toSorted();
  fake.overrides['repository/reload'] = ({ model }) => ({
    model: fake.change(model, model === 'c' ? { loadedAtMs: 3 } : {}),
  });
  await press(get('model-row-b'), 'r');
  await toldOf('1 model reloaded, 1 had not changed.');
  expect(named('repository/reload')).toEqual(['b', 'c']);
  await press(get('model-row-c'), 'u');
  await toldOf('2 models unloaded.');
  expect(named('repository/unload')).toEqual(['b', 'c']);
  await press(get('model-row-a'), 'l');
  await toldOf('3 models loaded.');
  expect(named('repository/load')).toEqual(['a', 'b', 'c']);
  await press(get('model-row-d'), 'u');
  await until(() => expect(named('repository/unload')).toEqual(['b', 'c', 'd']));
});

test('what a filter hides is not acted on, though it was selected before', async () => {
  const { get, query, fake } = await start({ apple: {}, apricot: {}, banana: {} });
  get('models-load-all');
  await select('apple', 'apricot', 'banana');
  // Their acts take the place of those for all, so that the list stays where it is.
  await until(() => expect(query('models-load-all')).toBeNull());
  expect(get('models-bulk-unload').getAttribute('aria-label')).toBe('Unload selected');
  await until(() => expect(get('models-view').textContent).toContain('3 selected'));
  await type(get('models-filter'), 'ap');
  await until(() => expect(query('model-row-banana')).toBeNull());
  await until(() => expect(get('models-view').textContent).toContain('2 selected'));
  await click(get('models-bulk-unload'));
  await toldOf('2 models unloaded.');
  expect(
    fake
      .argsOf('repository/unload')
      .map(({ model }) => model)
      .toSorted(),
  ).toEqual(['apple', 'apricot']);
});

test('of several that are loaded the failures are counted', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/load'] = ({ model }) => {
    if (model === 'b') throw internal('no file');
    return { model: fake.change(model, { state: 'ready' }) };
  };
  const { get } = await start({ a: { state: 'unloaded' }, b: { state: 'unloaded' } }, fake);
  await click(get('models-load-all'));
  await toldOf('1 model loaded, 1 failed.');
});

test('a load among several that is cancelled did not fail', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/load'] = ({ model }, { signal }) =>
    model === 'a'
      ? { model: fake.change(model, { state: 'ready' }) }
      : new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(internal('given up')));
        });
  const { get } = await start({ a: { state: 'unloaded' }, b: { state: 'unloaded' } }, fake);
  await click(get('models-load-all'));
  await click(await until(() => get('btn-cancel-b')));
  await toldOf('1 model loaded.');
  expect((await allTold()).filter((text) => text.includes('failed'))).toEqual([]);
});

test('steps of an ensemble that stays are unloaded only after a question', async () => {
  const { get, fake } = await start({
    first: { usedBy: ['pair'] },
    second: { usedBy: ['pair'] },
    pair: { isEnsemble: true },
  });
  await select('first', 'second');
  await click(await until(() => get('models-bulk-unload')));
  expect((await until(() => get('confirm'))).textContent).toContain('pair');
  await click(get('confirm-cancel'));
  expect(fake.argsOf('repository/unload')).toEqual([]);
  await click(get('models-bulk-unload'));
  await until(() => get('confirm'));
  await click(get('confirm-all'));
  await toldOf('3 models unloaded.');
  // The ensemble goes first: behind its steps it would have failed.
  expect(fake.argsOf('repository/unload').map(({ model }) => model)[0]).toBe('pair');
});

test('what is selected is exported as one', async () => {
  const asked = heard('model.export');
  const { get } = await start({ a: {}, b: {}, c: {} });
  await select('a', 'c');
  await click(await until(() => get('models-bulk-export')));
  expect(asked).toEqual(['a\nc']);
});

test('nothing is offered to load when everything is loaded', async () => {
  const { get, fake } = await start({ a: {}, b: {} });
  expect(isOff(get('models-load-all'))).toBe(true);
  await click(get('models-load-all'));
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test('rows are grouped by repository or by type, and stand alone again', async () => {
  const { get } = await start({
    a: { kind: 'onnx' },
    b: { kind: 'python', repository: '/other' },
    c: { kind: 'onnx', repository: '/other' },
  });
  const groups = (): readonly string[] =>
    [...get('models-table').querySelectorAll('*')]
      .filter(({ children, textContent }) => children.length <= 1 && textContent !== null)
      .map(({ textContent }) => textContent ?? '');
  await choose(get('models-group'), 'Repository');
  await until(() => expect(groups().some((text) => text.startsWith('/other'))).toBe(true));
  await choose(get('models-group'), 'Type');
  await until(() => expect(groups().some((text) => text.startsWith('/other'))).toBe(false));
  expect(repositoryUi.getState().groupBy).toBe('type');
  await choose(get('models-group'), 'No groups');
  await until(() => expect(repositoryUi.getState().groupBy).toBe('none'));
});

test('chips can be pressed together, and a state that nobody has keeps its chip while it is pressed', async () => {
  const { get, query, fake } = await start({ a: {}, b: { state: 'failed', reason: 'x' } });
  expect(query('models-chip-loading')).toBeNull();
  await click(get('models-chip-failed'));
  await until(() => expect(query('model-row-a')).toBeNull());
  fake.change('b', { state: 'ready', reason: undefined });
  await until(() => expect(query('model-row-b')).toBeNull());
  expect(get('models-chip-failed').getAttribute('aria-pressed')).toBe('true');
  await click(get('models-chip-ready'));
  await until(() => get('model-row-b'));
  await click(get('models-chip-failed'));
  await until(() => expect(query('models-chip-failed')).toBeNull());
});

test.each([
  ['importModel', 'repository.importOnnx'],
  ['addRepository', 'repository.add'],
  ['newPython', 'code.newModel'],
  ['newStep', 'code.newStep'],
  ['newEnsemble', 'ensemble.new'],
] as const)('the menu Add leads to %s', async (entry, command) => {
  const asked = heard(command);
  const { get } = await start({ a: {} });
  await click(get('models-add'));
  await click(await until(() => get(`menu-${entry}`)));
  await until(() => expect(asked).toHaveLength(1));
});

test('samples and a new look at the disk that fail say why', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/openSamples'] = () => {
    throw internal('the disk is full');
  };
  fake.overrides['repository/rescan'] = () => {
    throw internal('the share is gone');
  };
  const { get } = await start({ a: {} }, fake);
  await click(get('models-add'));
  await click(await until(() => get('menu-samples')));
  await toldOf('the disk is full');
  await click(get('models-rescan'));
  await toldOf('the share is gone');
});

test('a repository that is gone can be found again, tried again, or another one opened', async () => {
  const fake = new FakeEngine();
  const [repository] = fakeSnapshot([]).repositories;
  if (repository === undefined) throw new Error('there is no repository');
  const located = heard('repository.add');
  fake.snapshot = {
    models: [],
    isScanning: false,
    repositories: [{ ...repository, path: '/gone', error: 'ENOENT: no such folder' }],
  };
  page = await renderWithHosts(<RepositoryView address={address('models')} />, fake);
  const { get } = page;
  await click(await until(() => get('repository-locate')));
  await click(get('repository-open-another'));
  expect(located).toEqual(['/gone', undefined]);
  await click(get('repository-retry'));
  await until(() => expect(fake.argsOf('repository/rescan')).toHaveLength(1));
});

test('large counts have the same separators on chips and groups as everywhere', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `m${String(index)}`);
  const { get } = await start(Object.fromEntries(names.map((name) => [name, {}])));
  expect(get('models-chip-ready').textContent).toContain('1,000');
});
