// Model repositories for test files whose models echo through the fake backend: one backend for each test, and at its
// end the proof that no instance, no loaded model and no lock is left.

import { afterEach, beforeEach, expect } from 'vitest';

import { FakeBackend } from './fake-backend.ts';
import { echoConfig, repositoryFixture } from './repository-fixture.ts';
import type { RepositoryFixture, RepositoryFixtureOptions } from './repository-fixture.ts';

/** What a test of echoing models works with. */
export interface EchoWorld {
  /** The backend of the test that runs; another one may take its place before `start`. */
  backend: FakeBackend;
  /** A repository that goes with the test that runs. */
  start(options: Omit<RepositoryFixtureOptions, 'backends'>): Promise<RepositoryFixture>;
}

/** Files of version 1 of a model that echoes; `extra` is appended to its config.pbtxt. */
export const model = (name: string, extra = ''): Record<string, string> => ({
  [`${name}/config.pbtxt`]: echoConfig(extra),
  [`${name}/1/`]: '',
});

/** To be called once, at the top of a test file. */
export function echoWorld(): EchoWorld {
  const fixtures: RepositoryFixture[] = [];
  const world: EchoWorld = {
    backend: new FakeBackend(),
    start: async (options) => {
      const fixture = await repositoryFixture({ ...options, backends: [world.backend] });
      fixtures.push(fixture);
      return fixture;
    },
  };
  beforeEach(() => {
    world.backend = new FakeBackend();
  });
  afterEach(async () => {
    const ended = fixtures.splice(0);
    for (const fixture of ended) await fixture[Symbol.asyncDispose]();
    const { backend } = world;
    expect({
      instances: backend.liveInstanceCount,
      models: backend.liveModelCount,
      live: ended.flatMap(({ repository }) => repository.live),
      busy: ended.filter(({ repository }) => repository.busyCount > 0).length,
    }).toEqual({ instances: 0, models: 0, live: [], busy: 0 });
  });
  return world;
}

/** The repository index, one text for each version: name, version, state and reason, as far as they are given. */
export async function indexLines({ repository }: RepositoryFixture): Promise<string[]> {
  const entries = await repository.index({ readyOnly: false });
  return entries.map(({ name, version, state, reason }) =>
    [name, version, state, reason].filter(Boolean).join(' '),
  );
}

/** "1,3" = the ready versions of a model; without any, the message of its lookup without the common start. */
export function served({ repository }: RepositoryFixture, name: string): string {
  const versions = [...repository.ready()].filter(({ id }) => id.name === name).map(({ version }) => version);
  if (versions.length > 0) return versions.join(',');
  try {
    repository.find(name, -1);
    return 'served';
  } catch (thrown) {
    return (thrown as Error).message.replace(/^Request for unknown model: '[^']*' /, '');
  }
}
