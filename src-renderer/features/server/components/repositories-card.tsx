// The model repositories in their order, and adding or removing one. Removing never touches files.

import { FolderPlus, Trash2 } from 'lucide-react';

import { messageOf } from '../../../engine/engine-client.ts';
import { useClient, useModels } from '../../../engine/engine-context.tsx';
import { address } from '../../../lib/address.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { toastError } from '../../../ui/toast.tsx';

export function RepositoriesCard() {
  const client = useClient();
  const repositories = useModels((state) => state.repositories);
  const remove = async (path: string): Promise<void> => {
    const answer = await ask({
      title: t('server.repositories.removeTitle'),
      text: t('server.repositories.removeText', { path }),
      choices: [{ value: 'remove', label: t('server.repositories.removeDo'), isPrimary: true }],
    });
    if (answer === 'remove') await client.call('repository/remove', { path });
  };
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
        {repositories.map(({ path, modelCount, isWritable, error }) => (
          <li key={path} className="flex min-h-9 items-center gap-3 border-b border-line/70 last:border-b-0">
            <button
              type="button"
              className="min-w-0 truncate rounded font-mono text-sm text-strong hover:underline"
              onClick={() => open(address('models', { query: { repository: path } }))}
            >
              {path}
            </button>
            {!isWritable && <Badge>{t('server.repositories.readOnly')}</Badge>}
            {error !== '' && <Badge tone="bad">{error}</Badge>}
            <span className="ml-auto text-sm whitespace-nowrap text-faint">
              {t('server.repositories.models', { count: modelCount })}
            </span>
            <IconButton
              label={t('server.repositories.remove')}
              icon={Trash2}
              tooltipSide="left"
              onClick={() => void remove(path).catch((thrown: unknown) => toastError(messageOf(thrown)))}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
