// The version folders of a model: what serves, what does not and why, and adding or removing one.

import { FilePlus, FolderPlus, Trash2 } from 'lucide-react';

import type { VersionView } from '../../../src-shared/contract/model-view.ts';
import { messageOf } from '../../engine/engine-client.ts';
import { useClient, useModel } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { useCall } from '../../engine/use-call.ts';
import { modelAddress } from '../../lib/address.ts';
import { hasModelTab } from '../../lib/areas.ts';
import { runCommand } from '../../lib/command-registry.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { formatBytes, formatCount } from '../../lib/format.ts';
import type { ShownState } from '../../lib/model-state.ts';
import { open } from '../../lib/workspace-store.ts';
import type { PlainKey } from '../../texts/translate.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ask } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SimpleTable } from '../../ui/simple-table.tsx';
import { StateIcon } from '../../ui/state-chip.tsx';
import { toastError } from '../../ui/toast.tsx';

export function VersionsTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  const isServing = model?.state === 'ready';
  const statistics = useCall('observe/statistics', isServing ? { model: name, version: '' } : undefined);
  if (model === undefined) return null;
  const countOf = (version: string) =>
    statistics.data?.find((view) => view.version === version)?.inferenceCount;
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="model-versions">
      <Card
        title={t('model.versions.title')}
        actions={<VersionActions name={name} versions={model.versions} />}
      >
        {model.versions.length === 0 ? (
          <NoVersion name={name} />
        ) : (
          <SimpleTable
            label={t('model.versions.title')}
            rows={model.versions}
            keyOf={({ version }) => version}
            columns={[
              { id: 'version', title: t('model.version'), isMono: true, cell: ({ version }) => version },
              { id: 'state', title: t('model.versions.state'), cell: (view) => <VersionState view={view} /> },
              {
                id: 'files',
                title: t('model.versions.files'),
                align: 'end',
                cell: ({ fileCount }) => fileCount,
              },
              {
                id: 'size',
                title: t('model.versions.size'),
                align: 'end',
                cell: ({ byteSize }) => formatBytes(byteSize),
              },
              {
                id: 'modified',
                title: t('model.versions.modified'),
                align: 'end',
                cell: ({ modifiedAtMs }) => new Date(modifiedAtMs).toLocaleString(),
              },
              {
                id: 'requests',
                title: t('model.versions.requests'),
                align: 'end',
                cell: ({ version }) => formatCount(countOf(version)),
              },
              {
                id: 'actions',
                title: t('model.versions.actions'),
                align: 'end',
                cell: (view) => <Trash name={name} view={view} />,
              },
            ]}
          />
        )}
        <p className="mt-3 text-sm text-faint">{t('model.versions.policy')}</p>
      </Card>
    </div>
  );
}

const STATES: Readonly<Record<VersionView['state'], { readonly icon: ShownState; readonly text: PlainKey }>> =
  {
    READY: { icon: 'ready', text: 'model.versions.serving' },
    NOT_SELECTED: { icon: 'unloaded', text: 'model.versions.notSelected' },
    UNAVAILABLE: { icon: 'failed', text: 'model.versions.failed' },
    LOADING: { icon: 'loading', text: 'model.versions.loading' },
    UNLOADING: { icon: 'unloading', text: 'model.versions.unloading' },
    UNKNOWN: { icon: 'unloaded', text: 'model.versions.idle' },
  };

function VersionState({ view }: { readonly view: VersionView }) {
  const isUnloaded = view.state === 'UNAVAILABLE' && (view.reason === '' || view.reason === 'unloaded');
  const look =
    view.fileCount === 0
      ? { icon: 'unloaded' as const, text: 'model.versions.empty' as const }
      : isUnloaded
        ? STATES.UNKNOWN
        : STATES[view.state];
  return (
    <span
      className="inline-flex items-center gap-1.5"
      data-testid={`version-state-${view.version}`}
      data-state={view.state}
    >
      <StateIcon state={look.icon} />
      {t(look.text)}
      {!isUnloaded && view.reason !== '' && <span className="text-faint">{view.reason}</span>}
    </span>
  );
}

function VersionActions({
  name,
  versions,
}: {
  readonly name: string;
  readonly versions: readonly VersionView[];
}) {
  const client = useClient();
  const next = String(Math.max(0, ...versions.map(({ version }) => Number(version))) + 1);
  const create = useAction(
    () => client.call('repository/createVersionFolder', { model: name, version: next }),
    toastError,
  );
  return (
    <>
      {hasModelTab('config') && (
        <Button size="sm" onClick={() => open(modelAddress(name, 'config', { find: 'version_policy' }))}>
          {t('model.versions.editPolicy')}
        </Button>
      )}
      <Button size="sm" icon={FolderPlus} isBusy={create.isRunning} onClick={create.run}>
        {t('model.versions.create', { version: next })}
      </Button>
      <Button size="sm" icon={FilePlus} onClick={() => runCommand('repository.importOnnx', name)}>
        {t('model.versions.add')}
      </Button>
    </>
  );
}

function NoVersion({ name }: { readonly name: string }) {
  const client = useClient();
  const create = useAction(
    () => client.call('repository/createVersionFolder', { model: name, version: '1' }),
    toastError,
  );
  return (
    <EmptyState
      title={t('model.versions.none')}
      actions={
        <Button variant="primary" icon={FolderPlus} isBusy={create.isRunning} onClick={create.run}>
          {t('model.versions.create', { version: '1' })}
        </Button>
      }
    />
  );
}

function Trash({ name, view }: { readonly name: string; readonly view: VersionView }) {
  const client = useClient();
  const { version } = view;
  const trash = async (): Promise<void> => {
    const answer = await ask({
      title: t('model.versions.trashTitle', { name, version }),
      text: t('model.versions.trashText'),
      choices: [{ value: 'trash', label: t('model.versions.trash'), isDanger: true }],
    });
    if (answer === 'trash') await client.call('repository/trashVersion', { model: name, version });
  };
  return (
    <IconButton
      label={t('model.versions.trash')}
      icon={Trash2}
      tooltipSide="left"
      onClick={() => void trash().catch((thrown: unknown) => toastError(messageOf(thrown)))}
    />
  );
}
