// Every repository that is open is gone, cannot be read or has not answered: which, why in the system's words, and the ways on.

import { FolderSearch, FolderX, Plus, RotateCw } from 'lucide-react';

import type { RepositoryView } from '../../../../src-shared/contract/repository-calls.ts';
import { removeRepository } from '../../../actions/remove-repository.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { isStorePath } from '../../../lib/store-path.ts';
import { isMissing } from '../../../lib/system-words.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ListWaiting, waitingFor } from './list-waiting.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';

/** Whether the list has nothing to show for want of a repository that can be read, or that answered. */
export function areAllUnreadable(repositories: readonly RepositoryView[]): boolean {
  const open = repositories.filter(({ isEnabled }) => isEnabled);
  return (
    open.length > 0 &&
    open.every(({ error, waitingSinceMs }) => error !== undefined || waitingSinceMs !== undefined)
  );
}

/** In place of the list of models. */
export function ListUnreadable({ repositories }: { readonly repositories: readonly RepositoryView[] }) {
  return (
    <div className="flex flex-col" data-testid="models-unreadable">
      {waitingFor(repositories).map((waiting) => (
        <ListWaiting key={waiting.repository.path} {...waiting} />
      ))}
      {repositories
        .filter(({ error }) => error !== undefined)
        .map((repository) => (
          <Unreadable key={repository.path} repository={repository} />
        ))}
    </div>
  );
}

type Kind = 'givenUp' | 'missing' | 'storeUnreadable' | 'unreadable';

/** Why the list has nothing of the repository, as far as it is known. One that was given up never said why. */
export function unreadableKind({
  path,
  error,
  isGivenUp,
}: Pick<RepositoryView, 'path' | 'error' | 'isGivenUp'>): Kind {
  if (isGivenUp) return 'givenUp';
  if (isStorePath(path)) return 'storeUnreadable';
  return isMissing(error) ? 'missing' : 'unreadable';
}

const TITLES = {
  givenUp: 'models.givenUp.title',
  missing: 'models.missing.title',
  storeUnreadable: 'models.unreadable.title',
  unreadable: 'models.unreadable.title',
} as const;

function Unreadable({ repository }: { readonly repository: RepositoryView }) {
  const { path, error } = repository;
  const client = useClient();
  const retry = useAction(() => client.call('repository/rescan', {}));
  const remove = useAction(() => removeRepository(client, path));
  const isMain = useMainAct(true, 'mends');
  const kind = unreadableKind(repository);
  const mayBeFound = kind === 'missing' || kind === 'unreadable';
  return (
    <EmptyState
      icon={FolderX}
      testId="repository-unreadable"
      title={t(TITLES[kind])}
      text={
        <>
          <p className="font-mono text-sm break-all text-strong">{path}</p>
          <p className="mt-1">{t(`models.${kind}.text`)}</p>
          {kind !== 'givenUp' && <p className="mt-1 font-mono text-sm break-words text-faint">{error}</p>}
        </>
      }
      actions={
        <>
          {/* What is not found in an object store lies in no folder of this computer. */}
          {mayBeFound && (
            <Button
              variant={isMain ? 'primary' : 'secondary'}
              icon={FolderSearch}
              data-testid="repository-locate"
              onClick={() => runCommand('repository.add', path)}
            >
              {t('models.locate')}
            </Button>
          )}
          <Button
            variant={isMain && !mayBeFound ? 'primary' : 'secondary'}
            icon={RotateCw}
            isBusy={retry.isRunning}
            data-testid="repository-retry"
            onClick={retry.run}
          >
            {t('common.retry')}
          </Button>
          <Button
            icon={FolderX}
            isBusy={remove.isRunning}
            data-testid="repository-remove"
            onClick={remove.run}
          >
            {t('models.remove')}
          </Button>
          <Button
            icon={Plus}
            data-testid="repository-open-another"
            onClick={() => runCommand('repository.add')}
          >
            {t('models.openAnother')}
          </Button>
        </>
      }
    />
  );
}
