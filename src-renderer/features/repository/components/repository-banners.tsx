// Conditions of the whole list: server stopped, models that failed, repositories that cannot be read, names used twice.

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { disableDuplicate } from '../../../actions/disable-duplicate.ts';
import { isRunning, startServer } from '../../../actions/server-actions.ts';
import { removeRepository } from '../../../actions/remove-repository.ts';
import { useEngine, useModels, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { address } from '../../../lib/address.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { systemWords } from '../../../lib/system-words.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { repositoryUi } from '../repository-store.ts';
import { areAllUnreadable, unreadableKind } from './list-unreadable.tsx';
import { WaitingBanner, waitingFor } from './list-waiting.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';

/** Often nothing; several banners stand below each other. */
export function RepositoryBanners({ models }: { readonly models: readonly ModelView[] }) {
  const failed = models.filter(({ state }) => state === 'failed').length;
  const engine = useEngine();
  const duplicates = new Set(
    models.filter(({ duplicateOf }) => duplicateOf !== undefined).map(({ name }) => name),
  );
  const [duplicate = ''] = duplicates;
  return (
    <>
      <ServerBanner />
      <WaitingBanners />
      <UnreadableBanners />
      {duplicates.size > 0 && (
        <Banner
          isStrip
          tone="warn"
          testId="banner-duplicate"
          actions={
            <Button
              size="sm"
              data-testid="banner-duplicate-disable"
              onClick={() => void disableDuplicate(engine, duplicate)}
            >
              {t('duplicate.action')}
            </Button>
          }
        >
          {t('models.duplicateBanner', { count: duplicates.size, names: [...duplicates].join(', ') })}
        </Banner>
      )}
      {failed > 0 && (
        <Banner
          isStrip
          tone="warn"
          testId="banner-failed"
          actions={
            <Button
              size="sm"
              onClick={() => repositoryUi.setState({ states: new Set(['failed']), filter: '' })}
            >
              {t('common.show')}
            </Button>
          }
        >
          {t('models.someFailed', { failed, total: models.length })}
        </Banner>
      )}
    </>
  );
}

function ServerBanner() {
  const engine = useEngine();
  const state = useServer((view) => view?.state);
  const isOn = useServer(isRunning);
  const start = useAction(() => startServer(engine));
  const isStopped = !(state === undefined || isOn || state === 'stopping');
  const isMain = useMainAct(isStopped && state !== 'port-problem', 'mends');
  if (!isStopped) return null;
  if (state === 'port-problem') {
    return (
      <Banner
        isStrip
        tone="bad"
        testId="banner-port-problem"
        actions={
          <Button size="sm" onClick={() => open(address('server'))}>
            {t('models.showServer')}
          </Button>
        }
      >
        {t('models.portProblem')}
      </Banner>
    );
  }
  return (
    <Banner
      isStrip
      tone="neutral"
      testId="banner-stopped"
      actions={
        <Button
          size="sm"
          variant={isMain ? 'primary' : 'secondary'}
          isBusy={start.isRunning}
          onClick={start.run}
        >
          {t('models.start')}
        </Button>
      }
    >
      {t('models.stopped')}
    </Banner>
  );
}

function WaitingBanners() {
  const repositories = useModels((state) => state.repositories);
  const hasModels = useModels(({ models }) => models.length > 0);
  if (areAllUnreadable(repositories) && !hasModels) return null;
  return waitingFor(repositories).map((waiting) => (
    <WaitingBanner key={waiting.repository.path} {...waiting} />
  ));
}

function UnreadableBanners() {
  const { client } = useEngine();
  const repositories = useModels((state) => state.repositories);
  const served = useModels(({ models }) => models);
  // Then the list itself says so, with more ways on.
  if (areAllUnreadable(repositories) && served.length === 0) return null;
  const call = (work: Promise<unknown>): void => void work.catch(toastThrown);
  return repositories
    .flatMap((view) =>
      view.error === undefined ? [] : { path: view.path, error: view.error, kind: unreadableKind(view) },
    )
    .map(({ path, error, kind }) => (
      <Banner
        key={path}
        isStrip
        tone="bad"
        testId="banner-unreadable"
        actions={
          <>
            <Button size="sm" onClick={() => call(client.call('repository/rescan', {}))}>
              {t('common.retry')}
            </Button>
            {(kind === 'missing' || kind === 'unreadable') && (
              <Button size="sm" onClick={() => runCommand('repository.add', path)}>
                {t('models.locate')}
              </Button>
            )}
            <Button size="sm" onClick={() => call(removeRepository(client, path))}>
              {t('models.remove')}
            </Button>
          </>
        }
      >
        {kind === 'missing' || kind === 'givenUp'
          ? t(`models.${kind}`, { path })
          : t('models.unreadable', { path, error: systemWords(error) })}{' '}
        {kind === 'storeUnreadable' && `${t('models.storeUnreadable.text')} `}
        {t('models.stillServed', { count: served.filter(({ repository }) => repository === path).length })}
      </Banner>
    ));
}
