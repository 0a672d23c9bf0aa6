// The list of models with its banners and its toolbar: what each condition says, and what each button sends.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { hiddenModels } from '../../actions/hidden-models.ts';
import { registerCommand } from '../../lib/command-registry.ts';
import { address } from '../../lib/address.ts';
import { workspaceFromJson, workspaceToJson } from '../../lib/workspace-json.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { FAKE_REPOSITORY, fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, press, renderWithHosts, type, until } from '../../testing/render.tsx';
import { repositoryUi } from './repository-store.ts';
import { RepositoryView } from './repository-view.tsx';

let page: Rendered | undefined;
beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  hiddenModels.setState({ paths: new Set(), isShowing: false });
  repositoryUi.setState({ filter: '', states: new Set(), groupBy: 'none', selected: new Set() });
});
afterEach(() => page?.close());

async function start(fake = new FakeEngine(), repository = ''): Promise<Rendered> {
  page = await renderWithHosts(
    <RepositoryView address={address('models', { query: repository === '' ? {} : { repository } })} />,
    fake,
  );
  await until(() => expect(fake.argsOf('repository/snapshot')).not.toEqual([]));
  return page;
}

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid^=model-row-]')].map(({ dataset }) =>
    dataset['testid']?.slice('model-row-'.length),
  );
const button = (root: HTMLElement, text: string): HTMLElement => {
  const found = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === text);
  if (found === undefined) throw new Error(`no button '${text}' in ${root.textContent}`);
  return found;
};

test('words and chips leave what fits; nothing that fits offers the way back', async () => {
  const { get } = await start();
  await until(() => expect(rows()).toContain('simple'));
  await type(get('models-filter'), 'batch');
  await until(() => expect(rows()).toEqual(['batch_mlp']));
  await type(get('models-filter'), '');
  await click(get('models-chip-failed'));
  await until(() => expect(rows()).toEqual(['broken_dims']));
  await type(get('models-filter'), 'batch');
  await until(() => expect(document.body.textContent).toContain('No model matches'));
  await click(button(document.body, 'Clear filter'));
  await until(() => expect(rows().length).toBeGreaterThan(5));
});

test('how many failed is said, and shown', async () => {
  const { get } = await start();
  const banner = await until(() => get('banner-failed'));
  expect(banner.textContent).toContain('1 of 9 models failed to load.');
  await click(button(banner, 'Show'));
  await until(() => expect(rows()).toEqual(['broken_dims']));
});

test('one repository is shown when the address says so, until it is taken away', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([fakeModel('here'), fakeModel('there', { repository: '/other' })]);
  const { get } = await start(fake, '/other');
  await until(() => expect(rows()).toEqual(['there']));
  await click(button(get('models-view'), '/other ×'));
  expect(activeTab()?.address.query).toEqual({ repository: '' });
});

test('everything that can be loaded is loaded at once', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([
    fakeModel('a', { state: 'unloaded' }),
    fakeModel('b', { state: 'failed' }),
    fakeModel('c'),
    fakeModel('d', { state: 'unloaded', duplicateOf: '/x' }),
  ]);
  const { get } = await start(fake);
  await until(() => get('model-row-a'));
  await click(get('models-load-all'));
  await until(() =>
    expect(
      fake
        .argsOf('repository/load')
        .map(({ model }) => model)
        .sort(),
    ).toEqual(['a', 'b']),
  );
  await until(() => expect(get('toast-success').textContent).toContain('2 models loaded.'));
});

test('what was taken off the list can be looked at again', async () => {
  const fake = new FakeEngine();
  fake.layouts.set('hidden models', JSON.stringify([`${FAKE_REPOSITORY}/simple`]));
  const { get } = await start(fake);
  const chip = await until(() => get('models-hidden'));
  expect(chip.textContent).toBe('1 not listed');
  expect(rows()).not.toContain('simple');
  await click(chip);
  await until(() => expect(rows()).toContain('simple'));
});

test('a repository that was moved away is told in plain words', async () => {
  const fake = new FakeEngine();
  const snapshot = fakeSnapshot([fakeModel('a')]);
  const [repository] = snapshot.repositories;
  if (repository === undefined) throw new Error('there is no repository');
  const error = "ENOENT: no such file or directory, scandir '/gone'";
  fake.snapshot = { ...snapshot, repositories: [repository, { ...repository, path: '/gone', error }] };
  const { get } = await start(fake);
  const banner = await until(() => get('banner-unreadable'));
  expect(banner.textContent).toContain(
    'The folder /gone is not there. It was moved, renamed or is on a drive',
  );
  expect(banner.textContent).not.toContain('ENOENT');
});

test('a repository that cannot be read says why, and what still serves from memory', async () => {
  const fake = new FakeEngine();
  const snapshot = fakeSnapshot([fakeModel('a'), fakeModel('b', { repository: '/gone' })]);
  const [repository] = snapshot.repositories;
  if (repository === undefined) throw new Error('there is no repository');
  fake.snapshot = {
    ...snapshot,
    repositories: [
      repository,
      { ...repository, path: '/gone', error: "EACCES: permission denied, scandir '/gone'" },
    ],
  };
  fake.overrides['repository/remove'] = () => undefined;
  const located: unknown[] = [];
  const off = registerCommand('repository.add', {
    run: (path) => void located.push(path),
    disabledReason: () => undefined,
  });
  const { get } = await start(fake);
  const banner = await until(() => get('banner-unreadable'));
  // Without the words of the system's library: its code and its call.
  expect(banner.textContent).toContain('Repository /gone cannot be read: permission denied. 1 model of it');
  expect(banner.textContent).toContain(
    '1 model of it still serves from memory; it cannot be reloaded until the repository can be read again.',
  );
  await click(button(banner, 'Retry'));
  await click(button(banner, 'Locate…'));
  await click(button(banner, 'Remove'));
  await until(() => get('confirm-remove'));
  expect(fake.argsOf('repository/remove')).toEqual([]);
  await click(get('confirm-remove'));
  off();
  await until(() => expect(fake.argsOf('repository/remove')).toEqual([{ path: '/gone' }]));
  expect([fake.argsOf('repository/rescan').length, located]).toEqual([1, ['/gone']]);
});

test('when no repository can be read the list itself says so, a missing folder apart from a locked one', async () => {
  const fake = new FakeEngine();
  const [repository] = fakeSnapshot([]).repositories;
  if (repository === undefined) throw new Error('there is no repository');
  fake.snapshot = {
    models: [],
    isScanning: false,
    repositories: [
      { ...repository, path: '/gone', error: 'ENOENT: no such folder' },
      { ...repository, path: '/locked', error: 'EACCES: permission denied' },
      { ...repository, path: '/off', isEnabled: false, error: undefined },
    ],
  };
  const { get, query } = await start(fake);
  const text = (await until(() => get('models-unreadable'))).textContent;
  for (const words of ['Repository not found', '/gone', 'Repository cannot be read', '/locked']) {
    expect(text).toContain(words);
  }
  expect(text).not.toContain('/off');
  expect(query('banner-unreadable')).toBeNull();
});

test.each([
  ['alone', false],
  ['beside one that can', true],
])('an object store that cannot be read, %s, is no locked folder', async (_name, isBeside) => {
  const fake = new FakeEngine();
  const snapshot = fakeSnapshot(isBeside ? [fakeModel('a')] : []);
  const [repository] = snapshot.repositories;
  if (repository === undefined) throw new Error('there is no repository');
  const error = "Unable to create S3 filesystem client. Exception: 'Unknown' Message: 'HTTP status 403'";
  const store = { ...repository, path: 's3://bucket/models', error };
  fake.snapshot = { ...snapshot, repositories: isBeside ? [repository, store] : [store] };
  const { get, query } = await start(fake);
  const place = isBeside ? 'banner-unreadable' : 'models-unreadable';
  const { textContent } = await until(() => get(place));
  expect(textContent).toContain('HTTP status 403');
  expect(textContent).toContain('does not take these credentials');
  expect(textContent).not.toMatch(/folder is there|Locate/);
  expect(query('repository-locate')).toBeNull();
});

test.each([
  ['alone', false, 'repository-waiting'],
  ['beside one that answered', true, 'banner-waiting'],
])(
  'a repository that has not answered, %s, is said so, and can be given up',
  async (_name, isBeside, place) => {
    const fake = new FakeEngine();
    const snapshot = fakeSnapshot(isBeside ? [fakeModel('a')] : []);
    const [repository] = snapshot.repositories;
    if (repository === undefined) throw new Error('there is no repository');
    const path = 's3://bucket/models';
    const store = { ...repository, path, waitingSinceMs: Date.now() - 12_000 };
    fake.snapshot = { ...snapshot, repositories: isBeside ? [repository, store] : [store] };
    const { get } = await start(fake);
    const { textContent } = await until(() => get(place));
    expect(textContent).toContain(path);
    expect(textContent).toContain('Asked 12 s ago');
    await click(get('repository-stop-waiting'));
    await until(() => expect(fake.argsOf('repository/giveUp')).toEqual([{ path }]));
  },
);

test('an empty repository offers the ways in', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([]);
  fake.overrides['repository/openSamples'] = () => undefined as never;
  const { get } = await start(fake);
  const empty = await until(() => get('models-empty'));
  // One filled button on a screen: the list's own steps back.
  expect(document.querySelectorAll('button.bg-accent')).toHaveLength(1);
  expect(empty.querySelector('button.bg-accent')).not.toBe(null);
  await click(button(empty, 'Try the sample models'));
  await until(() => expect(fake.argsOf('repository/openSamples')).toHaveLength(1));
});

test('a name in two repositories is said, and one of them can be switched off from here', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([
    fakeModel('twin', { state: 'unloaded', duplicateOf: '/other' }),
    fakeModel('twin', {
      state: 'unloaded',
      repository: '/other',
      duplicateOf: FAKE_REPOSITORY,
      isShadowed: true,
    }),
  ]);
  const { get } = await start(fake);
  expect((await until(() => get('banner-duplicate'))).textContent).toContain(
    'twin is used in 2 repositories',
  );
  expect(rows()).toEqual(['twin', 'twin-shadowed']);
  await click(get('btn-disable-twin'));
  await until(() => get('duplicate-dialog'));
  await click(get('confirm-cancel'));
  await click(get('banner-duplicate-disable'));
  await until(() => get('duplicate-dialog'));
});

test('the second folder of a name opens a page of its own, not the model of the first', async () => {
  const fake = new FakeEngine();
  const second = { repository: '/other', path: '/other/twin', isShadowed: true };
  fake.snapshot = fakeSnapshot([fakeModel('twin'), fakeModel('twin', second)]);
  const { get } = await start(fake);
  const row = await until(() => get('model-row-twin-shadowed'));
  row.focus();
  await press(row, 'Enter');
  const [, tab] = workspace.getState().tabs;
  expect(tab?.address).toEqual(address('models', { model: 'twin', query: { repository: '/other' } }));
  expect(workspaceFromJson(workspaceToJson(workspace.getState())).tabs?.[1]).toEqual(tab);
  const first = get('model-row-twin');
  first.focus();
  await press(first, 'Enter');
  expect(workspace.getState().tabs).toHaveLength(3);
  expect(activeTab()?.address).toEqual(address('models', { model: 'twin' }));
});

test('a port problem leads to the server, a stopped server can be started', async () => {
  const fake = new FakeEngine();
  fake.server = { ...fake.server, state: 'port-problem' };
  const { get } = await start(fake);
  await click(button(await until(() => get('banner-port-problem')), 'Show server'));
  expect(activeTab()?.address.area).toBe('server');
  fake.changeServer({ state: 'stopped' });
  await click(button(await until(() => get('banner-stopped')), 'Start'));
  await until(() => expect(fake.argsOf('server/start')).toEqual([{}]));
});

test('keys act on the row that has the focus, and do nothing where they cannot', async () => {
  const { get, fake } = await start();
  const row = await until(() => get('model-row-image_tiny'));
  row.focus();
  await press(row, 'l');
  expect(fake.argsOf('repository/load')).toEqual([]);
  await press(row, 'r');
  await until(() =>
    expect(fake.argsOf('repository/reload')).toEqual([{ model: 'image_tiny', force: false }]),
  );
  await press(row, 'u');
  await until(() =>
    expect(fake.argsOf('repository/unload').map(({ model }) => model)).toEqual(['image_tiny']),
  );
  await press(get('model-row-simple'), 'Delete');
  expect((await until(() => get('confirm'))).textContent).toContain('Move simple to the bin?');
});

test('a column of GPU memory is there when a model is on a GPU, with the reason where there is no number', async () => {
  const share = { device: 0, way: 'process', tool: 'nvidia-smi', isFirst: false } as const;
  const measured = { ...share, bytes: 512 * 1024 ** 2, unknown: undefined };
  const overlapped = {
    ...share,
    bytes: undefined,
    unknown: 'overlap',
    way: undefined,
    tool: undefined,
  } as const;
  const engine = new FakeEngine();
  engine.snapshot = fakeSnapshot([
    fakeModel('alone', { gpuMemory: [measured] }),
    fakeModel('beside', { gpuMemory: [overlapped] }),
  ]);
  const { get } = await start(engine);
  await until(() => expect(get('model-gpu-memory-alone').textContent).toBe('512 MiB'));
  expect(get('model-gpu-memory-beside').textContent).toBe('–');
  expect(get('model-gpu-memory-beside').title).toContain('not known: something else was loaded');
});

test('without a model on a GPU there is no such column', async () => {
  await start();
  await until(() => expect(rows()).toContain('simple'));
  expect(document.querySelector('[data-testid^=model-gpu-memory-]')).toBeNull();
});
