// What the desktop asks to open: recent repositories at once, what is open already is only shown, the rest is looked at.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { openFiles } from '../../lib/open-files.ts';
import { openPaths } from '../../lib/open-paths.ts';
import { activeTab, close, workspace } from '../../lib/workspace-store.ts';
import { fakeDropItem } from '../../testing/fake-drop-item.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { installShell } from '../../testing/fake-shell.ts';
import { FAKE_REPOSITORY } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import { forgetTold, toldOf } from '../../testing/told.ts';
import { ImportHost } from './import-host.tsx';
import { importStore } from './import-store.ts';

let page: Rendered | undefined;

beforeEach(() => {
  importStore.setState({ dialogs: [], picker: undefined, uploads: [] });
  for (const { id } of workspace.getState().tabs) close(id);
});
afterEach(async () => {
  await forgetTold();
  await page?.close();
});

function looking(changes: Partial<DropItem>): FakeEngine {
  const fake = new FakeEngine();
  fake.overrides['repository/classify'] = ({ paths }) =>
    paths.map((path) => fakeDropItem('repository', { path, name: 'other', ...changes }));
  fake.overrides['repository/add'] = ({ path }) => ({
    repository: { ...fake.snapshot.repositories[0]!, path },
  });
  return fake;
}

const dialogs = (): readonly string[] => importStore.getState().dialogs.map(({ kind }) => kind);

async function start(fake: FakeEngine): Promise<void> {
  page = await renderWithHosts(<ImportHost />, fake);
}

test('what was asked for before the window was ready is opened once it is', async () => {
  openPaths({ paths: ['/srv/other'], isRecent: false });
  await start(looking({}));
  await until(() => expect(dialogs()).toEqual(['repository']));
});

test('a file that another screen takes for a model is imported', async () => {
  const shell = installShell();
  Object.assign(Reflect.get(window, 'conchShell') as object, {
    pathForFile: ({ name }: File) => `/home/me/${name}`,
  });
  const fake = looking({});
  await start(fake);
  openFiles([new File(['x'], 'net.onnx')]);
  shell.remove();
  await until(() =>
    expect(fake.argsOf('repository/classify')[0]).toMatchObject({ paths: ['/home/me/net.onnx'] }),
  );
});

test('a recent repository is added without a question', async () => {
  const fake = looking({});
  await start(fake);
  openPaths({ paths: ['/srv/other'], isRecent: true });
  await until(() =>
    expect(fake.argsOf('repository/add')).toEqual([{ path: '/srv/other', load: true, trustCode: false }]),
  );
  await toldOf('/srv/other');
  expect(dialogs()).toEqual([]);
  expect(activeTab()?.address).toMatchObject({ area: 'models', model: '' });
});

test.each([
  ['it has code that nobody trusts', { hasCode: true }, ['repository']],
  ['it has become a model', { kind: 'model' }, ['repository']],
] as const)('a recent repository is looked at again when %s', async (_name, changes, expected) => {
  const fake = looking(changes);
  await start(fake);
  openPaths({ paths: ['/srv/other'], isRecent: true });
  await until(() => expect(dialogs()).toEqual(expected));
  expect(fake.argsOf('repository/add')).toEqual([]);
});

test('code that was trusted before needs no second question', async () => {
  const fake = looking({ hasCode: true, isTrusted: true });
  await start(fake);
  openPaths({ paths: ['/srv/other'], isRecent: true });
  await until(() => expect(fake.argsOf('repository/add')).toHaveLength(1));
});

test('a repository that is open is shown, and asked nothing about', async () => {
  const fake = looking({});
  await start(fake);
  openPaths({ paths: [FAKE_REPOSITORY], isRecent: false });
  await until(() => expect(activeTab()?.address.area).toBe('models'));
  expect(fake.argsOf('repository/classify')).toEqual([]);
  expect(dialogs()).toEqual([]);
});

test('a repository that cannot be opened is told', async () => {
  const fake = looking({});
  fake.overrides['repository/add'] = () => {
    throw internal('the disk is not mounted.');
  };
  await start(fake);
  openPaths({ paths: ['/srv/other'], isRecent: true });
  await toldOf('the disk is not mounted.');
});
