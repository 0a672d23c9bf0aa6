// Where a model that is brought in goes: a repository of the user's that can be written to, else the default one, which
// is made by the first model. The samples are ours and stay as they are.

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import type { RepositoryView } from '../../../src-shared/contract/repository-calls.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { useModels, useServer } from '../../engine/engine-context.tsx';

/** Path of the repository; undefined = there is none, and it is not known yet where one would be made. */
export function targetRepository({ state }: Engine): string | undefined {
  return targetAmong(state.models.getState().repositories, state.server.getState().view);
}

/** The same as a component sees it, which is drawn again when it changes. */
export function useTargetRepository(): string | undefined {
  const repositories = useModels((state) => state.repositories);
  const view = useServer((server) => server);
  return targetAmong(repositories, view);
}

function targetAmong(
  repositories: readonly RepositoryView[],
  view: ServerView | undefined,
): string | undefined {
  const samples = view === undefined ? undefined : `${plain(view.userDataPath)}/samples`;
  const own = repositories.find(
    ({ path, isWritable, isEnabled, error }) =>
      isWritable && isEnabled && error === undefined && plain(path) !== samples,
  );
  return own?.path ?? view?.defaultRepositoryPath;
}

/** Whether the folder would be made, or at least opened, by the model that goes into it. */
export function isStillClosed({ state }: Engine, path: string): boolean {
  return !state.models.getState().repositories.some((known) => known.path === path);
}

/** Opens the default repository where the model is to go into it and it is not open yet. */
export async function openTarget(engine: Engine, path: string): Promise<void> {
  const fallback = engine.state.server.getState().view?.defaultRepositoryPath;
  if (path === fallback && isStillClosed(engine, path)) {
    await engine.client.call('repository/openDefault', {});
  }
}

function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/$/, '');
}
