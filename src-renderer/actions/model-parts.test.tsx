// What the menu of a model offers, and what the inspector says of it.

import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { ModelTabDefinition } from '../lib/feature.ts';
import { areas } from '../lib/areas.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import type { FakeShell } from '../testing/fake-shell.ts';
import { installShell } from '../testing/fake-shell.ts';
import { FAKE_MODELS, fakeModel } from '../testing/fake-models.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../testing/render.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { hiddenModels, setHidden } from './hidden-models.ts';
import { ModelInspector } from './model-inspector.tsx';
import { useModelMenu } from './model-menu.tsx';

let page: Rendered | undefined;
let shell: FakeShell | undefined;
const before = areas.getState();

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  hiddenModels.setState({ paths: new Set(), isShowing: false });
});
afterEach(async () => {
  areas.setState(before, true);
  shell?.remove();
  await page?.close();
});

function withAllScreens(): void {
  const tab = (id: string) => ({ id }) as ModelTabDefinition;
  areas.setState({ ...before, screens: new Set(['perf']), modelTabs: [tab('playground'), tab('config')] });
}

function Entries({
  model,
  onDrawn,
}: {
  readonly model: ModelView;
  readonly onDrawn: (entries: readonly MenuEntry[]) => void;
}) {
  const entries = useModelMenu(model);
  useEffect(() => {
    onDrawn(entries);
  });
  return <p data-testid="probe">{entries.map(({ id }) => id).join(' ')}</p>;
}

async function menuOf(model: ModelView): Promise<(id: string) => MenuEntry | undefined> {
  let entries: readonly MenuEntry[] = [];
  page = await renderView(<Entries model={model} onDrawn={(drawn) => (entries = drawn)} />);
  return (id) => entries.find((entry) => entry.id === id);
}

const ids = () => page?.get('probe').textContent.split(' ');

test('a build without some screens does not offer them', async () => {
  areas.setState({ ...before, screens: new Set(), modelTabs: [] });
  await menuOf(fakeModel('m'));
  for (const id of ['test', 'perf', 'config', 'convert', 'disableOne']) expect(ids()).not.toContain(id);
  expect(ids()).toEqual(expect.arrayContaining(['open', 'forceReload', 'rename', 'export', 'trash']));
});

test('entries lead to the screens of the model', async () => {
  withAllScreens();
  const entry = await menuOf(fakeModel('m'));
  entry('test')?.onSelect();
  expect(activeTab()?.address).toMatchObject({ model: 'm', tab: 'playground' });
  entry('config')?.onSelect();
  expect(activeTab()?.address).toMatchObject({ model: 'm', tab: 'config' });
  entry('perf')?.onSelect();
  expect(activeTab()?.address).toMatchObject({ area: 'perf', query: { model: 'm' } });
});

test('only a loaded model can be reloaded by force, and the others say why not', async () => {
  const loaded = await menuOf(fakeModel('m'));
  expect(loaded('forceReload')?.disabledReason).toBeUndefined();
  loaded('forceReload')?.onSelect();
  await until(() => expect(page?.fake.argsOf('repository/reload')).toEqual([{ model: 'm', force: true }]));
  await page?.close();
  const idle = await menuOf(fakeModel('m', { state: 'unloaded' }));
  expect(idle('forceReload')?.disabledReason).toBe('Not loaded');
});

test('models of other frameworks can be converted, and twins be told apart', async () => {
  const torch = await menuOf(fakeModel('m', { backend: 'pytorch', duplicateOf: '/other' }));
  expect(torch('convert')).toBeDefined();
  expect(torch('disableOne')).toBeDefined();
});

test('a hidden model can be shown again', async () => {
  const model = fakeModel('m');
  const entry = await menuOf(model);
  expect(entry('removeFromList')?.label).toBe('Remove from list');
  const client = page?.fake.engine().client;
  if (client === undefined) throw new Error('there is no page');
  setHidden(client, model.path, true);
  await until(() => expect(entry('removeFromList')?.label).toBe('Show in list again'));
  entry('removeFromList')?.onSelect();
  expect(hiddenModels.getState().paths.size).toBe(0);
});

test('a folder is revealed where there is a file manager, else its path is copied', async () => {
  expect((await menuOf(fakeModel('m')))('reveal')?.label).toBe('Copy folder path');
  await page?.close();
  shell = installShell({ 'shell/reveal': () => undefined });
  const entry = await menuOf(fakeModel('m'));
  expect(entry('reveal')?.label).toBe('Reveal folder');
  entry('reveal')?.onSelect();
  await until(() => expect(shell?.calls.map(({ name }) => name)).toEqual(['shell/reveal']));
});

const inspect = async (models: readonly ModelView[], isOpened = false): Promise<string> => {
  page = await renderView(<ModelInspector models={models} isOpened={isOpened} />);
  return document.body.textContent;
};
const known = (name: string) => {
  const model = FAKE_MODELS.find((one) => one.name === name);
  if (model === undefined) throw new Error(`there is no ${name}`);
  return model;
};

test('nothing selected shows nothing, many show their names', async () => {
  expect(await inspect([])).toBe('');
  await page?.close();
  const text = await inspect([fakeModel('a'), fakeModel('b')]);
  expect(text).toContain('2 models selected');
  expect(page?.query('inspector-model')).toBeNull();
});

test('a loaded model: its versions, its load in parts, who uses it', async () => {
  const text = await inspect([known('batch_mlp')]);
  for (const words of [
    '1, 2 ✓',
    'max 8, delay 200 µs',
    '202 MiB',
    '/home/ada/models/batch_mlp',
    'Used by',
    'pipeline',
    '1.81 s',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).toContain('session');
  expect(await accessibilityFaults()).toEqual([]);
  await click(page?.get('inspector-model').querySelector('button') as HTMLElement);
  expect(activeTab()?.address.model).toBe('batch_mlp');
});

test('its own page needs no way to it', async () => {
  await inspect([known('batch_mlp')], true);
  expect(page?.get('inspector-model').querySelector('button')).toBeNull();
});

test('a failure says why, and a notice what is different here', async () => {
  expect(await inspect([known('broken_dims')])).toContain('max_batch_size is 8, so the server puts');
  await page?.close();
  expect(await inspect([known('bert_reranker')])).toContain('The config asks for a GPU');
});

test('a load that took no time draws no bars beyond their room', async () => {
  const timings = { totalMs: 0, phases: [{ text: 'warmup 1 of 1', ms: 0 }], memoryDeltaBytes: undefined };
  await inspect([fakeModel('m', { timings, versions: [], device: undefined })]);
  const bars = [...document.querySelectorAll<HTMLElement>('li span[style]')];
  expect(bars.length).toBe(1);
  expect(bars[0]?.style.width).toBe('0%');
});
