// The columns of the table of versions, and what can be done with one of them.

import { Copy, EllipsisVertical, GitCompareArrows, Target, Trash2 } from 'lucide-react';

import type { GpuMemoryShare } from '../../../../src-shared/contract/gpu-memory.ts';
import type { ModelView, VersionView } from '../../../../src-shared/contract/model-view.ts';
import type { ModelFileView } from '../../../../src-shared/contract/repository-calls.ts';
import { editConfig } from '../../../actions/edit-config.ts';
import { trashVersion } from '../../../actions/folder-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { formatBytes, formatCount, formatDateTime, formatMillis } from '../../../lib/format.ts';
import { gpuMemoryLines, gpuMemoryShort } from '../../../lib/gpu-memory.ts';
import type { ShownState } from '../../../lib/model-state.ts';
import { withPolicy } from '../../../lib/version-policy.ts';
import type { PlainKey } from '../../../texts/translate.ts';
import { t } from '../../../texts/translate.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import type { SimpleColumn } from '../../../ui/simple-table.tsx';
import { StateIcon } from '../../../ui/state-chip.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';

interface ColumnFacts {
  readonly model: ModelView;
  readonly files: readonly ModelFileView[];
  /** Version -> inferences since it was loaded. */
  readonly inferences: ReadonlyMap<string, number>;
  readonly onCompare: (version: string) => void;
}

/** The columns in their order. */
export function versionColumns(facts: ColumnFacts): readonly SimpleColumn<VersionView>[] {
  const { model, files, inferences, onCompare } = facts;
  const number = (id: string, title: PlainKey, cell: SimpleColumn<VersionView>['cell']) =>
    ({ id, title: t(title), align: 'end', cell }) as const;
  return [
    { id: 'version', title: t('model.version'), isMono: true, cell: ({ version }) => version },
    {
      id: 'state',
      title: t('model.versions.state'),
      cell: (view) => <VersionState view={view} isEnsemble={model.isEnsemble} />,
    },
    {
      id: 'files',
      title: t('model.versions.files'),
      cell: ({ version }) => <Files files={files} version={version} />,
    },
    number('size', 'model.versions.size', ({ byteSize }) => formatBytes(byteSize)),
    number('modified', 'model.versions.modified', ({ modifiedAtMs }) =>
      modifiedAtMs === 0 ? '–' : formatDateTime(modifiedAtMs),
    ),
    number('load', 'model.versions.loadTime', ({ loadMs }) => formatMillis(loadMs)),
    number('memory', 'model.versions.memory', ({ memoryBytes }) => formatBytes(memoryBytes)),
    ...(model.versions.some(({ gpuMemory }) => gpuMemory.length > 0)
      ? [number('gpuMemory', 'models.col.gpuMemory', ({ gpuMemory }) => <GpuMemory shares={gpuMemory} />)]
      : []),
    number('requests', 'model.versions.requests', ({ version }) => formatCount(inferences.get(version))),
    {
      id: 'actions',
      title: t('model.versions.actions'),
      align: 'end',
      cell: (view) => <VersionMenu model={model} view={view} onCompare={onCompare} />,
    },
  ];
}

/** A dash with a reason, where it is not known. */
function GpuMemory({ shares }: { readonly shares: readonly GpuMemoryShare[] }) {
  return <span title={gpuMemoryLines(shares).join('\n')}>{gpuMemoryShort(shares)}</span>;
}

const SHOWN_FILES = 4;

function Files({ files, version }: { readonly files: readonly ModelFileView[]; readonly version: string }) {
  const own = files.filter(({ path }) => path.startsWith(`${version}/`));
  if (own.length === 0) return <span className="text-faint">{t('model.versions.noFiles')}</span>;
  const rest = own.length - SHOWN_FILES;
  return (
    <ul className="font-mono text-sm">
      {own.slice(0, rest === 1 ? own.length : SHOWN_FILES).map(({ path, byteSize }) => (
        <li key={path} className="whitespace-nowrap">
          {path.slice(version.length + 1)} <span className="text-faint">{formatBytes(byteSize)}</span>
        </li>
      ))}
      {rest > 1 && <li className="text-faint">{t('model.versions.moreFiles', { count: rest })}</li>}
    </ul>
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

/** The folder of an ensemble is empty on purpose. */
function VersionState({ view, isEnsemble }: { readonly view: VersionView; readonly isEnsemble: boolean }) {
  const isUnloaded = view.state === 'UNAVAILABLE' && (view.reason === '' || view.reason === 'unloaded');
  const isEmpty = view.fileCount === 0 && !isEnsemble && view.state !== 'READY';
  const look = isUnloaded ? STATES.UNKNOWN : STATES[view.state];
  return (
    <span
      className="inline-flex items-center gap-1.5"
      data-testid={`version-state-${view.version}`}
      data-state={view.state}
    >
      <StateIcon state={isEmpty ? 'unloaded' : look.icon} />
      {t(isEmpty ? 'model.versions.empty' : look.text)}
      {!isUnloaded && view.reason !== '' && <span className="text-faint">{view.reason}</span>}
    </span>
  );
}

function VersionMenu({
  model,
  view,
  onCompare,
}: {
  readonly model: ModelView;
  readonly view: VersionView;
  readonly onCompare: (version: string) => void;
}) {
  const engine = useEngine();
  const { name } = model;
  const { version } = view;
  const run = (work: Promise<unknown>): void => void work.catch(toastThrown);
  const duplicate = async (): Promise<void> => {
    const made = await engine.client.call('repository/duplicateVersion', { model: name, version });
    toastSuccess(t('model.versions.duplicated', { from: version, to: made.version }));
  };
  const serveOnly = (): Promise<boolean> =>
    editConfig(engine, name, {
      title: t('model.versions.onlyDone', { version }),
      apply: (text) => withPolicy(text, { kind: 'specific', latestCount: 1, versions: [Number(version)] }),
      load: true,
    });
  const isAlone = model.servedVersions.length === 1 && model.servedVersions[0] === version;
  const hasOther = model.versions.length > 1;
  return (
    <MenuButton
      entries={[
        {
          id: 'serveOnly',
          label: t('model.versions.only'),
          icon: Target,
          disabledReason: isAlone ? t('model.versions.onlyAlready') : undefined,
          onSelect: () => run(serveOnly()),
        },
        {
          id: 'compare',
          label: t('model.versions.compareWith'),
          icon: GitCompareArrows,
          disabledReason: hasOther ? undefined : t('model.versions.noOther'),
          onSelect: () => onCompare(version),
        },
        {
          id: 'duplicate',
          label: t('model.versions.duplicate'),
          icon: Copy,
          onSelect: () => run(duplicate()),
        },
        {
          id: 'trash',
          label: t('model.versions.trashMenu'),
          icon: Trash2,
          isDanger: true,
          startsGroup: true,
          onSelect: () => run(trashVersion(engine, name, version)),
        },
      ]}
    >
      <IconButton
        label={t('model.versions.menu', { version })}
        icon={EllipsisVertical}
        data-testid={`version-menu-${version}`}
      />
    </MenuButton>
  );
}
