import { expect, test } from 'vitest';

import type { RepositoryView } from '../../../src-shared/contract/repository-calls.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeSnapshot } from '../../testing/fake-models.ts';
import { isStillClosed, openTarget, targetRepository } from './target-repository.ts';

const DEFAULT = '/home/ada/Conch/models';
const [some] = fakeSnapshot().repositories;

function start(paths: readonly string[]) {
  const fake = new FakeEngine();
  const engine = fake.engine();
  const repositories = paths.map((path): RepositoryView => ({
    ...some!,
    path,
    isWritable: true,
    isEnabled: true,
    error: undefined,
  }));
  engine.state.models.setState({ repositories });
  engine.state.server.setState({ view: fake.server });
  fake.overrides['repository/openDefault'] = () => ({ repository: { ...some!, path: DEFAULT } });
  return { fake, engine };
}

test.each([
  ['nothing is open', [], DEFAULT],
  ['only the samples are', ['/home/ada/.local/share/conch/samples'], DEFAULT],
  ['a repository of the user is', ['/home/ada/.local/share/conch/samples', '/srv/models'], '/srv/models'],
])('where a model goes when %s', (_name, open, expected) => {
  expect(targetRepository(start(open).engine)).toBe(expected);
});

test('the default repository is made by the first model that goes into it, and only then', async () => {
  const { fake, engine } = start([]);
  expect(isStillClosed(engine, DEFAULT)).toBe(true);
  await openTarget(engine, DEFAULT);
  expect(fake.argsOf('repository/openDefault')).toHaveLength(1);
  await openTarget(engine, '/srv/models');
  expect(fake.argsOf('repository/openDefault')).toHaveLength(1);
});

test('an open one is not opened again', async () => {
  const { fake, engine } = start([DEFAULT]);
  await openTarget(engine, DEFAULT);
  expect(fake.argsOf('repository/openDefault')).toHaveLength(0);
});
