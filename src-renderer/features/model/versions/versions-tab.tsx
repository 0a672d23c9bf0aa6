// The version folders of a model: which of them the policy serves, what each holds and costs, and what can be done with
// them.

import { FilePlus, FolderPlus, GitCompareArrows } from 'lucide-react';
import { useState } from 'react';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { useClient, useModel } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import type { ModelTabProps } from '../../../lib/feature.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { CompareDialog } from './compare-dialog.tsx';
import { PolicyCard } from './policy-card.tsx';
import { versionColumns } from './version-columns.tsx';

/** Numbers of requests are there for a model that is ready. */
export function VersionsTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  const [compared, setCompared] = useState<readonly [string, string]>();
  const isServing = model?.state === 'ready';
  const statistics = useCall(
    'observe/statistics',
    isServing ? { model: name, version: '' } : undefined,
    model?.loadedAtMs,
  );
  const files = useCall(
    'repository/files',
    { model: name },
    model?.versions.map(({ version, modifiedAtMs }) => `${version} ${modifiedAtMs}`).join(),
  );
  if (model === undefined) return null;
  const compare = (version: string): void => {
    const other = model.versions.findLast((view) => view.version !== version)?.version;
    if (other !== undefined)
      setCompared(Number(other) < Number(version) ? [other, version] : [version, other]);
  };
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="model-versions">
      <div className="mx-auto flex max-w-[120rem] flex-col gap-3">
        {model.versions.length > 0 && (
          <PolicyCard
            key={`${model.path} ${model.loadedAtMs} ${String(model.changedOnDisk)}`}
            model={model}
          />
        )}
        <Card
          title={t('model.versions.title')}
          actions={<VersionActions model={model} onCompare={compare} />}
        >
          {model.versions.length === 0 ? (
            <NoVersion name={name} />
          ) : (
            <SimpleTable
              label={t('model.versions.title')}
              testId="versions-table"
              rows={model.versions}
              keyOf={({ version }) => version}
              columns={versionColumns({
                model,
                files: files.data ?? [],
                inferences: new Map(
                  (statistics.data ?? []).map(({ version, inferenceCount }) => [version, inferenceCount]),
                ),
                onCompare: compare,
              })}
            />
          )}
        </Card>
      </div>
      {compared !== undefined && (
        <CompareDialog model={model} initial={compared} onClose={() => setCompared(undefined)} />
      )}
    </div>
  );
}

function VersionActions({
  model,
  onCompare,
}: {
  readonly model: ModelView;
  readonly onCompare: (version: string) => void;
}) {
  const { name, versions } = model;
  const client = useClient();
  const next = String(Math.max(0, ...versions.map(({ version }) => Number(version))) + 1);
  const create = useAction(() =>
    client.call('repository/createVersionFolder', { model: name, version: next }),
  );
  return (
    <>
      {versions.length > 1 && (
        <Button
          size="sm"
          icon={GitCompareArrows}
          data-testid="versions-compare"
          onClick={() => onCompare(versions.at(-1)?.version ?? '')}
        >
          {t('model.versions.compare')}
        </Button>
      )}
      <Button size="sm" icon={FolderPlus} isBusy={create.isRunning} onClick={create.run}>
        {t('model.versions.create', { version: next })}
      </Button>
      <Button
        size="sm"
        icon={FilePlus}
        data-testid="versions-add"
        onClick={() => runCommand('repository.importOnnx', name)}
      >
        {t('model.versions.add')}
      </Button>
    </>
  );
}

function NoVersion({ name }: { readonly name: string }) {
  const client = useClient();
  const create = useAction(() =>
    client.call('repository/createVersionFolder', { model: name, version: '1' }),
  );
  const isMain = useMainAct(true, 'mends');
  return (
    <EmptyState
      title={t('model.versions.none')}
      actions={
        <Button
          variant={isMain ? 'primary' : 'secondary'}
          icon={FolderPlus}
          isBusy={create.isRunning}
          data-testid="versions-create-first"
          onClick={create.run}
        >
          {t('model.versions.create', { version: '1' })}
        </Button>
      }
    />
  );
}
