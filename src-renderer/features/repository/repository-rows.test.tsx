// One row of the list: what its marks and numbers say, what its buttons do in each state, and its menu and keys.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { hiddenModels } from '../../actions/hidden-models.ts';
import { address } from '../../lib/address.ts';
import { areas } from '../../lib/areas.ts';
import type { ModelTabDefinition } from '../../lib/feature.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import { fakeSample } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, press, renderWithHosts, until } from '../../testing/render.tsx';
import { forgetTold, toldOf } from '../../testing/told.ts';
import { repositoryUi } from './repository-store.ts';
import { modelColumns } from './components/model-columns.tsx';
import { RepositoryView } from './repository-view.tsx';

let page: Rendered | undefined;
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  hiddenModels.setState({ paths: new Set(), isShowing: false });
  repositoryUi.setState({ filter: '', states: new Set(), groupBy: 'none', selected: new Set() });
});
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

async function start(changes: Partial<ModelView> = {}, fake = new FakeEngine()): Promise<Rendered> {
  fake.snapshot = fakeSnapshot([fakeModel('net', changes)]);
  page = await renderWithHosts(<RepositoryView address={address('models')} />, fake);
  await until(() => page?.get('model-row-net'));
  return page;
}

const nameOf = (element: HTMLElement): string => element.getAttribute('aria-label') ?? '';
const isOff = (element: HTMLElement): boolean => element.getAttribute('aria-disabled') === 'true';
/** What stands beside the name, without the small chart of requests. */
const marks = (): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-testid=model-row-net] span[role=img]')].map(nameOf);

test('a model that is loaded can be unloaded and reloaded, one that is not can be loaded', async () => {
  const { get, query, fake } = await start();
  expect(query('btn-load-net')).toBeNull();
  await click(get('btn-reload-net'));
  await until(() => expect(fake.argsOf('repository/reload')).toEqual([{ model: 'net', force: false }]));
  await until(() => get('btn-unload-net'));
  await click(get('btn-unload-net'));
  await until(() => get('btn-load-net'));
  expect(query('btn-unload-net')).toBeNull();
  expect(isOff(get('btn-reload-net'))).toBe(true);
  await click(get('btn-reload-net'));
  expect(fake.argsOf('repository/reload')).toHaveLength(1);
  await click(get('btn-load-net'));
  await until(() => expect(fake.argsOf('repository/load')).toMatchObject([{ model: 'net' }]));
  await until(() => get('btn-unload-net'));
});

test('a load that runs can be cancelled, and can be tried again after it', async () => {
  const fake = new FakeEngine();
  let isCancelled = false;
  fake.overrides['repository/load'] = (_args, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        isCancelled = true;
        reject(internal('given up'));
      });
    });
  const { get, query } = await start({ state: 'unloaded' }, fake);
  await click(get('btn-load-net'));
  await until(() => get('btn-cancel-net'));
  expect(query('btn-load-net')).toBeNull();
  await click(get('btn-cancel-net'));
  await until(() => expect(isCancelled).toBe(true));
  await until(() => get('btn-load-net'));
});

test('a load that somebody else began can be cancelled too', async () => {
  const { get, query, fake } = await start({ state: 'loading' });
  expect(query('btn-load-net')).toBeNull();
  await click(get('btn-cancel-net'));
  expect(fake.argsOf('repository/stopLoading')).toEqual([{ model: 'net' }]);
});

test('a load that fails says why, and its button stays', async () => {
  const fake = new FakeEngine();
  fake.overrides['repository/load'] = () => {
    throw internal('the file is cut off');
  };
  const { get } = await start({ state: 'failed', reason: 'the file is cut off' }, fake);
  expect(get('model-row-net').textContent).toContain('the file is cut off');
  await click(get('btn-load-net'));
  await toldOf('the file is cut off');
  await until(() => expect(isOff(get('btn-load-net'))).toBe(false));
});

test.each([
  ['it is being unloaded', { state: 'unloading' }],
  ['no backend runs it here', { state: 'not-runnable', backend: 'fil' }],
  ['another model has its name', { state: 'unloaded', duplicateOf: '/other' }],
] as const)('a model cannot be loaded while %s', async (_why, changes) => {
  const { get, fake } = await start(changes);
  expect(isOff(get('btn-load-net'))).toBe(true);
  await click(get('btn-load-net'));
  get('model-row-net').focus();
  await press(get('model-row-net'), 'l');
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test('where only instances changed the reload says that it updates them', async () => {
  const { get, fake } = await start({ reloadKind: 'instances' });
  expect(nameOf(get('btn-reload-net'))).toContain('Update the instances of net');
  fake.change('net', { reloadKind: 'full' });
  await until(() => expect(nameOf(get('btn-reload-net'))).toContain('Reload'));
});

test('Enter and a double click open the model', async () => {
  const { get } = await start();
  await press(get('model-row-net'), 'Enter');
  expect(activeTab()?.address).toMatchObject({ area: 'models', model: 'net' });
  workspace.setState(INITIAL_WORKSPACE, true);
  get('model-row-net').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  await until(() => expect(activeTab()?.address).toMatchObject({ area: 'models', model: 'net' }));
});

test('marks say what is unusual of a model, and only that', async () => {
  const { fake } = await start();
  expect(marks()).toEqual([]);
  fake.change('net', { hasOverride: true });
  await until(() => expect(marks()).toEqual(['Running with an unsaved override']));
  fake.change('net', { hasOverride: false, isQuarantined: true, state: 'unloaded' });
  await until(() => expect(marks()).toEqual(['Crashed the server process and is not loaded by itself']));
  fake.change('net', { isQuarantined: false, duplicateOf: '/other' });
  await until(() => expect(marks()[0]).toContain('Name used in 2 repositories'));
});

test('a model that was put onto another device than asked for says so beside it', async () => {
  const { get } = await start({ isDegraded: true, device: 'CPU', notices: ['no GPU is usable'] });
  expect(get('model-row-net').querySelector('[title="no GPU is usable"]')?.textContent).toBe('CPU');
});

test('numbers of the last second move, and are dashes when nothing is served', async () => {
  const fake = new FakeEngine();
  const sample = (inferPerSecond: number, waiting: number) => {
    const base = fakeSample(2_000_000);
    const [row] = base.models;
    if (row === undefined) throw new Error('the sample has no model');
    return {
      ...base,
      models: [
        { ...row, model: 'net', inferPerSecond, waiting, p99Us: 2500, lastRequestAtMs: base.atMs - 5000 },
      ],
    };
  };
  fake.overrides['observe/sample'] = () => sample(120, 7);
  const { get } = await start({}, fake);
  const cells = (): readonly string[] =>
    [...get('model-row-net').querySelectorAll('[role=gridcell], [role=cell], td')].map(
      ({ textContent }) => textContent,
    );
  await until(() => expect(cells()).toEqual(expect.arrayContaining(['120', '7'])));
  expect(cells().some((text) => text.endsWith('ago'))).toBe(true);
  fake.publish('observe/sample', sample(80, 0));
  await until(() => expect(cells()).toEqual(expect.arrayContaining(['80', '0'])));
  fake.changeServer({ state: 'stopped' });
  await until(() => expect(cells()).not.toContain('80'));
  fake.change('net', { state: 'unloaded', servedVersions: [] });
  await until(() => expect(cells().filter((text) => text === '–').length).toBeGreaterThan(3));
});

test('the menu of a row opens, acts, and closes with Escape', async () => {
  const { get, query, fake } = await start();
  const opener = get('btn-menu-net');
  expect(opener.getAttribute('aria-expanded')).toBe('false');
  await click(opener);
  await until(() => expect(opener.getAttribute('aria-expanded')).toBe('true'));
  const entries = (): readonly HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('[role=menuitem]'),
  ];
  await until(() => expect(entries().length).toBeGreaterThan(3));
  await press(entries()[0]!, 'Escape');
  await until(() => expect(opener.getAttribute('aria-expanded')).toBe('false'));
  await click(opener);
  await until(() => expect(entries().length).toBeGreaterThan(3));
  // A model that goes takes its menu along.
  fake.publish('repository/models', { changed: [], removed: ['net'] });
  await until(() => expect(query('model-row-net')).toBeNull());
  await until(() => expect(entries()).toEqual([]));
});

test('slash leads from a row to the filter', async () => {
  const { get } = await start();
  get('model-row-net').focus();
  await press(get('model-row-net'), '/');
  expect(document.activeElement).toBe(get('models-filter'));
});

test.each([
  ['failed', true],
  ['not-runnable', true],
  ['unloaded', false],
  ['ready', false],
] as const)('of a model that is %s: its button to send is off: %j', async (state, off) => {
  const before = areas.getState();
  const playground = { id: 'playground', title: 'model.tab.graph', View: () => null } as const;
  areas.setState({ modelTabs: [playground as unknown as ModelTabDefinition] });
  const { get } = await start({ state });
  expect(isOff(get('btn-test-net'))).toBe(off);
  areas.setState(before, true);
});

test('the column of names grows with the longest, and a very long one is whole in two lines', async () => {
  const widthOf = (longest: number): number =>
    modelColumns(false, false, longest).find(({ id }) => id === 'name')?.width ?? 0;
  expect(widthOf(10)).toBeLessThan(widthOf(35));
  expect(widthOf(200)).toBeLessThanOrEqual(320);
  const name = 'customer_support_ticket_intent_classification_multilingual_v3';
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel(name)]);
  page = await renderWithHosts(<RepositoryView address={address('models')} />, fake);
  const row = await until(() => (page as Rendered).get(`model-row-${name}`));
  const shown = row.querySelector(`[title="${name}"]`);
  expect(shown?.textContent).toBe(name);
  expect(shown?.className).toContain('line-clamp-2');
  expect(shown?.querySelectorAll('wbr').length).toBe(name.split('_').length - 1);
});
