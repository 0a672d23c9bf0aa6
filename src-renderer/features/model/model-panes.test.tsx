// What stands above and beside one model: its banners, its failure, its header, the policy of its versions.

import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal } from '../../../src-shared/errors.ts';
import { areas } from '../../lib/areas.ts';
import type { ModelTabDefinition } from '../../lib/feature.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_MODELS, fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { OfflineContext } from '../../ui/offline.ts';
import { FailureCard } from './components/failure-card.tsx';
import { ModelBanners } from './components/model-banners.tsx';
import { ModelHeader } from './components/model-header.tsx';
import { PolicyCard } from './versions/policy-card.tsx';

let page: Rendered | undefined;
const before = areas.getState();
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  const tab = (id: string) => ({ id }) as ModelTabDefinition;
  areas.setState({ ...before, screens: new Set(['perf']), modelTabs: [tab('playground'), tab('config')] });
});
afterEach(async () => {
  areas.setState(before, true);
  await page?.close();
});

async function start(view: ReactNode, fake = new FakeEngine()): Promise<Rendered> {
  page = await renderWithHosts(view, fake);
  return page;
}

const known = (name: string): ModelView => {
  const model = FAKE_MODELS.find((one) => one.name === name);
  if (model === undefined) throw new Error(`there is no ${name}`);
  return model;
};
const banners = (changes: Partial<ModelView>, isConfigShown = false) => (
  <ModelBanners model={fakeModel('m', changes)} isConfigShown={isConfigShown} />
);
const shown = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid^=banner-]')]
    .map(({ dataset }) => dataset['testid'] ?? '')
    .filter((id) => !/-(details|strict|reload|revert)$/.test(id));
const press = (root: HTMLElement, text: string) =>
  click([...root.querySelectorAll('button')].find(({ textContent }) => textContent === text) as HTMLElement);

test.each<[string, Partial<ModelView>, readonly string[]]>([
  ['nothing to say', {}, []],
  ['cannot run here', { state: 'not-runnable', backend: 'fil' }, ['banner-not-runnable']],
  ['a name used twice', { duplicateOf: '/other' }, ['banner-duplicate']],
  ['crashed the server', { isQuarantined: true, state: 'unloaded' }, ['banner-quarantined']],
  ['files changed', { changedOnDisk: true }, ['banner-changed']],
  ['files changed of a model that is not loaded', { changedOnDisk: true, state: 'unloaded' }, []],
  ['an override', { hasOverride: true }, ['banner-override']],
  ['without its GPU', { isDegraded: true }, ['banner-degraded']],
  [
    'faults before the first load',
    { state: 'unloaded', issueCounts: { error: 2, warning: 0, info: 0 } },
    ['banner-problems'],
  ],
])('%s', async (_what, changes, expected) => {
  await start(banners(changes));
  expect(shown()).toEqual(expected);
});

test('the config tab has its own words for an override and for faults', async () => {
  await start(banners({ hasOverride: true }, true));
  expect(shown()).toEqual([]);
  await page?.close();
  await start(banners({ state: 'unloaded', issueCounts: { error: 1, warning: 0, info: 0 } }, true));
  expect(shown()).toEqual([]);
});

test('changed files are loaded, compared, or ignored until the next load', async () => {
  const { get, query, fake } = await start(banners({ changedOnDisk: true, isConfigChanged: true }));
  expect(get('banner-changed').textContent).toContain('config.pbtxt changed on disk');
  await click(get('banner-changed-reload'));
  await until(() => expect(fake.argsOf('repository/reload')).toEqual([{ model: 'm', force: false }]));
  await press(get('banner-changed'), 'Show diff');
  expect(activeTab()?.address).toMatchObject({ tab: 'config', query: { view: 'diff', with: 'loaded' } });
  await press(get('banner-changed'), 'Ignore');
  await until(() => expect(query('banner-changed')).toBeNull());
});

test('what a failure says: title, rule, words of the server, and the line it is about', async () => {
  const { get } = await start(<FailureCard model={known('broken_dims')} />);
  const card = get('failure-broken_dims');
  for (const words of [
    'The dimensions of INPUT0 include the batch dimension',
    'D21',
    'max_batch_size is 8',
  ]) {
    expect(card.textContent).toContain(words);
  }
  expect(get('failure-original-broken_dims').textContent).toContain('making complete shape [-1,-1,16]');
  await press(card, 'Show line 7');
  expect(activeTab()?.address).toMatchObject({ tab: 'config', query: { line: '7' } });
  await press(card, 'Show full log');
  expect(activeTab()?.address.tab).toBe('logs');
  expect(await accessibilityFaults()).toEqual([]);
});

test('the command that installs what is missing can be copied', async () => {
  const command = '/usr/bin/python3 -m pip install opencv-python-headless';
  const [failed, bare] = [known('broken_dims'), known('broken_dims')];
  if (failed.failure === undefined) throw new Error('it has not failed');
  const { get } = await start(<FailureCard model={{ ...failed, failure: { ...failed.failure, command } }} />);
  expect(get('failure-command-broken_dims').textContent).toBe(command);
  expect(get('failure-broken_dims').textContent).toContain('Run this in a terminal');
  await page?.close();
  const second = await start(<FailureCard model={bare} />);
  expect(second.query('failure-command-broken_dims')).toBeNull();
});

test('a reload that failed says what serves still; a failure without words shows its reason', async () => {
  const model = { ...known('broken_dims'), state: 'ready' as const, servedVersions: ['3'] };
  const { get } = await start(<FailureCard model={model} />);
  expect(get('failure-broken_dims').textContent).toContain('Reload failed: The dimensions');
  expect(get('failure-serving-broken_dims').textContent).toContain('Version 3, loaded');
  await page?.close();
  const bare = fakeModel('bare', { state: 'failed', reason: 'no more memory' });
  const second = await start(<FailureCard model={bare} />);
  expect(second.get('failure-original-bare').textContent).toContain('no more memory');
});

const FIX = 'Remove the first element of dims';
const finding = (at: number, title = FIX) => ({
  code: 'D21',
  severity: 'error' as const,
  message: 'the model expects 2 dimensions',
  hint: '',
  path: 'input[0].dims',
  startOffset: at,
  endOffset: at + 8,
  line: 1,
  column: 1,
  fixes: [{ title, edits: [{ startOffset: at, endOffset: at + 4, newText: '' }] }],
});

test('a repair is made where it belongs in the file as it is when it is pressed', async () => {
  const fake = new FakeEngine();
  const text = '# typed since\ndims: [ -1, 16 ]';
  const at = text.indexOf('-1, ');
  fake.overrides['config/read'] = () => ({
    exists: true,
    text,
    hash: 'h2',
    path: '/m/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  });
  fake.overrides['config/validate'] = () => [finding(at)];
  const { get } = await start(<FailureCard model={known('broken_dims')} />, fake);
  await click(get('failure-fix-D21'));
  await until(() => expect(fake.argsOf('config/write')).toHaveLength(1));
  expect(fake.argsOf('config/write')[0]).toMatchObject({
    text: '# typed since\ndims: [ 16 ]',
    expectedHash: 'h2',
  });
});

test('a repair that does not fit the file any more writes nothing, and says so', async () => {
  const fake = new FakeEngine();
  fake.overrides['config/validate'] = () => [finding(0, 'Set dims to [ 4 ]')];
  const { get } = await start(<FailureCard model={known('broken_dims')} />, fake);
  await click(get('failure-fix-D21'));
  await until(() => expect(document.body.textContent).toContain('does not fit it any more'));
  expect(fake.argsOf('config/write')).toEqual([]);
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test('everything that was found about a failure is explained, or why it cannot be', async () => {
  const { get } = await start(<FailureCard model={known('broken_dims')} />);
  await click(get('failure-explain-broken_dims'));
  const finding = await until(() => get('explain-D21'));
  expect(finding.textContent).toContain('Remove the first element.');
  await page?.close();
  const fake = new FakeEngine();
  fake.overrides['config/validate'] = () => {
    throw internal('the check broke');
  };
  const second = await start(<FailureCard model={known('broken_dims')} />, fake);
  await click(second.get('failure-explain-broken_dims'));
  await until(() => expect(second.get('explain-dialog').textContent).toContain('the check broke'));
});

const header = (model: ModelView, changes: { isSending?: boolean; onVersion?: (v: string) => void } = {}) => (
  <ModelHeader
    model={model}
    isSending={changes.isSending ?? false}
    version=""
    onVersion={changes.onVersion ?? (() => undefined)}
  />
);

test('a model without its folder cannot be reloaded, and one of no known kind has no empty mark', async () => {
  const away = { ...known('image_tiny'), reason: 'no such folder', failure: undefined, kind: undefined };
  const { get } = await start(header(away));
  expect(get('model-reload').getAttribute('aria-disabled')).toBe('true');
  expect(
    [...get('model-header').querySelectorAll('span:not(.sr-only)')].filter((one) => one.textContent === ''),
  ).toEqual([]);
});

test('without a server nothing is sent or measured', async () => {
  const { get } = await start(
    <OfflineContext value="Not connected">{header(known('image_tiny'))}</OfflineContext>,
  );
  for (const id of ['model-send', 'model-perf', 'model-reload']) {
    expect(get(id).dataset['tip']).toBe('Not connected');
    await click(get(id));
  }
  expect(activeTab()?.address.area).toBe('models');
});

test('once its files have changed, what failed leads with the next try', async () => {
  const changed = { ...known('broken_dims'), changedSinceFailure: ['broken_dims'] };
  const { get, fake } = await start(<FailureCard model={changed} />);
  expect(get('failure-changed-broken_dims').textContent).toContain('files have changed since');
  expect(get('failure-again-broken_dims').textContent).toBe('Load');
  expect(get('failure-again-broken_dims').className).toContain('bg-accent');
  expect(get('failure-fix-D21').className).not.toContain('bg-accent');
  await click(get('failure-again-broken_dims'));
  await until(() => expect(fake.argsOf('repository/load')).toEqual([{ model: 'broken_dims' }]));
  await page?.close();

  const served = { ...changed, state: 'ready', servedVersions: ['1'], reason: 'it broke' } as const;
  const second = await start(<FailureCard model={served} />);
  expect(second.get('failure-again-broken_dims').textContent).toBe('Reload');
  await click(second.get('failure-again-broken_dims'));
  await until(() =>
    expect(second.fake.argsOf('repository/reload')).toEqual([{ model: 'broken_dims', force: false }]),
  );
  await page?.close();

  const inStep = { ...changed, changedSinceFailure: ['image_tiny'] };
  const ofStep = await start(<FailureCard model={inStep} />);
  expect(ofStep.get('failure-changed-broken_dims').textContent).toContain('files of image_tiny');
  expect(ofStep.get('failure-again-broken_dims').className).toContain('bg-accent');
  await page?.close();

  const third = await start(<FailureCard model={known('broken_dims')} />);
  expect(third.query('failure-changed-broken_dims')).toBeNull();
  expect(third.query('failure-again-broken_dims')).toBeNull();
  expect(third.get('failure-fix-D21').className).toContain('bg-accent');
});

test('the header of a loaded model unloads, reloads and leads on; that of another one loads', async () => {
  const { get, query, fake } = await start(header(known('image_tiny')));
  expect(get('model-reload').textContent).toBe('Update instances');
  expect([query('model-load'), query('model-version')]).toEqual([null, null]);
  await click(get('model-send'));
  expect(activeTab()?.address).toMatchObject({ model: 'image_tiny', tab: 'playground' });
  await click(get('model-unload'));
  await until(() =>
    expect(fake.argsOf('repository/unload').map(({ model }) => model)).toEqual(['image_tiny']),
  );
  await page?.close();
  const idle = await start(header(known('simple')));
  await click(idle.get('model-load'));
  await until(() => expect(idle.fake.argsOf('repository/load')).toEqual([{ model: 'simple' }]));
});

test('the playground has its own Send, and a model of several versions a choice', async () => {
  const { get, query } = await start(header(known('batch_mlp'), { isSending: true }));
  expect(query('model-send')).toBeNull();
  expect(get('model-version').textContent).toContain('Server’s choice');
});

test('a model that cannot run cannot be loaded', async () => {
  const { get, fake } = await start(header(known('detector_fil')));
  await click(get('model-load'));
  expect(fake.argsOf('repository/load')).toEqual([]);
});

const versions = (names: readonly string[]) =>
  names.map((version) => ({ ...(known('simple').versions[0] as ModelView['versions'][number]), version }));

async function policy(text: string): Promise<{ readonly get: Rendered['get']; readonly fake: FakeEngine }> {
  const fake = new FakeEngine();
  const model = fakeModel('m', { versions: versions(['1', '2', '10']) });
  fake.snapshot = fakeSnapshot([model]);
  let file = {
    exists: true,
    text,
    hash: 'h1',
    path: '/m/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  };
  fake.overrides['config/read'] = () => file;
  fake.overrides['config/write'] = (args) => (file = { ...file, text: args.text, hash: `${file.hash}+` });
  const { get } = await start(<PolicyCard model={model} />, fake);
  await until(() => expect(fake.argsOf('config/read')).not.toEqual([]));
  return { get, fake };
}

const choose = async (get: Rendered['get'], text: string): Promise<void> => {
  const choices = [...get('policy-kind').querySelectorAll<HTMLElement>('button, [role=radio], label')];
  await click(choices.find(({ textContent }) => textContent === text) as HTMLElement);
};

test('what a policy would serve is shown before it is written', async () => {
  const { get, fake } = await policy('name: "m" version_policy { latest { num_versions: 2 } }');
  await until(() => expect(get('policy-preview').textContent).toBe('Serves when loaded210'));
  await choose(get, 'All');
  await until(() => expect(get('policy-preview').textContent).toBe('Would serve1210'));
  expect(fake.argsOf('config/write')).toEqual([]);
});

test('a policy that was saved is the written one from then on', async () => {
  const { get, fake } = await policy('name: "m"\n');
  await until(() => expect(get('policy-preview').textContent).toBe('Serves when loaded10'));
  await choose(get, 'All');
  await click(get('policy-save'));
  await until(() => expect(fake.argsOf('config/write')).toHaveLength(1));
  expect(fake.argsOf('config/write')[0]?.text).toContain('version_policy');
  await until(() => expect(get('policy-preview').textContent).toBe('Serves when loaded1210'));
  await click(get('policy-save'));
  expect(fake.argsOf('config/write')).toHaveLength(1);
});

test('a file that somebody else changes is read again', async () => {
  const { get, fake } = await policy('name: "m"\n');
  await until(() => expect(get('policy-preview').textContent).toBe('Serves when loaded10'));
  const file = await fake.engine().client.call('config/read', { model: 'm' });
  const text = 'name: "m" version_policy { all {} }';
  fake.overrides['config/read'] = () => ({ ...file, text, hash: 'h2' });
  fake.publish('config/changedOnDisk', { model: 'm' });
  await until(() => expect(get('policy-preview').textContent).toBe('Serves when loaded1210'));
});

test('a policy that serves nothing cannot be saved', async () => {
  const { get, fake } = await policy('name: "m" version_policy { specific { versions: [7] } }');
  await until(() => expect(get('policy-preview').textContent).toContain('No version would serve'));
  await click(get('policy-save'));
  expect(fake.argsOf('config/write')).toEqual([]);
});
