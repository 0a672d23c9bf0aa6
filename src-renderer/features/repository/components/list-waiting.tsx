// A repository that was asked for its models and has not answered: since when, and the way to go on without it.

import { Hourglass, Square } from 'lucide-react';

import type { RepositoryView } from '../../../../src-shared/contract/repository-calls.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatDuration } from '../../../lib/format.ts';
import { isStorePath } from '../../../lib/store-path.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useClock } from '../../../ui/use-clock.ts';

interface Waiting {
  readonly repository: RepositoryView;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** Those that are waited for, in the order of the list. */
export function waitingFor(repositories: readonly RepositoryView[]): readonly Waiting[] {
  return repositories.flatMap((repository) => {
    const { waitingSinceMs: sinceMs, isEnabled } = repository;
    return sinceMs === undefined || !isEnabled ? [] : [{ repository, sinceMs }];
  });
}

/** Above a list that has other models. */
export function WaitingBanner({ repository: { path }, sinceMs }: Waiting) {
  const elapsed = formatDuration(useClock() - sinceMs);
  return (
    <Banner isStrip tone="info" testId="banner-waiting" actions={<StopWaiting path={path} />}>
      {t('models.waiting', { path })} <span aria-live="off">{t('models.waiting.since', { elapsed })}</span>
    </Banner>
  );
}

/** In place of a list that has none. */
export function ListWaiting({ repository: { path }, sinceMs }: Waiting) {
  const elapsed = formatDuration(useClock() - sinceMs);
  return (
    <EmptyState
      icon={Hourglass}
      testId="repository-waiting"
      title={t('models.waiting.title')}
      text={
        <>
          <p className="font-mono text-sm break-all text-strong">{path}</p>
          <p className="mt-1">{t(isStorePath(path) ? 'models.waiting.store' : 'models.waiting.folder')}</p>
          <p className="mt-1">{t('models.waiting.since', { elapsed })}</p>
        </>
      }
      actions={<StopWaiting path={path} size="md" />}
    />
  );
}

function StopWaiting({ path, size = 'sm' }: { readonly path: string; readonly size?: 'sm' | 'md' }) {
  const client = useClient();
  const stop = useAction(() => client.call('repository/giveUp', { path }));
  return (
    <Button
      size={size}
      icon={Square}
      isBusy={stop.isRunning}
      data-testid="repository-stop-waiting"
      title={t('models.waiting.stopHelp')}
      onClick={stop.run}
    >
      {t('models.waiting.stop')}
    </Button>
  );
}
