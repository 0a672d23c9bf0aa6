// The repositories as the window lists them, those that are switched off included.

import type { RepositoryView } from '../../../src-shared/contract/repository-calls.ts';
import { answerWaits } from '../../repository/answer-waits.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import { writableFolders } from '../files/writable-folders.ts';
import type { Listed } from './patient-listings.ts';

/** `listed`: what was found in all of them. Of one that did not answer nothing is asked here. */
export async function repositoryViews(
  { all, switches }: Pick<ModelRepository['folders'], 'all' | 'switches'>,
  { locations, unreadable, waiting }: Listed,
): Promise<readonly RepositoryView[]> {
  const writable = new Set(await writableFolders(all.filter((root) => !waiting.has(root))));
  return all.map((root) => ({
    path: root,
    modelCount: locations.filter(({ repository }) => repository === root).length,
    isWritable: writable.has(root),
    isEnabled: !switches.disabled.includes(root),
    isWatched: !switches.unwatched.includes(root),
    isTrusted: !switches.untrusted.includes(root),
    waitingSinceMs: waiting.get(root),
    isGivenUp: answerWaits.isGivenUp(root),
    error: unreadable.get(root),
  }));
}
