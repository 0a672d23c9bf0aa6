// A repository that nobody waits for any more: the list says that and nothing else about it.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { address } from '../../lib/address.ts';
import { INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { RepositoryView } from './repository-view.tsx';

let page: Rendered | undefined;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

test.each([
  ['store, alone', 's3://bucket/models', false],
  ['store, beside one that answered', 's3://bucket/models', true],
  ['folder, alone', '/slow/models', false],
  ['folder, beside one that answered', '/slow/models', true],
])('a %s, that is not waited for any more: only that is said', async (_name, path, isBeside) => {
  const fake = new FakeEngine();
  const snapshot = fakeSnapshot(isBeside ? [fakeModel('a')] : []);
  const [repository] = snapshot.repositories;
  if (repository === undefined) throw new Error('there is no repository');
  const error = `repository '${path}' did not answer and is not waited for any more`;
  const slow = { ...repository, path, isGivenUp: true, error };
  fake.snapshot = { ...snapshot, repositories: isBeside ? [repository, slow] : [slow] };
  page = await renderWithHosts(<RepositoryView address={address('models')} />, fake);
  const { get } = page;
  const shown = await until(() => get(isBeside ? 'banner-unreadable' : 'models-unreadable'));
  expect(shown.textContent).toMatch(/not waited for any more/i);
  expect(shown.textContent?.match(/answer/g)).toHaveLength(1);
  expect(shown.textContent).not.toMatch(/no such bucket|credentials|cannot be read:|folder is there|Locate/);
  const retry = [...shown.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry');
  if (retry === undefined) throw new Error(`no way to ask again in ${shown.textContent}`);
  await click(retry);
  await until(() => expect(fake.argsOf('repository/rescan')).toHaveLength(1));
});
