// Where a model that is brought in goes: a repository of the user's that can be written to, else the default one, which
// is made by the first model. The samples are ours and stay as they are.

import type { Engine } from '../../engine/engine-context.tsx';

/** "" = there is none, and none can be made. */
export function targetRepository({ state }: Engine): string {
  const { repositories } = state.models.getState();
  const view = state.server.getState().view;
  const samples = samplesPath(view?.userDataPath ?? '');
  const own = repositories.find(
    ({ path, isWritable, isEnabled, error }) =>
      isWritable && isEnabled && error === '' && plain(path) !== samples,
  );
  const fallback = view?.defaultRepositoryPath ?? '';
  return own?.path ?? fallback;
}

/** Whether the folder would be made, or at least opened, by the model that goes into it. */
export function isStillClosed({ state }: Engine, path: string): boolean {
  return path !== '' && !state.models.getState().repositories.some((known) => known.path === path);
}

/** Opens the default repository where the model is to go into it and it is not open yet. */
export async function openTarget(engine: Engine, path: string): Promise<void> {
  const fallback = engine.state.server.getState().view?.defaultRepositoryPath;
  if (path === fallback && isStillClosed(engine, path)) {
    await engine.client.call('repository/openDefault', {});
  }
}

function samplesPath(userDataPath: string): string {
  return `${plain(userDataPath)}/samples`;
}

function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/\/$/, '');
}
