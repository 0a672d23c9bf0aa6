// The page of a folder whose name another repository uses too: it names both folders and never acts by name on the other.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { listedAddress } from '../../lib/address.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { ModelScreen } from './model-view.tsx';

const FIRST = fakeModel('twin', { path: '/first/twin' });
const SECOND = fakeModel('twin', { repository: '/other', path: '/other/twin', isShadowed: true });

let page: Rendered | undefined;

beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

async function start(fake: FakeEngine): Promise<Rendered> {
  fake.snapshot = fakeSnapshot([FIRST, SECOND]);
  page = await renderWithHosts(<ModelScreen address={listedAddress(SECOND)} />, fake);
  await until(() => page?.get('shadowed-folder'));
  return page;
}

test('says which folder it is and which one the name means, and leads there', async () => {
  const { get, query } = await start(new FakeEngine());
  const { textContent } = get('shadowed-folder');
  expect(textContent).toContain('This is /other/twin.');
  expect(textContent).toContain('means /first/twin instead');
  expect(query('model-view-twin')).toBeNull();
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('shadowed-open-other'));
  expect(activeTab()?.address).toEqual(listedAddress(FIRST));
});

test('one of the two repositories can be disabled from here', async () => {
  const { get } = await start(new FakeEngine());
  await click(get('shadowed-disable'));
  await until(() => get('duplicate-dialog'));
});

test('follows what becomes of it: alone with its name, then gone', async () => {
  const fake = new FakeEngine();
  const { get, query } = await start(fake);
  fake.publish('repository/models', { changed: [{ ...SECOND, isShadowed: false }], removed: [] });
  await until(() => expect(query('shadowed-disable')).toBeNull());
  await click(get('shadowed-open-other'));
  expect(activeTab()?.address).toEqual(listedAddress(FIRST));
  fake.publish('repository/models', { changed: [], removed: ['twin'] });
  await until(() => get('model-gone'));
});
