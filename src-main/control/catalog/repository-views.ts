// The repositories as the window lists them, those that are switched off included.

import type { RepositoryView } from '../../../src-shared/contract/repository-calls.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import { locateModels } from '../../repository/repository-scanner.ts';
import { writableFolders } from '../files/writable-folders.ts';

type Located = Awaited<ReturnType<typeof locateModels>>;

/** `serving`: what was found in the repositories that are on. */
export async function repositoryViews(
  { all, switches }: Pick<ModelRepository['folders'], 'all' | 'switches'>,
  serving: Pick<Located, 'locations' | 'unreadable'>,
): Promise<readonly RepositoryView[]> {
  const writable = new Set(await writableFolders(all));
  const off = await locateModels(switches.disabled);
  const locations = [...serving.locations, ...off.locations];
  return all.map((root) => ({
    path: root,
    modelCount: locations.filter(({ repository }) => repository === root).length,
    isWritable: writable.has(root),
    isEnabled: !switches.disabled.includes(root),
    isWatched: !switches.unwatched.includes(root),
    isTrusted: !switches.untrusted.includes(root),
    error: serving.unreadable.get(root) ?? off.unreadable.get(root),
  }));
}
