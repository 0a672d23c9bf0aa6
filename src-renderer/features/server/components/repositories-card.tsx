// The model repositories in their order: adding, removing, switching off for a while, watching. None of it touches files.

import { Eye, EyeOff, FolderPlus, Trash2 } from 'lucide-react';

import type { RepositoryView } from '../../../../src-shared/contract/repository-calls.ts';
import { removeRepository } from '../../../actions/remove-repository.ts';
import { useClient, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { address } from '../../../lib/address.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { isMissing, systemWords } from '../../../lib/system-words.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Switch } from '../../../ui/switch.tsx';

/** Where two have a model of the same name, their order counts. */
export function RepositoriesCard() {
  const repositories = useModels((state) => state.repositories);
  return (
    <Card
      title={t('server.repositories')}
      testId="server-repositories"
      actions={
        <Button size="sm" icon={FolderPlus} onClick={() => runCommand('repository.add')}>
          {t('server.repositories.add')}
        </Button>
      }
    >
      {repositories.length === 0 && <p className="text-faint">{t('server.repositories.none')}</p>}
      <ul>
        {repositories.map((repository) => (
          <Repository key={repository.path} repository={repository} />
        ))}
      </ul>
    </Card>
  );
}

function Repository({ repository }: { readonly repository: RepositoryView }) {
  const { path, modelCount, isWritable, isEnabled, isWatched, error } = repository;
  const client = useClient();
  const change = useAction((changes: { readonly isEnabled?: boolean; readonly isWatched?: boolean }) =>
    client.call('repository/switch', { path, ...changes }),
  );
  return (
    <li
      data-testid={`repository-${path}`}
      data-state={isEnabled ? 'on' : 'off'}
      className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line/70 last:border-b-0"
    >
      <Switch
        isOn={isEnabled}
        isDisabled={change.isRunning}
        onChange={(isOn) => change.run({ isEnabled: isOn })}
        aria-label={t('server.repositories.enable', { path })}
        data-testid={`repository-enable-${path}`}
      />
      <button
        type="button"
        className={`min-w-0 truncate rounded font-mono text-sm hover:underline ${isEnabled ? 'text-strong' : 'text-faint'}`}
        onClick={() => open(address('models', { query: { repository: path } }))}
      >
        {path}
      </button>
      {!isEnabled && <Badge>{t('server.repositories.off')}</Badge>}
      {!isWritable && error === undefined && <Badge>{t('server.repositories.readOnly')}</Badge>}
      {isEnabled && !isWatched && <Badge>{t('server.repositories.unwatched')}</Badge>}
      {error !== undefined && (
        <Badge tone="bad">{isMissing(error) ? t('server.repositories.missing') : systemWords(error)}</Badge>
      )}
      <span className="ml-auto text-sm whitespace-nowrap text-faint">
        {t('server.repositories.models', { count: modelCount })}
      </span>
      <span className="flex">
        <IconButton
          label={t(isWatched ? 'server.repositories.unwatch' : 'server.repositories.watch')}
          aria-label={t('server.repositories.watchOf', { path })}
          icon={isWatched ? Eye : EyeOff}
          isPressed={isWatched}
          isBusy={change.isRunning}
          needsServer
          tooltipSide="top"
          data-testid={`repository-watch-${path}`}
          onClick={() => change.run({ isWatched: !isWatched })}
        />
        <RemoveButton path={path} />
      </span>
    </li>
  );
}

function RemoveButton({ path }: Pick<RepositoryView, 'path'>) {
  const client = useClient();
  const remove = useAction(() => removeRepository(client, path));
  return (
    <IconButton
      label={t('server.repositories.remove')}
      aria-label={t('server.repositories.removeOf', { path })}
      icon={Trash2}
      needsServer
      tooltipSide="top"
      isBusy={remove.isRunning}
      onClick={() => remove.run()}
    />
  );
}
