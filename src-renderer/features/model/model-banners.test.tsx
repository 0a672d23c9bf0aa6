// What lasts about a model stands above its tabs, each with what can be done about it.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { modelAddress } from '../../lib/address.ts';
import { areas } from '../../lib/areas.ts';
import { registerCommand } from '../../lib/command-registry.ts';
import type { ModelTabDefinition } from '../../lib/feature.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { ModelBanners } from './components/model-banners.tsx';

const before = areas.getState();
let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  areas.setState({
    ...before,
    modelTabs: [
      { id: 'config', title: 'model.tab.config', View: () => null } as unknown as ModelTabDefinition,
    ],
  });
  fake = new FakeEngine();
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  areas.setState(before, true);
});

async function show(changes: Partial<ModelView>, isConfigShown = false): Promise<Rendered> {
  const model = fakeModel('m', changes);
  fake.snapshot = { ...fake.snapshot, models: [model] };
  page = await renderWithHosts(<ModelBanners model={model} isConfigShown={isConfigShown} />, fake);
  return page;
}

const shown = (): readonly string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-testid^="banner-"]')]
    .map(({ dataset }) => dataset['testid'] ?? '')
    .filter((id) => /^banner-[a-z]+(-runnable)?$/.test(id));

/** The button of a banner that says so. */
function button(label: string): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button')].find(
    ({ textContent }) => textContent === label,
  );
  if (found === undefined) throw new Error(`no button '${label}'`);
  return found;
}

const place = (): unknown => activeTab(workspace.getState())?.address;

const EMPTY = { ...fakeModel('m').versions[0]!, fileCount: 0 };
const ERRORS = { error: 2, warning: 0, info: 0 } as ModelView['issueCounts'];

test.each<[string, Partial<ModelView>, readonly string[]]>([
  ['that just serves has none', {}, []],
  ['that changed on disk', { changedOnDisk: true }, ['banner-changed']],
  ['that changed, but is not loaded', { changedOnDisk: true, state: 'unloaded' }, []],
  ['that runs an override', { hasOverride: true }, ['banner-override']],
  ['with errors, before its first try', { state: 'unloaded', issueCounts: ERRORS }, ['banner-problems']],
  [
    'without a file, whose configuration needs none other than that',
    { state: 'unloaded', issueCounts: ERRORS, backend: '', format: 'binary', versions: [EMPTY] },
    ['banner-empty'],
  ],
  [
    'without a file, and with errors',
    { state: 'unloaded', issueCounts: ERRORS, versions: [EMPTY] },
    ['banner-empty', 'banner-problems'],
  ],
  [
    'whose backend may need no file',
    { state: 'unloaded', backend: 'own', format: 'binary', versions: [EMPTY] },
    [],
  ],
  ['with errors that serves all the same', { issueCounts: ERRORS }, []],
  ['that ended the engine', { state: 'unloaded', isQuarantined: true }, ['banner-quarantined']],
  ['of a backend that is not here', { state: 'not-runnable', backend: 'x' }, ['banner-not-runnable']],
  ['on another device', { isDegraded: true }, ['banner-degraded']],
  ['whose folder is gone', { reason: 'ENOENT: no such folder' }, ['banner-away']],
  ['whose name is there twice', { duplicateOf: '/other' }, ['banner-duplicate']],
])('a model %s', async (_what, changes, banners) => {
  await show(changes);
  expect(shown()).toEqual(banners);
  expect(await accessibilityFaults()).toEqual([]);
});

test.each([
  ["ENOENT: no such file or directory, scandir '/m'", 'is not there: it was moved'],
  ["EACCES: permission denied, scandir '/m'", 'cannot be read: permission denied.'],
])('why a folder cannot be read is said in plain words: %s', async (reason, words) => {
  const { get } = await show({ reason, path: '/data/m' });
  const text = get('banner-away').textContent;
  expect(text).toContain(words);
  expect(text).toContain('/data/m');
  expect(text).not.toMatch(/E[A-Z]{4,}|scandir/);
});

test('the config tab speaks of an override and of errors itself', async () => {
  await show({ hasOverride: true }, true);
  expect(shown()).toEqual([]);
  await page?.close();
  await show({ state: 'unloaded', issueCounts: ERRORS }, true);
  expect(shown()).toEqual([]);
});

test('a changed model is loaded again, compared, or left as it is', async () => {
  const { get } = await show({ changedOnDisk: true, reloadKind: 'instances' });
  expect(get('banner-changed-reload').textContent).toBe('Update instances');
  await click(get('banner-changed-reload'));
  await until(() => expect(fake.argsOf('repository/reload')).toMatchObject([{ model: 'm' }]));
  await click(button('Show diff'));
  expect(place()).toEqual(modelAddress('m', 'config', { view: 'diff', with: 'loaded' }));
  await click(button('Ignore'));
  expect(shown()).toEqual([]);
});

test('the file that lacks is chosen from the banner', async () => {
  const asked: unknown[] = [];
  const off = registerCommand('model.locateData', {
    run: (name) => void asked.push(name),
    disabledReason: () => undefined,
  });
  await show({ state: 'unloaded', versions: [EMPTY] });
  await click(button('Choose model file…'));
  expect(asked).toEqual(['m']);
  off();
});

test('an override is opened or given up', async () => {
  const { get } = await show({ hasOverride: true });
  await click(button('Open config'));
  expect(place()).toEqual(modelAddress('m', 'config'));
  await click(get('banner-override-revert'));
  await until(() => expect(fake.argsOf('repository/reload')).toMatchObject([{ model: 'm' }]));
});

test('problems are one click away, and so are the reasons for what the model runs with', async () => {
  const { get } = await show({ state: 'unloaded', issueCounts: ERRORS });
  expect(get('banner-problems').textContent).toContain('2');
  await click(button('Show in config'));
  expect(place()).toEqual(modelAddress('m', 'config'));
  await page?.close();
  const degraded = await show({ isDegraded: true });
  await click(degraded.get('banner-degraded-details'));
  await until(() => expect(document.querySelector('[role="dialog"]')).not.toBeNull());
});
